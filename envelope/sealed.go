package envelope

import (
	"context"
	"errors"
	"fmt"

	"github.com/boundpack/boundpack/bounds"
)

var (
	errBare     = errors.New("entries must be sealed, and this is a bare envelope")
	errUnsealed = errors.New("entries must be sealed, and the header does not say that it is")
	errSealed   = errors.New("the header says that it is sealed, and there is no Unseal")
)

// OpenFrame is [Codec.OpenFrame] of the default codec, which has no Unseal.
func OpenFrame(frame []byte) ([]byte, Meta, error) {
	return standard.OpenFrame(context.Background(), "", frame)
}

// OpenFrame returns the payload of the envelope in a frame and the frame's header. If the
// codec has an Unseal, that is given ctx, the cache key, the header and what stands in
// the frame, and returns the envelope; without, key and ctx are not looked at.
//
// It refuses with nil and [ErrFrame] as [ParseFrame] does, [ErrSerializer] if the header
// names a serializer other than default, auto and unknown, [ErrSuspicious] if the header
// does not say what the configuration does, [bounds.ErrHook] and Unseal's own error if
// that refuses, and then as [Codec.Open] does.
func (c *Codec) OpenFrame(ctx context.Context, key string, frame []byte) ([]byte, Meta, error) {
	meta, sealed, err := ParseFrame(frame)
	if err != nil {
		return nil, Meta{}, err
	}
	env, err := c.unsealed(ctx, key, meta, sealed)
	if err != nil {
		return nil, Meta{}, err
	}
	payload, _, err := c.open(nil, env)
	if err != nil {
		return nil, Meta{}, err
	}
	return payload, meta, nil
}

// FramePayload opens the envelope in a frame as [Codec.OpenFrame] does, and decodes its
// payload as [Codec.Payload] does.
func (c *Codec) FramePayload(ctx context.Context, key string, frame []byte, dst any) error {
	payload, _, err := c.OpenFrame(ctx, key, frame)
	if err != nil {
		return err
	}
	return c.decoder.Unmarshal(payload, dst)
}

// unsealed returns the envelope that the content of a frame is or holds.
func (c *Codec) unsealed(ctx context.Context, key string, meta Meta, content []byte) ([]byte, error) {
	switch meta.Serializer {
	case "default", "auto", "unknown":
	default:
		return nil, &Error{Reason: ErrSerializer}
	}
	switch {
	case c.unseal == nil && meta.Encrypted:
		return nil, &Error{Reason: ErrSuspicious, Err: errSealed}
	case c.unseal == nil:
		return content, nil
	case !meta.Encrypted:
		return nil, &Error{Reason: ErrSuspicious, Err: errUnsealed}
	}
	env, err := c.unseal(ctx, key, meta, content)
	if err != nil {
		return nil, fmt.Errorf("envelope: %w: %w", bounds.ErrHook, err)
	}
	return env, nil
}
