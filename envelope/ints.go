package envelope

import (
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

// ints reads the array of ints raw, which stands at start: its items, each an integer of
// 0..255, and their number.
func (r *layout) ints(raw []byte, start int) (items []byte, n int, err error) {
	var c walk.Cursor
	if err := c.Reset(raw, r.scan); err != nil {
		return nil, 0, &Error{Reason: ErrScan, Err: err}
	}
	t, err := c.Next()
	if err != nil {
		return nil, 0, &Error{Reason: ErrScan, Err: err}
	}
	items = raw[c.Offset():]
	if tier.On(tier.EnvelopeInts) && arePlain(items) {
		tier.Count(tier.EnvelopeInts, int64(t.N))
		return items, t.N, nil
	}
	for range t.N {
		item, err := c.Next()
		if err != nil {
			return nil, 0, &Error{Reason: ErrScan, Err: err}
		}
		if _, ok := byteOf(item); !ok {
			return nil, 0, misplaced(start+item.Offset, "compressed_data holds an element that is no integer of 0..255")
		}
	}
	return items, t.N, nil
}

// arePlain reports whether items are ints as they are written: a fixint or a uint 8.
// Which of the two comes next is not to be predicted, so there is no branch on it.
func arePlain(items []byte) bool {
	for off := 0; off < len(items); {
		width := plain[items[off]]
		if width == 0 {
			return false
		}
		off += int(width)
	}
	return true
}

// plain are the lengths of such ints by their marker, 0 for any other.
var plain = func() (t [256]uint8) {
	for b := range 0x80 {
		t[b] = 1
	}
	t[0xcc] = 2
	return t
}()

// join returns the n bytes that items, which ints accepted, spell.
func join(items []byte, n int) []byte {
	block := make([]byte, n)
	off := 0
	for i := range block {
		// The last byte of any int of 0..255, however it is encoded, is its value.
		off += widths[items[off]]
		block[i] = items[off-1]
	}
	return block
}

// widths are the lengths of whole ints by their marker.
var widths = func() (t [256]int) {
	for b := range 0x80 {
		t[b] = 1
	}
	for i := range 4 {
		t[0xcc+i], t[0xd0+i] = 1+1<<i, 1+1<<i
	}
	return t
}()

// isArray reports whether b is the marker of an array.
func isArray(b byte) bool { return b&0xf0 == 0x90 || b == 0xdc || b == 0xdd }

// byteOf returns the integer of 0..255 that t is.
func byteOf(t walk.Token) (b byte, ok bool) {
	v, ok := t.Uint()
	return byte(v), ok && v <= 255
}
