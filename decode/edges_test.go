package decode

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/tier"
)

// withLength returns an item of n bytes of content, all 'a', behind a length field of the
// given width; an ext, whose marker is 0xc7 to 0xc9, is of type 5.
func withLength(marker byte, width, n int) []byte {
	field := binary.BigEndian.AppendUint64(nil, uint64(n))
	doc := append([]byte{marker}, field[8-width:]...)
	if marker >= 0xc7 && marker <= 0xc9 {
		doc = append(doc, 5)
	}
	return append(doc, bytes.Repeat([]byte{'a'}, n)...)
}

// TestLengths decodes contents whose lengths a narrower integer, or one with a sign, would
// take for others: alone, as an element with another behind it, as a key, and skipped.
func TestLengths(t *testing.T) {
	for _, on := range []bool{true, false} {
		for _, s := range tier.All() {
			defer tier.Set(s, on)()
		}
		for width, markers := range map[int][]byte{1: {0xc4, 0xc7, 0xd9}, 2: {0xc5, 0xc8, 0xda}, 4: {0xc6, 0xc9, 0xdb}} {
			for _, marker := range markers {
				for _, n := range []int{127, 128, 129, 255, 256, 32767, 32768, 65535, 65536} {
					if n >= 1<<(8*width) {
						continue
					}
					lengthEverywhere(t, marker, withLength(marker, width, n), bytes.Repeat([]byte{'a'}, n))
				}
			}
		}
	}
}

func lengthEverywhere(t *testing.T, marker byte, item, content []byte) {
	t.Helper()
	n := len(content)
	var want any = string(content)
	switch marker {
	case 0xc4, 0xc5, 0xc6:
		want = content
	case 0xc7, 0xc8, 0xc9:
		want = Ext{5, content}
	}
	if v, err := Any(item); err != nil || !reflect.DeepEqual(v, want) {
		t.Errorf("%02x of %d alone: %.40q, %v", marker, n, v, err)
	}
	in := append(append([]byte{0x92}, item...), 7)
	if v, err := Any(in); err != nil || !reflect.DeepEqual(v, []any{want, int64(7)}) {
		t.Errorf("%02x of %d in an array: %.40q, %v", marker, n, v, err)
	}

	// Into Go types: the first field, and before it one that is skipped.
	var target struct {
		S string `msgpack:"s"`
		B []byte `msgpack:"b"`
		N int    `msgpack:"n"`
	}
	name := byte('s')
	switch want.(type) {
	case []byte:
		name = 'b'
	case Ext:
		name = 'x' // which is skipped
	}
	doc := append(append([]byte{0x83, 0xa1, 'y'}, item...), 0xa1, name)
	doc = append(append(doc, item...), 0xa1, 'n', 7)
	err := Unmarshal(doc, &target)
	if err != nil || target.N != 7 || name == 's' && target.S != string(content) || name == 'b' && !bytes.Equal(target.B, content) {
		t.Errorf("%02x of %d into a struct: %d and %d bytes, %d, %v", marker, n, len(target.S), len(target.B), target.N, err)
	}

	if name != 's' {
		return
	}
	pair := append(append([]byte{0x81}, item...), 7)
	if v, err := Any(pair); err != nil || !reflect.DeepEqual(v, map[string]any{string(content): int64(7)}) {
		t.Errorf("%02x of %d as a key: %.40q, %v", marker, n, v, err)
	}
	var m map[string]int
	if err := Unmarshal(pair, &m); err != nil || len(m) != 1 || m[string(content)] != 7 {
		t.Errorf("%02x of %d as a key of a map[string]int: %d keys, %v", marker, n, len(m), err)
	}
}

// TestTimestampsAreUnsigned: the seconds of a timestamp 32 and 64 count past 2038 and 2106.
func TestTimestampsAreUnsigned(t *testing.T) {
	for hex, seconds := range map[string]int64{
		"d6ff7fffffff": 1<<31 - 1, "d6ff80000000": 1 << 31, "d6ffffffffff": 1<<32 - 1,
		"d7ff00000000ffffffff": 1<<32 - 1, "d7ff0000000200000000": 1 << 33, "d7ff00000003ffffffff": 1<<34 - 1,
	} {
		doc := hexdoc.Must(hex)
		want := time.Unix(seconds, 0).UTC()
		if v, err := Any(doc); err != nil || v != want {
			t.Errorf("%s: %v, %v, want %v", hex, v, err, want)
		}
		var typed time.Time
		if err := Unmarshal(doc, &typed); err != nil || typed != want {
			t.Errorf("%s into a time.Time: %v, %v, want %v", hex, typed, err, want)
		}
		if ts, err := ParseTimestamp(doc[2:]); err != nil || ts != (Timestamp{Seconds: seconds}) {
			t.Errorf("%s: %+v, %v, want %d seconds", hex, ts, err, seconds)
		}
	}
}

// TestUintsAreUnsigned: the high bit of a uint is no sign, into any and into Go types.
func TestUintsAreUnsigned(t *testing.T) {
	for hex, want := range map[string]int64{
		"cc7f": 1<<7 - 1, "cc80": 1 << 7, "ccff": 1<<8 - 1, "cd7fff": 1<<15 - 1, "cd8000": 1 << 15, "cdffff": 1<<16 - 1,
		"ce7fffffff": 1<<31 - 1, "ce80000000": 1 << 31, "ceffffffff": 1<<32 - 1, "cf00000000ffffffff": 1<<32 - 1,
	} {
		doc := hexdoc.Must(hex)
		if v, err := Any(doc); err != nil || v != want {
			t.Errorf("%s: %v, %v, want %d", hex, v, err, want)
		}
		var i int64
		if err := Unmarshal(doc, &i); err != nil || i != want {
			t.Errorf("%s into an int64: %d, %v, want %d", hex, i, err, want)
		}
		var field struct {
			N int64 `msgpack:"n"`
		}
		if err := Unmarshal(append([]byte{0x81, 0xa1, 'n'}, doc...), &field); err != nil || field.N != want {
			t.Errorf("%s into a field: %d, %v, want %d", hex, field.N, err, want)
		}
		var elements []int64
		if err := Unmarshal(append([]byte{0x91}, doc...), &elements); err != nil || !slices.Equal(elements, []int64{want}) {
			t.Errorf("%s into an element: %d, %v, want %d", hex, elements, err, want)
		}
		var u uint64
		if err := Unmarshal(doc, &u); err != nil || u != uint64(want) {
			t.Errorf("%s into a uint64: %d, %v, want %d", hex, u, err, want)
		}
	}
}
