package decode

import (
	"fmt"
	"reflect"

	"github.com/boundpack/boundpack/bounds"
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
// kind has: see the package documentation. Nothing of the value aliases data, unless
// [Options].AliasInput says so.
//
// It refuses with nil and an error that says where and why: a [*bounds.Error] for
// what [walk.Check] refuses, which is looked at first; else an [*Error] with
// [ErrMaxMemory], [ErrUTF8] for a str that is not valid UTF-8, [ErrKeyType] for a map key
// of a kind that is not allowed, [ErrDuplicateKey], [ErrTimestamp], [ErrHook] for a
// refusal by a function of the [Options], or [ErrTrailing] for bytes after the document,
// the one of lowest offset.
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

// first decodes the document that data starts with and returns where it ends.
func (d *Decoder) first(data []byte) (v any, end int, err error) {
	var s state
	s.begin(d, data)
	if v, err = s.any(); err != nil {
		err = s.final(err)
	} else {
		end = s.off
	}
	s.end()
	return v, end, err
}
