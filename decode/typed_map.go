package decode

import (
	"reflect"
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// pair is a map that is being filled: its key and element are decoded into scratch memory
// and copied from there.
type pair struct {
	m      reflect.Value
	key    reflect.Value
	elem   reflect.Value
	keyOff int // of the pair being read, or noKey
}

// makeMap makes the map at ptr a new one for the pairs of f, and charges the scratch pair.
func (s *state) makeMap(p *plan, ptr unsafe.Pointer, f *typedFrame, off int) error {
	hint, cost := p.shape.Plan(uint64(f.n))
	if f.n > 0 {
		cost += uint64(p.pairs)
	}
	if err := s.charge(int64(min(cost, mostMemory)), off, walk.Map); err != nil {
		return s.typedError(p, err)
	}
	newMap(p, ptr, int(hint))
	return nil
}

// mapItems decodes the pairs of the map of f that are left: see items.
func (s *state) mapItems(f *typedFrame) (opened bool, err error) {
	for f.read < f.n {
		key, keyOff := "", noKey
		if s.inline && s.d.duplicates == RefuseDuplicates {
			if key, keyOff, err = s.runMap(f); err != nil || f.read == f.n {
				return false, err
			}
		}
		if f.pair == nil {
			p := f.plan
			f.pair = &pair{m: p.at(f.ptr), key: reflect.New(p.typ.Key()).Elem(), elem: reflect.New(p.typ.Elem()).Elem()}
		}
		if f.pair.keyOff = keyOff; keyOff != noKey {
			f.pair.key.SetString(key)
		} else if err := s.readKey(f); err != nil {
			return false, err
		}
		f.pair.elem.SetZero()
		if opened, err := s.into(target{f.plan.elem, f.pair.elem.Addr().UnsafePointer(), -1}); opened || err != nil {
			return opened, err
		}
		if err := s.complete(f); err != nil {
			return false, err
		}
	}
	return false, nil
}

// readKey reads the key of the next pair of the map of f into its scratch key.
func (s *state) readKey(f *typedFrame) error {
	p := f.plan.key
	f.pair.keyOff = noKey
	off := s.off
	key := f.pair.key
	ptr := key.Addr().UnsafePointer()
	if p.op == opAny {
		v, err := s.anyKey(off)
		if err != nil {
			return s.typedError(f.plan, err)
		}
		*(*any)(ptr) = v
		f.pair.keyOff = off
		return nil
	}
	if p.op == opDoor {
		if done, err := s.doorKey(f, off); done || err != nil {
			return err
		}
		p = p.elem
	}
	h, err := s.header()
	if err != nil {
		return err
	}
	fits := false
	switch h.Kind {
	case walk.Str, walk.Bin:
		fits = p.op == opString
	case walk.Bool:
		fits = p.op == opBool
	case walk.Int:
		fits = p.op == opInt || p.op == opUint || p.op == opFloat
	case walk.Float:
		fits = p.op == opFloat || s.d.wholeFloats && (p.op == opInt || p.op == opUint)
	}
	if !fits {
		return refuseFor(f.plan, h.Kind, off, bounds.ErrKeyType)
	}
	if err := s.scalarInto(p, ptr, h, off); err != nil {
		return err
	}
	if p.op == opFloat && key.Float() != key.Float() {
		return refuseFor(f.plan, h.Kind, off, bounds.ErrKeyType)
	}
	f.pair.keyOff = off
	return nil
}

// anyKey reads a key of map[any]T, which takes what AnyKeys takes.
func (s *state) anyKey(off int) (any, error) {
	h, err := s.header()
	if err != nil {
		return nil, err
	}
	if h.Kind != walk.Str {
		return s.scalarKey(h, off)
	}
	content := s.payload(h.Payload)
	if len(content) == 0 {
		return emptyString, nil
	}
	if err := s.charge(price.String+s.textPrice(content), off, walk.Str); err != nil {
		return nil, err
	}
	return s.boxText(content)
}

// putPair stores the pair that was read into the map of f. What a new key or element takes
// outside the map's slots is charged before; it is given back if the key was there, as
// nothing is made then.
func (s *state) putPair(f *typedFrame) error {
	off := f.pair.keyOff
	outside := int64(f.plan.shape.Key + f.plan.shape.Elem)
	if s.d.duplicates == FirstWins {
		// To look is to copy the element that is there.
		copied := int64(price.Lone(uint64(f.plan.elem.size), f.plan.elem.scan))
		if err := s.charge(copied, off, walk.KindOf(s.data[off])); err != nil {
			return s.typedError(f.plan, err)
		}
		if f.has() {
			return nil
		}
		s.memory += copied
	}
	if err := s.charge(outside, off, walk.KindOf(s.data[off])); err != nil {
		return s.typedError(f.plan, err)
	}
	before := f.pair.m.Len()
	f.pair.m.SetMapIndex(f.pair.key, f.pair.elem)
	if f.pair.m.Len() == before {
		if s.d.duplicates == RefuseDuplicates {
			return s.typedError(f.plan, s.duplicate(off))
		}
		s.memory += outside
	}
	f.pair.keyOff = noKey
	return nil
}

// has reports whether the map of f holds the key that was read last.
func (f *typedFrame) has() bool { return f.pair.m.MapIndex(f.pair.key).IsValid() }
