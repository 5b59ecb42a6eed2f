package walk

import (
	"encoding/binary"

	"github.com/boundpack/boundpack/bounds"
)

// Header is one header that the step accepted. It has no more than four fields, so
// that it travels in registers. Like [Step] it is machinery.
type Header struct {
	Kind Kind
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
// It is machinery that the packages of boundpack share, whose decoders keep their own
// stack. It may change in any version: nothing is promised about its compatibility.
// [Cursor] is for everyone.
func Step(data []byte, off int, account bounds.Account, depth int, limits *bounds.Limits) (Header, bounds.Account, error) {
	if uint(off) >= uint(len(data)) {
		return Header{}, account, refuse(data, off, account, depth, limits)
	}
	f, rest := formats[data[off]], data[off+1:]
	if f.kind == 0 || int(f.width) > len(rest) {
		return Header{}, account, refuse(data, off, account, depth, limits)
	}
	n := int64(f.fixed)
	switch f.width {
	case 1:
		n += int64(rest[0])
	case 2:
		n += int64(binary.BigEndian.Uint16(rest))
	case 4:
		n += int64(binary.BigEndian.Uint32(rest))
	}
	h := Header{Kind: f.kind, Size: 1 + int(f.width)}
	var next bounds.Account
	if f.kind == Array || f.kind == Map {
		if f.kind == Map {
			n *= 2
		}
		next = account.Container(int64(f.width), n)
		h.Items = int(n)
		if depth >= limits.MaxDepth || !next.Within() {
			return Header{}, account, refuse(data, off, account, depth, limits)
		}
	} else {
		next = account.Scalar(int64(f.width) + n)
		h.Payload = int(n)
		if !next.Backed() {
			return Header{}, account, refuse(data, off, account, depth, limits)
		}
	}
	return h, next, nil
}

// refuse returns the reason why the header at off is out of bounds.
func refuse(data []byte, off int, account bounds.Account, depth int, limits *bounds.Limits) *bounds.Error {
	return reason(data[min(off, len(data)):], off, uint64(len(data)), account, depth, limits)
}

// reason names why the header at off, with which head starts, is out of bounds in an
// input of size bytes: the first reason, in the order that package bounds documents. The
// input may be longer than the end of head. All arithmetic is unsigned and 64 bits
// wide, where nothing here can wrap: counts and lengths are below 2^33.
func reason(head []byte, off int, size uint64, account bounds.Account, depth int, limits *bounds.Limits) *bounds.Error {
	var (
		at       = uint64(off)
		owed     = uint64(account.Owed())
		claimed  = uint64(account.Claimed(limits))
		maxBytes = uint64(limits.MaxBytes)
		maxItems = uint64(limits.MaxItems)
	)
	incomplete := func(reason error, need uint64) *bounds.Error {
		return bounds.Incomplete(reason, off, size, need, need <= maxBytes && claimed <= maxItems)
	}
	exceeds := func(reason error, limit, need uint64) *bounds.Error {
		return &bounds.Error{Reason: reason, Offset: int64(off), Limit: limit, Need: need}
	}
	if len(head) == 0 {
		return incomplete(bounds.ErrEmpty, at+owed)
	}
	f := formats[head[0]]
	if f.kind == 0 {
		return exceeds(bounds.ErrReserved, 0, 0)
	}
	owed--
	width := uint64(f.width)
	if width > uint64(len(head)-1) {
		return incomplete(bounds.ErrPrefix, at+1+width+owed)
	}
	left := size - at - 1 - width
	n := uint64(f.fixed)
	if width > 0 {
		n += length(head[1 : 1+width])
	}
	var payload, items uint64
	switch f.kind {
	case Array:
		items = n
	case Map:
		items = 2 * n
	default:
		payload = n
	}
	if (f.kind == Array || f.kind == Map) && depth >= limits.MaxDepth {
		return exceeds(bounds.ErrMaxDepth, uint64(limits.MaxDepth), uint64(depth)+1)
	}
	owed += items
	claimed += items
	end := at + 1 + width + payload + owed
	switch {
	case payload > left:
		return incomplete(bounds.ErrShort, end)
	case owed > left-payload:
		return incomplete(bounds.ErrOwed, end)
	case end > maxBytes:
		return exceeds(bounds.ErrMaxBytes, maxBytes, end)
	}
	// What is left: the account is not within its bounds, by items alone.
	return exceeds(bounds.ErrMaxItems, maxItems, claimed)
}

// length returns the value of a length field.
func length(field []byte) (n uint64) {
	for _, b := range field {
		n = n<<8 | uint64(b)
	}
	return n
}
