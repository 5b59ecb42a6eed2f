package decode

import (
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
	var err error
	opened, done := false, false
	if t.limit < 0 {
		opened, done = s.quickOpen(t.plan, t.ptr)
	}
	if !done {
		opened, err = s.into(t)
	}
	for err == nil && (opened || s.typedFrames.Len() > base) {
		f := s.typedFrames.Top()
		if opened, err = s.items(f); err != nil || opened {
			continue
		}
		s.typedFrames.Pop()
		if s.typedFrames.Len() > base {
			err = s.complete(s.typedFrames.Top())
		}
	}
	return err
}

// items decodes the items of f that are left. It reports true if one of them opened a
// container, whose frame is the innermost now.
func (s *state) items(f *typedFrame) (opened bool, err error) {
	switch f.plan.op {
	case opStruct:
		return s.structItems(f)
	case opMap:
		return s.mapItems(f)
	case opTuple:
		return s.tupleItems(f)
	}
	return s.sliceItems(f)
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
	case p.op == opDoor:
		return s.intoDoor(p, ptr, t.limit)
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
		s.setQuickLevels()
	}
	s.typedFrames.Push(f)
	return true, nil
}

// quickOpen is into, of a target without a limit, for a fixmap into a struct and a fixarray
// into a slice that hold something: a shortcut past the header step. It reports done = false,
// and has done nothing, for all else. A slice whose elements run takes is complete with it.
func (s *state) quickOpen(p *plan, ptr unsafe.Pointer) (opened, done bool) {
	if p.quick == quickNone || s.typedFrames.Len() >= s.quickLevels || uint(s.off) >= uint(len(s.data)) {
		return false, false
	}
	b := s.data[s.off]
	n := int(b & 0x0f)
	if b&0xf0 != uint8(p.quick) || n == 0 {
		return false, false
	}
	if p.quick == quickStruct {
		next := s.account.Container(0, int64(2*n))
		if !next.Within() {
			return false, false
		}
		s.account = next
		s.off++
		f := s.typedFrames.Open()
		f.plan, f.ptr, f.read, f.n, f.guess = p, ptr, 0, n, 0
		f.seen, f.hops = 0, 0
		f.more, f.pair = nil, nil
		return true, true
	}
	next := s.account.Container(0, int64(n))
	if !next.Within() {
		return false, false
	}
	first, ok := s.quickMake(p, ptr, n)
	if !ok {
		return false, false
	}
	s.account = next
	s.off++
	read := s.run(p.elem, first, n)
	if read == n {
		return false, true
	}
	f := s.typedFrames.Open()
	f.plan, f.ptr, f.read, f.n = p, first, read, n
	f.more, f.pair = nil, nil
	return true, true
}

// setQuickLevels says how many levels may be open for quickOpen to open another: it is for
// the general path to refuse one and to charge for the first that goes so deep.
func (s *state) setQuickLevels() {
	s.quickLevels = 0
	if s.inline && len(s.d.markers) == 0 {
		s.quickLevels = min(s.typedLevels, s.typedFrames.Room(), s.limits.MaxDepth-s.base)
	}
}

// chargeTypedLevel is chargeLevel for the stack of typed frames.
func (s *state) chargeTypedLevel(off int, wire walk.Kind) error {
	s.typedLevels = bounds.Grown(s.typedLevels, min(s.limits.MaxDepth-s.base, s.typedFrames.Len()+len(s.data)-off))
	spill := uint64(s.typedLevels - bounds.InlineLevels)
	return s.charge(int64(price.Block(spill*uint64(unsafe.Sizeof(typedFrame{})), true)), off, wire)
}

// mostMemory is beyond every MaxMemory: what costs more is charged as this.
const mostMemory = 2 * bounds.CeilingMaxMemory
