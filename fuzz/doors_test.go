package fuzz

import (
	"errors"
	"fmt"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

// mirror is a value that decodes itself, and what it holds in one way or another.
type mirror struct{}

// The ways of the mirrors of a run, and what they were given; targets do not overlap.
var (
	ways         uint64
	judge        *decode.Decoder
	mirrorLimits bounds.Limits
)

func (mirror) UnmarshalCursor(c *walk.Cursor) error {
	t, err := c.Next()
	if err != nil {
		return err
	}
	n := t.N
	switch t.Kind {
	case walk.Map:
		n *= 2
	case walk.Array:
	default:
		return nil
	}
	for i := range n {
		way := ways >> (uint(t.Offset+i) % 60) & 7
		switch way {
		case 0:
			err = c.Skip()
		case 1:
			_, err = c.Raw()
		case 2:
			err = judge.FromCursor(c, new(decode.RawMessage))
		case 3:
			err = judge.FromCursor(c, new(bytesMirror))
		case 4:
			err = judge.FromCursor(c, new(*mirror))
		default:
			err = judge.FromCursor(c, new(mirror))
		}
		if err != nil {
			if way == 5 {
				return nil // which must not help
			}
			return err
		}
	}
	return nil
}

// bytesMirror holds what it is given to being one value within limits.
type bytesMirror struct{}

func (bytesMirror) UnmarshalMsgpack(p []byte) error {
	if err := walk.Valid(p, mirrorLimits); err != nil {
		panic(fmt.Sprintf("a method was given % x: %v", p, err))
	}
	return nil
}

// FuzzDoors decodes into types that read every item themselves: the document must get the
// verdict that walk gives it.
func FuzzDoors(f *testing.F) {
	for i, doc := range seeds(f) {
		f.Add(doc, uint64(0x5b6d5b6d5b6d5b6d), uint16(0), uint16(0))
		f.Add(doc, uint64(i)*0x9e3779b97f4a7c15, uint16(i%12), uint16(i%30))
	}
	f.Fuzz(func(t *testing.T, data []byte, how uint64, depth, items uint16) {
		if len(data) > maxSize {
			return
		}
		mirrorLimits = bounds.Limits{MaxDepth: int(depth), MaxItems: int(items), MaxMemory: bounds.CeilingMaxMemory}
		ways, judge = how, decode.Options{Limits: mirrorLimits}.Must()
		want := walk.Valid(data, mirrorLimits)
		for _, on := range []bool{true, false} {
			restore := tier.Set(tier.DecodeInline, on)
			got := []error{judge.Unmarshal(data, new(mirror)), judge.Unmarshal(data, new(bytesMirror))}
			restore()
			for i, got := range got {
				if (got == nil) != (want == nil) {
					t.Fatalf("mirror %d: %v, want %v", i, got, want)
				}
				var refusal *bounds.Error
				if want == nil || !errors.As(want, &refusal) {
					continue
				}
				if at, ok := decode.OffsetOf(got); !ok || at != refusal.Offset || !errors.Is(got, refusal.Reason) || errors.Is(got, decode.ErrHook) {
					t.Fatalf("mirror %d: %v, want %v", i, got, want)
				}
			}
		}
	})
}
