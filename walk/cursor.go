package walk

import (
	"io"

	"github.com/boundpack/boundpack/bounds"
)

// Cursor reads one document header by header, for people who write their own
// decoder: it knows grammar and limits, and leaves meaning to its caller. It is
// created by [NewCursor] or [Cursor.Reset], allocates nothing for up to eight open
// levels, must not be copied, and is not safe for concurrent use.
//
// Package decode lends a Cursor over one value of a document to an UnmarshalCursor method. It
// ends behind that value and is dead when the method has returned. It may also refuse a str
// that is not valid UTF-8, with [ErrUTF8], and what is more than MaxMemory, with
// [bounds.ErrMaxMemory].
//
// Every method that advances refuses as [Check] does, with a [*bounds.Error] that
// further calls return again. A refusal, and the end of the document, move nothing:
// Depth, Path and Offset stay those of the item last read before.
type Cursor struct {
	data    []byte
	off     int // of the next header
	account bounds.Account
	limits  bounds.Limits
	open    bounds.Stack[level]
	depth   int   // levels open around the item last read, the outermost of open
	at      int   // of the item last read, before the first of that
	target  int64 // items owed when all is read
	base    int   // levels open around all that is read
	loan    loan
	err     error
}

// level is one open container of a Cursor.
type level struct {
	kind Kind
	left int // items not read yet
	read int
	key  int // offset of the key last read
}

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
	c.limits = limits
	c.begin(data, 0, bounds.Open(len(data), &limits), 0)
	c.loan, c.err = loan{}, err
	return err
}

// begin puts c before the item at off of the document in data, inside depth levels, to
// read that and no more. account is the document's there.
func (c *Cursor) begin(data []byte, off int, account bounds.Account, depth int) {
	c.open.SetLen(0)
	c.data, c.off, c.at, c.depth, c.err = data, off, off, 0, nil
	c.account, c.target, c.base = account, account.Owed()-1, depth
}

// Next reads the next header and its payload, in wire order: after an array or
// map come its elements, or its keys and values in turn. After the last item it
// returns [io.EOF]; bytes after the document are not looked at.
func (c *Cursor) Next() (Token, error) {
	if !c.ready() {
		return Token{}, c.err
	}
	depth := c.around()
	h, next, err := Step(c.data, c.off, c.account, c.base+depth, &c.limits)
	if err == nil && c.loan.lent {
		err = c.admit(h)
	}
	if err != nil {
		c.err = err
		return Token{}, err
	}
	t := Token{Kind: h.Kind, Marker: c.data[c.off], Offset: c.off}
	c.take(depth)
	c.account = next
	c.off += h.Size
	switch h.Kind {
	case Array, Map:
		t.N = h.Items
		if h.Kind == Map {
			t.N /= 2
		}
		if h.Items > 0 {
			c.enter(h, t.Offset)
		}
	default:
		t.N = h.Payload
		t.Payload = c.data[c.off : c.off+h.Payload : c.off+h.Payload]
		c.off += h.Payload
	}
	return t, nil
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
	depth := c.around()
	end, next, err := advance(c.data, c.off, c.account, c.base+depth, &c.limits)
	if err == nil && c.loan.lent {
		err = c.admitWhole(end)
	}
	if err != nil {
		c.err = err
		return nil, err
	}
	raw := c.data[c.off:end:end]
	c.take(depth)
	c.account, c.off = next, end
	return raw, nil
}

// Depth returns the number of arrays and maps open around the item last read,
// and around the first before that is read.
func (c *Cursor) Depth() int { return c.base + c.depth }

// Offset returns the number of bytes read: the offset of the next header, and
// after the last item the length of the document.
func (c *Cursor) Offset() int { return c.off }

// ready reports whether there is another item; else c.err says why not.
func (c *Cursor) ready() bool {
	if c.err == nil && c.account.Owed() <= c.target {
		c.err = io.EOF
	}
	return c.err == nil
}

// around returns the number of levels open around the next item. The complete ones
// stay where they are until it is taken: they are part of the last item's path.
func (c *Cursor) around() int {
	n := c.open.Len()
	for n > 0 && c.open.At(n-1).left == 0 {
		n--
	}
	return n
}

// take makes the item at c.off, which was accepted inside depth levels, the one last
// read: it closes what is complete before it, and its container counts it.
func (c *Cursor) take(depth int) {
	c.open.SetLen(depth)
	c.depth, c.at = depth, c.off
	if depth == 0 {
		return
	}
	in := c.open.Top()
	if in.kind == Map && in.read%2 == 0 {
		in.key = c.off
	}
	in.left--
	in.read++
}

// enter opens the container that was taken last, h at off, which is not empty.
func (c *Cursor) enter(h Header, off int) {
	if c.open.Full() {
		c.open.Grow(c.grown(c.depth, off))
	}
	c.open.Push(level{kind: h.Kind, left: h.Items})
}

// grown returns the levels there is to be room for when the header at off, inside depth
// levels, opens one more than there is.
func (c *Cursor) grown(depth, off int) int {
	// No byte that is left can open more than one level.
	return bounds.Grown(c.open.Room(), min(c.limits.MaxDepth-c.base, depth+len(c.data)-off))
}
