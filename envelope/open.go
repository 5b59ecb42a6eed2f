package envelope

import (
	"slices"

	"github.com/pierrec/lz4/v4"
	"github.com/zeebo/xxh3"

	"github.com/boundpack/boundpack/internal/tier"
)

// Open is [Codec.Open] of the default codec.
func Open(env []byte) (payload []byte, format string, err error) { return standard.Open(env) }

// OpenAppend is [Codec.OpenAppend] of the default codec.
func OpenAppend(dst, env []byte) (extended []byte, format string, err error) {
	return standard.OpenAppend(dst, env)
}

// OpenData is [Codec.OpenData] of the default codec.
func OpenData(env []byte) ([]byte, error) { return standard.OpenData(env) }

// Validate is [Codec.Validate] of the default codec.
func Validate(env []byte) bool { return standard.Validate(env) }

// Open returns the payload of an envelope and the name of its format. Only the payload
// is covered by the checksum: format is what the envelope says, whoever wrote it. Bytes
// after the envelope are accepted, as CacheKit does.
//
// It refuses with nil, "" and an [*Error], the first in this order: [ErrTooLarge] for the
// envelope, [ErrScan], [ErrLayout], [ErrTooLarge] for the declared payload, [ErrBomb],
// [ErrDecompress], [ErrChecksum], [ErrSize]. A codec with an Unseal refuses every bare
// envelope, before all that, with [ErrSuspicious]. Up to ErrBomb it takes no memory but
// the error's, and a few KiB at most where unknown fields open more than eight levels;
// then the payload is allocated, at most MaxPayload bytes, and nothing else but the format
// where it is not "msgpack", and the block where it is an array of ints.
//
// The payload is the caller's; env must not change during the call and is not kept.
func (c *Codec) Open(env []byte) (payload []byte, format string, err error) {
	payload, p, err := c.openBare(nil, env)
	if err != nil {
		return nil, "", err
	}
	return payload, formatName(p.format), nil
}

// OpenAppend is [Codec.Open] that appends the payload to dst, which must not overlap
// env, and so takes no memory for it if dst has room. After an error it returns dst as
// it was, but the bytes between its length and its capacity may have been written to.
func (c *Codec) OpenAppend(dst, env []byte) (extended []byte, format string, err error) {
	extended, p, err := c.openBare(dst, env)
	if err != nil {
		return dst, "", err
	}
	return extended, formatName(p.format), nil
}

// OpenData is [Codec.Open] for those who do not need the format; it is held to the same
// rules.
func (c *Codec) OpenData(env []byte) ([]byte, error) {
	payload, _, err := c.openBare(nil, env)
	return payload, err
}

// Validate reports whether Open would open the envelope. It takes the same time and
// memory.
func (c *Codec) Validate(env []byte) bool {
	_, err := c.OpenData(env)
	return err == nil
}

// formatName returns name as a string, without allocating for the usual one.
func formatName(name []byte) string {
	if string(name) == DefaultFormat {
		return DefaultFormat
	}
	return string(name)
}

// parts are what an envelope holds. They alias it.
type parts struct {
	block    []byte // the compressed block, or
	ints     []byte // the items of the array of ints that spell it
	length   int    // of the block in bytes
	size     uint32 // of the payload, as declared
	checksum uint64
	format   []byte // valid UTF-8
}

// openBare is open for envelopes that are not said to be sealed.
func (c *Codec) openBare(dst, env []byte) ([]byte, parts, error) {
	if c.unseal != nil {
		return nil, parts{}, &Error{Reason: ErrSuspicious, Err: errBare}
	}
	return c.open(dst, env)
}

// open appends the payload of env to dst; if that is nil, to memory of exactly its
// length.
func (c *Codec) open(dst, env []byte) ([]byte, parts, error) {
	p, err := c.read(env)
	if err != nil {
		return nil, parts{}, err
	}
	if err := c.judge(&p); err != nil {
		return nil, parts{}, err
	}
	block := p.block
	if p.ints != nil {
		block = join(p.ints, p.length)
	}
	size, n := len(dst), int(p.size)
	if dst == nil {
		dst = make([]byte, n)
	} else {
		dst = slices.Grow(dst, n)[:size+n]
	}
	// The decoder writes anywhere in what it is given, beyond the end of what it
	// decodes too: it gets the declared length and nothing more.
	into := dst[size : size+n : size+n]
	written, err := lz4.UncompressBlock(block, into)
	switch {
	case err != nil:
		return nil, parts{}, &Error{Reason: ErrDecompress}
	case xxh3.Hash(into[:written]) != p.checksum:
		return nil, parts{}, &Error{Reason: ErrChecksum}
	case written != n:
		return nil, parts{}, &Error{Reason: ErrSize, Limit: uint64(written), Need: uint64(n)}
	}
	return dst, p, nil
}

// read finds the parts of an envelope.
func (c *Codec) read(env []byte) (parts, error) {
	if len(env) > c.maxEnvelope {
		return parts{}, tooLarge("envelope", c.maxEnvelope, uint64(len(env)))
	}
	if tier.On(tier.EnvelopeCanonical) {
		if p, ok := readCanonical(env); ok {
			tier.Count(tier.EnvelopeCanonical, canonicalItems)
			return p, nil
		}
	}
	return c.readFull(env)
}

// judge holds what an envelope declares to the limits, the size before the ratio. All
// arithmetic is 64 bits wide: 1000 times the longest block wraps 32.
func (c *Codec) judge(p *parts) error {
	size := uint64(p.size)
	if size > uint64(c.maxPayload) {
		return tooLarge("payload", c.maxPayload, size)
	}
	if most := c.maxRatio * uint64(p.length); p.length == 0 || size > most {
		return &Error{Reason: ErrBomb, Limit: most, Need: size}
	}
	return nil
}
