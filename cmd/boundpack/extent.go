package main

import (
	"errors"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// extent follows the headers of one document as its bytes arrive, to know how many
// it takes at least, and whether it claims more than its limits allow. It gives the
// header step an account of all the bytes that a document may have, as if they were
// there. It does not judge the rest: [walk.Valid] does, when there are enough bytes.
type extent struct {
	limits  *bounds.Limits
	account bounds.Account
	off     int // of the next header
	// open has, for every open container, the items that are owed when it is
	// complete.
	open bounds.Stack[int64]
	// over is the refusal, as of a stream, of a header that claims more than MaxBytes
	// or MaxItems, whatever bytes come after it.
	over *bounds.Error
}

func newExtent(limits *bounds.Limits) extent {
	return extent{limits: limits, account: bounds.Open(limits.MaxBytes, limits)}
}

// Follow reads on in doc, which starts with all bytes of earlier calls. It is settled
// when the last header was read or one is refused: need is then the length on which the
// verdict depends, and Follow must not be called again. Until then need is the length
// with which it can read on.
func (x *extent) Follow(doc []byte) (need uint64, settled bool) {
	for x.account.Owed() > 0 && x.off < len(doc) {
		for x.open.Len() > 0 && *x.open.Top() >= x.account.Owed() {
			x.open.Pop()
		}
		h, next, err := walk.Step(doc, x.off, x.account, x.open.Len(), x.limits)
		if err != nil {
			return x.refused(err)
		}
		if h.Items > 0 {
			if x.open.Full() {
				x.open.Grow(bounds.Grown(x.open.Room(), x.limits.MaxDepth))
			}
			x.open.Push(x.account.Owed() - 1)
		}
		x.account, x.off = next, x.off+h.Size+h.Payload
	}
	if x.account.Owed() > 0 {
		return uint64(x.off) + 1, false
	}
	return uint64(x.off), true
}

// refused returns what Follow does where the step refuses the next header with err.
func (x *extent) refused(err error) (need uint64, settled bool) {
	e, _ := errors.AsType[*bounds.Error](err)
	owed := uint64(x.account.Owed())
	switch e.Reason {
	case bounds.ErrPrefix:
		return e.Need - (owed - 1), false // the length field, and nothing behind it
	case bounds.ErrReserved, bounds.ErrMaxDepth:
		// The bytes that are owed may turn out to be missing, which comes first.
		return uint64(x.off) + owed, true
	case bounds.ErrMaxItems: // all that it claims is there
		x.over = tooManyItems(e.Offset, x.limits)
		return uint64(x.off) + owed, true
	}
	// All the bytes that a document may have are too few, or the items too many.
	x.over = overLimit(e, x.limits)
	return e.Need, true
}

// overLimit returns the refusal by a limit of the header that e refuses because bytes
// are missing or are more than MaxBytes, and which has no place within the limits even
// if they were there.
func overLimit(e *bounds.Error, limits *bounds.Limits) *bounds.Error {
	if e.Need > uint64(limits.MaxBytes) {
		return &bounds.Error{Reason: bounds.ErrMaxBytes, Offset: e.Offset, Limit: uint64(limits.MaxBytes), Need: e.Need}
	}
	return tooManyItems(e.Offset, limits)
}

// tooManyItems returns the refusal of the header at offset for what it claims. It is
// the same whether the bytes of the items are there or not.
func tooManyItems(offset int64, limits *bounds.Limits) *bounds.Error {
	most := uint64(limits.MaxItems)
	return &bounds.Error{Reason: bounds.ErrMaxItems, Offset: offset, Limit: most, Need: most + 1}
}
