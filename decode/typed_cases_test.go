package decode

import (
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

type (
	simple struct {
		A int    `msgpack:"a"`
		B string `msgpack:"b"`
	}
	simpleTuple struct {
		//lint:ignore U1000 read by its tag
		_msgpack struct{} `msgpack:",as_array"`
		A        int      `msgpack:"a"`
		B        string   `msgpack:"b"`
	}
	inner struct {
		X int `msgpack:"x"`
	}
	embeds struct {
		inner
		Y int `msgpack:"y"`
	}
	embedsPointer struct {
		*Inner
		Y int `msgpack:"y"`
	}
	Inner struct {
		X int `msgpack:"x"`
	}
	node struct {
		C []node `msgpack:"c"`
	}
	big struct {
		B [4096]byte `msgpack:"b"`
		N int        `msgpack:"n"`
	}
	outer struct {
		S simple `msgpack:"s"`
	}
	renamed string
	level   int8
)

// typedCases decode documents into Go types: a value, or a reason, its offset and path.
var typedCases = []struct {
	name    string
	hex     string
	into    any // a pointer to a value of the type, as it is before
	options Options
	want    any // what the pointer points to then, or:
	reason  error
	offset  int64
	path    string
}{
	// Bounds hold on the typed path as on any.
	{name: "claim-array32", hex: "ddffffffff", into: new([]int64), reason: ErrOwed},
	{name: "claim-map32", hex: "df02000000", into: new(map[string]int), reason: ErrOwed},
	{name: "claim-str32", hex: "dbffffffff", into: new(string), reason: ErrShort},
	{name: "claim-bin32", hex: "c6ffffffff", into: new([]byte), reason: ErrShort},
	{name: "claim-skipped", hex: "81a17adf80000000c0", into: new(simple), reason: ErrOwed, offset: 3},
	{name: "claim-skipped-str", hex: "82a17adbffffffffa16101", into: new(simple), reason: ErrShort, offset: 3},
	{name: "memory-bigs", hex: "dcffff c0*65535", into: new([]big), reason: ErrMaxMemory},
	{name: "memory-bigs-under", hex: "dcff78 c0*65400", into: new([]big), reason: ErrMaxMemory},
	{name: "max-memory-then-reserved", hex: "92dcff78 c0*65400 c1", into: new([][]big), reason: ErrReserved, offset: 65404},
	{name: "memory-nils", hex: "dd01000000 c0*16777216", into: new([]any), reason: ErrMaxItems},
	{name: "depth-skipped", hex: "82a16101a17a 91*1000000 c0", into: new(simple), reason: ErrMaxDepth, offset: 1029},
	{name: "depth-recursive-type", hex: "81a16391*3000000 90", into: new(node), reason: ErrMaxDepth, offset: 2048},
	{name: "depth-raw", hex: "91*1025 c0", into: new(RawMessage), reason: ErrMaxDepth, offset: 1024},
	{name: "depth-in-any", hex: "81a161 91*1024 c0", into: new(map[string]any), reason: ErrMaxDepth, offset: 1026},
	{name: "reserved-skipped", hex: "81a17ac1", into: new(simple), reason: ErrReserved, offset: 3},
	{name: "trailing", hex: "0102", into: new(int), reason: ErrTrailing, offset: 1},
	{name: "cut-time", hex: "c70cff00000000", into: new(time.Time), reason: ErrShort},

	// Ints.
	{name: "uint64-max-int64", hex: "cfffffffffffffffff", into: new(int64), reason: ErrOverflow},
	{name: "neg-uint64", hex: "ff", into: new(uint64), reason: ErrOverflow},
	{name: "int-300-int8", hex: "cd012c", into: new(int8), reason: ErrOverflow},
	{name: "int8 edge", hex: "d080", into: new(int8), want: int8(-128)},
	{name: "uint8 edge", hex: "cd00ff", into: new(uint8), want: uint8(255)},
	{name: "uint8 over", hex: "cd0100", into: new(uint8), reason: ErrOverflow},
	{name: "uint64 max", hex: "cfffffffffffffffff", into: new(uint64), want: uint64(math.MaxUint64)},
	{name: "int64 min", hex: "d38000000000000000", into: new(int64), want: int64(math.MinInt64)},
	{name: "nonminimal", hex: "d30000000000000001", into: new(int64), want: int64(1)},
	{name: "named int", hex: "07", into: new(level), want: level(7)},
	{name: "duration", hex: "ce3b9aca00", into: new(time.Duration), want: time.Second},
	{name: "float-3-int64", hex: "cb4008000000000000", into: new(int64), reason: ErrType},
	{name: "float-3-int64, whole", hex: "cb4008000000000000", into: new(int64), options: Options{WholeFloats: true}, want: int64(3)},
	{name: "float-3-uint8, whole", hex: "ca40400000", into: new(uint8), options: Options{WholeFloats: true}, want: uint8(3)},
	{name: "float-3.5, whole", hex: "cb400c000000000000", into: new(int64), options: Options{WholeFloats: true}, reason: ErrInexact},
	{name: "NaN, whole", hex: "cb7ff8000000000001", into: new(int64), options: Options{WholeFloats: true}, reason: ErrInexact},
	{name: "infinity, whole", hex: "cb7ff0000000000000", into: new(int64), options: Options{WholeFloats: true}, reason: ErrInexact},
	{name: "float-big-int64", hex: "cb7e37e43c8800759c", into: new(int64), reason: ErrType},
	{name: "float-big-int64, whole", hex: "cb7e37e43c8800759c", into: new(int64), options: Options{WholeFloats: true}, reason: ErrOverflow},
	{name: "float 2^63, whole", hex: "cb43e0000000000000", into: new(int64), options: Options{WholeFloats: true}, reason: ErrOverflow},
	{name: "float 2^63 to uint64, whole", hex: "cb43e0000000000000", into: new(uint64), options: Options{WholeFloats: true}, want: uint64(1 << 63)},
	{name: "float -2^63, whole", hex: "cbc3e0000000000000", into: new(int64), options: Options{WholeFloats: true}, want: int64(math.MinInt64)},
	{name: "float -1 to uint, whole", hex: "cbbff0000000000000", into: new(uint), options: Options{WholeFloats: true}, reason: ErrOverflow},
	{name: "float 300 to int8, whole", hex: "cb4072c00000000000", into: new(int8), options: Options{WholeFloats: true}, reason: ErrOverflow},

	{name: "two bytes into bytes", hex: "98 cd007f cd0001*7", into: new([]int8), want: []int8{127, 1, 1, 1, 1, 1, 1, 1}},
	{name: "two bytes over a byte", hex: "93 01 cd012c 02", into: new([]int8), reason: ErrOverflow, offset: 2, path: "[1]"},
	{name: "four bytes into int32s", hex: "93 ce00010000 cc80 01", into: new([]int32), want: []int32{1 << 16, 128, 1}},
	{name: "float 2^64 to uint64, whole", hex: "cb43f0000000000000", into: new(uint64), options: Options{WholeFloats: true}, reason: ErrOverflow},

	// Floats.
	{name: "int-1-float64", hex: "01", into: new(float64), want: 1.0},
	{name: "int-2p53p1-float64", hex: "cf0020000000000001", into: new(float64), reason: ErrInexact},
	{name: "int-2p53-float64", hex: "cf0020000000000000", into: new(float64), want: float64(1 << 53)},
	{name: "uint64 max into float64", hex: "cfffffffffffffffff", into: new(float64), reason: ErrInexact},
	{name: "int64 max into float64", hex: "cf7fffffffffffffff", into: new(float64), reason: ErrInexact},
	{name: "int64 min into float64", hex: "d38000000000000000", into: new(float64), want: float64(math.MinInt64)},
	{name: "2^24+1 into float32", hex: "ce01000001", into: new(float32), reason: ErrInexact},
	{name: "2^24 into float32", hex: "ce01000000", into: new(float32), want: float32(1 << 24)},
	{name: "float64-tenth-float32", hex: "cb3fb999999999999a", into: new(float32), want: float32(0.1)},
	{name: "float64-tenth-float32, exact", hex: "cb3fb999999999999a", into: new(float32), options: Options{ExactFloats: true}, reason: ErrInexact},
	{name: "float64-half-float32, exact", hex: "cb3fe0000000000000", into: new(float32), options: Options{ExactFloats: true}, want: float32(0.5)},
	{name: "float64 over float32", hex: "cb7e37e43c8800759c", into: new(float32), reason: ErrOverflow},
	{name: "infinity into float32", hex: "cb7ff0000000000000", into: new(float32), want: float32(math.Inf(1))},
	{name: "float32 into float64", hex: "ca3dcccccd", into: new(float64), want: float64(float32(0.1))},
	{name: "bool into float", hex: "c3", into: new(float64), reason: ErrType},

	// Bools, strings, bytes.
	{name: "bool", hex: "c3", into: new(bool), want: true},
	{name: "one-bool", hex: "01", into: new(bool), reason: ErrType},
	{name: "str", hex: "a3616263", into: new(string), want: "abc"},
	{name: "empty str", hex: "a0", into: func() *string { s := "old"; return &s }(), want: ""},
	{name: "named string", hex: "a3616263", into: new(renamed), want: renamed("abc")},
	{name: "bin-string", hex: "c403616263", into: new(string), want: "abc"},
	{name: "bin-string-bad", hex: "c402fffe", into: new(string), reason: ErrUTF8, offset: 2},
	{name: "bin-string-bad, allowed for strs", hex: "c402fffe", into: new(string), options: Options{UTF8: AllowInvalidUTF8}, reason: ErrUTF8, offset: 2},
	{name: "utf8-bad", hex: "a2fffe", into: new(string), reason: ErrUTF8, offset: 1},
	{name: "utf8-bad, allowed", hex: "a2fffe", into: new(string), options: Options{UTF8: AllowInvalidUTF8}, want: "\xff\xfe"},
	{name: "utf8-bad, replaced", hex: "a361ff62", into: new(string), options: Options{UTF8: ReplaceInvalidUTF8}, want: "a\uFFFDb"},
	{name: "utf8-surrogate", hex: "a3eda080", into: new(string), reason: ErrUTF8, offset: 1},
	{name: "utf8-cut", hex: "a1e2", into: new(string), reason: ErrUTF8, offset: 1},
	{name: "array-string", hex: "9161", into: new(string), reason: ErrType},
	{name: "int-string", hex: "07", into: new(string), reason: ErrType},
	{name: "str-bytes", hex: "a3616263", into: new([]byte), want: []byte("abc")},
	{name: "bad str into bytes", hex: "a261ff", into: new([]byte), reason: ErrUTF8, offset: 2},
	{name: "bin-bytes", hex: "c402fffe", into: new([]byte), want: []byte{0xff, 0xfe}},
	{name: "empty bin", hex: "c400", into: new([]byte), want: []byte{}},
	{name: "nil bytes", hex: "c0", into: func() *[]byte { b := []byte("old"); return &b }(), want: []byte(nil)},
	{name: "array into bytes", hex: "9101", into: new([]byte), reason: ErrType},
	{name: "byte array", hex: "c4020102", into: new([2]byte), want: [2]byte{1, 2}},
	{name: "byte array of another length", hex: "c403010203", into: new([2]byte), reason: ErrType},
	{name: "ext into bytes", hex: "d40500", into: new([]byte), reason: ErrType},

	// Slices, arrays, maps.
	{name: "slice", hex: "93010203", into: new([]int16), want: []int16{1, 2, 3}},
	{name: "empty slice", hex: "90", into: new([]int), want: []int{}},
	{name: "nil slice", hex: "c0", into: func() *[]int { s := []int{1}; return &s }(), want: []int(nil)},
	{name: "strs of 17 bytes that differ in the middle", hex: "92 b1 61*8 62 63*8 b1 61*8 64 63*8", into: new([]string), want: []string{"aaaaaaaabcccccccc", "aaaaaaaadcccccccc"}},
	{name: "an element larger than memory", hex: "dd00040000 c0*262144", into: new([][1 << (30 + 16*(^uint(0)>>63))]byte), options: Options{Limits: Limits{MaxMemory: 1 << 40}}, reason: ErrMaxMemory},
	{name: "slice of slices", hex: "9292010290", into: new([][]int), want: [][]int{{1, 2}, {}}},
	{name: "str-slice", hex: "a3616263", into: new([]int64), reason: ErrType},
	{name: "map-slice", hex: "81010203", into: new([]int64), reason: ErrType},
	{name: "map-slice alone", hex: "810102", into: new([]int64), reason: ErrType},
	{name: "slice element", hex: "9301a16103", into: new([]int), reason: ErrType, offset: 2, path: "[1]"},
	{name: "array", hex: "920102", into: new([2]int), want: [2]int{1, 2}},
	{name: "fixed-array-short", hex: "81a1619101", into: new(struct {
		A [2]int `msgpack:"a"`
	}), reason: ErrType, offset: 3, path: "a"},
	{name: "fixed-array-long", hex: "93010203", into: new([2]int), reason: ErrType},
	{name: "empty array", hex: "90", into: new([0]int), want: [0]int{}},
	{name: "array of strings, overwritten", hex: "92a161c0", into: &[2]string{"x", "y"}, want: [2]string{"a", ""}},
	{name: "slice of nothing", hex: "93c08080", into: new([]struct{}), want: make([]struct{}, 3)},
	{name: "map", hex: "82a16101a16202", into: new(map[string]int), want: map[string]int{"a": 1, "b": 2}},
	{name: "empty map", hex: "80", into: new(map[string]int), want: map[string]int{}},
	{name: "nil map", hex: "c0", into: &map[string]int{"a": 1}, want: map[string]int(nil)},
	{name: "map-reused", hex: "81a16102", into: &map[string]int{"z": 9}, want: map[string]int{"a": 2}},
	{name: "map of maps", hex: "81a16181a16201", into: new(map[string]map[string]int), want: map[string]map[string]int{"a": {"b": 1}}},
	{name: "map of structs", hex: "82a16181a16101a16281a162a163", into: new(map[string]simple), want: map[string]simple{"a": {A: 1}, "b": {B: "c"}}},
	{name: "int keys", hex: "8201a161cd0100a162", into: new(map[int16]string), want: map[int16]string{1: "a", 256: "b"}},
	{name: "int key over", hex: "81cd0100a161", into: new(map[int8]string), reason: ErrOverflow, offset: 1, path: "{256}"},
	{name: "uint keys", hex: "8101a161", into: new(map[uint]string), want: map[uint]string{1: "a"}},
	{name: "bool keys", hex: "82c301c202", into: new(map[bool]int), want: map[bool]int{true: 1, false: 2}},
	{name: "float and int keys", hex: "82cb3ff8000000000000010202", into: new(map[float64]int), want: map[float64]int{1.5: 1, 2: 2}},
	{name: "NaN key", hex: "81cb7ff800000000000101", into: new(map[float64]int), reason: ErrKeyType, offset: 1, path: "{float}"},
	{name: "bin key into string", hex: "81c4016101", into: new(map[string]int), want: map[string]int{"a": 1}},
	{name: "bad bin key into string", hex: "81c401ff01", into: new(map[string]int), reason: ErrUTF8, offset: 3, path: `{"\xff"}`},
	{name: "int key into string", hex: "810101", into: new(map[string]int), reason: ErrKeyType, offset: 1, path: "{1}"},
	{name: "str key into int", hex: "81a16101", into: new(map[int]int), reason: ErrKeyType, offset: 1, path: "a"},
	{name: "nil key", hex: "81c001", into: new(map[string]int), reason: ErrKeyType, offset: 1, path: "{nil}"},
	{name: "array-key", hex: "81910101", into: new(map[any]any), reason: ErrKeyType, offset: 1, path: "{array}"},
	{name: "any keys whatever MapKeys says", hex: "84a1610107c0c40161c3c00e", into: new(map[any]any), want: map[any]any{"a": int64(1), int64(7): nil, Bin("a"): true, nil: int64(14)}},
	{name: "any keys, typed element", hex: "82a1610107a162", into: new(map[any]int), reason: ErrType, offset: 5, path: "{7}"},
	{name: "dup-int-forms", hex: "820101d00102", into: new(map[int]int), reason: ErrDuplicateKey, offset: 3, path: "{1}"},
	{name: "dup str key", hex: "82a16101a16102", into: new(map[string]int), reason: ErrDuplicateKey, offset: 4, path: "a"},
	{name: "dup str and bin key", hex: "82a16101c4016102", into: new(map[string]int), reason: ErrDuplicateKey, offset: 4, path: `{"a"}`},
	{name: "dup, last", hex: "82a16101a16102", into: new(map[string]int), options: Options{DuplicateKeys: LastWins}, want: map[string]int{"a": 2}},
	{name: "dup, first", hex: "82a16101a16102", into: new(map[string]int), options: Options{DuplicateKeys: FirstWins}, want: map[string]int{"a": 1}},
	{name: "dup before its value's fault", hex: "82a16101a161a162", into: new(map[string]int), reason: ErrDuplicateKey, offset: 4, path: "a"},
	{name: "dup outside a deeper fault", hex: "82a16180a16181a16101", into: new(map[string]map[string]string), reason: ErrDuplicateKey, offset: 4, path: "a"},

	// Structs.
	{name: "struct", hex: "82a16101a162a163", into: new(simple), want: simple{1, "c"}},
	{name: "struct, other order", hex: "82a162a163a16101", into: new(simple), want: simple{1, "c"}},
	{name: "struct, bin names", hex: "82c4016101c40162a163", into: new(simple), want: simple{1, "c"}},
	{name: "presets are kept", hex: "81a16101", into: &simple{A: 9, B: "kept"}, want: simple{1, "kept"}},
	{name: "nil-fields", hex: "82a161c0a162c0", into: &simple{9, "old"}, want: simple{}},
	{name: "nil struct", hex: "c0", into: &simple{9, "old"}, want: simple{}},
	{name: "nil-time-field", hex: "81a174c0", into: &struct {
		T time.Time `msgpack:"t"`
	}{time.Now()}, want: struct {
		T time.Time `msgpack:"t"`
	}{}},
	{name: "unknown field", hex: "83a17a93010203a16101a17881a17901", into: new(simple), want: simple{A: 1}},
	{name: "only unknown fields", hex: "9282a17a01a179028100c0", into: new([]simple), reason: ErrKeyType, offset: 9, path: "[1]{0}"},
	{name: "unknown fields in elements", hex: "9381a17a0180 81a16101", into: new([]simple), want: []simple{{}, {}, {A: 1}}},
	{name: "unknown field, refused", hex: "82a16101a17a02", into: new(simple), options: Options{RefuseUnknownFields: true}, reason: ErrUnknownField, offset: 4, path: "z"},
	{name: "bad UTF-8 in a skipped value", hex: "81a17a92c0a2c328", into: new(simple), reason: ErrUTF8, offset: 6, path: "z[1]"},
	{name: "bad UTF-8 in a skipped value, allowed", hex: "81a17a92c0a2c328", into: new(simple), options: Options{UTF8: AllowInvalidUTF8}, want: simple{}},
	{name: "bad UTF-8 in a name", hex: "81a1ff01", into: new(simple), reason: ErrUTF8, offset: 2, path: `["\xff"]`},
	{name: "dup-field", hex: "82a16101a16102", into: new(simple), reason: ErrDuplicateKey, offset: 4, path: "a"},
	{name: "dup-field out of order", hex: "83a162a178a16101a162a179", into: new(simple), reason: ErrDuplicateKey, offset: 8, path: "b"},
	{name: "dup-field, last", hex: "82a16101a16102", into: new(simple), options: Options{DuplicateKeys: LastWins}, want: simple{A: 2}},
	{name: "dup-field, first", hex: "82a16101a16102", into: new(simple), options: Options{DuplicateKeys: FirstWins}, want: simple{A: 1}},
	{name: "dup-field of structs, last", hex: "82a17381a16101a17381a162a162", into: new(outer), options: Options{DuplicateKeys: LastWins}, want: outer{S: simple{B: "b"}}},
	{name: "dup-field of structs, first", hex: "82a17381a16101a17381a162a162", into: new(outer), options: Options{DuplicateKeys: FirstWins}, want: outer{S: simple{A: 1}}},
	{name: "duplicates in skipped values are not looked for", hex: "81a17a82a16101a16102", into: new(simple), want: simple{}},
	{name: "field-type", hex: "82a161a178a1626b", into: new(simple), reason: ErrType, offset: 3, path: "a"},
	{name: "name case counts", hex: "81a14101", into: new(simple), want: simple{}},
	{name: "array-struct-short", hex: "9101", into: new(simpleTuple), reason: ErrType},
	{name: "array-struct", hex: "9201a162", into: new(simpleTuple), want: simpleTuple{A: 1, B: "b"}},
	{name: "array-struct-long", hex: "9301a162c0", into: new(simpleTuple), reason: ErrType},
	{name: "map into array-struct", hex: "81a16101", into: new(simpleTuple), reason: ErrType},
	{name: "array into struct", hex: "9201a162", into: new(simple), reason: ErrType},
	{name: "nil in array-struct", hex: "92c0c0", into: &simpleTuple{A: 1, B: "b"}, want: simpleTuple{}},
	{name: "embedded", hex: "82a17801a17902", into: new(embeds), want: embeds{inner{1}, 2}},
	{name: "embedded pointer", hex: "82a17801a17902", into: new(embedsPointer), want: embedsPointer{&Inner{1}, 2}},
	{name: "embedded pointer not named", hex: "81a17902", into: new(embedsPointer), want: embedsPointer{nil, 2}},
	{name: "recursive", hex: "81a1639280 81a16390", into: new(node), want: node{C: []node{{}, {C: []node{}}}}},

	// Pointers and interfaces.
	{name: "pointer", hex: "07", into: new(*int), want: func() *int { i := 7; return &i }()},
	{name: "nil pointer", hex: "c0", into: func() **int { i := new(int); return &i }(), want: (*int)(nil)},
	{name: "pointer to pointer", hex: "07", into: new(**int), want: func() **int { i := 7; p := &i; return &p }()},
	{name: "pointers in a slice", hex: "9301c003", into: new([]*int), want: func() []*int { a, c := 1, 3; return []*int{&a, nil, &c} }()},
	{name: "any in a slice", hex: "93a161cd0100 81a16201", into: new([]any), want: []any{"a", int64(256), map[string]any{"b": int64(1)}}},
	{name: "any in a map", hex: "82a161c0a162920102", into: new(map[string]any), want: map[string]any{"a": nil, "b": []any{int64(1), int64(2)}}},
	{name: "bad key inside any", hex: "81a161810101", into: new(map[string]any), reason: ErrKeyType, offset: 4, path: "a{1}"},
	{name: "dup outside any", hex: "82a16101a161 82a16201a16202", into: new(map[string]any), reason: ErrDuplicateKey, offset: 4, path: "a"},
	{name: "another interface", hex: "07", into: new(error), reason: ErrType},
	{name: "nil interface", hex: "c0", into: func() *error { e := ErrType; return &e }(), want: error(nil)},

	// Times and exts.
	{name: "ts64-nsec-1e9", hex: "d7ffee6b280000000001", into: new(time.Time), reason: ErrTimestamp},
	{name: "ts96-nsec-max", hex: "c70cffffffffff0000000000000001", into: new(time.Time), reason: ErrTimestamp},
	{name: "ts96-min", hex: "c70cff000000008000000000000000", into: new(time.Time), reason: ErrTimestamp},
	{name: "ts96-min, timestamp", hex: "c70cff000000008000000000000000", into: new(Timestamp), want: Timestamp{Seconds: math.MinInt64}},
	{name: "ts96-neg", hex: "c70cff3b9ac9ffffffffffffffffff", into: new(time.Time), want: time.Unix(-1, 999999999).UTC()},
	{name: "ts64-in-ext8", hex: "c708ff0000000000000001", into: new(time.Time), want: time.Unix(1, 0).UTC()},
	{name: "ts-len0", hex: "c700ff", into: new(time.Time), reason: ErrTimestamp},
	{name: "int-time", hex: "01", into: new(time.Time), reason: ErrType},
	{name: "array-time", hex: "920102", into: new(time.Time), reason: ErrType},
	{name: "ext-time", hex: "d40500", into: new(time.Time), reason: ErrType},
	{name: "ext", hex: "d5050102", into: new(Ext), want: Ext{5, []byte{1, 2}}},
	{name: "empty ext", hex: "c70005", into: new(Ext), want: Ext{5, []byte{}}},
	{name: "timestamp as ext", hex: "d6ff00000001", into: new(Ext), want: Ext{-1, []byte{0, 0, 0, 1}}},
	{name: "int into ext", hex: "01", into: new(Ext), reason: ErrType},
	{name: "registered ext", hex: "d40507", into: new(time.Duration), options: Options{Exts: []ExtType{durationExt}}, want: 7 * time.Second},
	{name: "registered ext into another type", hex: "d40507", into: new(string), options: Options{Exts: []ExtType{durationExt}}, reason: ErrExt},
	{name: "registered ext kept raw", hex: "d40507", into: new(Ext), options: Options{Exts: []ExtType{durationExt}}, want: Ext{5, []byte{7}}},

	// RawMessage.
	{name: "raw", hex: "92a16181a16207", into: new(RawMessage), want: RawMessage{0x92, 0xa1, 0x61, 0x81, 0xa1, 0x62, 0x07}},
	{name: "raw nil", hex: "c0", into: &RawMessage{1}, want: RawMessage(nil)},
	{name: "raw field", hex: "82a161920102a16205", into: new(map[string]RawMessage), want: map[string]RawMessage{"a": {0x92, 1, 2}, "b": {5}}},
	{name: "raw, bad UTF-8", hex: "91a1ff", into: new(RawMessage), reason: ErrUTF8, offset: 2, path: "[0]"},
	{name: "raw, duplicates", hex: "82a16101a16102", into: new(RawMessage), want: RawMessage{0x82, 0xa1, 0x61, 0x01, 0xa1, 0x61, 0x02}},

	// limit=N.
	{name: "limit of an array", hex: "81a161920102", into: new(limited), want: limited{A: []int{1, 2}}},
	{name: "limit of an array, over", hex: "81a16193010203", into: new(limited), reason: ErrMaxItems, offset: 3, path: "a"},
	{name: "limit of a map, over", hex: "81a16d8201010202", into: new(limited), reason: ErrMaxItems, offset: 3, path: "m"},
	{name: "limit of a str", hex: "81a173a3616263", into: new(limited), want: limited{S: "abc"}},
	{name: "limit of a str, over", hex: "81a173a461626364", into: new(limited), reason: ErrMaxBytes, offset: 3, path: "s"},
	{name: "limit of a bin, over", hex: "81a173c40461626364", into: new(limited), reason: ErrMaxBytes, offset: 3, path: "s"},
	{name: "limit through a pointer, over", hex: "81a17093010203", into: new(limited), reason: ErrMaxItems, offset: 3, path: "p"},
	{name: "limit of any, over", hex: "81a17893010203", into: new(limited), reason: ErrMaxItems, offset: 3, path: "x"},
	{name: "limit of raw, over", hex: "81a17293010203", into: new(limited), reason: ErrMaxItems, offset: 3, path: "r"},
	{name: "limit of a nil", hex: "81a161c0", into: new(limited), want: limited{}},
	{name: "alias", hex: "81a56f7468657201", into: new(limited), want: limited{N: 1}},
	{name: "alias and name are one field", hex: "82a16e01a56f7468657202", into: new(limited), reason: ErrDuplicateKey, offset: 4, path: "other"},
}

type limited struct {
	A []int       `msgpack:"a,limit=2"`
	M map[int]int `msgpack:"m,limit=1"`
	S string      `msgpack:"s,limit=3,omitempty"`
	P *[]int      `msgpack:"p,limit=2"`
	X any         `msgpack:"x,limit=2"`
	R RawMessage  `msgpack:"r,limit=2"`
	N int         `msgpack:"n,alias:other"`
}

var durationExt = ExtType{Type: 5, Go: reflect.TypeFor[time.Duration](), Decode: func(b []byte) (any, error) {
	return time.Duration(b[0]) * time.Second, nil
}}

// fresh returns a pointer to a copy of what p points to.
func fresh(p any) reflect.Value {
	v := reflect.New(reflect.TypeOf(p).Elem())
	v.Elem().Set(reflect.ValueOf(p).Elem())
	return v
}

func TestTypedCases(t *testing.T) {
	names := map[string]bool{}
	for _, c := range typedCases {
		if names[c.name] {
			t.Errorf("two cases are called %q", c.name)
		}
		names[c.name] = true
	}
	onAndOff(t, testTypedCases)
}

func testTypedCases(t *testing.T) {
	for _, c := range typedCases {
		for _, alias := range []bool{false, true} {
			c.options.AliasInput = alias
			d := c.options.Must()
			doc := hexdoc.Must(c.hex)
			dst := fresh(c.into)
			err := d.Unmarshal(doc, dst.Interface())
			if c.reason == nil {
				if got := dst.Elem().Interface(); err != nil || !reflect.DeepEqual(got, c.want) {
					t.Errorf("%s: %#v, %v, want %#v", c.name, got, err, c.want)
				}
				dst = fresh(c.into)
				rest, err := d.UnmarshalFirst(append(doc, 0xc1), dst.Interface())
				if got := dst.Elem().Interface(); err != nil || len(rest) != 1 || !reflect.DeepEqual(got, c.want) {
					t.Errorf("%s, first: %#v, %v, rest %x, want %#v", c.name, got, err, rest, c.want)
				}
				continue
			}
			off, ok := OffsetOf(err)
			if !errors.Is(err, c.reason) || !ok || off != c.offset {
				t.Errorf("%s: %v, want %v at %d", c.name, err, c.reason, c.offset)
				continue
			}
			if structure := walk.Check(doc, c.options.Limits); structure != nil && structure.Error() != err.Error() {
				t.Errorf("%s: %v, the walk says %v", c.name, err, structure)
			}
			var e *Error
			if errors.As(err, &e) && c.reason != ErrTrailing {
				if e.Path != c.path || e.Path != walk.PathAt(doc, off) {
					t.Errorf("%s: path %q, want %q", c.name, e.Path, c.path)
				}
				if e.Wire == 0 {
					t.Errorf("%s: no wire type in %#v", c.name, e)
				}
			}
		}
	}
}

// TestTypedInlineRuns proves that the shortcut reads the headers it is for, and none when it
// is off.
func TestTypedInlineRuns(t *testing.T) {
	type all struct {
		I int64   `msgpack:"i"`
		S string  `msgpack:"s"`
		L string  `msgpack:"l"`
		B bool    `msgpack:"b"`
		F float64 `msgpack:"f"`
		U uint8   `msgpack:"u"`
	}
	doc := hexdoc.Must("86 a169cd0100 a173a16b a16cd9026b6b a162c3 a166cb3ff8000000000000 a17507")
	// The last pair takes the step: eight bytes of a name are read at once, and so near the
	// end there are not as many.
	for on, want := range map[bool]int64{true: 11, false: 0} {
		restore := tier.Set(tier.DecodeInline, on)
		n := tier.Counted(tier.DecodeInline, func() {
			if v, err := To[all](doc); err != nil || v != (all{256, "k", "kk", true, 1.5, 7}) {
				t.Errorf("%+v, %v", v, err)
			}
		})
		restore()
		if n != want {
			t.Errorf("inline %v: the shortcut read %d headers, want %d", on, n, want)
		}
	}
}

func TestTypedErrorFields(t *testing.T) {
	type address struct {
		Zip string `msgpack:"zip"`
	}
	type user struct {
		Address address `msgpack:"address"`
	}
	var v struct {
		Users []user `msgpack:"users"`
	}
	err := Unmarshal([]byte("\x81\xa5users\x92\x80\x81\xa7address\x81\xa3zip\x05"), &v)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	want := Error{Offset: 23, Path: "users[1].address.zip", Wire: walk.Int, GoType: reflect.TypeFor[string](), Err: bounds.ErrType}
	if *e != want {
		t.Errorf("%#v, want %#v", *e, want)
	}
	if text := "msgpack document holds a value of another type than its target: int into string (at byte 23, path users[1].address.zip)"; err.Error() != text {
		t.Errorf("text %q, want %q", err, text)
	}
	// A key given twice has the type of its map, whenever it was noticed.
	for _, hex := range []string{"82a16101a16102", "82a16101a161a17a"} {
		_, err := To[map[string]int](hexdoc.Must(hex))
		if !errors.As(err, &e) || *e != (Error{Offset: 4, Path: "a", Wire: walk.Str, GoType: reflect.TypeFor[map[string]int](), Err: ErrDuplicateKey}) {
			t.Errorf("a key twice in %s: %#v", hex, e)
		}
	}
	var s simple
	err = Unmarshal(hexdoc.Must("82a161a178a1626b"), &s)
	if !errors.As(err, &e) || e.Wire != walk.Str || e.GoType != reflect.TypeFor[int]() || e.Path != "a" {
		t.Errorf("field-type: %#v", e)
	}
}
