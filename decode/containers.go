package decode

import (
	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// open charges and makes the container h, whose header is at off and not empty, in the
// container of in, and pushes its frame. It returns the innermost frame.
func (s *state) open(in *frame, h walk.Header, off int) (f *frame, err error) {
	s.uncarve(in)
	n, hint, cost := h.Items, 0, int64(0)
	if h.Kind == walk.Map {
		n /= 2
		hint, cost = mapPlan(n)
	} else {
		cost = price.Slice + price.Elements(n)
	}
	if err := s.charge(cost, off, h.Kind); err != nil {
		return in, err
	}
	if s.frames.Len() >= s.levels {
		if err := s.chargeLevel(off, h.Kind); err != nil {
			return in, err
		}
	}
	if s.frames.Full() {
		s.grow()
	}
	f = s.frames.Open()
	f.kind, f.carved, f.marked = h.Kind, false, false
	f.m, f.keyed, f.arr = nil, nil, nil
	f.key.off, f.off, f.read, f.n = noKey, off, 0, n
	switch {
	case h.Kind == walk.Array:
		f.arr, f.carved = s.elements(n)
	case s.d.keys == AnyKeys:
		f.keyed = make(map[any]any, hint)
	case n <= 8:
		f.m = make(map[string]any) // which Go makes faster if no hint is given
	default:
		f.m = make(map[string]any, hint)
	}
	return f, nil
}

// grow makes room for the levels that were charged: the first time with frames from the
// pool, if they are enough.
func (s *state) grow() {
	if s.lent == nil && s.levels <= bounds.InlineLevels+lentLevels {
		s.lent = lentFrames.Get().(*[lentLevels]frame)
		s.frames.Lend(s.lent[:])
		return
	}
	s.frames.Grow(s.levels)
}

// mapPlan returns the hint with which a map for n pairs is to be made, and its price.
func mapPlan(n int) (hint int, cost int64) {
	if n <= 8 {
		return n, smallMapPrice
	}
	h, c := price.AnyMap.Plan(uint64(n))
	return int(h), int64(c)
}

// smallMapPrice is the price of a map of 1 to 8 pairs.
var smallMapPrice = func() int64 {
	_, cost := price.AnyMap.Plan(8)
	return int64(cost)
}()

// elements returns the elements of an array of n, in a slab if they are few.
func (s *state) elements(n int) (arr []any, carved bool) {
	if n > price.SmallArray {
		return make([]any, n), false
	}
	if n > s.slabs.elements.rest() {
		// Where little is owed a slab may be left with more unused than its arrays
		// were charged: that is allowed up to a total.
		room := min(elementSlab, n+int(min(s.account.Owed(), elementSlab)))
		if room < elementSlab {
			if s.slabs.unused > maxUnused {
				return make([]any, n), false
			}
			s.slabs.unused += room
		}
		s.slabs.elements.renew(room)
	}
	return s.slabs.elements.carve(n), true
}

// uncarve gives an array that stands in a slab elements of its own, because something
// that holds more than a scalar does is about to stand in it: its slab would keep that
// alive for others' sake. f's are the elements carved last, so they go back.
func (s *state) uncarve(f *frame) {
	if f == nil || !f.carved {
		return
	}
	own := make([]any, f.n)
	copy(own, f.arr[:f.read])
	clear(f.arr)
	s.slabs.elements.used -= f.n
	f.arr, f.carved = own, false
}

// close pops f, the innermost frame, whose items are complete, and returns its value.
func (s *state) close(f *frame) (v any, err error) {
	switch {
	case f.kind == walk.Array && f.carved:
		h := s.slabs.arrays.take(s, &sliceSlabs)
		*h = f.arr
		v = box(arrayWord, h)
	case f.kind == walk.Array:
		v = f.arr
	case f.marked:
		f.key.off = noKey
		if v, err = s.replace(f); err != nil {
			return nil, err
		}
	case f.keyed != nil:
		v = f.keyed
	default:
		v = f.m
	}
	s.frames.Pop()
	return v, nil
}

// insert puts v under the key last read and reports whether the policy for duplicate
// keys allows that.
func (s *state) insert(f *frame, v any) bool {
	if s.d.duplicates == FirstWins && f.has() {
		return true
	}
	n := 0
	if f.keyed == nil {
		f.m[f.key.str] = v
		n = len(f.m)
	} else {
		f.keyed[f.key.any] = v
		n = len(f.keyed)
	}
	return n > f.read || s.d.duplicates != RefuseDuplicates
}
