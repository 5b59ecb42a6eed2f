package decode

import (
	"fmt"
	"reflect"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

// Any is [Decoder.Any] of the default decoder.
func Any(data []byte) (any, error) { return standard.Any(data) }

// Unmarshal is [Decoder.Unmarshal] of the default decoder.
func Unmarshal(data []byte, dst any) error { return standard.Unmarshal(data, dst) }

// UnmarshalFirst is [Decoder.UnmarshalFirst] of the default decoder.
func UnmarshalFirst(data []byte, dst any) (rest []byte, err error) {
	return standard.UnmarshalFirst(data, dst)
}

// Any decodes data, which must be exactly one document, to the Go value that its
// kind has: nil, bool, int64 (uint64 above math.MaxInt64), float64, string, []byte,
// []any, map[string]any, [time.Time] in UTC for the timestamp ext, [Ext] for any
// other. Nothing of the value aliases data.
//
// It refuses with nil and an error that says where and why: a [*bounds.Error] for
// what [walk.Check] refuses, which is looked at first; else an [*Error] with
// [ErrUTF8] for a str that is not valid UTF-8, [ErrKeyType] for a map key that is no
// str, [ErrDuplicateKey], [ErrTimestamp], or [ErrTrailing] for bytes after the
// document, the one of lowest offset.
func (d *Decoder) Any(data []byte) (any, error) {
	v, end, err := d.first(data)
	if err == nil && end < len(data) {
		return nil, &Error{Offset: int64(end), Err: bounds.ErrTrailing}
	}
	return v, err
}

// Unmarshal decodes data, which must be exactly one document, into what dst points
// to, and refuses as [Decoder.Any] does. dst must be a non-nil *any so far, else the
// error is [ErrTarget]. After an error *dst is what it was.
func (d *Decoder) Unmarshal(data []byte, dst any) error {
	p, err := target(dst)
	if err != nil {
		return err
	}
	v, err := d.Any(data)
	if err != nil {
		return err
	}
	*p = v
	return nil
}

// UnmarshalFirst is [Decoder.Unmarshal] of the document that data starts with; it
// returns the bytes after it, a part of data, and does not look at them. After an
// error rest is nil.
func (d *Decoder) UnmarshalFirst(data []byte, dst any) (rest []byte, err error) {
	p, err := target(dst)
	if err != nil {
		return nil, err
	}
	v, end, err := d.first(data)
	if err != nil {
		return nil, err
	}
	*p = v
	return data[end:], nil
}

func target(dst any) (*any, error) {
	p, ok := dst.(*any)
	switch {
	case ok && p != nil:
		return p, nil
	case ok || dst == nil:
		return nil, fmt.Errorf("%w: nil", bounds.ErrTarget)
	}
	return nil, fmt.Errorf("%w: %v, want *any", bounds.ErrTarget, reflect.TypeOf(dst))
}

// first decodes the document that data starts with and returns where it ends. If it
// refuses what a value means, the structure is walked, and outranks that. If the header
// step refused, it did so at the first header that it could: the walk, which takes the
// same steps, would say the same.
func (d *Decoder) first(data []byte) (any, int, error) {
	s := newState(d, data)
	v, end, a, err := s.any(0, bounds.Open(len(data), &d.limits))
	tier.Count(tier.AnyInline, a.Claimed(&d.limits)-a.Owed()-s.steps)
	s.free()
	if err == nil {
		return v, end, nil
	}
	if _, meaning := err.(*Error); meaning {
		if structure := walk.Check(data, d.limits); structure != nil {
			err = structure
		}
	}
	return nil, 0, err
}
