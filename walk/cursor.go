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
// Every method that advances refuses as [Check] does, with a [*bounds.Error] that
// further calls return again.
type Cursor struct {
	data    []byte
	off     int // of the next header
	account bounds.Account
	limits  bounds.Limits
	open    bounds.Stack[level]
	depth   int // levels open around the item last read
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
// keeping the memory of its stack.
func (c *Cursor) Reset(data []byte, limits bounds.Limits) error {
	limits, err := limits.Resolve()
	if err != nil {
		return err
	}
	c.open.SetLen(0)
	c.data, c.off, c.depth, c.err = data, 0, 0, nil
	c.limits = limits
	c.account = bounds.Open(len(data), &limits)
	return nil
}

// Next reads the next header and its payload, in wire order: after an array or
// map come its elements, or its keys and values in turn. After the last item it
// returns [io.EOF]; bytes after the document are not looked at.
func (c *Cursor) Next() (Token, error) {
	if !c.ready() {
		return Token{}, c.err
	}
	h, next, err := Step(c.data, c.off, c.account, c.depth, &c.limits)
	if err != nil {
		c.err = err
		return Token{}, err
	}
	t := Token{Kind: h.Kind, Marker: c.data[c.off], Offset: c.off}
	c.take()
	c.account = next
	c.off += h.Size
	switch h.Kind {
	case Array, Map:
		t.N = h.Items
		if h.Kind == Map {
			t.N /= 2
		}
		if h.Items > 0 {
			if c.open.Full() {
				c.open.Grow(min(c.limits.MaxDepth, c.depth+len(c.data)-t.Offset))
			}
			c.open.Push(level{kind: h.Kind, left: h.Items})
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
	end, next, err := advance(c.data, c.off, c.account, c.depth, &c.limits)
	if err != nil {
		c.err = err
		return nil, err
	}
	raw := c.data[c.off:end:end]
	c.take()
	c.account, c.off = next, end
	return raw, nil
}

// Depth returns the number of arrays and maps open around the item last read,
// and 0 before the first.
func (c *Cursor) Depth() int { return c.depth }

// Offset returns the number of bytes read: the offset of the next header, and
// after the last item the length of the document.
func (c *Cursor) Offset() int { return c.off }

// ready closes the containers whose last item was read and reports whether there
// is another item; else c.err says why not.
func (c *Cursor) ready() bool {
	if c.err != nil {
		return false
	}
	for c.open.Len() > 0 && c.open.Top().left == 0 {
		c.open.Pop()
	}
	c.depth = c.open.Len()
	if c.account.Owed() == 0 {
		c.err = io.EOF
	}
	return c.err == nil
}

// take counts the item at c.off as read by its container.
func (c *Cursor) take() {
	if c.depth == 0 {
		return
	}
	in := c.open.Top()
	if in.kind == Map && in.read%2 == 0 {
		in.key = c.off
	}
	in.left--
	in.read++
}
