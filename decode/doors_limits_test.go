package decode

import (
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"runtime"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
)

// TestDoorLimits: the limit of a field is before the charge, and before the method.
func TestDoorLimits(t *testing.T) {
	type holder struct {
		R *refuser       `msgpack:"r,limit=2"`
		C cursorRefuser  `msgpack:"c,limit=2"`
		T textRefuser    `msgpack:"t,limit=2"`
		B binaryRefuser  `msgpack:"b,limit=2"`
		M *msgRefuser    `msgpack:"m,limit=2"`
		N map[string]int `msgpack:"n"`
	}
	d := Options{Limits: Limits{MaxMemory: 1}}.Must()
	for _, c := range []struct {
		hex    string
		reason error
	}{
		{"81a172 93c0c0c0", ErrMaxMemory}, // of the pointer
		{"81a163 93c0c0c0", ErrMaxItems},
		{"81a163 83c0c0c0c0c0c0", ErrMaxItems},
		{"81a174 a3616263", ErrMaxBytes},
		{"81a162 c403616263", ErrMaxBytes},
		{"81a163 a3616263", ErrMaxBytes},
		{"81a174 a2616c", ErrMaxMemory}, // of two bytes
		{"81a174 a161", errRefused},
	} {
		err := d.Unmarshal(hexdoc.Must(c.hex), new(holder))
		if off, _ := offsetOf(err); off != 3 || !errors.Is(err, c.reason) {
			t.Errorf("%s: %v, want %v at 3", c.hex, err, c.reason)
		}
	}
	for _, hex := range []string{"81a172 93c0c0c0", "81a16d 93c0c0c0"} {
		err := Unmarshal(hexdoc.Must(hex), new(holder))
		var b *bounds.Error
		if off, _ := offsetOf(err); off != 3 || !errors.As(err, &b) || b.Limit != 2 || b.Need != 3 || b.Reason != ErrMaxItems {
			t.Errorf("%s: %v", hex, err)
		}
	}
}

// TestDoorsAndTheCallersOwn: a marker or an ext of the target's type comes before its doors.
func TestDoorsAndTheCallersOwn(t *testing.T) {
	d := Options{
		Markers: []Marker{MarkerOf[refuser](Marker{Key: "!", Value: func(map[string]any) (any, bool, error) { return refuser{1}, true, nil }})},
		Exts: []ExtType{
			{Type: 5, Go: reflect.TypeFor[refuser](), Decode: func([]byte) (any, error) { return refuser{2}, nil }},
			{Type: 6, Decode: func([]byte) (any, error) { return 1, nil }},
			{Type: 7, Go: reflect.TypeFor[netip.Addr](), Decode: func([]byte) (any, error) { return netip.IPv4Unspecified(), nil }},
		},
	}.Must()
	var got []refuser
	if err := d.Unmarshal(hexdoc.Must("92 81a121c0 d40500"), &got); err != nil || !reflect.DeepEqual(got, []refuser{{1}, {2}}) {
		t.Errorf("%v, %v", got, err)
	}
	var p []*refuser
	if err := d.Unmarshal(hexdoc.Must("92 d40500 c0"), &p); err != nil || len(p) != 2 || p[0].kept != 2 || p[1] != nil {
		t.Errorf("%v, %v", p, err)
	}
	if err := d.Unmarshal(hexdoc.Must("d40600"), new(refuser)); !errors.Is(err, errRefused) {
		t.Errorf("an ext of another type: %v", err)
	}
	var a netip.Addr
	if err := d.Unmarshal(hexdoc.Must("d40700"), &a); err != nil || a != netip.IPv4Unspecified() {
		t.Errorf("%v, %v", a, err)
	}
}

// TestDoorMemoryExact: what is charged for what is handed out, to the byte.
func TestDoorMemoryExact(t *testing.T) {
	elem := func(v any) reflect.Type { return reflect.SliceOf(reflect.TypeOf(v)) }
	for _, c := range []struct {
		into reflect.Type
		hex  string
		want uint64 // beyond the slice
		off  int
		o    Options
	}{
		{elem(keepsMsgpack{}), "91 9301a161c3", 5, 1, Options{}},
		{elem(keepsMsgpack{}), "92 05 9301a161c3", 6, 2, Options{}},
		{elem(leaver{}), "91 05", 1, 1, Options{}},
		{elem(keepsText{}), "91 a3616263", 3, 1, Options{}},
		{elem(keepsText{}), "91 d903616263", 3, 1, Options{}},
		{elem(keepsText{}), "91 a2ff62", 5, 1, Options{UTF8: ReplaceInvalidUTF8}}, // 8/7 of 4, up
		{elem(keepsBinary{}), "91 c403616263", 3, 1, Options{}},
	} {
		keep = func([]byte) {}
		doc := hexdoc.Must(c.hex)
		need := chargedInto(t, c.o, doc, c.into)
		if need != c.want {
			t.Errorf("%s into %v is charged %d, want %d", c.hex, c.into, need, c.want)
		}
		o := c.o
		o.Limits.MaxMemory = int64(need)
		if err := o.Must().Unmarshal(doc, reflect.New(c.into).Interface()); err != nil {
			t.Errorf("%s under its charge: %v", c.hex, err)
		}
		if o.Limits.MaxMemory--; need == 1 {
			continue
		}
		keep = func(p []byte) {
			if len(p) > 1 {
				t.Errorf("%s: handed out before it was charged", c.hex)
			}
		}
		err := o.Must().Unmarshal(doc, reflect.New(c.into).Interface())
		if off, _ := offsetOf(err); off != c.off || !errors.Is(err, ErrMaxMemory) {
			t.Errorf("%s under one less: %v", c.hex, err)
		}
	}
	keep = nil
	// Memory at the value comes before a str inside it.
	for _, into := range []any{new(keepsMsgpack), new(RawMessage)} {
		err := Options{Limits: Limits{MaxMemory: 2}}.Must().Unmarshal(hexdoc.Must("92 01 a1ff"), into)
		if off, _ := offsetOf(err); off != 0 || !errors.Is(err, ErrMaxMemory) {
			t.Errorf("%T: %v", into, err)
		}
	}
}

// TestEmbeddedDoors: an embedded struct with a door is a field, or makes the struct around it
// one with that door.
func TestEmbeddedDoors(t *testing.T) {
	type Both struct{ asksMsg }
	type promoted struct {
		Both
		X int
	}
	var p promoted
	if err := Unmarshal(hexdoc.Must("05"), &p); err != nil || p.got != "\x05" {
		t.Errorf("%+v, %v", p, err)
	}
	type ambiguous struct { // two at one depth: neither is promoted
		Leaf
		Twig
		X int
	}
	var a ambiguous
	if err := Unmarshal(hexdoc.Must("83 a44c656166 05 a454776967 06 a158 07"), &a); err != nil || a.Leaf.Got != "\x05" || a.Twig.Got != "\x06" || a.X != 7 {
		t.Errorf("%+v, %v", a, err)
	}
	type inlined struct {
		L Leaf `msgpack:",inline"`
		X int
	}
	var i inlined
	if err := Unmarshal(hexdoc.Must("82 a3476f74 a161 a158 07"), &i); err != nil || i.L.Got != "a" || i.X != 7 {
		t.Errorf("%+v, %v", i, err)
	}
}

type Leaf struct{ Got string }

func (l *Leaf) UnmarshalMsgpack(p []byte) error { l.Got = string(p); return nil }

type Twig struct{ Got string }

func (l *Twig) UnmarshalMsgpack(p []byte) error { l.Got = string(p); return nil }

// panics panics, by its door.
type panics struct{}

func (panics) UnmarshalText([]byte) error { panic("by the type") }

// TestDoorPanics: a panic passes through, and nothing the call had borrowed goes back to the
// pools.
func TestDoorPanics(t *testing.T) {
	table, frames := largeTables.New, lentFrames.New
	defer func() { largeTables.New, lentFrames.New = table, frames }()
	made := 0
	largeTables.New = func() any { made++; return table() }
	lentFrames.New = func() any { made++; return frames() }
	// A large document, an any that goes deep, and then the value.
	doc := func(last string) []byte {
		return hexdoc.Must("93 da0800 61*2048 91*20 c0 " + last)
	}
	type target struct {
		_msgpack struct{} `msgpack:",as_array"`
		S        string
		A        any
		P        panics
	}
	_ = target{}._msgpack
	const times = 50
	run := func(last string) (recovered int) {
		for range times {
			func() {
				defer func() {
					if r := recover(); r != nil {
						recovered++
						if fmt.Sprint(r) != "by the type" {
							panic(r)
						}
					}
				}()
				if err := Unmarshal(doc(last), new(target)); err != nil {
					t.Fatal(err)
				}
			}()
		}
		return recovered
	}
	run("c0")
	made = 0
	if n := run("c0"); n != 0 || made > times { // the race detector makes pools forget
		t.Errorf("%d panics, %d made", n, made)
	}
	runtime.GC() // twice empties pools
	runtime.GC()
	made = 0
	if n := run("a161"); n != times || made != 2*times {
		t.Errorf("%d panics, %d made: something went back", n, made)
	}
}
