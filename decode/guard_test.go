package decode

import (
	"reflect"
	"testing"

	"github.com/boundpack/boundpack/internal/guard"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/samples"
)

// TestNothingBehindTheInput decodes documents, and every cut of them, that end where the
// next byte cannot be read: the loops that read whole words without a compare have made it
// themselves. A fault would end the test.
func TestNothingBehindTheInput(t *testing.T) {
	mem := guard.Pages(t, 64<<10)
	type longNames struct {
		A int64   `msgpack:"a"`
		B string  `msgpack:"a_name_of_16_byt"`
		C float64 `msgpack:"a_name_longer_than_two_words"`
		D []string
		E uint64 `msgpack:"an_eight"`
	}
	n := 0
	for _, c := range []struct {
		doc  []byte
		into []any
	}{
		{samples.Users(2), []any{page{}, map[string]any{}}},
		{hexdoc.Must("85 a161 d3ffffffffffffff00 b0 615f6e616d655f6f665f31365f627974 a3787978 bc 615f6e616d655f6c6f6e6765725f7468616e5f74776f5f776f726473 cb3ff8000000000000" +
			" a144 92a161a9616263646566676869 a8 616e5f6569676874 cfffffffffffffffff"), []any{longNames{}}},
		{hexdoc.Must("98 a0 a161 a2c3a9 a8 6162636465666768 af 61*15 b0 61*16 d911 61*17 d914 c3a9*10"), []any{[]string{}, []any{}}},
		{hexdoc.Must("98 05 e0 cc80 cd0100 ce00010000 d3ffffffff00000000 d080 07"), []any{[]int64{}, []any{}}},
		{hexdoc.Must("83 a161 cd0100 a162 ce00010000 a8 6162636465666768 05"), []any{map[string]int64{}, map[string]any{}}},
		{hexdoc.Must("92 92cb3ff8000000000000cb3ff8000000000000 92cb3ff8000000000000cb3ff8000000000000"), []any{[][2]float64{}}},
		{hexdoc.Must("dc0050 05*80"), []any{[]int64{}, []int8{}}},
		{hexdoc.Must("dc0048 cd0100*72"), []any{[]int64{}, []uint16{}}},
		{hexdoc.Must("dc0048 cb3ff8000000000000*72"), []any{[]float64{}}},
	} {
		for _, into := range c.into {
			typ := reflect.TypeOf(into)
			for cut := range len(c.doc) {
				doc := mem[len(mem)-len(c.doc)+cut:]
				copy(doc, c.doc)
				for _, alias := range []bool{false, true} {
					err := Options{AliasInput: alias}.Must().Unmarshal(doc, reflect.New(typ).Interface())
					if (err == nil) != (cut == 0) {
						t.Fatalf("%d of %x into %v: %v", len(doc), c.doc, typ, err)
					}
					n++
				}
			}
		}
	}
	if n < 4000 {
		t.Errorf("%d documents, want 4,000 at least", n)
	}
}
