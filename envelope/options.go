package envelope

import (
	"context"
	"fmt"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
)

// The defaults of [Options], which are the most that CacheKit allows.
const (
	DefaultMaxEnvelope = 512 << 20
	DefaultMaxPayload  = 512 << 20
	DefaultMaxRatio    = 1000
)

// Options configure a [Codec]. The zero Options has CacheKit's limits, which can only
// be lowered, and CacheKit's policies for what a payload means.
type Options struct {
	// MaxEnvelope is the greatest length of an envelope in bytes, and of the items it
	// may hold. Default and most 512 MiB, range 1..512 MiB. Beyond it: [ErrTooLarge].
	MaxEnvelope int

	// MaxPayload is the greatest length of a payload in bytes. It is what a hostile
	// envelope can cost: one of 537 KB may hold 512 MiB. Default and most 512 MiB,
	// range 1..512 MiB. Beyond it: [ErrTooLarge].
	MaxPayload int

	// MaxRatio is the greatest length of a payload in lengths of its compressed
	// block. Default and most 1000, range 1..1000; exactly that ratio is allowed.
	// LZ4 itself ends below 256. Beyond it: [ErrBomb]. Sealing keeps to it by not
	// compressing.
	MaxRatio int

	// Decode configures the decoding of payloads by Payload and PayloadAny. Zero
	// fields have CacheKit's meaning where it has one: DuplicateKeys is
	// [decode.LastWins], MapKeys is [decode.StringOrBinKeys], Limits.MaxBytes is
	// MaxPayload. [Markers] come after those given here. AliasInput is safe: a
	// decoded payload is shared with nobody.
	Decode decode.Options

	// Unseal, if not nil, says that entries are sealed: encrypted, as a rule. It
	// returns the envelope that sealed holds, or refuses; key is the cache key and
	// meta the header of the frame, which is not authenticated until Unseal has done
	// so. sealed is valid during the call only, and what is returned is not changed.
	// Unseal may be called from several goroutines at once.
	//
	// The configuration decides, never the header: with Unseal, a frame whose header
	// does not say that it is sealed, and every bare envelope, is refused with
	// [ErrSuspicious]; without it, a frame whose header says that it is.
	Unseal func(ctx context.Context, key string, meta Meta, sealed []byte) ([]byte, error)
}

// Codec opens and seals envelopes under one set of options. It is created by
// [Options.New], immutable, and safe for concurrent use.
type Codec struct {
	maxEnvelope, maxPayload int
	maxRatio                uint64
	scan                    bounds.Limits // of the pre-scan, resolved
	decoder                 *decode.Decoder
	unseal                  func(ctx context.Context, key string, meta Meta, sealed []byte) ([]byte, error)
}

// maxDepth is the greatest depth of an envelope. Those that are written have 2; the map
// form may have unknown fields.
const maxDepth = 100

// New returns a Codec with these options; later changes to o do not reach it. The error
// is [bounds.ErrOptions] and names what is out of range.
func (o Options) New() (*Codec, error) {
	c := &Codec{unseal: o.Unseal}
	var err error
	if c.maxEnvelope, err = lowered("MaxEnvelope", o.MaxEnvelope, DefaultMaxEnvelope); err != nil {
		return nil, err
	}
	if c.maxPayload, err = lowered("MaxPayload", o.MaxPayload, DefaultMaxPayload); err != nil {
		return nil, err
	}
	ratio, err := lowered("MaxRatio", o.MaxRatio, DefaultMaxRatio)
	if err != nil {
		return nil, err
	}
	c.maxRatio = uint64(ratio)
	c.scan, err = bounds.Limits{MaxDepth: maxDepth, MaxBytes: c.maxEnvelope, MaxItems: c.maxEnvelope}.Resolve()
	if err != nil {
		return nil, err
	}
	if c.decoder, err = c.policies(o.Decode).New(); err != nil {
		return nil, err
	}
	return c, nil
}

// policies returns o with CacheKit's meaning of zero fields.
func (c *Codec) policies(o decode.Options) decode.Options {
	if o.Limits.MaxBytes == 0 {
		o.Limits.MaxBytes = c.maxPayload
	}
	if o.DuplicateKeys == decode.RefuseDuplicates {
		o.DuplicateKeys = decode.LastWins
	}
	if o.MapKeys == decode.StringKeys {
		o.MapKeys = decode.StringOrBinKeys
	}
	o.Markers = append(o.Markers[:len(o.Markers):len(o.Markers)], Markers()...)
	return o
}

// lowered returns value, or most if it is zero.
func lowered(name string, value, most int) (int, error) {
	switch {
	case value == 0:
		return most, nil
	case value < 0 || value > most:
		return 0, fmt.Errorf("%w: %s is %d, want 1..%d, or 0 for the default", bounds.ErrOptions, name, value, most)
	}
	return value, nil
}

// Must is [Options.New] for package variables: it panics on an error.
func (o Options) Must() *Codec {
	c, err := o.New()
	if err != nil {
		panic(err)
	}
	return c
}

var standard = Options{}.Must()
