package decode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/samples"
	"github.com/boundpack/boundpack/internal/tier"
)

// bothWays decodes doc into a new value of typ with the shortcuts and without, fails if the
// two differ, and returns what came of it and how many headers the shortcuts read.
func bothWays(t *testing.T, o Options, doc []byte, typ reflect.Type) (v any, quick int64, err error) {
	t.Helper()
	decode := func(on bool) (any, error) {
		defer tier.Set(tier.DecodeInline, on)()
		dst := reflect.New(typ)
		err := o.Must().Unmarshal(doc, dst.Interface())
		return dst.Elem().Interface(), err
	}
	quick = tier.Counted(tier.DecodeInline, func() { v, err = decode(true) })
	plain, plainErr := decode(false)
	switch {
	case (err == nil) != (plainErr == nil) || err != nil && err.Error() != plainErr.Error():
		t.Fatalf("%.60x into %v: %v with shortcuts, %v without", doc, typ, err, plainErr)
	case err == nil && !reflect.DeepEqual(v, plain):
		t.Fatalf("%.60x into %v: %v with shortcuts, %v without", doc, typ, v, plain)
	}
	return v, quick, err
}

// edgeInts are encodings of integers at the edges of every width, and some of other kinds.
var edgeInts = func() (items [][]byte) {
	for _, v := range []uint64{0, 1, 31, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, math.MaxUint64} {
		for i, width := range []int{1, 2, 4, 8} {
			var b [8]byte
			binary.BigEndian.PutUint64(b[:], v)
			items = append(items, append([]byte{0xcc + byte(i)}, b[8-width:]...), append([]byte{0xd0 + byte(i)}, b[8-width:]...))
			binary.BigEndian.PutUint64(b[:], -v)
			items = append(items, append([]byte{0xd0 + byte(i)}, b[8-width:]...))
		}
	}
	for b := range 256 {
		if b < 0x80 || b >= 0xe0 {
			items = append(items, []byte{byte(b)})
		}
	}
	return append(items, []byte{0xc0}, []byte{0xc3}, []byte{0xa1, 'x'}, []byte{0xca, 0x3f, 0x80, 0, 0}, []byte{0x90}, []byte{0xdf, 0, 0, 0, 0}, []byte{0xdb, 0, 0, 0, 0})
}()

// TestRunsOfInts puts every edge at every place around the eight that are read at once, in
// every type of integer.
func TestRunsOfInts(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[[]int8](), reflect.TypeFor[[]int16](), reflect.TypeFor[[]int32](), reflect.TypeFor[[]int64](), reflect.TypeFor[[]int](),
		reflect.TypeFor[[]uint16](), reflect.TypeFor[[]uint32](), reflect.TypeFor[[]uint64](), reflect.TypeFor[[20]int64](),
	} {
		refused := 0
		for k, item := range edgeInts {
			for _, at := range []int{0, 7, 8, 9, 19} {
				doc := []byte{0xdc, 0, 20}
				for i := range 20 {
					if i == at {
						doc = append(doc, item...)
					} else {
						doc = append(doc, byte(i*k%128))
					}
				}
				_, quick, err := bothWays(t, Options{}, doc, typ)
				if err != nil {
					refused++
					if off, _ := OffsetOf(err); off != int64(3+at) {
						t.Errorf("%x into %v: %v, want it at %d", doc, typ, err, 3+at)
					}
				}
				if quick < int64(at) {
					t.Errorf("%x into %v: the shortcut read %d headers, want %d at least", doc, typ, quick, at)
				}
			}
		}
		if refused == 0 {
			t.Errorf("nothing was refused for %v", typ)
		}
	}
}

type numbers struct {
	I int64   `msgpack:"i"`
	F float64 `msgpack:"f"`
}

type unsigned struct {
	A uint64 `msgpack:"a"`
	B uint64 `msgpack:"b"`
	C uint8  `msgpack:"c"`
}

// TestRunsOfUints: fields of unsigned types take the shortcut, and no negative number.
func TestRunsOfUints(t *testing.T) {
	typ := reflect.TypeFor[unsigned]()
	for _, item := range edgeInts {
		doc := append(append(hexdoc.Must("83a162"), item...), hexdoc.Must("a16305 a16101")...)
		_, quick, err := bothWays(t, Options{}, doc, typ)
		if off, _ := OffsetOf(err); err != nil && off != 3 {
			t.Errorf("%x: %v, want it at 3", doc, err)
		}
		if len(item) == 1 && item[0] < 0x80 && quick < 3 {
			t.Errorf("%x: the shortcut read %d headers", doc, quick)
		}
	}
	if _, quick, err := bothWays(t, Options{}, hexdoc.Must("83a161cd0100a162cfffffffffffffffffa16305"), typ); err != nil || quick != 5 {
		t.Errorf("%v, %d headers by the shortcut, want 5", err, quick)
	}
}

// TestNaNs: the bits of a NaN are kept, whichever path reads it.
func TestNaNs(t *testing.T) {
	for _, hex := range []string{"91 ca7f800001", "91 caffc12345"} {
		doc := hexdoc.Must(hex)
		for _, on := range []bool{true, false} {
			restore := tier.Set(tier.DecodeInline, on)
			v, err := To[[]float32](doc)
			restore()
			if err != nil || math.Float32bits(v[0]) != binary.BigEndian.Uint32(doc[2:]) {
				t.Errorf("%s, shortcuts %v: %x, %v", hex, on, math.Float32bits(v[0]), err)
			}
		}
	}
}

// TestBulk reads long arrays of every format of number into every type, with one item of any
// kind somewhere in them, by every set of kernels, and cuts them.
func TestBulk(t *testing.T) {
	types := []reflect.Type{
		reflect.TypeFor[[]int8](), reflect.TypeFor[[]int16](), reflect.TypeFor[[]int32](), reflect.TypeFor[[]int64](),
		reflect.TypeFor[[]uint16](), reflect.TypeFor[[]uint32](), reflect.TypeFor[[]uint64](), reflect.TypeFor[[]float32](), reflect.TypeFor[[]float64](),
	}
	runs := []string{"05", "e5", "cc85", "cd0185", "ce00000185", "cf0000000000000185", "d005", "d1ff05", "d2ffffff05", "d3ffffffffffffff05", "ca3f800000", "cb3ff8000000000000"}
	const n = 300
	loaded := map[tier.Kernels]int64{}
	for _, set := range tier.Offered() {
		restore := tier.Use(set)
		for _, typ := range types {
			for _, run := range runs {
				for k, item := range edgeInts {
					if k%17 != 0 && k < len(edgeInts)-8 {
						continue
					}
					at := k * 31 % n
					doc := []byte{0xdc, n >> 8, n & 0xff}
					for i := range n {
						if i == at {
							doc = append(doc, item...)
						} else {
							doc = append(doc, hexdoc.Must(run)...)
						}
					}
					cut := doc[:len(doc)-1-k%len(run)]
					for _, d := range [][]byte{doc, cut} {
						bothWays(t, Options{}, d, typ)
						bulk := func() { _ = Unmarshal(d, reflect.New(typ).Interface()) }
						loaded[set] += tier.Counted(tier.DecodeBulk, bulk)
						off := tier.Set(tier.DecodeBulk, false)
						bothWays(t, Options{}, d, typ)
						if n := tier.Counted(tier.DecodeBulk, bulk); n != 0 {
							t.Errorf("%d numbers in bulk, which is off", n)
						}
						off()
					}
					bothWays(t, Options{Limits: Limits{MaxBytes: max(1, len(doc)-1-k)}}, append(doc, 0xc0), typ)
				}
			}
		}
		restore()
	}
	for set, n := range loaded {
		if n == 0 || set != tier.Go && set != tier.NEON && n <= loaded[tier.Go] { // whose kernels take floats alone
			t.Errorf("%v read %d numbers in bulk, the twins %d", set, n, loaded[tier.Go])
		}
	}
}

// TestBulkIntoAny puts an item of another kind everywhere in arrays of items of one byte.
func TestBulkIntoAny(t *testing.T) {
	typ := reflect.TypeFor[any]()
	for _, set := range tier.Offered() {
		restore := tier.Use(set)
		for _, n := range []int{63, 64, 65, 100, 200} {
			for at := range n {
				for _, item := range []string{"c1", "a0", "cd0100", "80", "c0", "c3", "91c0"} {
					doc := []byte{0xdc, 0, byte(n)}
					for i := range n {
						switch {
						case i == at:
							doc = append(doc, hexdoc.Must(item)...)
						case i%7 == 0:
							doc = append(doc, 0xc0+byte(i%3&2)) // nil, false
						default:
							doc = append(doc, byte(i*5%160-32))
						}
					}
					want := int64(0)
					if n >= leastBulk {
						want = int64(min(at, n-1))
					}
					read := tier.Counted(tier.DecodeBulk, func() { _, _ = Any(doc) })
					if read < want || read >= int64(n) || want == 0 && n < leastBulk && read > 0 {
						t.Errorf("%d items, %s at %d: %d in bulk, want %d", n, item, at, read, want)
					}
					bothWays(t, Options{}, doc, typ)
					bothWays(t, Options{}, doc[:len(doc)-1], typ)
					bothWays(t, Options{Limits: Limits{MaxBytes: len(doc) - 1}}, append(doc, 0xc0), typ)
				}
			}
		}
		restore()
	}
}

// TestRunsBounded cuts arrays at every byte and lowers every limit to every value: what the
// runs read is counted as the header step counts it.
func TestRunsBounded(t *testing.T) {
	docs := []struct {
		into any
		doc  []byte
	}{
		{[]int64{}, hexdoc.Must("9f 01*8 cd0100 e0 ce00010000 d3ffffffffffffffff 01*3")},
		{[]int64{}, hexdoc.Must("dc0013 01*19")},
		{[]float64{}, hexdoc.Must("94 cb3ff8000000000000 cb3ff8000000000000 cb3ff8000000000000 cb3ff8000000000000")},
		{[]float32{}, hexdoc.Must("94 ca3fc00000*4")},
		{[]string{}, hexdoc.Must("95 a0 a161 a3616263 d903616263 a9616263646566676869")},
		{[]bool{}, hexdoc.Must("94 c2 c3 c2 c3")},
		{[][2]float64{}, hexdoc.Must("93 92cb3ff8000000000000cb3ff8000000000000*3")},
		{[][]string{}, hexdoc.Must("93 92a161a162 91a163 93a164a165a166")},
		{[][]int64{}, hexdoc.Must("93 920102 91cd0100 93010203")},
		{map[string]int64{}, hexdoc.Must("83 a16101 a162cd0100 a163ce00010000")},
		{map[string]string{}, hexdoc.Must("82 a161a162 a163d9036b6b6b")},
		{[]simple{}, hexdoc.Must("92 82a16101a162a163 82a16102a162a164")},
		{[]unsigned{}, hexdoc.Must("92 83a161cd0100a162cfffffffffffffffffa16305 83a16107a162ce00010000a163cc80")},
		{[]numbers{}, hexdoc.Must("94 82a169cd0100a166cb3ff8000000000000 82a166cb3ff8000000000000a169ce00010000 81a169d3ffffffffffff0000 81a166cb3ff8000000000000")},
		{map[string]float64{}, hexdoc.Must("82 a161cb3ff8000000000000 a162cb3ff8000000000000")},
	}
	for _, c := range docs {
		typ := reflect.TypeOf(c.into)
		_, quick, err := bothWays(t, Options{}, c.doc, typ)
		bulk := tier.Counted(tier.DecodeBulk, func() { _ = Unmarshal(c.doc, reflect.New(typ).Interface()) })
		if err != nil || quick+bulk == 0 {
			t.Errorf("%x into %v: %v, %d headers by the shortcut, %d in bulk", c.doc, typ, err, quick, bulk)
		}
		for n := range c.doc {
			if _, _, err := bothWays(t, Options{}, c.doc[:n], typ); err == nil {
				t.Errorf("%x into %v: taken", c.doc[:n], typ)
			}
			// With bytes of another document behind it.
			bothWays(t, Options{Limits: Limits{MaxBytes: n + 1}}, append(c.doc[:len(c.doc):len(c.doc)], 0xc0, 0xc0), typ)
		}
		accepted := 0
		for n := 1; n <= 40; n++ {
			if _, _, err := bothWays(t, Options{Limits: Limits{MaxItems: n}}, c.doc, typ); err == nil {
				accepted++
			} else if !errors.Is(err, ErrMaxItems) {
				t.Errorf("%x into %v with %d items: %v", c.doc, typ, n, err)
			}
		}
		if accepted == 0 || accepted == 40 {
			t.Errorf("%x into %v: %d of 40 limits of items let it through", c.doc, typ, accepted)
		}
		for n := 1; n <= 4; n++ {
			bothWays(t, Options{Limits: Limits{MaxDepth: n}}, c.doc, typ)
		}
		need := int64(chargedInto(t, Options{}, c.doc, typ))
		for n := max(1, need-300); n <= need; n++ {
			_, _, err := bothWays(t, Options{Limits: Limits{MaxMemory: n}}, c.doc, typ)
			if (err == nil) != (n == need) || err != nil && !errors.Is(err, ErrMaxMemory) {
				t.Errorf("%x into %v with %d bytes of %d: %v", c.doc, typ, n, need, err)
			}
		}
	}
}

// TestRunsOfPoints breaks one marker of one point, wherever it stands.
func TestRunsOfPoints(t *testing.T) {
	good := array(9, "93 cb3ff8000000000000*3")[4:]
	good[0] = 0x99
	if len(good) != 1+9*28 {
		t.Fatal(len(good))
	}
	typ := reflect.TypeFor[[][3]float64]()
	if _, quick, err := bothWays(t, Options{}, good, typ); err != nil || quick != 9*4 {
		t.Errorf("%v, %d headers by the shortcut, want 36", err, quick)
	}
	for at := range good {
		for _, b := range []byte{0xc0, 0x92, 0x94, 0xca, 0xcf, 0x93, 0xcb} {
			doc := append([]byte(nil), good...)
			doc[at] = b
			bothWays(t, Options{}, doc, typ)
		}
	}
	// One level less than they need.
	_, _, err := bothWays(t, Options{Limits: Limits{MaxDepth: 1}}, good, typ)
	if off, _ := OffsetOf(err); !errors.Is(err, ErrMaxDepth) || off != 1 {
		t.Errorf("%v, want ErrMaxDepth at 1", err)
	}
	// An array of one float is as large as a float, and a level more.
	one := reflect.TypeFor[[][1]float64]()
	_, _, err = bothWays(t, Options{Limits: Limits{MaxDepth: 1}}, hexdoc.Must("91 91 cb3ff8000000000000"), one)
	if off, _ := OffsetOf(err); !errors.Is(err, ErrMaxDepth) || off != 1 {
		t.Errorf("%v, want ErrMaxDepth at 1", err)
	}
	deepOne := reflect.TypeFor[[][][][][][][][][1]float64]()
	ones := hexdoc.Must("91*9 cb3ff8000000000000")
	charged := chargedInto(t, Options{}, ones, deepOne)
	off := tier.Set(tier.DecodeInline, false)
	if plainly := chargedInto(t, Options{}, ones, deepOne); charged != plainly {
		t.Errorf("charged %d with shortcuts, %d without", charged, plainly)
	}
	off()
	// Eight levels down, the ninth is charged a frame.
	eight := reflect.TypeFor[[][][][][][][][][3]float64]()
	doc := append(hexdoc.Must("91*7"), good...)
	quickly := chargedInto(t, Options{}, doc, eight)
	restore := tier.Set(tier.DecodeInline, false)
	if plainly := chargedInto(t, Options{}, doc, eight); quickly != plainly {
		t.Errorf("charged %d with shortcuts, %d without", quickly, plainly)
	}
	restore()
	deep := reflect.TypeFor[[][][][][][][][][][][][3]float64]()
	doc = append(hexdoc.Must("91*10"), good...)
	for n := 9; n <= 12; n++ {
		_, quick, err := bothWays(t, Options{Limits: Limits{MaxDepth: n}}, doc, deep)
		if n == 12 && (err != nil || quick < 8*4) {
			t.Errorf("%v, %d headers by the shortcut", err, quick)
		}
		if off, _ := OffsetOf(err); n < 12 && (!errors.Is(err, ErrMaxDepth) || off != int64(n)) {
			t.Errorf("with %d levels: %v", n, err)
		}
	}
}

// TestSmallSlices: slices that stand in slabs keep apart, have no room, and cost no more than
// they are charged, whatever sizes follow each other.
func TestSmallSlices(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, most := range []int{1, 2, 3, 4, 7, 8, 9, 15} {
		for _, c := range []struct {
			typ  reflect.Type
			item string
		}{{reflect.TypeFor[[][]string](), "a0"}, {reflect.TypeFor[[][]int64](), "07"}, {reflect.TypeFor[[][]float64](), "cb3ff8000000000000"}} {
			n := 20_000
			doc := samples.AppendArray(nil, n)
			for range n {
				k := 1 + r.IntN(most)
				doc = samples.AppendArray(doc, k)
				for range k {
					doc = append(doc, hexdoc.Must(c.item)...)
				}
			}
			charge := chargedInto(t, Options{}, doc, c.typ)
			dst := reflect.New(c.typ)
			real, objects := probe.Warm(func() {
				dst.Elem().SetZero()
				if err := (Options{Limits: Limits{MaxMemory: 1 << 40}}).Must().Unmarshal(doc, dst.Interface()); err != nil {
					t.Error(err)
				}
			})
			if real > charge+slack {
				t.Errorf("up to %d of %s: %d bytes, charged %d", most, c.item, real, charge)
			}
			if most == 1 && objects > uint64(n/12) {
				t.Errorf("up to %d of %s: %d objects for %d slices", most, c.item, objects, n)
			}
		}
	}
	v, err := To[[][]string](hexdoc.Must("93 92a161a162 92a163a164 91a165"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range v {
		if cap(v[i]) != len(v[i]) {
			t.Errorf("slice %d of %d has room for %d", i, len(v[i]), cap(v[i]))
		}
		_ = append(v[i], "appended")
	}
	if want := [][]string{{"a", "b"}, {"c", "d"}, {"e"}}; !reflect.DeepEqual(v, want) {
		t.Errorf("%v, want %v", v, want)
	}
}

// TestRunsOfBadText breaks one byte of a str of every length, in every place that takes strs,
// with much behind it and with nothing.
func TestRunsOfBadText(t *testing.T) {
	type record struct {
		S string   `msgpack:"s"`
		T []string `msgpack:"t"`
	}
	for _, c := range []struct {
		into         any
		before, tail string
	}{
		{[]string{}, "92", "d914 61*20"},
		{[]string{}, "91", ""},
		{record{}, "82a173", "a17491d914 61*20"},
		{record{}, "81a173", ""},
		{record{}, "82a17491", "a173d914 61*20"},
		{map[string]string{}, "82a16b", "a16cd914 61*20"},
		{map[string]string{}, "81", "d914 61*20"},
		{map[string]int64{}, "82a16101", "01"},
		{[1]string{}, "91", ""},
	} {
		typ := reflect.TypeOf(c.into)
		for n := 1; n <= 70; n++ {
			for at := range n {
				text := bytes.Repeat([]byte("x"), n)
				for _, bad := range []byte{0, 0x80, 0xff} {
					text[at] = bad
					doc := samples.AppendStr(hexdoc.Must(c.before), string(text))
					where := int64(len(doc) - n + at)
					doc = append(doc, hexdoc.Must(c.tail)...)
					_, _, err := bothWays(t, Options{}, doc, typ)
					off, _ := OffsetOf(err)
					if bad == 0 && err != nil || bad != 0 && (!errors.Is(err, ErrUTF8) || off != where) {
						t.Fatalf("%x into %v: %v, want ErrUTF8 at %d", doc, typ, err, where)
					}
				}
			}
		}
	}
}

// TestReuseOfSmallSlices: a slice with room for just what comes keeps its memory, and nothing of what was
// there; one with less gets other memory.
func TestReuseOfSmallSlices(t *testing.T) {
	strs, nums := []string{"x", "y", "z"}, []int64{7, 8, 9}
	s, n := strs, nums
	for _, c := range []struct {
		dst  any
		doc  string
		same func() bool
		want any
	}{
		{&s, "93 a161 c0 a163", func() bool { return &s[0] == &strs[0] }, &[]string{"a", "", "c"}},
		{&s, "92 c0 a164", func() bool { return &s[0] == &strs[0] }, &[]string{"", "d"}},
		{&s, "94 c0 a164 c0 c0", func() bool { return &s[0] != &strs[0] }, &[]string{"", "d", "", ""}},
		{&n, "93 01 c0 03", func() bool { return &n[0] == &nums[0] }, &[]int64{1, 0, 3}},
		{&n, "91 05", func() bool { return &n[0] == &nums[0] }, &[]int64{5}},
		{&n, "94 01 02 03 04", func() bool { return &n[0] != &nums[0] }, &[]int64{1, 2, 3, 4}},
	} {
		if err := Unmarshal(hexdoc.Must(c.doc), c.dst); err != nil || !c.same() || !reflect.DeepEqual(c.dst, c.want) {
			t.Errorf("%s: %v, %v, want %v in the memory it should be in: %v", c.doc, c.dst, err, c.want, c.same())
		}
	}
}
