package envelope

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// The fields of an envelope, in the order of the array form.
const (
	fieldBlock = iota
	fieldChecksum
	fieldSize
	fieldFormat
	fields

	unknownField
)

// names of the fields, in the map form.
var names = [fields]string{"compressed_data", "checksum", "original_size", "format"}

// errors of the fields that the map form lacks or gives twice.
var (
	missing = [fields]string{"missing field compressed_data", "missing field checksum", "missing field original_size", "missing field format"}
	twice   = [fields]string{"duplicate field compressed_data", "duplicate field checksum", "duplicate field original_size", "duplicate field format"}
)

// readFull finds the parts of an envelope in any layout that is accepted: it walks the
// whole document first, then reads it.
func (c *Codec) readFull(env []byte) (parts, error) {
	if err := walk.Check(env, c.scan); err != nil {
		return parts{}, &Error{Reason: ErrScan, Err: err}
	}
	r := layout{env: env, scan: c.scan}
	if err := r.Reset(env, c.scan); err != nil {
		return parts{}, &Error{Reason: ErrScan, Err: err}
	}
	if err := r.root(); err != nil {
		return parts{}, err
	}
	return r.parts, nil
}

// layout reads one envelope whose structure is known to be sound: what Next and Raw
// refuse would be a contradiction of the pre-scan.
type layout struct {
	walk.Cursor
	env   []byte
	scan  bounds.Limits
	parts parts
}

// next is the next item.
func (r *layout) next() (walk.Token, error) {
	t, err := r.Next()
	if err != nil {
		return t, &Error{Reason: ErrScan, Err: err}
	}
	return t, nil
}

func (r *layout) root() error {
	t, err := r.next()
	if err != nil {
		return err
	}
	switch t.Kind {
	case walk.Array:
		if t.N != fields {
			return misplaced(t.Offset, "an array that has not 4 elements")
		}
		for field := range int(fields) {
			if err := r.field(field); err != nil {
				return err
			}
		}
		return nil
	case walk.Map:
		return r.pairs(t)
	}
	return misplaced(t.Offset, "neither an array nor a map")
}

// pairs reads the map form, whose header is t.
func (r *layout) pairs(t walk.Token) error {
	var seen [fields]bool
	for range t.N {
		key, err := r.next()
		if err != nil {
			return err
		}
		field, ok := fieldOf(key)
		if !ok {
			return misplaced(key.Offset, "a key that is no str, bin or unsigned int")
		}
		if field == unknownField {
			if err := r.Skip(); err != nil {
				return &Error{Reason: ErrScan, Err: err}
			}
			continue
		}
		if seen[field] {
			return misplaced(key.Offset, twice[field])
		}
		seen[field] = true
		if err := r.field(field); err != nil {
			return err
		}
	}
	for field, was := range seen {
		if !was {
			return misplaced(t.Offset, missing[field])
		}
	}
	return nil
}

// fieldOf returns the field that key names, by name or index.
func fieldOf(key walk.Token) (field int, ok bool) {
	switch key.Kind {
	case walk.Str, walk.Bin:
		for field, name := range names {
			if string(key.Payload) == name {
				return field, true
			}
		}
		return unknownField, true
	case walk.Int:
		// An index is of the unsigned formats.
		if key.Marker >= 0x80 && key.Marker < 0xcc || key.Marker > 0xcf {
			return 0, false
		}
		if index, _ := key.Uint(); index < fields {
			return int(index), true
		}
		return unknownField, true
	}
	return 0, false
}

// field reads the value of a field.
func (r *layout) field(field int) error {
	if field == fieldBlock {
		return r.block()
	}
	t, err := r.next()
	if err != nil {
		return err
	}
	switch field {
	case fieldChecksum:
		return r.checksum(t)
	case fieldSize:
		size, ok := t.Uint()
		if !ok || size > 1<<32-1 {
			return misplaced(t.Offset, "original_size is no integer of 0..4294967295")
		}
		r.parts.size = uint32(size)
	case fieldFormat:
		if t.Kind != walk.Str && t.Kind != walk.Bin {
			return misplaced(t.Offset, "format is neither str nor bin")
		}
		if !utf8.Valid(t.Payload) {
			return misplaced(t.Offset, "format is not valid UTF-8")
		}
		r.parts.format = t.Payload
	}
	return nil
}

// block reads compressed_data: a bin, a str of any bytes, or an array of ints, which is
// what CacheKit wrote first.
func (r *layout) block() error {
	start := r.Offset()
	if start < len(r.env) && isArray(r.env[start]) {
		raw, err := r.Raw()
		if err != nil {
			return &Error{Reason: ErrScan, Err: err}
		}
		r.parts.ints, r.parts.length, err = r.ints(raw, start)
		return err
	}
	t, err := r.next()
	switch {
	case err != nil:
		return err
	case t.Kind != walk.Bin && t.Kind != walk.Str:
		return misplaced(t.Offset, "compressed_data is no bin, str or array")
	}
	r.parts.block, r.parts.length = t.Payload, t.N
	return nil
}

// checksum reads eight bytes as an array of ints, or as the first of a bin.
func (r *layout) checksum(t walk.Token) error {
	switch t.Kind {
	case walk.Array:
		if t.N != 8 {
			return misplaced(t.Offset, "checksum is an array that has not 8 elements")
		}
		for range 8 {
			t, err := r.next()
			if err != nil {
				return err
			}
			b, ok := byteOf(t)
			if !ok {
				return misplaced(t.Offset, "checksum holds an element that is no integer of 0..255")
			}
			r.parts.checksum = r.parts.checksum<<8 | uint64(b)
		}
		return nil
	case walk.Bin:
		if t.N < 8 {
			return misplaced(t.Offset, "checksum is a bin of less than 8 bytes")
		}
		r.parts.checksum = binary.BigEndian.Uint64(t.Payload)
		return nil
	}
	return misplaced(t.Offset, "checksum is neither an array nor a bin")
}
