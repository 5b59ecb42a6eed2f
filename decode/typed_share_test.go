package decode

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/samples"
)

// TestTypedSharing: from the third on, equal short strings are one; the two before may not be,
// and those of a small document are not.
func TestTypedSharing(t *testing.T) {
	for _, size := range []int{2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 32, 33} {
		word := fmt.Sprintf("%0*d", size, 7)
		for _, before := range []int{0, 100} {
			doc := samples.AppendArray(nil, before+7)
			for i := range before {
				if i%8 == 7 { // or it would rest
					i = 7
				}
				doc = samples.AppendStr(doc, fmt.Sprintf("another string %d", i))
			}
			for range 6 {
				doc = samples.AppendStr(doc, word)
			}
			doc = samples.AppendStr(doc, "the last bytes are read in another way")
			v, err := To[[]string](doc)
			if err != nil {
				t.Fatal(err)
			}
			v = v[before:]
			same := unsafe.StringData(v[2]) == unsafe.StringData(v[5]) && unsafe.StringData(v[3]) == unsafe.StringData(v[4])
			if v[0] != word || v[5] != word || same != (size <= sharedValue && before > 0) {
				t.Errorf("%d bytes after %d others: %v, one string: %v", size, before, v, same)
			}
		}
	}
}

// TestManySharedAreLeftAlone: strings that are all different are not looked up for long.
func TestManySharedAreLeftAlone(t *testing.T) {
	doc := samples.AppendArray(nil, 2000)
	for i := range 2000 {
		doc = samples.AppendStr(doc, fmt.Sprintf("word %d", i))
	}
	d := Options{}.Must()
	var s state
	s.begin(d, doc)
	var v []string
	if err := s.typed(target{mustPlan(t, d, reflect.TypeFor[[]string]()), unsafe.Pointer(&v), -1}); err != nil {
		t.Fatal(err)
	}
	if s.shared.rest == 0 || v[1999] != "word 1999" {
		t.Errorf("after 2,000 strings, all different, the next is looked up")
	}
	s.end()
}

func mustPlan(t *testing.T, d *Decoder, typ reflect.Type) *plan {
	t.Helper()
	p, err := d.plans.of(typ)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestWords: the two ways of reading a short string agree.
func TestWords(t *testing.T) {
	p := []byte("abcdefghijklmnopqrstuvwxyz0123456789")
	for n := 2; n <= 16; n++ {
		lo, hi := words(p[:n])
		if m := wordMasks[n]; lo != word(p, 0)&m[0] || hi != word(p, 8)&m[1] {
			t.Errorf("%d bytes: %x %x and %x %x", n, lo, hi, word(p, 0)&m[0], word(p, 8)&m[1])
		}
	}
}

// TestLargeMaps: maps of so many pairs that some table may split take what they are charged.
func TestLargeMaps(t *testing.T) {
	if testing.Short() || probe.Race {
		t.Skip("-short or -race: it fills maps of fifty thousand pairs")
	}
	for _, n := range []int{680 * 64, 680*64 + 1, 790 * 64, 790*64 + 1} {
		doc := binary.BigEndian.AppendUint32([]byte{0xdf}, uint32(n))
		for i := range n {
			doc = append(samples.AppendStr(doc, fmt.Sprintf("%06d", i)), 1)
		}
		typ := reflect.TypeFor[map[string]int64]()
		charge := chargedInto(t, Options{}, doc, typ)
		for range 5 { // each map has a seed of its own
			dst := reflect.New(typ)
			real, _ := probe.Warm(func() {
				if err := (Options{Limits: Limits{MaxMemory: 1 << 40}}).Must().Unmarshal(doc, dst.Interface()); err != nil {
					t.Error(err)
				}
			})
			if real > charge+slack || float64(charge) > 1.5*float64(real) {
				t.Errorf("a map of %d takes %d bytes, charged %d", n, real, charge)
			}
		}
	}
}
