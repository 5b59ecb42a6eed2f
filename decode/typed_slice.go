package decode

import (
	"math/bits"
	"unsafe"

	"github.com/boundpack/boundpack/asm"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// sliceItems decodes the elements of the slice or array of f that are left: see items.
func (s *state) sliceItems(f *typedFrame) (opened bool, err error) {
	elem := f.plan.elem
	for f.read < f.n {
		ptr := unsafe.Add(f.ptr, uintptr(f.read)*elem.size)
		if elem.runs {
			if n := s.run(elem, ptr, f.n-f.read); n > 0 {
				f.read += n
				continue
			}
		}
		opened, done := s.quickOpen(elem, ptr)
		if !done {
			opened, err = s.into(target{elem, ptr, -1})
		} else if opened && elem.op == opStruct {
			// Records are so common that they do not go round by items.
			if opened, err = s.structItems(s.typedFrames.Top()); !opened && err == nil {
				s.typedFrames.Pop()
			}
		}
		if opened || err != nil {
			return opened, err
		}
		f.read++
	}
	return false, nil
}

// run decodes, of the next n items, as many as follow each other that are scalars met most,
// into the memory at ptr, which is for n values of p's type, one that runs: a shortcut past
// the header step and the general path. It returns how many.
func (s *state) run(p *plan, ptr unsafe.Pointer, n int) int {
	if !s.inline {
		return 0
	}
	switch p.op {
	case opString:
		return s.runStrings(unsafe.Slice((*string)(ptr), n))
	case opInt, opUint:
		return s.runIntegers(p, ptr, n)
	case opFloat:
		if p.size == 4 {
			return runFloats(s, asm.LoadFloat32s, unsafe.Slice((*float32)(ptr), n))
		}
		return runFloats(s, asm.LoadFloat64s, unsafe.Slice((*float64)(ptr), n))
	case opArray:
		return s.runPoints(unsafe.Slice((*float64)(ptr), n*p.n), p.n)
	case opBool:
		i := 0
		for i < n && s.quick(p, unsafe.Add(ptr, i)) {
			i++
		}
		return i
	}
	return 0
}

// runStrings is run for strings. As in the loops like it, reach is the offset up to which
// content is backed: with each item that is read the byte that was kept for it comes free.
func (s *state) runStrings(dst []string) int {
	data, off := s.data, s.off
	reach := off + int(s.account.Free())
	i := 0
	for i < len(dst) {
		start, n, ok := shortStr(data, off)
		end := start + n
		if !ok || end > reach+1 {
			break
		}
		str, ok := s.quickText(start, n)
		if !ok {
			break
		}
		dst[i] = str
		off = end
		i++
		reach++
	}
	s.account.TakeItems(int64(i), int64(off-s.off))
	s.off = off
	return i
}

// smallSlice is the number of elements up to which a slice of strings or of numbers of 8
// bytes stands in a slab. As in those of an any, whoever keeps it keeps its slab mates.
const smallSlice = price.SmallArray

// quickMake is makeSlice for 1 to 15 strings or numbers of 8 bytes, if the slice at ptr has no
// room for them and they may be paid for. It reports false, and has done nothing, otherwise.
func (s *state) quickMake(p *plan, ptr unsafe.Pointer, n int) (first unsafe.Pointer, ok bool) {
	header := (*[]struct{})(ptr)
	if cap(*header) >= n {
		return nil, false
	}
	left := s.memory - int64(price.Lone(uint64(n)*uint64(p.elem.size), p.elem.scan))
	if left < 0 {
		return nil, false
	}
	switch {
	case p.elem.op == opString:
		v := s.fewStrings(n)
		*(*[]string)(ptr) = v
		first = unsafe.Pointer(unsafe.SliceData(v))
	case p.elem.op == opInt || p.elem.op == opUint || p.elem.op == opFloat:
		v := s.fewWords(n)
		*(*[]uint64)(ptr) = v
		first = unsafe.Pointer(unsafe.SliceData(v))
	default:
		return nil, false
	}
	s.memory = left
	return first, true
}

// fewStrings returns n zero strings, in a slab if they are few.
func (s *state) fewStrings(n int) []string {
	b := &s.slabs.texts
	if n > smallSlice {
		return make([]string, n)
	}
	if n > b.rest() {
		if !s.giveUp(b.rest()) {
			return make([]string, n)
		}
		b.renew(s.room(n, &stringSlabs))
	}
	return b.carve(n)
}

// fewWords is fewStrings for numbers of 8 bytes.
func (s *state) fewWords(n int) []uint64 {
	b := &s.slabs.words
	if n > smallSlice {
		return make([]uint64, n)
	}
	if n > b.rest() {
		if !s.giveUp(b.rest()) {
			return make([]uint64, n)
		}
		b.renew(s.room(n, &numberSlabs))
	}
	return b.carve(n)
}

// giveUp reports whether the rest of a slab may be left unused: it was charged to nobody,
// so that is allowed up to a total.
func (s *state) giveUp(rest int) bool {
	if s.slabs.unused+rest > maxUnused {
		return false
	}
	s.slabs.unused += rest
	return true
}

// room returns the length of a new slab for slices, of n elements now: n and one for so
// many bytes left as a record with such a slice takes, or it would be large for a small
// document.
func (s *state) room(n int, l *lengths) int {
	const record = 64
	return max(n, int(l[min(n+(len(s.data)-s.off)/record, len(l)-1)]))
}

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
