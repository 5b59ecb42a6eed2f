package walk

import (
	"encoding/binary"

	"github.com/boundpack/boundpack/bounds"
)

// Header is one header that the step accepted.
type Header struct {
	Kind   Kind
	Marker byte
	// Size is the length in bytes of the header: marker and length field.
	Size int
	// Payload is the length in bytes of what follows it: the content of a str
	// or bin, the type byte and content of an ext, the bytes of a number.
	Payload int
	// Items is what it owes: the elements of an array, a key and a value for
	// each pair of a map.
	Items int
}

// Step is the header step: it reads the header at off and holds it to every
// bound, in the order that package bounds documents. It is the one gate: all
// loops of this module read headers through it, and it alone refuses structure.
// account is the document's before the header, depth the number of containers
// open around it, limits must be resolved. It returns the account after the
// header. The error is a [*bounds.Error] (ErrEmpty, ErrReserved, ErrPrefix,
// ErrShort, ErrOwed or a limit's).
//
// It is for decoders that keep their own stack; [Cursor] is the easy way.
func Step(data []byte, off int, account bounds.Account, depth int, limits *bounds.Limits) (Header, bounds.Account, error) {
	size := uint64(len(data))
	at := uint64(off)
	owed := uint64(account.Owed())
	claimed := uint64(account.Claimed(limits))
	maxBytes := uint64(limits.MaxBytes)
	maxItems := uint64(limits.MaxItems)
	incomplete := func(reason error, need uint64) (Header, bounds.Account, error) {
		return Header{}, account, bounds.Incomplete(reason, off, size, need, need <= maxBytes && claimed <= maxItems)
	}

	if at >= size {
		return incomplete(bounds.ErrEmpty, at+owed)
	}
	marker := data[off]
	f := formats[marker]
	if f.kind == 0 {
		return Header{}, account, &bounds.Error{Reason: bounds.ErrReserved, Offset: int64(off)}
	}
	owed--
	width := uint64(f.width)
	left := size - at - 1
	if width > left {
		return incomplete(bounds.ErrPrefix, at+1+width+owed)
	}
	left -= width
	field := data[off+1 : off+1+int(width)]
	var n uint64
	switch width {
	case 1:
		n = uint64(field[0])
	case 2:
		n = uint64(binary.BigEndian.Uint16(field))
	case 4:
		n = uint64(binary.BigEndian.Uint32(field))
	}
	var payload, items uint64
	switch f.kind {
	case Array, Map:
		items = n + uint64(f.fixed)
		if f.kind == Map && width > 0 {
			items = 2 * n
		}
		if depth >= limits.MaxDepth {
			return Header{}, account, &bounds.Error{
				Reason: bounds.ErrMaxDepth, Offset: int64(off),
				Limit: uint64(limits.MaxDepth), Need: uint64(depth) + 1,
			}
		}
	default:
		payload = n + uint64(f.fixed)
	}
	owed += items
	claimed += items
	end := at + 1 + width + payload + owed
	if payload > left {
		return incomplete(bounds.ErrShort, end)
	}
	if owed > left-payload {
		return incomplete(bounds.ErrOwed, end)
	}
	if end > maxBytes {
		return Header{}, account, &bounds.Error{Reason: bounds.ErrMaxBytes, Offset: int64(off), Limit: maxBytes, Need: end}
	}
	if claimed > maxItems {
		return Header{}, account, &bounds.Error{Reason: bounds.ErrMaxItems, Offset: int64(off), Limit: maxItems, Need: claimed}
	}
	h := Header{Kind: f.kind, Marker: marker, Size: 1 + int(width), Payload: int(payload), Items: int(items)}
	return h, account.Container(int64(width+payload), int64(items)), nil
}
