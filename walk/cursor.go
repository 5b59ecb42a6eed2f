package walk

import (
	"io"
	"math"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/tier"
)

// Cursor reads one document header by header, for people who write their own
// decoder: it knows grammar and limits, and leaves meaning to its caller. It is
// created by [NewCursor], [Cursor.Reset] or [Cursor.Sub], allocates nothing for up to
// eight open levels, must not be copied, and is not safe for concurrent use.
//
// [Cursor.Next] reads whatever comes next. The typed reads (ReadInt64, ReadStr and so on)
// read an item that must be of one kind, and refuse any other with an [*Error] that moves
// nothing, so that another read may be tried. [Cursor.Array] and [Cursor.Map] are loops
// over the items of a container.
//
// Package decode lends a Cursor over one value of a document to an UnmarshalCursor method. It
// ends behind that value and is dead when the method has returned. It may also refuse a str
// that is not valid UTF-8, with [ErrUTF8], and what is more than MaxMemory, with
// [bounds.ErrMaxMemory]. It has no parts by [Cursor.Sub].
//
// Every method that advances refuses what is not well-formed, or beyond a limit, as
// [Check] does, with a [*bounds.Error] that further calls return again. A refusal, and
// the end of the document, move nothing: Depth, Path and Offset stay those of the item
// last read before.
type Cursor struct {
	data    []byte
	off     int // of the next header
	account bounds.Account
	gate    int64 // while more items are owed, the next is in the innermost of open, and quick
	at      int   // header of the item last read
	before  int   // header of the item before it in its container, or of the container
	open    bounds.Stack[level]
	target  int64 // items owed when all is read
	base    int   // levels open around all that is read
	limits  bounds.Limits
	loan    loan
	inline  bool  // tier.CursorInline is on
	err     error // of every further call
	claimed int64 // items claimed before the first that is read
	steps   int64 // headers read otherwise than by the shortcut
}

// level is one open container of a Cursor, or one that is complete but whose last item is
// the item last read.
type level struct {
	done   int64 // items owed when it is complete
	items  int   // in all
	off    int   // its header
	before int   // Cursor.before when it was the item last read
}

// closed is a gate that nothing passes.
const closed = math.MaxInt64

// NewCursor returns a Cursor before the first byte of the document that data
// starts with. The error is [ErrOptions], for limits out of range. The Cursor
// keeps data and hands out parts of it.
func NewCursor(data []byte, limits bounds.Limits) (*Cursor, error) {
	c := new(Cursor)
	if err := c.Reset(data, limits); err != nil {
		return nil, err
	}
	return c, nil
}

// Reset puts c before the first byte of another document, as [NewCursor] does,
// keeping the memory of its stack. After an error c has no document, and every method
// that advances returns that error.
func (c *Cursor) Reset(data []byte, limits bounds.Limits) error {
	limits, err := limits.Resolve()
	if err != nil {
		data = nil
	}
	c.report()
	c.limits = limits
	c.loan = loan{}
	c.begin(data, 0, bounds.Open(len(data), &limits), 0)
	if err != nil {
		c.stop(err)
	}
	return err
}

// begin puts c before the item at off of the document in data, inside depth levels, to
// read that and no more. account is the document's there.
func (c *Cursor) begin(data []byte, off int, account bounds.Account, depth int) {
	c.open.SetLen(0)
	c.data, c.off, c.account = data, off, account
	c.at, c.before = off, off
	c.target, c.base = account.Owed()-1, depth
	c.claimed, c.steps = account.Claimed(&c.limits)-1, 0
	c.err, c.inline = nil, tier.On(tier.CursorInline) && !c.loan.lent
	c.setGate()
}

// Sub makes sub a Cursor over exactly the next item of c and what it contains, and moves c
// behind it, as [Cursor.Skip] does and with its errors; on an error sub is what it was. To
// hand one value to a decoder that must not read beyond it. sub keeps to the limits of c,
// and its Depth, Path and Offset are those of the document. sub must not be c; it keeps the
// memory of its stack, and does not depend on c afterwards. A Cursor that was lent refuses
// with [bounds.ErrHook]: what it charges would be lost.
func (c *Cursor) Sub(sub *Cursor) error {
	if c.loan.lent {
		return errLent
	}
	off, account, depth := c.off, c.account, c.base+c.around()
	if err := c.Skip(); err != nil {
		return err
	}
	sub.report()
	sub.limits, sub.loan = c.limits, loan{}
	sub.begin(c.data, off, account, depth)
	return nil
}

// Next reads the next header and its payload, in wire order: after an array or
// map come its elements, or its keys and values in turn. After the last item it
// returns [io.EOF]; bytes after the document are not looked at.
func (c *Cursor) Next() (t Token, err error) {
	// Each field is stored once and nothing is copied: a copy of what was just stored in
	// smaller parts would wait for it.
	off := c.off
	if c.account.Owed() <= c.gate || uint(off) >= uint(len(c.data)) {
		return c.next()
	}
	b := c.data[off]
	q := quick[b]
	if q.kind == 0 || !c.account.Take(int64(q.payload)) {
		return c.next()
	}
	end := off + 1 + int(q.payload)
	t.Kind, t.Marker, t.Offset, t.N = q.kind, b, off, int(q.payload)
	t.Payload = c.data[off+1 : end : end]
	c.before, c.at, c.off = c.at, off, end
	return t, nil
}

// quick is the kind and the length of the payload of the items that their marker says all
// of: scalars without a length field.
var quick = func() (t [256]struct {
	kind    Kind
	payload uint8
},
) {
	for m, f := range formats {
		if f.width == 0 && f.kind != Array && f.kind != Map {
			t[m].kind, t[m].payload = f.kind, f.fixed
		}
	}
	return t
}()

// next is Next by the header step.
func (c *Cursor) next() (t Token, err error) {
	h, account, depth, err := c.look()
	if err != nil {
		return t, err
	}
	off := c.off
	c.take(h, account, depth)
	t.Kind, t.Marker, t.Offset, t.N = h.Kind, c.data[off], off, h.Payload
	switch h.Kind {
	case Array:
		t.N = h.Items
	case Map:
		t.N = h.Items / 2
	default:
		t.Payload = c.data[c.off-h.Payload : c.off : c.off]
	}
	return t, nil
}

// look returns the next header, the account after it and the levels of c around it. It
// moves nothing.
func (c *Cursor) look() (h Header, account bounds.Account, depth int, err error) {
	if !c.ready() {
		return h, account, 0, c.err
	}
	depth = c.around()
	h, account, err = Step(c.data, c.off, c.account, c.base+depth, &c.limits)
	if err == nil && c.loan.lent {
		before := c.loan.memory
		err = c.admit(h)
		c.loan.memory, c.loan.next = before, c.loan.memory
	}
	if err != nil {
		c.stop(err)
	}
	return h, account, depth, err
}

// take makes the item at c.off, whose header h look returned, the one last read.
func (c *Cursor) take(h Header, account bounds.Account, depth int) {
	c.steps++
	c.move(depth, c.off+h.Size+h.Payload, account)
	if c.loan.lent {
		c.loan.memory = c.loan.next
	}
	if h.Items > 0 {
		c.enter(h.Items)
	}
}

// move makes the item at c.off, which stands inside depth levels of c and ends at end, the
// one last read, and closes what was complete before it. account is the one after it.
func (c *Cursor) move(depth, end int, account bounds.Account) {
	if depth < c.open.Len() {
		in := c.open.At(depth)
		c.at, c.before = in.off, in.before
		c.open.SetLen(depth)
		c.setGate()
	}
	c.before, c.at = c.at, c.off
	c.off, c.account = end, account
}

// enter opens the container that was read last, of so many items.
func (c *Cursor) enter(items int) {
	if c.open.Full() {
		c.open.Grow(c.grown(c.open.Len(), c.at))
	}
	in := c.open.Open()
	in.done, in.items, in.off, in.before = c.account.Owed()-int64(items), items, c.at, c.before
	if c.inline {
		c.gate = in.done
	}
}

// grown returns the levels there is to be room for when the header at off, inside depth
// levels, opens one more than there is.
func (c *Cursor) grown(depth, off int) int {
	// No byte that is left can open more than one level.
	return bounds.Grown(c.open.Room(), min(c.limits.MaxDepth-c.base, depth+len(c.data)-off))
}

// Skip reads the next item and everything in it. After the last item it returns
// [io.EOF].
func (c *Cursor) Skip() error {
	_, err := c.Raw()
	return err
}

// Raw is [Cursor.Skip] that also returns the bytes of the item, aliasing the
// input.
func (c *Cursor) Raw() ([]byte, error) {
	if !c.ready() {
		return nil, c.err
	}
	off, depth := c.off, c.around()
	end, account, err := advance(c.data, off, c.account, c.base+depth, &c.limits)
	if err == nil && c.loan.lent {
		err = c.admitWhole(end)
	}
	if err != nil {
		c.stop(err)
		return nil, err
	}
	c.steps += 1 + account.Claimed(&c.limits) - c.account.Claimed(&c.limits)
	c.move(depth, end, account)
	return c.data[off:end:end], nil
}

// Depth returns the number of arrays and maps open around the item last read,
// and around the first before that is read.
func (c *Cursor) Depth() int { return c.base + c.levels() }

// levels returns how many of open are around the item last read: all, but for itself.
func (c *Cursor) levels() int {
	n := c.open.Len()
	if n > 0 && c.open.At(n-1).off == c.at {
		n--
	}
	return n
}

// Offset returns the number of bytes read: the offset of the next header, and
// after the last item the length of the document.
func (c *Cursor) Offset() int { return c.off }

// ready reports whether there is another item; else c.err says why not.
func (c *Cursor) ready() bool {
	if c.err == nil && c.account.Owed() <= c.target {
		c.stop(io.EOF)
	}
	return c.err == nil
}

// stop makes err what every further call returns.
func (c *Cursor) stop(err error) {
	c.report()
	c.err, c.gate = err, closed
}

// report counts what the shortcut read since the last report: all that was claimed and is
// not owed any more was read.
func (c *Cursor) report() {
	read := c.account.Claimed(&c.limits) - c.claimed - (c.account.Owed() - c.target)
	tier.Count(tier.CursorInline, read-c.steps)
	c.steps = read
}

// around returns the number of levels of c open around the next item. The complete ones
// stay where they are until it is taken: they are part of the last item's path.
func (c *Cursor) around() int {
	n := c.open.Len()
	for n > 0 && c.open.At(n-1).done >= c.account.Owed() {
		n--
	}
	return n
}

// setGate sets the gate for the innermost level.
func (c *Cursor) setGate() {
	switch n := c.open.Len(); {
	case !c.inline:
		c.gate = closed
	case n == 0:
		c.gate = c.target
	default:
		c.gate = c.open.At(n - 1).done
	}
}
