package decode

import (
	"bytes"
	"encoding/json"
	"errors"
	mathbig "math/big"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/walk"
)

// The door types: each notes what it was asked, and with what.
type (
	asked struct{ by, got string }

	asksCursor struct {
		asksMsgpack
		C chan int // what is inside needs no plan
	}
	asksMsgpack struct{ asksMsg }
	asksMsg     struct{ asksBoth }
	asksBoth    struct{ asked }
	asksText    struct {
		asked
		A int `msgpack:"a"`
	}
	asksBinary struct {
		asked
		A int `msgpack:"a"`
	}
	asksName string // a kind with a shortcut
	asksInt  int64
)

func (a *asksCursor) UnmarshalCursor(c *walk.Cursor) error {
	raw, err := c.Raw()
	a.asked = asked{"UnmarshalCursor", string(raw)}
	return err
}

func (a *asksMsgpack) UnmarshalMsgpack(p []byte) error {
	a.asked = asked{"UnmarshalMsgpack", string(p)}
	return nil
}

func (a *asksMsg) UnmarshalMsg(p []byte) ([]byte, error) {
	a.asked = asked{"UnmarshalMsg", string(p)}
	return p[len(p):], nil
}

func (a *asksBoth) UnmarshalBinary(p []byte) error {
	a.asked = asked{"UnmarshalBinary", string(p)}
	return nil
}

func (a *asksBoth) UnmarshalText(p []byte) error {
	a.asked = asked{"UnmarshalText", string(p)}
	return nil
}

func (a *asksText) UnmarshalText(p []byte) error {
	a.asked = asked{"UnmarshalText", string(p)}
	return nil
}

func (a *asksBinary) UnmarshalBinary(p []byte) error {
	a.asked = asked{"UnmarshalBinary", string(p)}
	return nil
}

func (a *asksName) UnmarshalText(p []byte) error { *a = asksName("<" + string(p) + ">"); return nil }
func (a *asksInt) UnmarshalText(p []byte) error  { *a = asksInt(len(p)); return nil }

// TestDoorOrder: each type is asked by the first of its doors that takes the kind, wherever
// it stands, and given exactly its value.
func TestDoorOrder(t *testing.T) {
	kinds := []string{"c3", "07", "cb3ff0000000000000", "a2 6162", "c402 6162", "92 01 9102", "81 a161 92c0c3", "d6ff 00000001", "d9 02 6162", "dc 0000"}
	for _, into := range []struct {
		typ  reflect.Type
		want string // "" for one by its content
	}{
		{reflect.TypeFor[asksCursor](), "UnmarshalCursor"},
		{reflect.TypeFor[asksMsgpack](), "UnmarshalMsgpack"},
		{reflect.TypeFor[asksMsg](), "UnmarshalMsg"},
		{reflect.TypeFor[asksBoth](), ""},
	} {
		for _, kind := range kinds {
			item := hexdoc.Must(kind)
			want := asked{into.want, string(item)}
			if into.want == "" {
				switch walk.KindOf(item[0]) {
				case walk.Str:
					want = asked{"UnmarshalText", "ab"}
				case walk.Bin:
					want = asked{"UnmarshalBinary", "ab"}
				default:
					want = asked{}
				}
			}
			of := func(v reflect.Value) asked {
				return asked{v.FieldByName("by").String(), v.FieldByName("got").String()}
			}
			for name, place := range map[string]struct {
				doc  string
				typ  reflect.Type
				off  int
				read func(reflect.Value) reflect.Value
			}{
				"root":    {"", into.typ, 0, func(v reflect.Value) reflect.Value { return v }},
				"pointer": {"", reflect.PointerTo(into.typ), 0, reflect.Value.Elem},
				"slice":   {"91", reflect.SliceOf(into.typ), 1, func(v reflect.Value) reflect.Value { return v.Index(0) }},
				"array":   {"91", reflect.ArrayOf(1, into.typ), 1, func(v reflect.Value) reflect.Value { return v.Index(0) }},
				"map":     {"81 a16b", reflect.MapOf(reflect.TypeFor[string](), into.typ), 3, func(v reflect.Value) reflect.Value { return v.MapIndex(reflect.ValueOf("k")) }},
				"field": {
					"81 a146", reflect.StructOf([]reflect.StructField{{Name: "F", Type: into.typ}}), 3,
					func(v reflect.Value) reflect.Value { return v.Field(0) },
				},
			} {
				doc := append(hexdoc.Must(place.doc), item...)
				v := reflect.New(place.typ)
				err := Unmarshal(doc, v.Interface())
				if want == (asked{}) {
					if off, _ := offsetOf(err); !errors.Is(err, ErrType) || off != place.off {
						t.Errorf("%s of %v, %s: %v, want ErrType at %d", name, into.typ, kind, err, place.off)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s of %v, %s: %v", name, into.typ, kind, err)
				} else if got := of(place.read(v.Elem())); got != want {
					t.Errorf("%s of %v, %s: %q, want %q", name, into.typ, kind, got, want)
				}
			}
		}
	}
}

// TestDoorsLeaveTheRest: a type with a door for str or bin alone takes all else as ever.
func TestDoorsLeaveTheRest(t *testing.T) {
	for _, c := range []struct {
		hex  string
		want any
	}{
		{"a162", asksText{asked: asked{"UnmarshalText", "b"}}},
		{"81a16105", asksText{A: 5}},
		{"c40162", asksBinary{asked: asked{"UnmarshalBinary", "b"}}},
		{"81a16105", asksBinary{A: 5}},
		{"a162", asksName("<b>")},
		{"c40162", asksName("<b>")},
		{"c40162", asksText{asked: asked{"UnmarshalText", "b"}}},
		{"a162", asksBinary{asked: asked{"UnmarshalBinary", "b"}}},
		{"a162", url.URL{Path: "b"}},
		{"c4023432", *mathbig.NewInt(42)}, // as vmihailenco packs it
		{"c407 312e322e332e34", net.IPv4(1, 2, 3, 4)},
		{"d901 62", asksName("<b>")},
		{"a3616263", asksInt(3)},
		{"07", asksInt(7)},
		{"93 a0 a162 c40162", []asksName{"<>", "<b>", "<b>"}},
		{"83 a161 a162 c40162 a163 a163 c40164", map[asksName]asksName{"<a>": "<b>", "<b>": "<c>", "<c>": "<d>"}},
		{"82 a0 01 05 a26162", map[asksInt]asksInt{0: 1, 5: 2}},
		{"a9 3132372e302e302e31", netip.MustParseAddr("127.0.0.1")},
		{"c404 7f000001", netip.MustParseAddr("127.0.0.1")},
		{"81 a9 3132372e302e302e31 01", map[netip.Addr]int{netip.MustParseAddr("127.0.0.1"): 1}},
		{"c408 687474703a2f2f61", url.URL{Scheme: "http", Host: "a"}},
		{"82 a6536368656d65 a468747470 a4486f7374 a161", url.URL{Scheme: "http", Host: "a"}},
		{"a23432", *mathbig.NewInt(42)},
		{"c0", asksName("")},
	} {
		v := reflect.New(reflect.TypeOf(c.want))
		if err := Unmarshal(hexdoc.Must(c.hex), v.Interface()); err != nil || !reflect.DeepEqual(v.Elem().Interface(), c.want) {
			t.Errorf("%s: %+v, %v, want %+v", c.hex, v.Elem(), err, c.want)
		}
	}
	type opaque struct {
		asksBinary
		C chan int
	}
	type recursive struct {
		asksText
		Next *recursive
		C    chan int
		L    []recursive
	}
	for _, c := range []struct {
		hex    string
		into   any
		reason error
		off    int
	}{
		{"c3", new(asksText), ErrType, 0},
		{"91 c40261ff", new([]asksText), ErrUTF8, 4}, // as for a string
		{"a261ff", new(asksBinary), ErrUTF8, 2},
		{"80", new(netip.Addr), ErrType, 0}, // which has no field to name
		{"05", new(mathbig.Int), ErrType, 0},
		{"9180", new([]opaque), ErrType, 1}, // a chan is no reason to refuse the type
		{"80", new(recursive), ErrType, 0},
		{"81 9101 01", new(map[asksInt]int), ErrKeyType, 1},
		{"81 c0 01", new(map[asksName]int), ErrKeyType, 1},
		{"81 c401ff 01", new(map[asksInt]int), ErrUTF8, 3},
		{"81 c3 01", new(map[asksName]int), ErrKeyType, 1},
		{"82 a162 01 a162 01", new(map[asksName]int), ErrDuplicateKey, 4},
		{"82 a162 01 a163 01", new(map[asksInt]int), ErrDuplicateKey, 4}, // of equal length
	} {
		err := Unmarshal(hexdoc.Must(c.hex), c.into)
		if off, ok := offsetOf(err); !ok || off != c.off || !errors.Is(err, c.reason) {
			t.Errorf("%s into %T: %v, want %v at %d", c.hex, c.into, err, c.reason, c.off)
		}
	}
	// The plans thrown away with that of recursive must not be left for others.
	type other struct{ R *recursive }
	var o other
	if err := Unmarshal(hexdoc.Must("81 a152 a161"), &o); err != nil || o.R.got != "a" {
		t.Errorf("a pointer to it: %+v, %v", o, err)
	}
	if err := Unmarshal(hexdoc.Must("80"), new(struct{ L []recursive })); err != nil {
		t.Error(err)
	}
	if err := Unmarshal(hexdoc.Must("80"), new(struct{ C chan int })); !errors.Is(err, ErrTarget) {
		t.Errorf("a chan in no such type: %v", err)
	}
	type mistagged struct {
		asksText
		B int `msgpack:"b,unheard"`
	}
	if err := Unmarshal(hexdoc.Must("80"), new(mistagged)); !errors.Is(err, ErrTarget) {
		t.Errorf("a wrong tag: %v", err)
	}
}

// refuser refuses, by whichever door it is asked: a nil must not reach it.
type refuser struct{ kept int }

var errRefused = errors.New("refused by the type")

func (*refuser) UnmarshalMsgpack([]byte) error { return errRefused }

type cursorRefuser struct{ kept int }

func (*cursorRefuser) UnmarshalCursor(*walk.Cursor) error { return errRefused }

type msgRefuser struct{ kept int }

func (*msgRefuser) UnmarshalMsg(p []byte) ([]byte, error) { return p, errRefused }

type textRefuser struct{ kept int }

func (*textRefuser) UnmarshalText([]byte) error { return errRefused }

type binaryRefuser struct{ kept int }

func (*binaryRefuser) UnmarshalBinary([]byte) error { return errRefused }

// TestDoorRefusals: nil zeroes and calls nobody; what a method refuses is ErrHook at the
// value, with its type and its path, and the method's error inside.
func TestDoorRefusals(t *testing.T) {
	for _, c := range []struct {
		into any
		item string
		name string
	}{
		{refuser{7}, "a161", "UnmarshalMsgpack"},
		{msgRefuser{7}, "93010203", "UnmarshalMsg"},
		{cursorRefuser{7}, "80", "UnmarshalCursor"},
		{textRefuser{7}, "a161", "UnmarshalText"},
		{binaryRefuser{7}, "c40161", "UnmarshalBinary"},
	} {
		typ := reflect.TypeOf(c.into)
		v := reflect.New(typ)
		v.Elem().Set(reflect.ValueOf(c.into))
		if err := Unmarshal([]byte{0xc0}, v.Interface()); err != nil || !v.Elem().IsZero() {
			t.Errorf("nil for %v: %+v, %v", typ, v.Elem(), err)
		}
		doc := append(hexdoc.Must("92 c0 81 a16b"), hexdoc.Must(c.item)...)
		into := reflect.New(reflect.SliceOf(reflect.MapOf(reflect.TypeFor[string](), typ)))
		err := Unmarshal(doc, into.Interface())
		var e *Error
		if !errors.As(err, &e) || e.Offset != 5 || e.GoType != typ || e.Path != "[1].k" || e.Wire != walk.KindOf(doc[5]) ||
			!errors.Is(err, ErrHook) || !errors.Is(err, errRefused) || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%v: %#v", typ, err)
		}
		// The structure of the whole is before what a method says.
		err = Unmarshal(append(append([]byte{0x92}, doc[5:]...), 0xc1), reflect.New(reflect.SliceOf(typ)).Interface())
		if off, _ := offsetOf(err); !errors.Is(err, ErrReserved) || off != len(doc)-4 {
			t.Errorf("%v, broken after it: %v", typ, err)
		}
	}
	// A key.
	err := Unmarshal(hexdoc.Must("82 a161 01 a162 01"), new(map[textRefuser]int))
	if off, _ := offsetOf(err); off != 1 || !errors.Is(err, errRefused) {
		t.Errorf("a key: %v", err)
	}
}

type leaver struct{}

func (leaver) UnmarshalMsg(p []byte) ([]byte, error) { return p[1:], nil }

type anyKey struct{ v any }

func (k *anyKey) UnmarshalMsgpack(p []byte) (err error) { k.v, err = Any(p); return err }

type floatKey float64

func (k *floatKey) UnmarshalText(p []byte) error { return json.Unmarshal(p, (*float64)(k)) }

// TestDoorDuties: what a method leaves, what no map can hold.
func TestDoorDuties(t *testing.T) {
	err := Unmarshal(hexdoc.Must("91 9201c3"), new([]leaver))
	if off, _ := offsetOf(err); off != 1 || !errors.Is(err, ErrHook) {
		t.Errorf("2 bytes left: %v", err)
	}
	if err := Unmarshal(hexdoc.Must("91 05"), new([]leaver)); err != nil {
		t.Errorf("nothing left: %v", err)
	}
	var m map[anyKey]int
	if err := Unmarshal(hexdoc.Must("82 01 01 a161 02"), &m); err != nil || m[anyKey{int64(1)}] != 1 || m[anyKey{"a"}] != 2 {
		t.Errorf("%v, %v", m, err)
	}
	err = Unmarshal(hexdoc.Must("82 01 01 c40161 02"), &m)
	if off, _ := offsetOf(err); off != 3 || !errors.Is(err, ErrKeyType) {
		t.Errorf("a key that cannot be compared: %v", err)
	}
	if err := Unmarshal(hexdoc.Must("82 a131 01 ca40000000 02"), new(map[floatKey]int)); err != nil {
		t.Error(err)
	}
	err = Unmarshal(hexdoc.Must("81 ca7fc00000 02"), new(map[floatKey]int))
	if off, _ := offsetOf(err); off != 1 || !errors.Is(err, ErrKeyType) {
		t.Errorf("NaN: %v", err)
	}
}

// TestDoorsGetPartsOfTheInput: no copy, no room, and U+FFFD where that is the policy.
func TestDoorsGetPartsOfTheInput(t *testing.T) {
	var got []byte
	keep = func(p []byte) { got = p }
	defer func() { keep = nil }()
	for _, c := range []struct {
		into any
		hex  string
		want string
		off  int
	}{
		{new([]keepsMsgpack), "92 9201c3 05", "9201c3", 1},
		{new([]keepsText), "91 a3616263", "616263", 2},
		{new([]keepsBinary), "91 c403616263", "616263", 3},
	} {
		doc := hexdoc.Must(c.hex)
		keep = func(p []byte) {
			if got == nil {
				got = p
			}
		}
		got = nil
		if err := Unmarshal(doc, c.into); err != nil {
			t.Error(err)
		}
		if !bytes.Equal(got, hexdoc.Must(c.want)) || cap(got) != len(got) || &got[0] != &doc[c.off] {
			t.Errorf("%T: %x of capacity %d", c.into, got, cap(got))
		}
	}
	bad := hexdoc.Must("91 a4 61ff62c3")
	for policy, want := range map[UTF8Policy]string{AllowInvalidUTF8: "a\xffb\xc3", ReplaceInvalidUTF8: "a\ufffdb\ufffd"} {
		keep = func(p []byte) { got = p }
		if err := (Options{UTF8: policy}).Must().Unmarshal(bad, new([]keepsText)); err != nil || string(got) != want || cap(got) != len(got) {
			t.Errorf("%v: %q, %v", policy, got, err)
		}
	}
	keep = func(p []byte) { t.Errorf("%q was handed out", p) }
	for _, into := range []any{new([]keepsText), new([]keepsMsgpack)} {
		err := Unmarshal(bad, into)
		if off, _ := offsetOf(err); off != 3 || !errors.Is(err, ErrUTF8) {
			t.Errorf("%T: %v", into, err)
		}
	}
}

var keep func([]byte)

type (
	keepsMsgpack struct{}
	keepsText    struct{}
	keepsBinary  struct{}
)

func (keepsMsgpack) UnmarshalMsgpack(p []byte) error { keep(p); return nil }
func (keepsText) UnmarshalText(p []byte) error       { keep(p); return nil }
func (keepsBinary) UnmarshalBinary(p []byte) error   { keep(p); return nil }
