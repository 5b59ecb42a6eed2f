package decode

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// Ext is an ext of a type that has no Go type of its own.
type Ext struct {
	Type int8
	Data []byte // never nil
}

// any decodes the item at off, and what it contains, without recursion: open
// containers are frames. It returns the value, the offset after it and the account
// there, or where it was refused.
func (s *state) any(off int, a bounds.Account) (any, int, bounds.Account, error) {
	var (
		f   *frame // innermost, nil at the root
		h   walk.Header
		v   any
		err error
	)
	for {
		if f != nil && f.m != nil {
			if off, a, err = s.key(f, off, a); err != nil {
				return nil, off, a, err
			}
		}
		at := off
		if h, a, err = s.header(off, a); err != nil {
			return nil, off, a, err
		}
		off += h.Size
		payload := s.data[off : off+h.Payload]
		off += h.Payload

		switch h.Kind {
		case walk.Array, walk.Map:
			if h.Items > 0 {
				f = s.open(h, at)
				continue
			}
			if h.Kind == walk.Array {
				v = []any{}
			} else {
				v = map[string]any{}
			}
		case walk.Nil:
			v = nil
		case walk.Bool:
			v = s.data[at] == 0xc3
		case walk.Int:
			v = integer(s.data[at], payload)
		case walk.Float:
			if len(payload) == 4 {
				v = float64(math.Float32frombits(binary.BigEndian.Uint32(payload)))
			} else {
				v = math.Float64frombits(binary.BigEndian.Uint64(payload))
			}
		case walk.Str:
			if !utf8.Valid(payload) {
				return nil, off, a, s.refuse(at+h.Size+walk.ValidPrefix(payload), h.Kind, bounds.ErrUTF8)
			}
			v = string(payload)
		case walk.Bin:
			v = append([]byte{}, payload...)
		case walk.Ext:
			if v, err = ext(payload); err != nil {
				return nil, off, a, s.refuse(at, h.Kind, err)
			}
		}

		// v is complete, and with it perhaps the containers around it.
		for {
			if f == nil {
				return v, off, a, nil
			}
			if f.m == nil {
				f.arr[f.read] = v
			} else {
				f.m[f.key] = v
				if len(f.m) <= f.read {
					return nil, off, a, s.refuse(f.keyOff, walk.Str, bounds.ErrDuplicateKey)
				}
			}
			f.read++
			if f.read < f.n {
				break
			}
			if f.m == nil {
				v = f.arr
			} else {
				v = f.m
			}
			s.frames.Pop()
			f = nil
			if s.frames.Len() > 0 {
				f = s.frames.Top()
			}
		}
	}
}

// header reads the header at off, inline where the marker alone tells that the
// header step would accept it, else by the step.
func (s *state) header(off int, a bounds.Account) (walk.Header, bounds.Account, error) {
	if s.inline && uint(off) < uint(len(s.data)) {
		b := s.data[off]
		switch {
		case int8(b) >= -32: // both fixints
			return walk.Header{Kind: walk.Int, Size: 1}, a.Scalar(0), nil
		case b&0xe0 == 0xa0: // fixstr
			n := int(b & 0x1f)
			if next := a.Scalar(int64(n)); next.Backed() {
				return walk.Header{Kind: walk.Str, Size: 1, Payload: n}, next, nil
			}
		case b < 0xa0: // fixmap, fixarray
			n, kind := int(b&0x0f), walk.Array
			if b < 0x90 {
				n, kind = 2*n, walk.Map
			}
			if next := a.Container(0, int64(n)); next.Within() && s.frames.Len() < s.d.limits.MaxDepth {
				return walk.Header{Kind: kind, Size: 1, Items: n}, next, nil
			}
		case b == 0xc0:
			return walk.Header{Kind: walk.Nil, Size: 1}, a.Scalar(0), nil
		case b == 0xc2 || b == 0xc3:
			return walk.Header{Kind: walk.Bool, Size: 1}, a.Scalar(0), nil
		}
	}
	h, next, err := walk.Step(s.data, off, a, s.frames.Len(), &s.d.limits)
	if err == nil {
		s.steps++
	}
	return h, next, err
}

// open pushes the frame of the non-empty container h, whose header is at off.
func (s *state) open(h walk.Header, off int) *frame {
	if s.frames.Full() {
		// No byte that is left can open more than one level.
		s.frames.Grow(min(s.d.limits.MaxDepth, s.frames.Len()+len(s.data)-off))
	}
	if h.Kind == walk.Array {
		s.frames.Push(frame{arr: make([]any, h.Items), n: h.Items})
	} else {
		s.frames.Push(frame{m: make(map[string]any, h.Items/2), n: h.Items / 2})
	}
	return s.frames.Top()
}

// key reads the key of f's next pair.
func (s *state) key(f *frame, off int, a bounds.Account) (int, bounds.Account, error) {
	f.keyOff = noKey
	h, next, err := s.header(off, a)
	if err != nil {
		return off, a, err
	}
	if h.Kind != walk.Str {
		return off, a, s.refuse(off, h.Kind, bounds.ErrKeyType)
	}
	start := off + h.Size
	key := s.data[start : start+h.Payload]
	if !utf8.Valid(key) {
		return off, a, s.refuse(start+walk.ValidPrefix(key), h.Kind, bounds.ErrUTF8)
	}
	f.key, f.keyOff = string(key), off
	return start + h.Payload, next, nil
}

// integer returns the value of an int: int64, or uint64 above math.MaxInt64.
func integer(marker byte, payload []byte) any {
	t := walk.Token{Kind: walk.Int, Marker: marker, Payload: payload}
	if v, ok := t.Int(); ok {
		return v
	}
	v, _ := t.Uint()
	return v
}

// ext returns the value of an ext, given its type byte and content.
func ext(payload []byte) (any, error) {
	typ, content := int8(payload[0]), payload[1:]
	if typ != timestampType {
		return Ext{Type: typ, Data: append([]byte{}, content...)}, nil
	}
	t, err := ParseTimestamp(content)
	if err != nil {
		return nil, err
	}
	return t.Time()
}
