package decode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"unsafe"
	"weak"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/samples"
)

// slicesOf calls f with every slice inside v.
func slicesOf(v any, f func(slice any)) {
	switch v := v.(type) {
	case []byte:
		f(v)
	case Ext:
		f(v.Data)
	case []any:
		f(v)
		for _, e := range v {
			slicesOf(e, f)
		}
	case map[string]any:
		for _, e := range v {
			slicesOf(e, f)
		}
	}
}

// TestAppend: appending to any slice of a value changes nothing else, because none has
// room.
func TestAppend(t *testing.T) {
	for _, doc := range [][]byte{
		samples.Formats(), samples.Users(5), hexdoc.Must("9292010292a16105"),
		array(100, "93 c40161 c4026162 d40500"), array(30, "93 01 91 02 92c0c0"),
	} {
		for _, alias := range []bool{false, true} {
			d := Options{AliasInput: alias}.Must()
			v, err := d.Any(doc)
			want, _ := Any(bytes.Clone(doc))
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			slicesOf(v, func(slice any) {
				n++
				switch s := slice.(type) {
				case []byte:
					if cap(s) != len(s) {
						t.Errorf("a []byte of %d has room for %d", len(s), cap(s))
					}
					_ = append(s, 0xEE)
				case []any:
					if cap(s) != len(s) {
						t.Errorf("an array of %d has room for %d", len(s), cap(s))
					}
					_ = append(s, "appended")
				}
			})
			if n == 0 || !reflect.DeepEqual(v, want) {
				t.Errorf("after %d appends the value is another", n)
			}
		}
	}
}

// TestCarvedArrays: arrays in slabs, and those that turn out to hold more than scalars,
// keep their elements apart.
func TestCarvedArrays(t *testing.T) {
	for _, item := range []string{"93 01 02 03", "93 01 02 90", "93 01 91c0 03", "93 80 01 02", "92 93010203 01", "98 01*7 91 98 02*8", "93 01 02 81a16101"} {
		for _, n := range []int{1, 2, 10, 100} {
			doc := array(n, item)
			one, err := Any(hexdoc.Must(item))
			if err != nil {
				t.Fatal(err)
			}
			v, err := Any(doc)
			if err != nil {
				t.Fatal(err)
			}
			for i, got := range v.([]any) {
				if !reflect.DeepEqual(got, one) {
					t.Fatalf("%s: element %d of %d is %v, want %v", item, i, n, got, one)
				}
			}
		}
	}
}

// TestNothingIsKept refuses a document at every byte, and asks after two collections
// whether anything of it is still there while the Decoder lives.
func TestNothingIsKept(t *testing.T) {
	var built []weak.Pointer[byte]
	d := Options{Markers: []Marker{{Key: "id", Value: func(m map[string]any) (any, bool, error) {
		for key, v := range m {
			built = append(built, weak.Make(unsafe.StringData(key)))
			switch v := v.(type) {
			case string:
				built = append(built, weak.Make(unsafe.StringData(v)))
			case []any:
				built = append(built, weak.Make((*byte)(unsafe.Pointer(unsafe.SliceData(v)))))
			}
		}
		return m, true, nil
	}}}}.Must()
	sample := samples.Users(3)
	step := 1
	if testing.Short() || probe.Race {
		step = 29
	}
	for at := 0; at < len(sample); at += step {
		input := func() weak.Pointer[byte] {
			doc := bytes.Clone(sample)
			doc[at] = 0xc1
			_, _ = d.Any(doc)
			_, _ = d.Any(doc[:at])
			return weak.Make(&doc[0])
		}()
		runtime.GC()
		runtime.GC()
		if input.Value() != nil {
			t.Fatalf("refused at byte %d: the input is kept", at)
		}
	}
	for _, p := range built {
		if p.Value() != nil && !isStatic(p.Value()) {
			t.Fatal("a value of a refused document is kept")
		}
	}
	if len(built) == 0 {
		t.Fatal("no value was built")
	}
	runtime.KeepAlive(d)
}

// isStatic reports whether p belongs to no document: one-byte strings are static.
func isStatic(p *byte) bool {
	for i := range byteStrings {
		if p == unsafe.StringData(byteStrings[i]) {
			return true
		}
	}
	return false
}

var kept []any

// TestPinning keeps one value of each of many documents and measures what stays alive
// with it.
func TestPinning(t *testing.T) {
	if probe.Race {
		t.Skip("-race: the race detector's own memory counts")
	}
	unique := func(i int, head string, n int) []byte {
		b := hexdoc.Must(head)
		b = append(b, fmt.Sprintf("%08d", i)...)
		return append(b, bytes.Repeat([]byte{'x'}, n-8)...)
	}
	for _, c := range []struct {
		name string
		item func(i int) []byte
		most uint64
	}{
		{"a number", func(i int) []byte { return binary.BigEndian.AppendUint32([]byte{0xce}, uint32(1000+i)) }, 512},
		{"a str of 20", func(i int) []byte { return unique(i, "b4", 20) }, 512 + 2*4096},
		{"a str of 500", func(i int) []byte { return unique(i, "da01f4", 500) }, 512 + 32*4096},
		{"a str of 600", func(i int) []byte { return unique(i, "da0258", 600) }, 640 + 16},
		{"a bin of 500", func(i int) []byte { return unique(i, "c501f4", 500) }, 480 + 20*4096},
		{"a bin of 600", func(i int) []byte { return unique(i, "c50258", 600) }, 640 + 24},
		{"an array of 3 ints", func(i int) []byte { return []byte{0x93, 1, 2, byte(i & 127)} }, 480 + 3*1024},
		{"an array of 20 ints", func(i int) []byte { return append([]byte{0xdc, 0, 20}, make([]byte, 20)...) }, 320 + 24},
		{"an array of an array", func(i int) []byte { return []byte{0x91, 0x91, byte(i & 127)} }, 24 + 16 + 480 + 2*1024},
		{"a map", func(i int) []byte { return []byte{0x81, 0xa1, 'k', byte(i & 127)} }, 336},
	} {
		const docs, items = 100, 1000
		kept = make([]any, 0, docs)
		live := func() uint64 {
			runtime.GC()
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		before := live()
		for d := range docs {
			doc := binary.BigEndian.AppendUint32([]byte{0xdd}, items)
			for i := range items {
				doc = append(doc, c.item(d*items+i)...)
			}
			v, err := Any(doc)
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, v.([]any)[items/2])
		}
		after := live()
		each := uint64(0)
		if after > before {
			each = (after - before) / docs
		}
		// Some bytes of the runtime's own come and go.
		if each > c.most+64 {
			t.Errorf("%s keeps %d bytes alive, want at most %d", c.name, each, c.most)
		}
		if each < 8 && c.name != "an array of 3 ints" {
			t.Errorf("%s keeps %d bytes alive: nothing is measured", c.name, each)
		}
		kept = nil
	}
}

// TestHooksArePinnedByNoSlab: what the caller's function returned for an element of an
// array is not kept alive by another array of the document, whichever function it was.
func TestHooksArePinnedByNoSlab(t *testing.T) {
	const size = 1 << 20
	huge := func() any { return make([]byte, size) }
	value := func(map[string]any) (any, bool, error) { return huge(), true, nil }
	raw := func([]byte) (any, bool) { return huge(), true }
	for name, o := range map[string]Options{
		"Value":  {Markers: []Marker{{Key: "k", Value: value}}},
		"Raw":    {Markers: []Marker{{Key: "k", Value: value, Raw: raw}}},
		"Decode": {Exts: []ExtType{{Type: 5, Decode: func([]byte) (any, error) { return huge(), nil }}}},
	} {
		hook := "81a16b01"
		if name == "Decode" {
			hook = "d40500"
		}
		doc := hexdoc.Must("dc0042 92cd1234cd1235 92cd1236" + hook + " 91c0*64")
		v, err := o.Must().Any(doc)
		if err != nil {
			t.Fatal(err)
		}
		arr := v.([]any)
		built := weak.Make(unsafe.SliceData(arr[1].([]any)[1].([]byte)))
		kept := arr[0]
		v, arr = nil, nil
		runtime.GC()
		runtime.GC()
		if built.Value() != nil {
			t.Errorf("%s: what the function made is kept by another array", name)
		}
		runtime.KeepAlive(kept)
	}
}

// TestUnusedIsBounded: short slabs of elements that arrays of different lengths leave
// unused stay within a total, however many a document asks for.
func TestUnusedIsBounded(t *testing.T) {
	// Arrays in each other, so that little is owed, each of 5 or 6 scalars in turn.
	levels := 500
	var doc []byte
	for i := range levels {
		doc = append(doc, 0x92)
		doc = append(doc, 0x95+byte(i%2))
		doc = append(doc, make([]byte, 5+i%2)...)
	}
	doc = append(doc, 0xc0)
	charge := charged(t, Options{}, doc)
	var v any
	real, _ := probe.Warm(func() { v, _ = Any(doc) })
	if v == nil || real > charge+slack {
		t.Errorf("%d bytes allocated, charged %d", real, charge)
	}
	var s state
	s.begin(standard, doc)
	if _, err := s.any(); err != nil || s.slabs.unused == 0 || s.slabs.unused > maxUnused+elementSlab {
		t.Errorf("%d elements in short slabs, %v, want some and at most %d", s.slabs.unused, err, maxUnused+elementSlab)
	}
	s.end()
}
