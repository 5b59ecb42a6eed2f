package walk

import (
	"strconv"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/route"
)

// Path returns where in the document the item last read stands, such as
// users[3].name; "" for the root and before the first item. A key stands where
// its value does. Elements are [3]; keys are .name if they are identifiers and
// ["in quotes"] if not, cut at 32 bytes; keys that are no str are in braces: {7},
// {nil}, {"bin"}. A path is at most 256 bytes, with "..." in its middle where
// steps were left out. It is built by the call, so reading costs nothing for it.
//
// After a refusal, and after the end, it is the path of the item last read before. A Cursor
// that was lent, or made by [Cursor.Sub], for one value of a document finds the path from the
// start of that, in time in proportion to Offset.
func (c *Cursor) Path() string {
	if c.loan.lent || c.base > 0 {
		return PathAt(c.data, int64(c.at))
	}
	return route.Join(c.levels(), func(b []byte, i int) []byte {
		// The item of level i on the way to the one last read, or that one.
		in, owed, at, before := c.open.At(i), c.account.Owed(), c.at, c.before
		if i+1 < c.open.Len() {
			inner := c.open.At(i + 1)
			owed, at, before = inner.done, inner.off, inner.before
		}
		read := int64(in.items) - (owed - in.done)
		switch {
		case KindOf(c.data[in.off]) == Array:
			return route.Index(b, read-1)
		case read%2 == 0:
			at = before // the key of the value at at
		}
		return appendKey(b, c.data, at)
	})
}

// PathAt returns the path of the item whose header or payload is at offset, as
// [Cursor.Path] writes it, by walking the document that data starts with up to
// there. It is how to name the place of a [*bounds.Error], which carries none. What the
// document claims beyond the end of data does not matter: it may be one of which a
// stream has not brought more. An offset outside data or the document gives "". Time is
// in proportion to offset, memory to the depth, at most 65,535 levels.
func PathAt(data []byte, offset int64) string {
	var c Cursor
	widest := bounds.Limits{MaxDepth: bounds.CeilingMaxDepth, MaxBytes: bounds.CeilingMaxBytes, MaxItems: bounds.CeilingMaxItems}
	if err := c.Reset(data, widest); err != nil || offset < 0 || offset >= int64(len(data)) {
		return ""
	}
	c.account = bounds.Open(widest.MaxBytes, &widest)
	for c.account.Owed() > 0 && int64(c.off) <= offset {
		depth := c.around()
		h, next, err := Step(data, c.off, c.account, depth, &widest)
		if err != nil && int64(c.off) < offset {
			return ""
		}
		if err != nil { // the path is that of what was refused
			c.move(depth, c.off, c.account.Scalar(0))
			return c.Path()
		}
		if c.take(h, next, depth); offset < int64(c.off) {
			return c.Path()
		}
	}
	return ""
}

// appendKey appends the step of the key whose header is at off, which was read.
func appendKey(b, data []byte, off int) []byte {
	limits := bounds.Limits{MaxDepth: 1, MaxBytes: bounds.CeilingMaxBytes, MaxItems: bounds.CeilingMaxItems}
	var c Cursor
	if err := c.Reset(data[off:], limits); err != nil {
		return b
	}
	t, err := c.Next()
	if err != nil {
		// A key whose own header was refused, or a container that is not whole.
		return route.Other(b, formats[data[off]].kind.String())
	}
	switch t.Kind {
	case Str:
		return route.Key(b, t.Payload)
	case Bin:
		return route.Bin(b, t.Payload)
	case Bool:
		return route.Other(b, strconv.FormatBool(t.Bool()))
	case Int:
		if v, ok := t.Int(); ok {
			return route.Other(b, strconv.FormatInt(v, 10))
		}
		v, _ := t.Uint()
		return route.Other(b, strconv.FormatUint(v, 10))
	}
	return route.Other(b, t.Kind.String())
}
