package walk

import (
	"encoding/binary"
	"math"
)

// Token is one header with its payload: a whole scalar, or the start of an array
// or map whose items are the tokens that follow. There are no tokens for the end
// of a container: N says how many items it has.
type Token struct {
	Kind   Kind
	Marker byte // the first byte of the header

	// Offset is the header's, in bytes from the start of the document.
	Offset int

	// N is the number of elements of an array or of pairs of a map, and the
	// length of Payload in bytes for every other kind.
	N int

	// Payload is what follows the header: the content of a str or bin, the
	// type byte and content of an ext, the big-endian bytes of a number. It
	// aliases the input, and is nil for an array or map. UTF-8 is not checked.
	Payload []byte
}

// Items returns the number of items that follow an Array or Map token: its elements, or
// a key and a value for each pair. 0 for other kinds.
func (t Token) Items() int {
	switch t.Kind {
	case Array:
		return t.N
	case Map:
		return 2 * t.N
	}
	return 0
}

// Bool returns the value of a Bool token, false for other kinds.
func (t Token) Bool() bool { return t.Marker == 0xc3 }

// Int returns the value of an Int token; ok is false for other kinds and for
// values above math.MaxInt64.
func (t Token) Int() (v int64, ok bool) {
	if t.Kind != Int {
		return 0, false
	}
	v = integer(t.Marker, t.Payload)
	return v, v >= 0 || t.Marker != 0xcf
}

// Uint returns the value of an Int token; ok is false for other kinds and for
// negative values.
func (t Token) Uint() (v uint64, ok bool) {
	if t.Kind != Int {
		return 0, false
	}
	i := integer(t.Marker, t.Payload)
	return uint64(i), i >= 0 || t.Marker == 0xcf
}

// integer returns the two's complement bits of an int: those of a uint64 for
// marker 0xcf.
func integer(marker byte, payload []byte) int64 {
	switch marker {
	case 0xcc:
		return int64(payload[0])
	case 0xcd:
		return int64(binary.BigEndian.Uint16(payload))
	case 0xce:
		return int64(binary.BigEndian.Uint32(payload))
	case 0xcf, 0xd3:
		return int64(binary.BigEndian.Uint64(payload))
	case 0xd0:
		return int64(int8(payload[0]))
	case 0xd1:
		return int64(int16(binary.BigEndian.Uint16(payload)))
	case 0xd2:
		return int64(int32(binary.BigEndian.Uint32(payload)))
	}
	return int64(int8(marker)) // fixint
}

// Float returns the value of a Float token, a float 32 widened exactly; 0 for
// other kinds.
func (t Token) Float() float64 {
	switch t.Marker {
	case 0xca:
		return float64(math.Float32frombits(binary.BigEndian.Uint32(t.Payload)))
	case 0xcb:
		return math.Float64frombits(binary.BigEndian.Uint64(t.Payload))
	}
	return 0
}

// Ext returns the type and content of an Ext token, content aliasing the input;
// 0 and nil for other kinds. Type -1 is the specification's timestamp.
func (t Token) Ext() (typ int8, content []byte) {
	if t.Kind != Ext {
		return 0, nil
	}
	return int8(t.Payload[0]), t.Payload[1:]
}
