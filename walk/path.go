package walk

import (
	"io"
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
// After a refusal, and after the end, it is the path of the item last read before.
func (c *Cursor) Path() string {
	return route.Join(c.depth, func(b []byte, i int) []byte {
		in := c.open.At(i)
		if in.kind == Array {
			return route.Index(b, int64(in.read-1))
		}
		return appendKey(b, c.data, in.key)
	})
}

// PathAt returns the path of the item whose header or payload is at offset, as
// [Cursor.Path] writes it, by walking the document that data starts with up to
// there. It is how to name the place of a [*bounds.Error], which carries none. An
// offset outside the document gives "". Time is in proportion to offset, memory
// to the depth, at most 65,535 levels.
func PathAt(data []byte, offset int64) string {
	var c Cursor
	widest := bounds.Limits{MaxDepth: bounds.CeilingMaxDepth, MaxBytes: bounds.CeilingMaxBytes, MaxItems: bounds.CeilingMaxItems}
	if err := c.Reset(data, widest); err != nil || offset < 0 {
		return ""
	}
	for {
		at := c.off
		switch _, err := c.Next(); {
		case err == nil && offset < int64(c.off):
			return c.Path()
		case err == nil:
		case err != io.EOF && offset == int64(at):
			// The refused header was not taken: count it as read, so that the
			// path is its own.
			c.take(c.around())
			return c.Path()
		default:
			return ""
		}
	}
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
