package decode

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/samples"
)

// namesOf returns names for so many fields, of all lengths, many alike at one end.
func namesOf(r *rand.Rand, n int) map[string]int {
	byName := map[string]int{}
	for len(byName) < n {
		i := len(byName)
		switch i % 4 {
		case 0:
			byName[fmt.Sprintf("f%d", i)] = i
		case 1:
			byName[fmt.Sprintf("field_%06d", i)] = i
		case 2:
			byName[fmt.Sprintf("a_name_longer_than_two_words_%d", i)] = i
		default:
			b := make([]byte, 1+r.IntN(20))
			for k := range b {
				b[k] = byte(r.Uint32())
			}
			if _, has := byName[string(b)]; !has {
				byName[string(b)] = i
			}
		}
	}
	return byName
}

// TestNames: every name is found at its field, and nothing near it is.
func TestNames(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 3, 4, 7, 8, 9, 16, 64, 65, 300, 1000, 5000} {
		byName := namesOf(r, n)
		names := newNames(byName)
		if names.byName != nil {
			t.Fatalf("%d names that differ in length or at the ends: no perfect hash", n)
		}
		near := func(name string) {
			want, has := byName[name]
			if i, known := names.field([]byte(name)); known != has || has && i != want {
				t.Fatalf("of %d names, %q is field %d, %v; want %d, %v", n, name, i, known, want, has)
			}
		}
		for name := range byName {
			near(name)
			near(name + "x")
			near(name[:len(name)-1])
			b := []byte(name)
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			near(string(b))
		}
		near("")
		near(strings.Repeat("x", 100_000))
	}
}

// TestNamesCancel: names whose length and last byte make up for each other.
func TestNamesCancel(t *testing.T) {
	byName := map[string]int{"": 0}
	for n := 1; n < 20; n++ {
		for b := range 32 {
			byName["01234567890123456789"[:n-1]+string(byte(b))] = len(byName)
		}
	}
	names := newNames(byName)
	if names.byName != nil {
		t.Error("no perfect hash")
	}
	for name, want := range byName {
		if i, known := names.field([]byte(name)); !known || i != want {
			t.Errorf("%q is field %d, %v; want %d", name, i, known, want)
		}
	}
}

// TestNamesAlike: names that agree in length and at both ends are told apart in another way.
func TestNamesAlike(t *testing.T) {
	byName := map[string]int{"beginning_a_the_end": 0, "beginning_b_the_end": 1, "c": 2, "": 3}
	names := newNames(byName)
	if names.byName == nil {
		t.Error("names alike at both ends got a perfect hash")
	}
	for name, want := range byName {
		if i, known := names.field([]byte(name)); !known || i != want {
			t.Errorf("%q is field %d, %v; want %d", name, i, known, want)
		}
	}
	if i, known := names.field([]byte("beginning_x_the_end")); known {
		t.Errorf("a name that is none is field %d", i)
	}
}

// TestFieldOrder: the order in which fields come, other fields among them and other names
// change nothing.
func TestFieldOrder(t *testing.T) {
	type inner struct {
		X int64 `msgpack:"x"`
	}
	type all struct {
		A int64    `msgpack:"a"`
		B string   `msgpack:"bb"`
		C bool     `msgpack:"a_name_of_16_byt"`
		D float64  `msgpack:"a_name_longer_than_16"`
		E []string `msgpack:"e,alias:w"`
		F inner    `msgpack:"f"`
		G uint8    `msgpack:"g"`
		H []int64  `msgpack:"h,limit=3"`
	}
	pairs := []string{
		"a161 cd0100", "a26262 a3787978", "b0 615f6e616d655f6f665f31365f627974 c3",
		"b5 615f6e616d655f6c6f6e6765725f7468616e5f3136 cb3ff8000000000000", "a165 92a161a162", "a166 81a17807", "a167 09", "a168 93010203",
		"a17a 92c0c0", // no field's
	}
	want := all{256, "xyx", true, 1.5, []string{"a", "b"}, inner{7}, 9, []int64{1, 2, 3}}
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		doc := hexdoc.Must("89" + strings.Join(pairs, " "))
		if r.IntN(2) == 0 { // the other name of E
			doc = []byte(strings.Replace(string(doc), "\xa1e\x92", "\xa1w\x92", 1))
		}
		if got, err := To[all](doc); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%x: %+v, %v", doc, got, err)
		}
	}
	// The other name beside the field's own is a duplicate, wherever they stand.
	for _, doc := range []string{"82 a165 92a161a162 a177 90", "82 a177 90 a165 90", "82 a177 90 a177 90", "82 a165 91a161 a165 90"} {
		b := hexdoc.Must(doc)
		at := int64(strings.LastIndexAny(string(b), "we") - 1)
		_, err := To[all](b)
		if off, _ := OffsetOf(err); !errors.Is(err, ErrDuplicateKey) || off != at {
			t.Errorf("%s: %v, want ErrDuplicateKey at %d", doc, err, at)
		}
	}
}

// BenchmarkFields decodes maps whose keys come in the order of the fields, in another, and
// are chosen to be as near to names of fields as can be without being one.
func BenchmarkFields(b *testing.B) {
	for _, n := range []int{8, 64, 256, 1000} {
		fields := make([]reflect.StructField, n)
		for i := range fields {
			fields[i] = reflect.StructField{
				Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int64](),
				Tag: reflect.StructTag(fmt.Sprintf(`msgpack:"field_%04d"`, i)),
			}
		}
		typ := reflect.StructOf(fields)
		doc := func(name func(i int) string) []byte {
			d := samples.AppendMap(nil, n)
			for _, i := range rand.New(rand.NewPCG(5, 6)).Perm(n) {
				d = samples.AppendInt(samples.AppendStr(d, name(i)), int64(i%100))
			}
			return d
		}
		ordered := samples.AppendMap(nil, n)
		for i := range n {
			ordered = samples.AppendInt(samples.AppendStr(ordered, fmt.Sprintf("field_%04d", i)), int64(i%100))
		}
		for _, c := range []struct {
			name string
			doc  []byte
		}{
			{"ordered", ordered},
			{"shuffled", doc(func(i int) string { return fmt.Sprintf("field_%04d", i) })},
			{"near", doc(func(i int) string { return fmt.Sprintf("field?%04d", i) })},
			{"other", doc(func(i int) string { return fmt.Sprintf("%x", i) })},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, c.name), func(b *testing.B) {
				dst := reflect.New(typ).Interface()
				b.ReportAllocs()
				for b.Loop() {
					if err := Unmarshal(c.doc, dst); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/key")
			})
		}
	}
}
