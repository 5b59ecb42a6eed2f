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
		if err := s.peekLimit(p, off, limit); err != nil {
			return err
		}
	}
	if !p.empty && !s.mayImplement() {
		// Refused before it is read, so that nothing wrong inside it is reported instead.
		h, err := s.header()
		if err != nil {
			return err
		}
		return refuseFor(p, h.Kind, off, bounds.ErrType)
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

// mayImplement reports whether what the next item is decoded to may have methods, or is nil:
// only what a marker or an ext makes has any.
func (s *state) mayImplement() bool {
	if s.off >= len(s.data) {
		return false
	}
	switch walk.KindOf(s.data[s.off]) {
	case walk.Nil, walk.Ext:
		return true
	case walk.Map:
		return len(s.d.markers) > 0
	}
	return false
}

// peekLimit holds the item at off, before it is read by a path that knows no fields, to
// the limit of its field.
func (s *state) peekLimit(p *plan, off int, limit int64) error {
	h, _, err := walk.Step(s.data, off, s.account, s.depth(), s.limits)
	if err != nil {
		return err
	}
	return checkLimit(p, h, off, limit)
}

// intoRaw copies the next item.
func (s *state) intoRaw(p *plan, ptr unsafe.Pointer, limit int64) error {
	off := s.off
	if limit >= 0 {
		if err := s.peekLimit(p, off, limit); err != nil {
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
	if err := s.pass(); err != nil {
		return err
	}
	raw := s.data[off:s.off:s.off]
	if err := s.charge(price.Content(len(raw)), off, walk.KindOf(s.data[off])); err != nil {
		return s.typedError(p, err)
	}
	if err := s.checkStrs(off); err != nil {
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
	if err := s.pass(); err != nil {
		return err
	}
	return s.checkStrs(off)
}

// pass reads the next item and everything in it: structure alone.
func (s *state) pass() error {
	end, account, err := walk.Skip(s.data, s.off, s.account, s.depth(), s.limits)
	if err != nil {
		return err
	}
	s.off, s.account = end, account
	return nil
}

// checkStrs refuses the item at off, which was passed, if a str in it is not valid UTF-8 and
// that is the policy.
func (s *state) checkStrs(off int) error {
	if s.d.utf8 == RefuseInvalidUTF8 {
		if at := walk.InvalidUTF8(s.data[off:s.off]); at >= 0 {
			return refuse(off+at, walk.Str, bounds.ErrUTF8)
		}
	}
	return nil
}

// madeByCaller reports whether the next item is for a function of the caller's to make a p
// of: a map, if a marker gives that type, or an ext whose type does.
func (s *state) madeByCaller(p *plan) bool {
	if p.op == opAny || p.op == opRaw || s.off >= len(s.data) {
		return false
	}
	switch walk.KindOf(s.data[s.off]) {
	case walk.Map:
		for i := range s.d.markers {
			if t := s.d.markers[i].Go; t != nil && t.AssignableTo(p.typ) {
				return true
			}
		}
	case walk.Ext:
		if p.op != opPointer && p.op != opDoor || len(s.d.exts) == 0 {
			return false // extInto knows
		}
		h, _, err := walk.Step(s.data, s.off, s.account, s.depth(), s.limits)
		if err != nil {
			return false
		}
		t := s.d.exts[int8(s.data[s.off+h.Size])].Go
		return t != nil && t.AssignableTo(p.typ)
	}
	return false
}

// intoMade decodes the next item, which madeByCaller, into memory of p's type.
func (s *state) intoMade(p *plan, ptr unsafe.Pointer, limit int64) error {
	off := s.off
	if limit >= 0 {
		if err := s.peekLimit(p, off, limit); err != nil {
			return err
		}
	}
	v, err := s.any()
	if err != nil {
		return s.typedError(p, err)
	}
	if !assign(p, ptr, v) {
		return refuseFor(p, walk.KindOf(s.data[off]), off, bounds.ErrType)
	}
	return nil
}
