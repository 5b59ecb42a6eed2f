package decode

import (
	"errors"
	"reflect"
	"testing"
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/samples"
)

// TestDocumentReuse: ParseInto allocates nothing the second time, leaves nothing of one
// document to the next, and old nodes say so.
func TestDocumentReuse(t *testing.T) {
	large := samples.Users(50)
	deep := hexdoc.Must("91*40 c0")
	many := samples.Map(300)
	var doc Document
	for _, alias := range []bool{false, true} {
		d := Options{AliasInput: alias}.Must()
		for _, data := range [][]byte{large, deep, many} {
			if err := d.ParseInto(&doc, data); err != nil {
				t.Fatal(err)
			}
		}
		for _, data := range [][]byte{large, deep, many, {0xc0}} {
			if n := testing.AllocsPerRun(20, func() {
				if err := d.ParseInto(&doc, data); err != nil {
					t.Fatal(err)
				}
			}); n != 0 {
				t.Errorf("alias %v: parsing %d bytes again takes %v allocations", alias, len(data), n)
			}
			got, err := doc.Root().Any()
			want, _ := Any(data)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("alias %v: other values of %.20x, %v", alias, data, err)
			}
		}
		if err := d.ParseInto(&doc, large); err != nil {
			t.Fatal(err)
		}
		old := doc.Root().Get("users").Index(3).Get("name")
		if !old.Exists() {
			t.Fatal("no name")
		}
		if err := d.ParseInto(&doc, []byte{0x91, 0xc1}); !errors.Is(err, ErrReserved) {
			t.Errorf("%v, want ErrReserved", err)
		}
		for _, n := range []Node{old, old.Get("a"), doc.Root(), doc.Root().Get("users")} {
			_, err := n.Str()
			fails(t, "a node of a document that is gone", err, ErrMissing, 0, "")
		}
		if err := d.ParseInto(&doc, []byte{0xa1, 'x'}); err != nil {
			t.Fatal(err)
		}
		_, err := old.Str()
		fails(t, "a node of an older document", err, ErrMissing, 0, "")
		if s, err := doc.Root().Str(); s != "x" || err != nil {
			t.Errorf("%q, %v", s, err)
		}
	}
}

// TestDocumentReads: reads of what is there allocate nothing but what they return.
func TestDocumentReads(t *testing.T) {
	doc, err := Parse(samples.Users(100))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	if n := testing.AllocsPerRun(20, func() {
		for _, u := range doc.Root().Get("users").Elements() {
			id, err := u.Get("id").Int()
			if err != nil {
				t.Fatal(err)
			}
			sum += int(id) + u.Get("name").Len()
			for k, v := range u.Pairs() {
				sum += k.Len() + v.Len()
			}
			_, _ = u.Get("score").Float()
			_, _ = u.Get("active").Bool()
		}
	}); n != 0 {
		t.Errorf("reads take %v allocations", n)
	}
	if n := testing.AllocsPerRun(20, func() {
		_, _ = doc.Root().Get("users").Index(3).Get("name").Str()
	}); n != 1 {
		t.Errorf("a str takes %v allocations, want its copy", n)
	}
	if n := testing.AllocsPerRun(20, func() {
		_ = doc.Root().Get("users").Index(3).Get("nome").Exists()
	}); n > 1 {
		t.Errorf("a missing key takes %v allocations", n)
	}
}

// TestDocumentAlias: with AliasInput strings and bins are parts of the input, without it
// they and the Document do not depend on it.
func TestDocumentAlias(t *testing.T) {
	hex := "93 a3616263 c403646566 d50767 68"
	data := hexdoc.Must(hex)
	doc, err := Options{AliasInput: true}.Must().Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	str, _ := doc.Root().Index(0).Str()
	bin, _ := doc.Root().Index(1).Bytes()
	ext, _ := doc.Root().Index(2).Ext()
	if unsafe.StringData(str) != &data[2] || &bin[0] != &data[7] || &ext.Data[0] != &data[12] {
		t.Error("the values are copies")
	}
	if cap(bin) != 3 || cap(ext.Data) != 2 {
		t.Errorf("capacities %d and %d, want 3 and 2", cap(bin), cap(ext.Data))
	}
	if doc, err = Parse(data); err != nil {
		t.Fatal(err)
	}
	str, _ = doc.Root().Index(0).Str()
	bin, _ = doc.Root().Index(1).Bytes()
	clear(data)
	v, err := doc.Root().Any()
	if want := []any{"abc", []byte("def"), Ext{7, []byte("gh")}}; err != nil || !reflect.DeepEqual(v, want) || str != "abc" || string(bin) != "def" {
		t.Errorf("after the input was cleared: %v, %q, %q", v, str, bin)
	}
	bin[0] = 'X'
	if again, _ := doc.Root().Index(1).Bytes(); string(again) != "def" {
		t.Errorf("a bin that was written to changes the document: %q", again)
	}
}

// TestDocumentChargeExact: the document, the first eight words of its tape, and frames
// beyond eight levels, to the byte.
func TestDocumentChargeExact(t *testing.T) {
	for hex, want := range map[string]int64{
		"c0":           16 + 64,
		"a8 61*8":      16 + 64,
		"d920 61*32":   48 + 64,
		"91*7 98 c0*8": 16 + 64 + 128 + 256,                                                                 // 8 words, 16 and 32
		"91*9 c0":      16 + 64 + 128 + 192 + int64(price.Lone(2*uint64(unsafe.Sizeof(docFrame{})), false)), // 24 words, and two levels
	} {
		for _, less := range []int64{0, 1} {
			_, err := Options{Limits: Limits{MaxMemory: want - less}}.Must().Parse(hexdoc.Must(hex))
			if errors.Is(err, ErrMaxMemory) != (less == 1) || err != nil && less == 0 {
				t.Errorf("%s within %d bytes: %v", hex, want-less, err)
			}
		}
	}
}

// TestDocumentCharge: what parsing allocates is charged, whatever is reused.
func TestDocumentCharge(t *testing.T) {
	docs := map[string][]byte{
		"users": samples.Users(100), "ints": samples.Ints(5000), "strs": samples.Strs(500), "map": samples.Map(2000),
		"text": samples.ASCII(50000), "deep": hexdoc.Must("91*900 c0"), "empty": {0x80},
		"arrays": array(5000, "91c0"), "maps": array(500, "81a0c0"), "replaced": array(300, "82 a8 ff*8 01 a8 fe*7 61 02"),
	}
	for i := range 40 { // maps of 17 pairs
		m := []byte{0xde, 0, 17}
		for j := range 17 {
			m = append(m, 0xa2, 'a'+byte(j), 'a'+byte(i%20), 0xc0)
		}
		docs["maps of 17"] = append(docs["maps of 17"], m...)
	}
	docs["maps of 17"] = append([]byte{0xdc, 0, 40}, docs["maps of 17"]...)
	for name, data := range docs {
		for _, alias := range []bool{false, true} {
			o := Options{AliasInput: alias, UTF8: ReplaceInvalidUTF8}
			parses := func(memory int64) bool {
				o.Limits.MaxMemory = memory
				_, err := o.Must().Parse(data)
				if err == nil {
					return true
				}
				var limit *bounds.Error
				if !errors.Is(err, ErrMaxMemory) || !errors.As(err, &limit) || limit.Limit != uint64(memory) || limit.Need <= limit.Limit {
					t.Fatalf("%s: %v", name, err)
				}
				return false
			}
			low, high := int64(0), int64(1)
			for !parses(high) {
				low, high = high, 2*high
			}
			for high-low > 1 {
				if mid := (low + high) / 2; parses(mid) {
					high = mid
				} else {
					low = mid
				}
			}
			o.Limits.MaxMemory = high
			d := o.Must()
			var doc *Document
			real, _ := probe.Warm(func() { doc, _ = d.Parse(data) })
			if doc == nil || int64(real) > high+4<<10 {
				t.Errorf("%s, alias %v: %d bytes allocated, charged %d", name, alias, real, high)
			}
			if !alias && len(data) > 8<<10 && float64(high) > 1.5*float64(real) {
				t.Errorf("%s: charged %d bytes, %d allocated", name, high, real)
			}
			// The charge does not depend on what is reused.
			if err := d.ParseInto(doc, data); err != nil {
				t.Errorf("%s: again within what it took: %v", name, err)
			}
			if o.Limits.MaxMemory = high - 1; high > 1 {
				err := o.Must().ParseInto(doc, data)
				if !errors.Is(err, ErrMaxMemory) {
					t.Errorf("%s: again, with a byte less: %v, want ErrMaxMemory", name, err)
				}
			}
		}
	}
}
