package envelope

import (
	"encoding/binary"
	"errors"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/pierrec/lz4/v4"
	"github.com/zeebo/xxh3"
)

var errFormat = errors.New("format is not valid UTF-8")

// DefaultFormat is the format that "" stands for when sealing.
const DefaultFormat = "msgpack"

// Seal is [Codec.Seal] of the default codec.
func Seal(payload []byte, format string) ([]byte, error) { return standard.Seal(payload, format) }

// SealAppend is [Codec.SealAppend] of the default codec.
func SealAppend(dst, payload []byte, format string) ([]byte, error) {
	return standard.SealAppend(dst, payload, format)
}

// Seal returns payload in an envelope, laid out as CacheKit writes it: an array of the
// compressed payload as a bin, its checksum as eight ints, its length and the name of its
// format, all in their shortest encoding. format "" is "msgpack". How the block is
// compressed is not fixed by CacheKit, so the same payload may be sealed to other bytes
// by other writers and other versions of this one.
//
// It refuses with nil and an [*Error]: [ErrTooLarge] if the payload is longer than
// MaxPayload or the envelope than MaxEnvelope, [ErrLayout] if format is not valid UTF-8.
// What it returns, Open of the same codec opens.
func (c *Codec) Seal(payload []byte, format string) ([]byte, error) {
	if err := c.sealable(payload, format); err != nil {
		return nil, err
	}
	scratch := scratches.Get().(*[]byte)
	env, err := c.seal((*scratch)[:0], payload, format)
	if cap(env) <= maxScratch {
		*scratch = env
	}
	// The room for what might not have been compressible is not the caller's to hold.
	sealed := append(make([]byte, 0, len(env)), env...)
	scratches.Put(scratch)
	if err != nil {
		return nil, err
	}
	return sealed, nil
}

// SealAppend is [Codec.Seal] that appends the envelope to dst, which must not overlap
// payload. It takes room for 1/255 more than the payload and format and 64 bytes, and no
// memory if dst has it. After an error it returns dst as it was, but the bytes between
// its length and its capacity may have been written to.
func (c *Codec) SealAppend(dst, payload []byte, format string) ([]byte, error) {
	if err := c.sealable(payload, format); err != nil {
		return dst, err
	}
	return c.seal(dst, payload, format)
}

// sealable holds what is to be sealed to the limits.
func (c *Codec) sealable(payload []byte, format string) error {
	if len(payload) > c.maxPayload {
		return tooLarge("payload", c.maxPayload, uint64(len(payload)))
	}
	// Longer than the envelope may be is longer than the arithmetic below is for.
	if len(format) > c.maxEnvelope {
		return tooLarge("envelope", c.maxEnvelope, uint64(len(format)))
	}
	if !utf8.ValidString(format) {
		return &Error{Reason: ErrLayout, Err: errFormat}
	}
	return nil
}

// maxScratch is the most that is kept of a buffer.
const maxScratch = 64 << 10

// scratches are buffers that no call is using.
var scratches = sync.Pool{New: func() any { return new([]byte) }}

// compressors have tables of 128 KiB and more.
var compressors = sync.Pool{New: func() any { return new(lz4.Compressor) }}

// around is the most that an envelope has beside its block and format: the array, the
// headers of both, the checksum and the size.
const around = 1 + 5 + 1 + 8*2 + 5 + 5

func (c *Codec) seal(dst, payload []byte, format string) ([]byte, error) {
	if format == "" {
		format = DefaultFormat
	}
	bound := lz4.CompressBlockBound(len(payload))
	start := len(dst)
	env := slices.Grow(dst, bound+around+len(format))

	// The block goes behind a header as wide as it can become, and moves if it is
	// narrower.
	env = appendBin(append(env, 0x94), bound)
	head := len(env)
	n, err := compress(env[head:head+bound], payload)
	if err != nil || uint64(len(payload)) > c.maxRatio*uint64(n) {
		n = len(appendLiterals(env[head:head], payload))
	}
	env = appendBin(env[:start+1], n)
	if len(env) != head {
		copy(env[len(env):len(env)+n], env[head:head+n])
	}
	env = env[:len(env)+n]

	env = append(env, 0x98)
	sum := xxh3.Hash(payload)
	for shift := 56; shift >= 0; shift -= 8 {
		env = appendUint(env, uint32(byte(sum>>shift)))
	}
	env = appendUint(env, uint32(len(payload)))
	env = append(appendStr(env, len(format)), format...)
	if size := len(env) - start; size > c.maxEnvelope {
		return dst, tooLarge("envelope", c.maxEnvelope, uint64(size))
	}
	return env, nil
}

// compress writes the LZ4 block of payload to dst, which is long enough for any, and
// returns its length.
func compress(dst, payload []byte) (int, error) {
	c := compressors.Get().(*lz4.Compressor)
	n, err := c.CompressBlock(payload, dst)
	compressors.Put(c)
	return n, err
}

// appendLiterals appends an LZ4 block that is payload and nothing but.
func appendLiterals(b, payload []byte) []byte {
	n := len(payload)
	if n < 15 {
		b = append(b, byte(n)<<4)
	} else {
		b = append(b, 0xf0)
		for n -= 15; n >= 255; n -= 255 {
			b = append(b, 255)
		}
		b = append(b, byte(n))
	}
	return append(b, payload...)
}

// appendUint appends an int in its shortest encoding.
func appendUint(b []byte, v uint32) []byte {
	switch {
	case v < 0x80:
		return append(b, byte(v))
	case v <= 0xff:
		return append(b, 0xcc, byte(v))
	case v <= 0xffff:
		return binary.BigEndian.AppendUint16(append(b, 0xcd), uint16(v))
	}
	return binary.BigEndian.AppendUint32(append(b, 0xce), v)
}

// appendBin appends the header of a bin of n bytes.
func appendBin(b []byte, n int) []byte { return appendLength(b, 0xc4, n) }

// appendStr appends the header of a str of n bytes.
func appendStr(b []byte, n int) []byte {
	if n < 32 {
		return append(b, 0xa0|byte(n))
	}
	return appendLength(b, 0xd9, n)
}

// appendLength appends the first of three markers whose length field holds n.
func appendLength(b []byte, marker byte, n int) []byte {
	switch {
	case n <= 0xff:
		return append(b, marker, byte(n))
	case n <= 0xffff:
		return binary.BigEndian.AppendUint16(append(b, marker+1), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(b, marker+2), uint32(n))
}
