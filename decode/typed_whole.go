package decode

import (
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// RawMessage is one document, or one value of a document, that is not decoded: its bytes,
// well-formed and within limits. Decoding it later holds it to the limits again. As a
// target it gets a copy of the value, whatever that is, unless AliasInput is set.
type RawMessage []byte

// intoAny decodes the next item into an interface.
func (s *state) intoAny(p *plan, ptr unsafe.Pointer, limit int64) error {
	off := s.off
	if limit >= 0 {
		if err := s.peekLimit(off, limit); err != nil {
			return err
		}
	}
	v, err := s.any()
	if err != nil {
		return err
	}
	if p.empty {
		*(*any)(ptr) = v
		return nil
	}
	if !assign(p, ptr, v) {
		return refuseFor(p, walk.KindOf(s.data[off]), off, bounds.ErrType)
	}
	return nil
}

// peekLimit holds the item at off, before it is read by a path that knows no fields, to
// the limit of its field.
func (s *state) peekLimit(off int, limit int64) error {
	h, _, err := walk.Step(s.data, off, s.account, s.typedFrames.Len()+s.frames.Len(), &s.d.limits)
	if err != nil {
		return err
	}
	return checkLimit(h, off, limit)
}

// intoRaw copies the next item.
func (s *state) intoRaw(p *plan, ptr unsafe.Pointer, limit int64) error {
	off := s.off
	if limit >= 0 {
		if err := s.peekLimit(off, limit); err != nil {
			return err
		}
	}
	if off < len(s.data) && s.data[off] == 0xc0 {
		// nil zeroes every target.
		if _, err := s.header(); err != nil {
			return err
		}
		*(*RawMessage)(ptr) = nil
		return nil
	}
	if err := s.skip(); err != nil {
		return s.typedError(p, err)
	}
	raw := s.data[off:s.off:s.off]
	if err := s.charge(price.Content(len(raw)), off, walk.KindOf(s.data[off])); err != nil {
		return s.typedError(p, err)
	}
	if !s.d.alias {
		raw = s.content(raw)
	}
	*(*RawMessage)(ptr) = raw
	return nil
}

// skip reads the next item and everything in it: structure, and UTF-8 if that is refused.
func (s *state) skip() error {
	off := s.off
	end, account, err := walk.Skip(s.data, off, s.account, s.typedFrames.Len()+s.frames.Len(), &s.d.limits)
	if err != nil {
		return err
	}
	s.off, s.account = end, account
	if s.d.utf8 == RefuseInvalidUTF8 {
		if at := walk.InvalidUTF8(s.data[off:end]); at >= 0 {
			return refuse(off+at, walk.Str, bounds.ErrUTF8)
		}
	}
	return nil
}

// intoMarked decodes the next item, if it is a map that a marker may replace, and reports
// whether its value fits the target. If not, nothing has happened.
func (s *state) intoMarked(p *plan, ptr unsafe.Pointer) (taken bool, err error) {
	if s.off >= len(s.data) || walk.KindOf(s.data[s.off]) != walk.Map || !s.namesMarker() {
		return false, nil
	}
	off, account, memory, steps := s.off, s.account, s.memory, s.steps
	v, err := s.any()
	switch _, isMap := v.(map[string]any); {
	case err == nil && !isMap && v != nil && assign(p, ptr, v):
		return true, nil
	case err != nil && !p.takesMap():
		return false, s.typedError(p, err)
	}
	// A map that stands for itself, or for what does not fit, is decoded as a map is.
	s.frames.SetLen(0)
	s.off, s.account, s.memory, s.steps = off, account, memory, steps
	return false, nil
}

// namesMarker reports whether the next item is a map with the key of a marker, as far as
// its keys can be read.
func (s *state) namesMarker() bool {
	account, off := s.account, s.off
	depth := s.typedFrames.Len() + s.frames.Len()
	h, account, err := walk.Step(s.data, off, account, depth, &s.d.limits)
	if err != nil {
		return false
	}
	off += h.Size
	for range h.Items / 2 {
		key, next, err := walk.Step(s.data, off, account, depth+1, &s.d.limits)
		if err != nil || key.Kind != walk.Str {
			return false
		}
		start := off + key.Size
		off, account = start+key.Payload, next
		for i := range s.d.markers {
			if string(s.data[start:off]) == s.d.markers[i].Key {
				return true
			}
		}
		if off, account, err = walk.Skip(s.data, off, account, depth+1, &s.d.limits); err != nil {
			return false
		}
	}
	return false
}
