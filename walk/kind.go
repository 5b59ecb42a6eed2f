package walk

// Kind is what a header announces.
type Kind uint8

// The kinds. The zero Kind is none: the reserved marker, or no header at all.
const (
	Nil Kind = iota + 1
	Bool
	Int
	Float
	Str
	Bin
	Array
	Map
	Ext
)

var kindNames = [...]string{"none", "nil", "bool", "int", "float", "str", "bin", "array", "map", "ext"}

// String returns the MessagePack specification's word for the kind.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "none"
}

// KindOf returns the kind that a header with the given marker announces; 0 for the
// reserved marker 0xc1.
func KindOf(marker byte) Kind { return formats[marker].kind }

// format is what a marker fixes about its header: the kind, the width in bytes of
// its length field, and the part that the marker itself says of the payload's length
// (str, bin, ext, numbers) or of the count (of elements, of pairs).
type format struct {
	kind  Kind
	width uint8
	fixed uint8
}

// formats is the MessagePack specification's table of formats. A length field
// adds to fixed: the type byte is the fixed part of an ext's payload.
var formats = func() (t [256]format) {
	put := func(first, last int, f format) {
		for m := first; m <= last; m++ {
			t[m] = f
		}
	}
	put(0x00, 0x7f, format{kind: Int})
	for m := range 16 {
		t[0x80+m] = format{kind: Map, fixed: uint8(m)}
		t[0x90+m] = format{kind: Array, fixed: uint8(m)}
	}
	for m := range 32 {
		t[0xa0+m] = format{kind: Str, fixed: uint8(m)}
	}
	put(0xc0, 0xc0, format{kind: Nil})
	put(0xc2, 0xc3, format{kind: Bool})
	put(0xca, 0xca, format{kind: Float, fixed: 4})
	put(0xcb, 0xcb, format{kind: Float, fixed: 8})
	for i := range 4 {
		t[0xcc+i] = format{kind: Int, fixed: 1 << i}
		t[0xd0+i] = format{kind: Int, fixed: 1 << i}
	}
	for i := range 5 {
		t[0xd4+i] = format{kind: Ext, fixed: 1 + 1<<i}
	}
	for i := range 3 {
		t[0xc4+i] = format{kind: Bin, width: 1 << i}
		t[0xc7+i] = format{kind: Ext, width: 1 << i, fixed: 1}
		t[0xd9+i] = format{kind: Str, width: 1 << i}
	}
	for i := range 2 {
		t[0xdc+i] = format{kind: Array, width: 2 << i}
		t[0xde+i] = format{kind: Map, width: 2 << i}
	}
	put(0xe0, 0xff, format{kind: Int})
	return t
}()
