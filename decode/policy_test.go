package decode

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/walk"
)

// TestPolicies decodes documents under every policy: a value, or a reason and an offset.
func TestPolicies(t *testing.T) {
	type m = map[string]any
	type keyed = map[any]any
	one, two, three := int64(1), int64(2), int64(3)
	for _, c := range []struct {
		name    string
		hex     string
		options Options
		want    any // or:
		reason  error
		offset  int64
	}{
		{"duplicate, default", "82a16101a16102", Options{}, nil, ErrDuplicateKey, 4},
		{"duplicate, last", "82a16101a16102", Options{DuplicateKeys: LastWins}, m{"a": two}, nil, 0},
		{"duplicate, first", "82a16101a16102", Options{DuplicateKeys: FirstWins}, m{"a": one}, nil, 0},
		{"duplicate of another type, last", "82a161cc01a161a162", Options{DuplicateKeys: LastWins}, m{"a": "b"}, nil, 0},
		{"just legal claim, last", "82a001a002", Options{DuplicateKeys: LastWins}, m{"": two}, nil, 0},
		{"just legal claim, default", "82a001a002", Options{}, nil, ErrDuplicateKey, 3},
		{"first wins over a container", "82a16101a161 93c0c0c0", Options{DuplicateKeys: FirstWins}, m{"a": one}, nil, 0},
		{"the lost value is checked too", "82a16101a161 a1ff", Options{DuplicateKeys: FirstWins}, nil, ErrUTF8, 7},
		{"duplicate keys of nine, last", "89 a16101*8 a16102", Options{DuplicateKeys: LastWins}, m{"a": two}, nil, 0},

		{"bin key, default", "81c4016101", Options{}, nil, ErrKeyType, 1},
		{"bin key", "81c4016101", Options{MapKeys: StringOrBinKeys}, keyed{Bin("a"): one}, nil, 0},
		{"str and bin key", "82a16101c4016102", Options{MapKeys: StringOrBinKeys}, keyed{"a": one, Bin("a"): two}, nil, 0},
		{"bin and str key", "82c4016101a16102", Options{MapKeys: StringOrBinKeys}, keyed{"a": two, Bin("a"): one}, nil, 0},
		{"many str keys, then bin", "84a16101a16202a16303c4016101", Options{MapKeys: StringOrBinKeys}, keyed{"a": one, "b": two, "c": three, Bin("a"): one}, nil, 0},
		{"str keys only", "82a16101a16202", Options{MapKeys: StringOrBinKeys}, m{"a": one, "b": two}, nil, 0},
		{"empty keys", "82a001c40002", Options{MapKeys: StringOrBinKeys}, keyed{"": one, Bin(""): two}, nil, 0},
		{"bin twice", "82c4016101c5000161 02", Options{MapKeys: StringOrBinKeys}, nil, ErrDuplicateKey, 5},
		{"bin twice, last", "82c4016101c5000161 02", Options{MapKeys: StringOrBinKeys, DuplicateKeys: LastWins}, keyed{Bin("a"): two}, nil, 0},
		{"bin twice, first", "82c4016101c5000161 02", Options{MapKeys: StringOrBinKeys, DuplicateKeys: FirstWins}, keyed{Bin("a"): one}, nil, 0},
		{"str twice around a bin", "83a16101c4016102a16103", Options{MapKeys: StringOrBinKeys}, nil, ErrDuplicateKey, 8},
		{"str twice before a bin", "83a16101a16102c4016102", Options{MapKeys: StringOrBinKeys}, nil, ErrDuplicateKey, 4},
		{"str twice, then bin, last", "83a16101a16102c4016103", Options{MapKeys: StringOrBinKeys, DuplicateKeys: LastWins}, keyed{"a": two, Bin("a"): three}, nil, 0},
		{"int key, str or bin", "810102", Options{MapKeys: StringOrBinKeys}, nil, ErrKeyType, 1},
		{"nested maps keep their type", "81c40161 81a16101", Options{MapKeys: StringOrBinKeys}, keyed{Bin("a"): m{"a": one}}, nil, 0},

		{"int keys, default", "820102a16103", Options{}, nil, ErrKeyType, 1},
		{"int keys", "820102a16103", Options{MapKeys: AnyKeys}, keyed{one: two, "a": three}, nil, 0},
		{
			"any keys", "87 a16101 c4016102 c003 c201 c302 ff03 cb3ff800000000000001",
			Options{MapKeys: AnyKeys},
			keyed{"a": one, Bin("a"): two, nil: three, false: one, true: two, int64(-1): three, 1.5: one},
			nil, 0,
		},
		{"str keys as any", "82a16101a001", Options{MapKeys: AnyKeys}, keyed{"a": one, "": one}, nil, 0},
		{"empty map of any keys", "80", Options{MapKeys: AnyKeys}, keyed{}, nil, 0},
		{"big int key", "81cfffffffffffffffff01", Options{MapKeys: AnyKeys}, keyed{uint64(math.MaxUint64): one}, nil, 0},
		{"one integer, two forms", "820101d00102", Options{MapKeys: AnyKeys}, nil, ErrDuplicateKey, 3},
		{"one integer, wide", "82cd0100 01 cf0000000000000100 02", Options{MapKeys: AnyKeys, DuplicateKeys: LastWins}, keyed{int64(256): two}, nil, 0},
		{"int and float are two keys", "820101cb3ff000000000000002", Options{MapKeys: AnyKeys}, keyed{one: one, 1.0: two}, nil, 0},
		{"float32 and float64 are one", "82ca3f80000001cb3ff000000000000002", Options{MapKeys: AnyKeys}, nil, ErrDuplicateKey, 7},
		{"0.0 and -0.0 are one", "82cb000000000000000001cb800000000000000002", Options{MapKeys: AnyKeys}, nil, ErrDuplicateKey, 11},
		{"nil twice", "82c001c002", Options{MapKeys: AnyKeys}, nil, ErrDuplicateKey, 3},
		{"NaN keys", "82cb7ff800000000000101cb7ff800000000000102", Options{MapKeys: AnyKeys}, nil, ErrKeyType, 1},
		{"array key", "81910101", Options{MapKeys: AnyKeys}, nil, ErrKeyType, 1},
		{"map key", "818001", Options{MapKeys: AnyKeys}, nil, ErrKeyType, 1},
		{"ext key", "81d4050001", Options{MapKeys: AnyKeys}, nil, ErrKeyType, 1},
		{"time key", "81d6ff0000000101", Options{MapKeys: AnyKeys}, nil, ErrKeyType, 1},
		{"duplicate before its value's fault", "82 0101 0193c0c0a1ff", Options{MapKeys: AnyKeys}, nil, ErrDuplicateKey, 3},

		{"bad UTF-8, default", "a2fffe", Options{}, nil, ErrUTF8, 1},
		{"bad UTF-8, allowed", "a2fffe", Options{UTF8: AllowInvalidUTF8}, "\xff\xfe", nil, 0},
		{"bad UTF-8, replaced", "a461ff62c2", Options{UTF8: ReplaceInvalidUTF8}, "a\uFFFDb\uFFFD", nil, 0},
		{"one bad byte, allowed", "a1ff", Options{UTF8: AllowInvalidUTF8}, "\xff", nil, 0},
		{"one bad byte, replaced", "a1ff", Options{UTF8: ReplaceInvalidUTF8}, "\uFFFD", nil, 0},
		{"surrogate, replaced", "a3eda080", Options{UTF8: ReplaceInvalidUTF8}, "\uFFFD\uFFFD\uFFFD", nil, 0},
		{"good text, replaced", "a5 61c3a9c3a9", Options{UTF8: ReplaceInvalidUTF8}, "aéé", nil, 0},
		{"a written U+FFFD", "a3efbfbd", Options{}, "\uFFFD", nil, 0},
		{"bad key, allowed", "81a1ff01", Options{UTF8: AllowInvalidUTF8}, m{"\xff": one}, nil, 0},
		{"bad key, replaced", "81a1ff01", Options{UTF8: ReplaceInvalidUTF8}, m{"\uFFFD": one}, nil, 0},
		{"keys equal once replaced", "82a1ff01a1fe02", Options{UTF8: ReplaceInvalidUTF8}, nil, ErrDuplicateKey, 4},
		{"bad UTF-8 twice, allowed", "92a3fffefda3fffefd", Options{UTF8: AllowInvalidUTF8}, []any{"\xff\xfe\xfd", "\xff\xfe\xfd"}, nil, 0},
		{"long bad str, replaced", "d9c8 ff*200", Options{UTF8: ReplaceInvalidUTF8}, strings.Repeat("\uFFFD", 200), nil, 0},
		{"bin is no text", "c402fffe", Options{}, []byte{0xff, 0xfe}, nil, 0},

		{"timestamp type", "d7ff0000000400000005", Options{Exts: []ExtType{TimestampExt()}}, Timestamp{5, 1}, nil, 0},
		{"timestamp beyond time.Time", "c70cff000000018000000000000000", Options{Exts: []ExtType{TimestampExt()}}, Timestamp{math.MinInt64, 1}, nil, 0},
		{"bad timestamp", "c700ff", Options{Exts: []ExtType{TimestampExt()}}, nil, ErrTimestamp, 0},
		{"bad timestamp is a hook's refusal", "c700ff", Options{Exts: []ExtType{TimestampExt()}}, nil, ErrHook, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			onAndOff(t, func(t *testing.T) {
				for _, alias := range []bool{false, true} {
					c.options.AliasInput = alias
					doc := hexdoc.Must(c.hex)
					v, err := c.options.Must().Any(doc)
					if c.reason == nil {
						if err != nil || !reflect.DeepEqual(v, c.want) {
							t.Fatalf("Any(%s) = %#v, %v, want %#v", c.hex, v, err, c.want)
						}
						continue
					}
					var e *Error
					if v != nil || !errors.Is(err, c.reason) || !errors.As(err, &e) || e.Offset != c.offset {
						t.Fatalf("Any(%s) = %#v, %v, want %v at %d", c.hex, v, err, c.reason, c.offset)
					}
					if path := walk.PathAt(doc, c.offset); e.Path != path {
						t.Errorf("Any(%s): path %q, want %q", c.hex, e.Path, path)
					}
				}
			})
		})
	}
}

func TestBadOptions(t *testing.T) {
	decode := func([]byte) (any, error) { return nil, nil }
	for _, o := range []Options{
		{DuplicateKeys: FirstWins + 1},
		{MapKeys: AnyKeys + 1},
		{UTF8: ReplaceInvalidUTF8 + 1},
		{Markers: []Marker{{Key: "a"}}},
		{Exts: []ExtType{{Type: 1}}},
		{Exts: []ExtType{{Type: 1, Decode: decode}, {Type: 1, Decode: decode}}},
		{Limits: Limits{MaxMemory: -1}},
	} {
		if d, err := o.New(); d != nil || !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v, want ErrOptions", o, err)
		}
	}
}

// TestOptionsAreCopied: what the caller does to its Options later does not reach the
// Decoder.
func TestOptionsAreCopied(t *testing.T) {
	o := Options{
		Markers: []Marker{{Key: "a", Value: func(map[string]any) (any, bool, error) { return "first", true, nil }}},
		Exts:    []ExtType{{Type: 5, Decode: func([]byte) (any, error) { return "ext", nil }}},
	}
	d := o.Must()
	o.Markers[0].Value = func(map[string]any) (any, bool, error) { return "changed", true, nil }
	o.Exts[0].Type = 6
	v, err := d.Any(hexdoc.Must("92 81a16101 d40500"))
	if err != nil || !reflect.DeepEqual(v, []any{"first", "ext"}) {
		t.Errorf("%v, %v", v, err)
	}
}

func TestExts(t *testing.T) {
	refused := errors.New("not today")
	var seen []byte
	d := Options{Exts: []ExtType{
		{Type: 1, Decode: func(b []byte) (any, error) { seen = b; return len(b), nil }},
		{Type: 2, Go: reflect.TypeFor[time.Duration](), Decode: func(b []byte) (any, error) { return time.Duration(len(b)), nil }},
		{Type: 3, Go: reflect.TypeFor[string](), Decode: func([]byte) (any, error) { return 7, nil }},
		{Type: -4, Decode: func([]byte) (any, error) { return nil, refused }},
		{Type: 5, Decode: func([]byte) (any, error) { return nil, nil }},
	}}.Must()
	v, err := d.Any(hexdoc.Must("96 d4017f c70001 d5020000 d40600 d40500 c7 03 01 010203"))
	if want := []any{1, 0, time.Duration(2), Ext{6, []byte{0}}, nil, 3}; err != nil || !reflect.DeepEqual(v, want) {
		t.Errorf("%#v, %v, want %#v", v, err, want)
	}
	if cap(seen) != len(seen) {
		t.Errorf("the function gets %d bytes of capacity %d", len(seen), cap(seen))
	}
	for hex, want := range map[string]struct {
		offset int64
		is     error
		text   string
	}{
		"92c0d4fc00": {2, refused, "msgpack document refused by a hook: ext type -4: not today (at byte 2, path [1])"},
		"d40300":     {0, ErrHook, "msgpack document refused by a hook: ext type 3 gave int, want string (at byte 0)"},
	} {
		_, err := d.Any(hexdoc.Must(hex))
		if off, _ := OffsetOf(err); !errors.Is(err, ErrHook) || !errors.Is(err, want.is) || off != want.offset || err.Error() != want.text {
			t.Errorf("Any(%s): %v, want %s", hex, err, want.text)
		}
	}
	// The walk outranks the hook.
	if _, err := d.Any(hexdoc.Must("92d4fc00c1")); !errors.Is(err, ErrReserved) {
		t.Errorf("a refused ext before a reserved marker: %v", err)
	}
}

// TestSharing: equal short strings of one document are one string, and none is shared
// with another document.
func TestSharing(t *testing.T) {
	data := func(s string) *byte { return unsafe.StringData(s) }
	for _, c := range []struct {
		n      int
		key    bool
		shared bool
	}{{2, false, true}, {16, false, true}, {17, false, true}, {32, false, true}, {33, false, false}, {2, true, true}, {33, true, true}, {64, true, true}, {65, true, false}} {
		str := append([]byte{0xd9, byte(c.n)}, strings.Repeat("x", c.n-1)+"y"...)
		item := str
		if c.key {
			item = append(append([]byte{0x81}, str...), 0x01)
		}
		doc := append(append([]byte{0x92}, item...), item...)
		strs := func() (a, b string) {
			v, err := Any(doc)
			if err != nil {
				t.Fatal(err)
			}
			get := func(v any) string {
				if c.key {
					for key := range v.(map[string]any) {
						return key
					}
				}
				return v.(string)
			}
			return get(v.([]any)[0]), get(v.([]any)[1])
		}
		a, b := strs()
		if a != b || (data(a) == data(b)) != c.shared {
			t.Errorf("%d bytes, key %v: shared is %v, want %v", c.n, c.key, data(a) == data(b), c.shared)
		}
		if other, _ := strs(); data(a) == data(other) {
			t.Errorf("%d bytes, key %v: two documents share a string", c.n, c.key)
		}
	}
	// A key and a value share too, and so does text that is not ASCII.
	v, err := Any(hexdoc.Must("93 a4c3a9c3a9 a4c3a9c3a9 81 a4c3a9c3a9 01"))
	if err != nil {
		t.Fatal(err)
	}
	arr := v.([]any)
	for key := range arr[2].(map[string]any) {
		if data(arr[0].(string)) != data(arr[1].(string)) || data(key) != data(arr[0].(string)) {
			t.Error("éé is not shared")
		}
	}
}

// TestSharedTable: strings that meet in the table of shared strings do not become each
// other.
func TestSharedTable(t *testing.T) {
	var doc []byte
	var want []any
	for i := range 3000 {
		s := fmt.Sprintf("%d", i*7919%1500)
		switch i % 3 {
		case 1:
			s = strings.Repeat("long", 4) + s
		case 2:
			s += "x"
		}
		doc = append(append(doc, 0xa0|byte(len(s))), s...)
		want = append(want, s)
	}
	doc = append([]byte{0xdc, byte(len(want) >> 8), byte(len(want) & 0xff)}, doc...)
	if v, err := Any(doc); err != nil || !reflect.DeepEqual(v, want) {
		t.Errorf("%v: 3000 strings are not what they were", err)
	}
}

// TestAlias: with AliasInput strings and bins are parts of the input, and slices end where
// they end.
func TestAlias(t *testing.T) {
	doc := hexdoc.Must("93 a3616263 c403646566 d50767 68")
	d := Options{AliasInput: true}.Must()
	v, err := d.Any(doc)
	if err != nil {
		t.Fatal(err)
	}
	arr := v.([]any)
	str, bin, ext := arr[0].(string), arr[1].([]byte), arr[2].(Ext).Data
	if unsafe.StringData(str) != &doc[2] || &bin[0] != &doc[7] || &ext[0] != &doc[12] {
		t.Error("the values are copies")
	}
	if cap(bin) != 3 || cap(ext) != 2 {
		t.Errorf("capacities %d and %d, want 3 and 2", cap(bin), cap(ext))
	}
	want := charged(t, Options{}, doc)
	if got := charged(t, Options{AliasInput: true}, doc); got != want {
		t.Errorf("aliased, the charge is %d, want %d", got, want)
	}
}
