package main

import (
	"errors"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// extent follows the headers of one document as its bytes arrive, to know how many
// it takes at least. It gives the header step an account of all the bytes that a
// document may have, as if they were there, and does not judge: [walk.Valid] does,
// when there are enough of them.
type extent struct {
	limits  *bounds.Limits
	account bounds.Account
	off     int // of the next header
	// open has, for every open container, the items that are owed when it is
	// complete.
	open bounds.Stack[int64]
}

// Follow reads on in doc, which starts with all bytes of earlier calls, and returns
// the length that the document has at least. It is settled when its last header or
// one that is refused was read: more calls would say the same.
func (x *extent) Follow(doc []byte) (need uint64, settled bool) {
	for x.account.Owed() > 0 && x.off < len(doc) {
		for x.open.Len() > 0 && *x.open.Top() >= x.account.Owed() {
			x.open.Pop()
		}
		h, next, err := walk.Step(doc, x.off, x.account, x.open.Len(), x.limits)
		if e, ok := errors.AsType[*bounds.Error](err); ok && errors.Is(e, bounds.ErrPrefix) {
			return e.Need, false
		}
		if err != nil {
			return x.need(), true
		}
		if h.Items > 0 {
			if x.open.Full() {
				x.open.Grow(bounds.Grown(x.open.Room(), x.limits.MaxDepth))
			}
			x.open.Push(x.account.Owed() - 1)
		}
		x.account, x.off = next, x.off+h.Size+h.Payload
	}
	return x.need(), x.account.Owed() == 0
}

// need is the bytes read and one for every item owed.
func (x *extent) need() uint64 { return uint64(x.off) + uint64(x.account.Owed()) }
