package decode

import (
	"fmt"
	"reflect"
	"unsafe"

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

// Unmarshal decodes data, which must be exactly one document, into what dst points to; dst
// must be a non-nil pointer. The package documentation says how each kind goes into each Go
// type. It refuses as [Decoder.Any] does, and also with [ErrType], [ErrOverflow],
// [ErrInexact], [ErrExt], [ErrUnknownField], [ErrHook] for a refusal by a method of a type, and
// [ErrMaxItems] or [ErrMaxBytes] for the limit of a field, each an [*Error] with the Go type.
// [ErrTarget] says that dst is no non-nil pointer, or that its type has a part that cannot be
// decoded into or a wrong tag; it names the field. After an error what dst points to is safe to
// use but unspecified; an any is what it was.
func (d *Decoder) Unmarshal(data []byte, dst any) error {
	if p, ok := dst.(*any); ok && p != nil {
		// Which stays as it was if bytes follow.
		v, err := d.Any(data)
		if err == nil {
			*p = v
		}
		return err
	}
	end, err := d.into(data, dst)
	if err == nil && end < len(data) {
		return &Error{Offset: int64(end), Err: bounds.ErrTrailing}
	}
	return err
}

// UnmarshalFirst is [Decoder.Unmarshal] of the document that data starts with; it
// returns the bytes after it, a part of data, which do not matter to the value. As data is
// read as a whole, nothing of it may be written during the call. After an error rest is nil.
func (d *Decoder) UnmarshalFirst(data []byte, dst any) (rest []byte, err error) {
	end, err := d.into(data, dst)
	if err != nil {
		return nil, err
	}
	return data[end:], nil
}

// To is [As] of the default decoder.
func To[T any](data []byte) (T, error) { return As[T](standard, data) }

// As decodes data, which must be exactly one document, to a T, as [Decoder.Unmarshal] of d
// decodes into one. After an error it returns the zero T.
func As[T any](d *Decoder, data []byte) (T, error) {
	var v T
	if err := d.Unmarshal(data, &v); err != nil {
		var zero T
		return zero, err
	}
	return v, nil
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

// into decodes the document that data starts with into what dst points to, and returns
// where it ends.
func (d *Decoder) into(data []byte, dst any) (end int, err error) {
	if p, ok := dst.(*any); ok && p != nil {
		v, end, err := d.first(data)
		if err == nil {
			*p = v
		}
		return end, err
	}
	t, err := d.root(dst)
	if err != nil {
		return 0, err
	}
	var s state
	s.begin(d, data)
	if err = s.typed(s.reuse(t)); err != nil {
		err = s.final(err)
	} else {
		end = s.off
	}
	s.end()
	return end, err
}

// root returns the target that dst points to.
func (d *Decoder) root(dst any) (target, error) {
	v := reflect.ValueOf(dst)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return target{}, fmt.Errorf("%w: %T is no non-nil pointer", bounds.ErrTarget, dst)
	}
	p, err := d.plans.to(dst)
	return target{p, v.UnsafePointer(), -1}, err
}

// reuse returns what t, the root, points to, if that is there and the next item is not nil:
// at the root a pointer that is there is used.
func (s *state) reuse(t target) target {
	if s.off < len(s.data) && s.data[s.off] == 0xc0 {
		return t
	}
	for t.plan.op == opPointer && *(*unsafe.Pointer)(t.ptr) != nil {
		t = target{t.plan.elem, *(*unsafe.Pointer)(t.ptr), -1}
	}
	return t
}
