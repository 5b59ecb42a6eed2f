package walk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/boundpack/boundpack/bounds"
)

// withLength returns a header whose length field, of the given width, holds n.
func withLength(marker byte, width, n int) []byte {
	field := binary.BigEndian.AppendUint64(nil, uint64(n))
	return append([]byte{marker}, field[8-width:]...)
}

// TestLengths reads length fields of every format on both sides of where a narrower
// integer, or one with a sign, would take them for another length.
func TestLengths(t *testing.T) {
	for _, c := range []struct {
		marker byte
		kind   Kind
		width  int
	}{
		{0xc4, Bin, 1},
		{0xc5, Bin, 2},
		{0xc6, Bin, 4},
		{0xc7, Ext, 1},
		{0xc8, Ext, 2},
		{0xc9, Ext, 4},
		{0xd9, Str, 1},
		{0xda, Str, 2},
		{0xdb, Str, 4},
		{0xdc, Array, 2},
		{0xdd, Array, 4},
		{0xde, Map, 2},
		{0xdf, Map, 4},
	} {
		for _, n := range []int{0, 1, 127, 128, 129, 255, 256, 32767, 32768, 65535, 65536, 1 << 17} {
			if n >= 1<<(8*c.width) {
				continue
			}
			header := withLength(c.marker, c.width, n)
			payload, items, count := n, 0, n
			switch c.kind {
			case Ext:
				payload, count = n+1, n+1 // the type
			case Array:
				payload, items = 0, n
			case Map:
				payload, items = 0, 2*n
			}
			doc := append(append([]byte{}, header...), bytes.Repeat([]byte{'a'}, payload+items)...)
			if got, err := Len(append(doc, 0xc1, 0xc1), bounds.Limits{}); got != len(doc) || err != nil {
				t.Errorf("%02x of %d: Len = %d, %v, want %d", c.marker, n, got, err, len(doc))
			}
			agree(t, doc, bounds.Limits{})

			cur := newCursor(t, doc, bounds.Limits{})
			tok, err := cur.Next()
			if err != nil || tok.Kind != c.kind || tok.N != count || len(tok.Payload) != payload || cap(tok.Payload) != payload ||
				!bytes.Equal(tok.Payload, doc[len(header):len(header)+payload]) || tok.Items() != items {
				t.Errorf("%02x of %d: a %v of %d with a payload of %d bytes, capacity %d, and %d items (%v)",
					c.marker, n, tok.Kind, tok.N, len(tok.Payload), cap(tok.Payload), tok.Items(), err)
			}
			for range items {
				if _, err := cur.Next(); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := cur.Next(); err != io.EOF || cur.Offset() != len(doc) {
				t.Errorf("%02x of %d ends at %d (%v)", c.marker, n, cur.Offset(), err)
			}

			// Inside a container the inline shortcut reads it; then cut by a byte.
			in := append([]byte{0x92}, append(doc, 0xc0)...)
			agree(t, in, bounds.Limits{})
			if payload+items == 0 {
				continue
			}
			reason := ErrShort
			if items > 0 {
				reason = ErrOwed
			}
			err = Check(doc[:len(doc)-1], bounds.Limits{})
			var e *bounds.Error
			if !errors.As(err, &e) || e.Reason != reason || e.Offset != 0 || e.Limit != uint64(len(doc)-1) || e.Need != uint64(len(doc)) {
				t.Errorf("%02x of %d without its last byte: %#v, want %v at 0, %d bytes needed", c.marker, n, err, reason, len(doc))
			}
		}
	}
}
