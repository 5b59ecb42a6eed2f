package decode

import (
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// target is where the next value goes: memory of a plan's type.
type target struct {
	plan  *plan
	ptr   unsafe.Pointer
	limit int64 // of the field it stands in; -1 for none
}

// typedFrame is one open container that is decoded into a Go type.
type typedFrame struct {
	plan  *plan
	ptr   unsafe.Pointer // of a slice or array its first element, of a struct itself
	read  int            // elements, pairs or fields complete
	n     int            // of them in all
	guess int            // of a struct, the field that comes next if they come in order
	seen  uint64         // of a struct, the fields read
	hops  uint64         // of a struct, the embedded pointers that were made anew
	more  []uint64       // of a struct of more than 64 fields, instead of seen
	pair  *pair          // of a map
}

// typed decodes the next item into t, without recursion: open containers are frames.
func (s *state) typed(t target) error {
	base := s.typedFrames.Len()
	for {
		opened, err := s.into(t)
		if err != nil {
			return err
		}
		if !opened {
			if s.typedFrames.Len() == base {
				return nil
			}
			if err := s.complete(s.typedFrames.Top()); err != nil {
				return err
			}
		}
		for more := false; !more; {
			f := s.typedFrames.Top()
			if t, more, err = s.nextTarget(f); err != nil {
				return err
			}
			if more {
				break
			}
			s.typedFrames.Pop()
			if s.typedFrames.Len() == base {
				return nil
			}
			if err := s.complete(s.typedFrames.Top()); err != nil {
				return err
			}
		}
	}
}

// complete counts the value that was just decoded into a part of f.
func (s *state) complete(f *typedFrame) error {
	if f.plan.op == opMap {
		if err := s.putPair(f); err != nil {
			return err
		}
	}
	f.read++
	return nil
}

// nextTarget returns where the next value of f goes; more = false if none is left.
func (s *state) nextTarget(f *typedFrame) (t target, more bool, err error) {
	if f.read == f.n {
		return target{}, false, nil
	}
	switch f.plan.op {
	case opMap:
		err = s.readKey(f)
		return target{f.plan.elem, f.pair.elem.Addr().UnsafePointer(), -1}, true, err
	case opStruct:
		return s.nextField(f)
	case opSlice, opArray:
		elem := f.plan.elem
		for f.read < f.n {
			ptr := unsafe.Add(f.ptr, uintptr(f.read)*elem.size)
			if !s.quick(elem, ptr) {
				return target{elem, ptr, -1}, true, nil
			}
			f.read++
		}
		return target{}, false, nil
	case opTuple:
		field := &f.plan.table.fields[f.read]
		ptr, err := field.at(s, f, s.off)
		return target{field.plan, ptr, field.limit}, true, err
	}
	panic("decode: a frame of a type that holds nothing")
}

// into decodes the next item into t. It reports true if that opened a container, whose
// frame is the innermost now.
func (s *state) into(t target) (opened bool, err error) {
	p, ptr := t.plan, t.ptr
	calls := len(s.d.markers)+len(s.d.exts) > 0
	for p.op == opPointer {
		if s.off < len(s.data) && s.data[s.off] == 0xc0 || calls && s.madeByCaller(p) {
			break
		}
		if err := s.chargeNew(p.elem, s.off); err != nil {
			return false, err
		}
		elem := reflect.New(p.elem.typ).UnsafePointer()
		*(*unsafe.Pointer)(ptr) = elem
		p, ptr = p.elem, elem
	}
	off := s.off
	switch {
	case p.op == opAny:
		return false, s.intoAny(p, ptr, t.limit)
	case p.op == opRaw:
		return false, s.intoRaw(p, ptr, t.limit)
	case calls && s.madeByCaller(p):
		return false, s.intoMade(p, ptr, t.limit)
	}
	h, err := s.header()
	if err != nil {
		return false, err
	}
	if h.Kind == walk.Nil {
		p.at(ptr).SetZero()
		return false, nil
	}
	if t.limit >= 0 {
		if err := checkLimit(p, h, off, t.limit); err != nil {
			return false, err
		}
	}
	if h.Kind == walk.Array || h.Kind == walk.Map {
		opened, err := s.enter(p, ptr, h, off)
		return opened, s.typedError(p, err)
	}
	return false, s.typedError(p, s.scalarInto(p, ptr, h, off))
}

// checkLimit holds the header h, at off and for a p, to the limit of its field.
func checkLimit(p *plan, h walk.Header, off int, limit int64) error {
	n, reason := int64(h.Payload), bounds.ErrMaxBytes
	switch h.Kind {
	case walk.Array:
		n, reason = int64(h.Items), bounds.ErrMaxItems
	case walk.Map:
		n, reason = int64(h.Items/2), bounds.ErrMaxItems
	case walk.Str, walk.Bin:
	default:
		return nil
	}
	if n <= limit {
		return nil
	}
	return refuseFor(p, h.Kind, off, &bounds.Error{Reason: reason, Offset: int64(off), Limit: uint64(limit), Need: uint64(n)})
}

// chargeNew pays for a value of p's type in a block of its own, for the value at off.
func (s *state) chargeNew(p *plan, off int) error {
	if p.size == 0 {
		return nil
	}
	return s.typedError(p, s.charge(int64(price.Lone(min(uint64(p.size), mostMemory), p.scan)), off, s.wireAt(off)))
}

// wireAt returns the kind of the item at off, or none.
func (s *state) wireAt(off int) walk.Kind {
	if off >= len(s.data) {
		return 0
	}
	return walk.KindOf(s.data[off])
}

// mismatch refuses the value of kind h at off for p's type.
func mismatch(p *plan, h walk.Header, off int) error {
	return refuseFor(p, h.Kind, off, bounds.ErrType)
}

// refuseFor returns the error of the value at off that was to become p's type.
func refuseFor(p *plan, wire walk.Kind, off int, reason error) error {
	return &Error{Offset: int64(off), Wire: wire, GoType: p.typ, Err: reason}
}

// enter opens the array or map h, whose header is at off, into the target.
func (s *state) enter(p *plan, ptr unsafe.Pointer, h walk.Header, off int) (opened bool, err error) {
	f := typedFrame{plan: p, ptr: ptr, n: h.Items}
	switch {
	case h.Kind == walk.Array && p.op == opSlice:
		f.ptr, err = s.makeSlice(p, ptr, h.Items, off)
	case h.Kind == walk.Array && p.op == opArray:
		if h.Items != p.n {
			return false, mismatch(p, h, off)
		}
		p.at(ptr).SetZero()
	case h.Kind == walk.Array && p.op == opTuple:
		if h.Items != len(p.table.fields) {
			return false, mismatch(p, h, off)
		}
	case h.Kind == walk.Map && p.op == opMap:
		f.n /= 2
		err = s.makeMap(p, ptr, &f, off)
	case h.Kind == walk.Map && p.op == opStruct:
		f.n /= 2
		err = s.startSeen(&f, off)
	default:
		return false, mismatch(p, h, off)
	}
	if err != nil || f.n == 0 {
		return false, err
	}
	if s.typedFrames.Len() >= s.typedLevels {
		if err := s.chargeTypedLevel(off, h.Kind); err != nil {
			return false, err
		}
	}
	if s.typedFrames.Full() {
		s.typedFrames.Grow(s.typedLevels)
	}
	s.typedFrames.Push(f)
	return true, nil
}

// chargeTypedLevel is chargeLevel for the stack of typed frames.
func (s *state) chargeTypedLevel(off int, wire walk.Kind) error {
	s.typedLevels = bounds.Grown(s.typedLevels, min(s.d.limits.MaxDepth, s.typedFrames.Len()+len(s.data)-off))
	spill := uint64(s.typedLevels - bounds.InlineLevels)
	return s.charge(int64(price.Block(spill*uint64(unsafe.Sizeof(typedFrame{})), true)), off, wire)
}

// mostMemory is beyond every MaxMemory: what costs more is charged as this.
const mostMemory = 2 * bounds.CeilingMaxMemory

// makeSlice makes the slice at ptr one of n zero elements, in its old memory if that is
// enough, and returns the first.
func (s *state) makeSlice(p *plan, ptr unsafe.Pointer, n, off int) (unsafe.Pointer, error) {
	over, size := bits.Mul64(uint64(n), uint64(p.elem.size))
	if over > 0 || size > mostMemory {
		size = mostMemory
	}
	if err := s.charge(int64(price.Lone(size, p.elem.scan)), off, walk.Array); err != nil {
		return nil, s.typedError(p, err)
	}
	header := (*[]struct{})(ptr) // any slice: its length and capacity stand in the same places
	if cap(*header) < n {
		switch {
		case p.elem.op == opString:
			*(*[]string)(ptr) = make([]string, n)
			return unsafe.Pointer(unsafe.SliceData(*(*[]string)(ptr))), nil
		case !p.elem.scan && p.elem.size == 8:
			*(*[]uint64)(ptr) = make([]uint64, n)
			return unsafe.Pointer(unsafe.SliceData(*(*[]uint64)(ptr))), nil
		}
	} else if cap(*header) == 0 { // and n is 0
		*header = []struct{}{}
		return nil, nil
	}
	v := p.at(ptr)
	if v.Cap() >= n {
		v.SetLen(max(n, v.Len()))
		v.Clear()
		v.SetLen(n)
	} else {
		v.SetZero()
		v.Grow(n)
		v.SetLen(n)
		v.SetCap(n)
	}
	return v.UnsafePointer(), nil
}
