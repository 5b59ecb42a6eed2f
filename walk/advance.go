package walk

import (
	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/tier"
)

// walker moves over one item and everything in it: the loop behind Check, Len,
// Skip and Raw.
//
// Open containers are kept as thresholds: the number of items that will still be
// owed when the container is complete. Thresholds never fall from the outside in,
// so the innermost tells when it and those around it are done, and items that
// open nothing do not touch the stack at all.
type walker struct {
	data   []byte
	limits *bounds.Limits
	depth  int   // containers open around the item
	target int64 // items owed when the item is complete
	open   bounds.Stack[int64]
}

// advance moves over the item at off. depth is the number of containers open
// around it. It returns the offset after the item and the account there, or at
// the header that was refused.
func advance(data []byte, off int, a bounds.Account, depth int, limits *bounds.Limits) (int, bounds.Account, error) {
	w := walker{data: data, limits: limits, depth: depth, target: a.Owed() - 1}
	inline := tier.On(tier.WalkInline)
	claimed, steps, ran := a.Claimed(limits), int64(0), int64(0)
	var err error
	for {
		if inline {
			off, a = w.inline(off, a)
		}
		if a.Owed() <= w.target {
			break
		}
		header, owed := off, a.Owed()-1
		if off, a, err = w.step(off, a); err != nil {
			break
		}
		steps++
		if items := a.Owed() - owed; items >= leastRun && data[header]|1 == 0xdd { // array 16 or 32
			owed = a.Owed()
			off, a = runs(data, off, a, items)
			ran += owed - a.Owed()
		}
	}
	// All that was claimed, less what is still owed, was read; what no step and no run
	// read, the shortcut did.
	claimed = a.Claimed(limits) - claimed + 1
	tier.Count(tier.WalkInline, claimed-(a.Owed()-w.target)-steps-ran)
	return off, a, err
}

// Skip moves over the item at off of the document in data, and everything in it, for
// decoders that keep their own stack: see [Step] for the parameters and the error. It
// returns the offset after the item and the account there.
func Skip(data []byte, off int, account bounds.Account, depth int, limits *bounds.Limits) (end int, after bounds.Account, err error) {
	return advance(data, off, account, depth, limits)
}

// step moves over the header at off by the header step.
func (w *walker) step(off int, a bounds.Account) (int, bounds.Account, error) {
	w.close(a.Owed())
	h, next, err := Step(w.data, off, a, w.depth+w.open.Len(), w.limits)
	if err != nil {
		return off, a, err
	}
	if h.Items > 0 {
		if w.open.Full() {
			// No byte that is left can open more than one level.
			w.open.Grow(bounds.Grown(w.open.Room(), min(w.limits.MaxDepth-w.depth, w.open.Len()+len(w.data)-off)))
		}
		w.open.Push(a.Owed() - 1)
	}
	return off + h.Size + h.Payload, next, nil
}

// close closes the containers that are complete when owed items are owed.
func (w *walker) close(owed int64) {
	for w.open.Len() > 0 && *w.open.Top() >= owed {
		w.open.Pop()
	}
}

// inline moves as far as it can without the header step. It stops before a header
// that would be refused, that it does not know, or whose level does not fit the
// stack; it calls nothing, so that its state stays in registers. The order of its
// cases follows how often they occur and how early they decide.
func (w *walker) inline(off int, a bounds.Account) (int, bounds.Account) {
	data, target := w.data, w.target
	levels, most := w.open.Len(), min(w.open.Room(), w.limits.MaxDepth-w.depth)
	top := int64(-1)
	if levels > 0 {
		top = *w.open.At(levels - 1)
	}
	for a.Owed() > target && uint(off) < uint(len(data)) {
		b := data[off]
		if int8(b) >= -32 { // both fixints
			a = a.Scalar(0)
			off++
			continue
		}
		if b&0xe0 == 0xa0 { // fixstr
			n := int(b & 0x1f)
			next := a.Scalar(int64(n))
			if !next.Backed() {
				break
			}
			a, off = next, off+1+n
			continue
		}
		if b == 0xcb { // float 64
			next := a.Scalar(8)
			if !next.Backed() {
				break
			}
			a, off = next, off+9
			continue
		}
		if b < 0xa0 { // fixmap, fixarray
			for top >= a.Owed() {
				levels--
				top = -1
				if levels > 0 {
					top = *w.open.At(levels - 1)
				}
			}
			n := int64(b & 0x0f)
			if b < 0x90 {
				n *= 2
			}
			next := a.Container(0, n)
			if !next.Within() || levels >= most {
				break
			}
			if n > 0 {
				top = a.Owed() - 1
				*w.open.At(levels) = top
				levels++
			}
			a, off = next, off+1
			continue
		}
		n := int(plain[b])
		if n == 0 { // the lengths in use beside the fixed ones: str 8 and str 16
			if b == 0xd9 && uint(off+1) < uint(len(data)) {
				n = 2 + int(data[off+1])
			} else if b == 0xda && uint(off+2) < uint(len(data)) {
				n = 3 + int(data[off+1])<<8 + int(data[off+2])
			} else {
				break
			}
		}
		next := a.Scalar(int64(n - 1))
		if !next.Backed() {
			break
		}
		a, off = next, off+n
	}
	w.open.SetLen(levels)
	return off, a
}

// plain is the length of a whole item, marker and payload, for the markers that
// fix it and open nothing: nil, bool, numbers and fixext. 0 for all others.
var plain = func() (t [256]uint8) {
	for m, f := range formats {
		if f.width == 0 && f.kind != 0 && f.kind != Array && f.kind != Map {
			t[m] = 1 + f.fixed
		}
	}
	return t
}()
