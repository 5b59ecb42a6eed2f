package decode

import (
	"errors"
	"io"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

// refusals: hostile and subtle inputs decoded to any, with their reason and offset.
var refusals = []struct {
	name   string
	hex    string
	limits Limits
	reason error
	offset int64
}{
	{"claim-array32", "ddffffffff", Limits{}, ErrOwed, 0},
	{"claim-array32-moderate", "dd02000000", Limits{}, ErrOwed, 0},
	{"claim-map32", "dfffffffff", Limits{}, ErrOwed, 0},
	{"claim-ext32", "c9ffffffff05", Limits{}, ErrShort, 0},
	{"claim-str32", "dbffffffff", Limits{}, ErrShort, 0},
	{"claim-bin32", "c6ffffffff", Limits{}, ErrShort, 0},
	{"claim-nested", "dcffff*2000", Limits{}, ErrOwed, 0},
	{"depth-arrays", "91*10000000 c0", Limits{}, ErrMaxDepth, 1024},
	{"depth-maps", "81a161*3000000 c0", Limits{}, ErrMaxDepth, 3072},
	{"depth-9", "91*9 c0", Limits{MaxDepth: 8}, ErrMaxDepth, 8},
	{"depth-empty", "91*8 90", Limits{MaxDepth: 8}, ErrMaxDepth, 8},
	{"depth-empty-map", "91*8 80", Limits{MaxDepth: 8}, ErrMaxDepth, 8},
	{"cut-0", "d7ff", Limits{}, ErrShort, 0},
	{"cut-1", "c7", Limits{}, ErrPrefix, 0},
	{"cut-2", "c70cff00000000", Limits{}, ErrShort, 0},
	{"cut-3", "", Limits{}, ErrEmpty, 0},
	{"cut-4", "d905616263", Limits{}, ErrShort, 0},
	{"cut-5", "cf0102", Limits{}, ErrShort, 0},
	{"cut-fixstr", "92a5616263", Limits{}, ErrShort, 1},
	{"cut-key", "81a5616263", Limits{}, ErrShort, 1},
	{"reserved", "c1", Limits{}, ErrReserved, 0},
	{"reserved-key", "81c101", Limits{}, ErrReserved, 1},
	{"structure-outranks-meaning", "93a1ff01c1", Limits{}, ErrReserved, 4},
	{"structure-outranks-keys", "83a16101a16102a161c1", Limits{}, ErrReserved, 9},
	{"structure-outranks-timestamp", "92c700ff91", Limits{}, ErrOwed, 4},
	{"limit-outranks-meaning", "92a1ff93010203", Limits{MaxItems: 5}, ErrMaxItems, 3},
	{"trailing", "0102", Limits{}, ErrTrailing, 1},
	{"trailing-after-meaning", "a1ff02", Limits{}, ErrUTF8, 1},
	{"max-bytes", "a3616263", Limits{MaxBytes: 3}, ErrMaxBytes, 0},
	{"max-items", "93010203", Limits{MaxItems: 3}, ErrMaxItems, 0},
	{"max-items-map", "81a16101", Limits{MaxItems: 2}, ErrMaxItems, 0},
	{"memory-nils", "dd01000000 c0*16777216", Limits{}, ErrMaxItems, 0},

	{"memory-small-maps", "dd00100000 81a0c0*1048576", Limits{MaxMemory: 1 << 20}, ErrMaxMemory, 0},
	{"nil-key", "81c001", Limits{}, ErrKeyType, 1},
	{"int-key", "82a1610102a16103", Limits{}, ErrKeyType, 4},
	{"bin-key", "81c4016101", Limits{}, ErrKeyType, 1},
	{"array-key", "81910101", Limits{}, ErrKeyType, 1},
	{"key-before-value", "8101a1ff", Limits{}, ErrKeyType, 1},
	{"dup-key", "82a16101a16102", Limits{}, ErrDuplicateKey, 4},
	{"dup-key-forms", "82a16101d9016102", Limits{}, ErrDuplicateKey, 4},
	{"dup-key-before-its-value", "82a16101a161a1ff", Limits{}, ErrDuplicateKey, 4},
	{"dup-key-before-deeper-value", "82a16101a16192 82a16101a16102a1ff", Limits{}, ErrDuplicateKey, 4},
	{"dup-key-inner", "82a16182a16201a16202a161a1ff", Limits{}, ErrDuplicateKey, 7},
	{"bad-key-after-pair", "82a1610101ff", Limits{}, ErrKeyType, 4},
	{"bad-utf8-key-after-pair", "82a16101a1ff02", Limits{}, ErrUTF8, 5},
	{"utf8-bad", "a2fffe", Limits{}, ErrUTF8, 1},
	{"utf8-bad-key", "81a1ff01", Limits{}, ErrUTF8, 2},
	{"utf8-surrogate", "a3eda080", Limits{}, ErrUTF8, 1},
	{"utf8-cut", "a1e2", Limits{}, ErrUTF8, 1},
	{"utf8-late", "d90561626380c2", Limits{}, ErrUTF8, 5},
	{"ts64-nsec-1e9", "d7ffee6b280000000001", Limits{}, ErrTimestamp, 0},
	{"ts96-nsec-max", "c70cffffffffff0000000000000001", Limits{}, ErrTimestamp, 0},
	{"ts96-min", "c70cff000000008000000000000000", Limits{}, ErrTimestamp, 0},
	{"ts96-below-time", "91c70cff00000000 80000001e392cbff", Limits{}, ErrTimestamp, 1},
	{"ts96-above-time", "c70cff00000000 7ffffff1886e0900", Limits{}, ErrTimestamp, 0},
	{"ts-len0", "c700ff", Limits{}, ErrTimestamp, 0},
	{"ts-len5", "c705ff0000000000", Limits{}, ErrTimestamp, 0},
}

// onAndOff runs f with the shortcuts of decoding on and off.
func onAndOff(t *testing.T, f func(t *testing.T)) {
	for _, on := range []bool{true, false} {
		restore := tier.Set(tier.DecodeInline, on)
		name := "inline"
		if !on {
			name = "step"
		}
		t.Run(name, f)
		restore()
	}
}

func TestRefusals(t *testing.T) {
	onAndOff(t, func(t *testing.T) {
		for _, c := range refusals {
			doc := hexdoc.Must(c.hex)
			d := Options{Limits: c.limits}.Must()
			v, err := d.Any(doc)
			off, ok := OffsetOf(err)
			if v != nil || !errors.Is(err, c.reason) || !ok || off != c.offset {
				t.Errorf("%s: Any = %v, %v, want nil, %v at %d", c.name, v, err, c.reason, c.offset)
				continue
			}
			// Structure is refused as the walk refuses it.
			if structure := walk.Check(doc, c.limits); structure != nil && structure.Error() != err.Error() {
				t.Errorf("%s: Any refuses with %q, Check with %q", c.name, err, structure)
			}
			var e *Error
			if errors.As(err, &e) {
				if e.Path != walk.PathAt(doc, e.Offset) || e.GoType != nil {
					t.Errorf("%s: %#v, want path %q", c.name, e, walk.PathAt(doc, e.Offset))
				}
			}
			// The Decoder is as before.
			if v, err := d.Any([]byte{7}); v != int64(7) || err != nil {
				t.Errorf("%s: after it Any(07) = %v, %v", c.name, v, err)
			}
			var dst any = "before"
			rest, err := d.UnmarshalFirst(doc, &dst)
			if c.reason == ErrTrailing {
				if err != nil || len(rest) != len(doc)-int(c.offset) || dst == "before" {
					t.Errorf("%s: UnmarshalFirst = %x, %v", c.name, rest, err)
				}
			} else if rest != nil || !errors.Is(err, c.reason) || dst != "before" {
				t.Errorf("%s: UnmarshalFirst = %x, %v, left %v", c.name, rest, err, dst)
			}
		}
	})
}

func TestUnexpectedEOF(t *testing.T) {
	for hex, want := range map[string]bool{
		"": true, "d7ff": true, "c7": true, "d905616263": true, "dd00100000": true,
		"dbffffffff": false, "c1": false, "0102": false, "a1ff": false,
	} {
		_, err := Any(hexdoc.Must(hex))
		if err == nil || errors.Is(err, io.ErrUnexpectedEOF) != want {
			t.Errorf("Any(%s) = %v: io.ErrUnexpectedEOF, want %v", hex, err, want)
		}
	}
}

func TestErrorFields(t *testing.T) {
	_, err := Any(hexdoc.Must("81a5757365727391 82a46e616d65a161a3612062a1ff"))
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	want := Error{Offset: 21, Path: `users[0]["a b"]`, Wire: walk.Str, Err: ErrUTF8}
	if *e != want {
		t.Errorf("%#v, want %#v", *e, want)
	}
	if text := `msgpack document holds a str that is not valid UTF-8 (at byte 21, path users[0]["a b"])`; err.Error() != text {
		t.Errorf("text %q, want %q", err, text)
	}
	for hex, want := range map[string]Error{
		"81a161810102":            {Offset: 4, Path: "a{1}", Wire: walk.Int, Err: ErrKeyType},
		"9281a16101 92c0c700ff":   {Offset: 7, Path: "[1][1]", Wire: walk.Ext, Err: ErrTimestamp},
		"82a16101a161 91d6ff1c*4": {Offset: 4, Path: "a", Wire: walk.Str, Err: ErrDuplicateKey},
	} {
		_, err := Any(hexdoc.Must(hex))
		if !errors.As(err, &e) || *e != want {
			t.Errorf("Any(%s): %#v, want %#v", hex, err, want)
		}
	}
	var trailing *Error
	if _, err := Any([]byte{1, 2}); !errors.As(err, &trailing) || *trailing != (Error{Offset: 1, Err: ErrTrailing}) {
		t.Errorf("trailing byte: %#v", err)
	}
}

func TestValues(t *testing.T) {
	utc := func(sec, nsec int64) time.Time { return time.Unix(sec, nsec).UTC() }
	onAndOff(t, func(t *testing.T) {
		for hex, want := range map[string]any{
			"c0": nil, "c2": false, "c3": true,
			"00": int64(0), "7f": int64(127), "ff": int64(-1), "e0": int64(-32),
			"ccff": int64(255), "cdffff": int64(65535), "ceffffffff": int64(math.MaxUint32),
			"cf0000000000000005": int64(5), "cf7fffffffffffffff": int64(math.MaxInt64),
			"cf8000000000000000": uint64(1 << 63), "cfffffffffffffffff": uint64(math.MaxUint64),
			"d080": int64(-128), "d18000": int64(math.MinInt16), "d280000000": int64(math.MinInt32),
			"d38000000000000000": int64(math.MinInt64), "d30000000000000001": int64(1),
			"ca3f800000": 1.0, "ca3dcccccd": float64(float32(0.1)), "cb3fb999999999999a": 0.1,
			"cb7ff0000000000000": math.Inf(1),
			"a0":                 "", "a3616263": "abc", "d903616263": "abc", "da0003616263": "abc", "db00000003616263": "abc",
			"a2c3a9": "é",
			"c400":   []byte{}, "c40100": []byte{0}, "c50002fffe": []byte{0xff, 0xfe}, "c60000000161": []byte("a"),
			"90": []any{}, "80": map[string]any{}, "dc0000": []any{}, "df00000000": map[string]any{},
			"93010203":       []any{int64(1), int64(2), int64(3)},
			"82a16101a162c0": map[string]any{"a": int64(1), "b": nil},
			"928090":         []any{map[string]any{}, []any{}},
			"81a16192 81a1629101 c3": map[string]any{"a": []any{
				map[string]any{"b": []any{int64(1)}}, true,
			}},
			"c70005": Ext{5, []byte{}}, "d4fe00": Ext{-2, []byte{0}}, "d47f01": Ext{127, []byte{1}},
			"c800010102": Ext{1, []byte{2}}, "c9000000020102 03": Ext{1, []byte{2, 3}},
			"d6ff00000001": utc(1, 0), "d7ff0000000000000001": utc(1, 0), "c708ff0000000000000001": utc(1, 0),
			"d7ffee6b27fc00000001":             utc(1, 999999999),
			"c70cff3b9ac9ffffffffffffffffff":   utc(-1, 999999999),
			"c70cff00000000 80000001e392cc00":  utc(-9223372028741760000, 0),
			"c70cff3b9ac9ff 7ffffff1886e08ff":  utc(9223371974719179007, 999999999),
			"d9026161":                         "aa",
			"dc0001 91 dd00000001 81 a0 91 c0": []any{[]any{[]any{map[string]any{"": []any{nil}}}}},
		} {
			doc := hexdoc.Must(hex)
			v, err := Any(doc)
			if err != nil || !reflect.DeepEqual(v, want) {
				t.Errorf("Any(%s) = %#v, %v, want %#v", hex, v, err, want)
			}
			var dst any = 1
			rest, err := UnmarshalFirst(append(doc, 0xc1, 0), &dst)
			if err != nil || len(rest) != 2 || !reflect.DeepEqual(dst, want) {
				t.Errorf("UnmarshalFirst(%s c100) = %x, %v, %#v, want %#v", hex, rest, err, dst, want)
			}
		}
	})
	if v, err := Any(hexdoc.Must("ca7fa00000")); err != nil || !math.IsNaN(v.(float64)) {
		t.Errorf("a signalling NaN = %v, %v", v, err)
	}
	if v, err := Any(hexdoc.Must("cb8000000000000000")); err != nil || !math.Signbit(v.(float64)) {
		t.Errorf("-0.0 = %v, %v", v, err)
	}
}
