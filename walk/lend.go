package walk

import (
	"fmt"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
)

// Lend, Recall, Borrow and Return are how package decode hands one value of a document to
// a user's method as a [Cursor], and takes from a Cursor the value that a user wants
// decoded. They are machinery that the packages of boundpack share. They may change in any
// version: nothing is promised about their compatibility.

// Loan is a place in a document, before an item, and what is left there of its bounds. It is
// machinery, as [Lend] is.
type Loan struct {
	Data    []byte
	Off     int            // of the item
	Account bounds.Account // there
	Depth   int            // levels open around it
	Limits  *bounds.Limits // resolved
	Memory  int64          // that may still be charged
	Budget  int64          // that could be at first; 0 if nothing was charged by anyone
	Text    bool           // a str must be valid UTF-8
	Lent    bool           // the Cursor is one that was lent
	Spare   *Cursor        // for what is lent in its turn; nil if there was none yet
}

// loan is what a Cursor knows of what it is lent for, and of what was decoded from it.
type loan struct {
	lent, text     bool
	memory, budget int64
	next           int64 // memory when the item that was looked at is read
	spare          *Cursor
}

// The refusals of a Cursor that is not the caller's to use: errors of the user's method, not
// of the document.
var (
	errDead = fmt.Errorf("%w: the Cursor was lent for one call, which has returned", bounds.ErrHook)
	errLent = fmt.Errorf("%w: the Cursor was lent and has no parts", bounds.ErrHook)
	errBusy = fmt.Errorf("%w: the Cursor is in use by FromCursor", bounds.ErrHook)
)

// Lend puts c over the one item at l and what it contains. Until [Recall] it reads that and
// no more. Beside what it refuses otherwise it charges the bytes that it reads, and the
// levels beyond eight, to l.Memory, else [bounds.ErrMaxMemory] at the header, and with l.Text refuses
// a str that is not valid UTF-8 with [ErrUTF8].
func Lend(c *Cursor, l Loan) {
	c.report()
	c.limits = *l.Limits
	c.loan = loan{lent: true, text: l.Text, memory: l.Memory, budget: l.Budget, spare: c.loan.spare}
	c.begin(l.Data, l.Off, l.Account, l.Depth)
}

// Recall ends what Lend began. It returns where c stands, whether its item was read whole, and what
// it refused, if it did. c is dead: every method that advances returns an error, until it is
// lent again or Reset. A Cursor that its borrower has Reset is left to them, and whole is
// false.
func Recall(c *Cursor) (l Loan, whole bool, err error) {
	if !c.loan.lent {
		return Loan{}, false, nil
	}
	more := c.ready()
	if c.account.Owed() > c.target {
		err = c.err // else it is io.EOF
	}
	l = Loan{Off: c.off, Account: c.account, Memory: c.loan.memory}
	c.begin(nil, 0, bounds.Account{}, 0)
	c.stop(errDead)
	return l, !more && err == nil, err
}

// Borrow returns the place of the next item of c, for a decoder that will read it. Until
// [Return] c refuses everything. The error is what c refused before, or [io.EOF].
func Borrow(c *Cursor) (Loan, error) {
	if !c.ready() {
		return Loan{}, c.err
	}
	c.stop(errBusy)
	return Loan{
		Data: c.data, Off: c.off, Account: c.account, Depth: c.base + c.around(), Limits: &c.limits,
		Memory: c.loan.memory, Budget: c.loan.budget, Text: c.loan.text, Lent: c.loan.lent,
		Spare: c.loan.spare,
	}, nil
}

// Return puts c behind the item that Borrow returned the place of: l says where that is, and
// what is left there. With an error c stays where it was, and refuses everything with that.
// It returns an error if c was Reset meanwhile.
func Return(c *Cursor, l Loan, err error) error {
	if c.err != errBusy {
		return fmt.Errorf("%w: the Cursor was reset while FromCursor used it", bounds.ErrHook)
	}
	if c.err = err; err == nil {
		c.steps += 1 + l.Account.Claimed(&c.limits) - c.account.Claimed(&c.limits)
		c.move(c.around(), l.Off, l.Account)
		c.setGate()
		c.loan.memory, c.loan.budget, c.loan.spare = l.Memory, l.Budget, l.Spare
	}
	return err
}

// levelSize is at least the size in bytes of a level.
const levelSize = 32

// admit charges the item whose header h is next, and holds it to what a lent Cursor
// refuses.
func (c *Cursor) admit(h Header) error {
	cost := uint64(h.Size + h.Payload)
	if depth := c.around(); h.Items > 0 && depth == c.open.Room() {
		cost += price.Block(uint64(c.grown(depth, c.off)-bounds.InlineLevels)*levelSize, false)
	}
	if err := c.charge(cost); err != nil {
		return err
	}
	start := c.off + h.Size
	if p := c.data[start : start+h.Payload]; h.Kind == Str && c.loan.text {
		if n := ValidPrefix(p); n < len(p) {
			return &bounds.Error{Reason: bounds.ErrUTF8, Offset: int64(start + n)}
		}
	}
	return nil
}

// admitWhole is admit for the next item and all it contains, which ends at end.
func (c *Cursor) admitWhole(end int) error {
	if err := c.charge(uint64(end - c.off)); err != nil {
		return err
	}
	if c.loan.text {
		if at := InvalidUTF8(c.data[c.off:end]); at >= 0 {
			return &bounds.Error{Reason: bounds.ErrUTF8, Offset: int64(c.off + at)}
		}
	}
	return nil
}

// charge takes cost bytes for the next item.
func (c *Cursor) charge(cost uint64) error {
	c.loan.memory -= int64(cost)
	if c.loan.memory >= 0 {
		return nil
	}
	return &bounds.Error{
		Reason: bounds.ErrMaxMemory, Offset: int64(c.off),
		Limit: uint64(c.loan.budget), Need: uint64(c.loan.budget - c.loan.memory),
	}
}
