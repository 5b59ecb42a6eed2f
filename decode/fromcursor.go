package decode

import (
	"github.com/boundpack/boundpack/walk"
)

// FromCursor is [Decoder.FromCursor] of the default decoder.
func FromCursor(c *walk.Cursor, dst any) error { return standard.FromCursor(c, dst) }

// FromCursor decodes the next item of c into what dst points to, as [Decoder.Unmarshal] would
// if it were a document, and moves c behind it. It is for UnmarshalCursor methods, which get
// a Cursor over one value of a document, and for a Cursor of the caller's own.
//
// The policies are those of d; the limits, and what is left of depth, length, items and
// memory, are those of c. A Cursor of the caller's own has a budget of MaxMemory of its
// Limits, or if that is zero of those of d for the length of its input, from which all calls take.
//
// The error is [io.EOF] if c has no item left, [ErrTarget] as for Unmarshal, which leaves c
// as it was, or what c refused before; else a refusal, with which c then refuses everything
// further. Offsets are those of the document. In a Cursor that was lent to an
// UnmarshalCursor a refusal has no path before the outermost call returns it.
func (d *Decoder) FromCursor(c *walk.Cursor, dst any) error {
	t, err := d.root(dst)
	if err != nil {
		return err
	}
	l, err := walk.Borrow(c)
	if err != nil {
		return err
	}
	if l.Budget == 0 {
		if l.Budget = l.Limits.MaxMemory; l.Budget == 0 {
			l.Budget = d.limits.Memory(len(l.Data))
		}
		l.Memory = l.Budget
	}
	var s state
	s.resume(d, l)
	if err = s.typed(s.reuse(t)); err != nil {
		if !l.Lent {
			err = s.final(err)
		} else if e, meaning := err.(*Error); meaning {
			err = s.earliest(e) // while there are frames
		}
	}
	s.end()
	l.Off, l.Account, l.Memory, l.Spare = s.off, s.account, s.memory, s.cursor
	return walk.Return(c, l, err)
}

// resume prepares s for the item at l, in the midst of a document. Its table of strings is the
// small one: to clear a large one for each item would make the work more than linear.
func (s *state) resume(d *Decoder, l walk.Loan) {
	s.data, s.limits, s.base = l.Data, l.Limits, l.Depth
	s.off, s.account = l.Off, l.Account
	s.memory, s.budget, s.cursor = l.Memory, l.Budget, l.Spare
	s.steps = s.read()
	s.prepare(d)
}
