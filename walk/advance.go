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

	// Of inline: the levels that it may open, where it began, fixstrBias, and the end of the
	// bytes that the item may take, which is beyond data if more of it are still to come.
	most   int
	from   int
	before bounds.Account
	bias   int64
	limit  int64
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
//
// It keeps the account as the offset and what the item owes: with what is free they make
// the same sum at every header, the end of the bytes that the item may take, so everything
// promised is backed while offset and owed are not beyond that. Thresholds are relative to
// what is owed around the item. The two innermost stay out of the stack: most containers
// hold none, so the next one takes the place of the innermost and what is below stays.
func (w *walker) inline(from int, a bounds.Account) (int, bounds.Account) {
	w.from, w.before, w.bias = from, a, fixstrBias // in memory: registers are scarce in the loop
	off, owed, spare := int64(from), a.Owed()-w.target, a.Spare()
	w.limit = off + owed + a.Free()
	data := w.data
	levels := w.open.Len()
	w.most = min(w.open.Room(), w.limits.MaxDepth-w.depth)
	top, under := w.threshold(levels-1), w.threshold(levels-2)
	for owed > 0 && uint64(off) < uint64(len(data)) {
		b := data[off]
		if int8(b) >= -32 { // both fixints
			owed--
			off++
			continue
		}
		if b&0xe0 == 0xa0 { // fixstr
			if off+owed+int64(b&0x1f) > w.limit {
				break
			}
			owed--
			off = off - w.bias + int64(b)
			continue
		}
		if b == 0xcb { // float 64
			if off+owed+8 > w.limit {
				break
			}
			owed--
			off += 9
			continue
		}
		if b < 0xa0 { // fixmap, fixarray
			for under >= owed { // then both are complete
				levels--
				top, under = under, w.threshold(levels-2)
			}
			n := int64(b & 0x0f)
			if b < 0x90 {
				n *= 2
			}
			if off+owed+n > w.limit || n > spare {
				break
			}
			if top < owed {
				if levels >= w.most {
					break
				}
				if n > 0 {
					w.keep(levels-2, under)
					under = top
					levels++
				}
			}
			if n > 0 {
				top = owed - 1
			}
			spare -= n
			owed += n - 1
			off++
			continue
		}
		n := int64(plain[b])
		if n == 0 { // the lengths in use beside the fixed ones: str 8 and str 16
			if b == 0xd9 && uint64(off+1) < uint64(len(data)) {
				n = 2 + int64(data[off+1])
			} else if b == 0xda && uint64(off+2) < uint64(len(data)) {
				n = 3 + int64(data[off+1])<<8 + int64(data[off+2])
			} else {
				break
			}
		}
		if off+owed+n-1 > w.limit {
			break
		}
		owed--
		off += n
	}
	w.keep(levels-2, under)
	w.keep(levels-1, top)
	w.open.SetLen(levels)
	return int(off), w.before.Moved(off-int64(w.from), owed+w.target, w.before.Spare()-spare)
}

// fixstrBias is what the marker of a fixstr is more than the length of the whole item. Were
// it a constant to the compiler, it would be subtracted from the sum with the marker, a step more
// that every str waits for.
const fixstrBias = 0xa0 - 1

// threshold returns that of a level, relative to what is owed around the item; below the
// outermost one that no item reaches.
func (w *walker) threshold(level int) int64 {
	if level < 0 {
		return -1
	}
	return *w.open.At(level) - w.target
}

// keep is the reverse.
func (w *walker) keep(level int, threshold int64) {
	if level >= 0 {
		*w.open.At(level) = threshold + w.target
	}
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
