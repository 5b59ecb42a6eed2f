package typedparity

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/parity"
	"github.com/boundpack/boundpack/walk"
)

var (
	seed   = flag.Uint64("typedparity.seed", 1, "seed of the random types and documents")
	rounds = flag.Int("typedparity.rounds", 0, "random types; 0 for 520, or 130 if short")
)

// documents is how many there are of each type, half of them wrong.
const documents = 20

func types(t *testing.T) int {
	switch {
	case *rounds > 0:
		return *rounds
	case testing.Short():
		return 10 * shapes
	}
	return 40 * shapes
}

func asStructure(doc []byte, s *set) error { return walk.Check(doc, s.Options.Limits) }

// fail reports that check fails for doc and typ, with as little of both as it finds.
func fail(t *testing.T, doc []byte, typ reflect.Type, check func([]byte, reflect.Type) error) {
	t.Helper()
	err := check(doc, typ)
	small, part := shrink(doc, typ, check)
	t.Fatalf("seed %d: %v\nof %v\nshrunk: %v\nof %v\n%s", *seed, err, typ, check(small, part), part, parity.Dump(small))
}

// shrink returns a part of typ and a document for it for which check fails, too.
func shrink(doc []byte, typ reflect.Type, check func([]byte, reflect.Type) error) ([]byte, reflect.Type) {
	for again := true; again; {
		again = false
		doc = parity.Shrink(doc, func(doc []byte) bool { return check(doc, typ) != nil })
		for _, part := range partsOf(typ) {
			for at := range doc {
				n, err := walk.Len(doc[at:], sets[0].Options.Limits)
				if err == nil && !again && check(doc[at:at+n], part) != nil {
					doc, typ, again = doc[at:at+n:at+n], part, true
					break
				}
			}
			if again {
				break
			}
		}
	}
	return doc, typ
}

// partsOf returns the types that t directly consists of.
func partsOf(t reflect.Type) (parts []reflect.Type) {
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer:
		parts = append(parts, t.Elem())
	case reflect.Struct:
		for field := range t.Fields() {
			if t != timeType && field.PkgPath == "" {
				parts = append(parts, field.Type)
			}
		}
		if t != timeType && t != extType && t != stampType && t.NumField() > 1 {
			for field := range t.Fields() {
				if field.PkgPath == "" {
					parts = append(parts, reflect.StructOf([]reflect.StructField{field}))
				}
			}
		}
	}
	return parts
}

// tally is what one half of a run came to.
type tally struct {
	inputs, shown, values, excused int
}

func (a *tally) String() string {
	return fmt.Sprintf("%d documents, %d shown to the peer, %d values, %d excused (%.1f %% of all, %.1f %% of those shown)",
		a.inputs, a.shown, a.values, a.excused, a.share(a.inputs), a.share(a.shown))
}

func (a *tally) share(of int) float64 { return 100 * float64(a.excused) / float64(max(1, of)) }

func (a *tally) add(out outcome, by map[string]int) {
	a.inputs++
	if out.shown {
		a.shown++
	}
	if out.value {
		a.values++
	}
	if out.excused != nil {
		a.excused++
	}
	for _, d := range out.excused {
		by[d.what]++
	}
}

// How many of the documents the differences may explain, in percent: of the right ones, and
// of the wrong ones, most of which are wrong in a way that decode is meant to refuse and the
// peer to take. That is a third of them, whatever the seed.
const (
	maxRight = 2
	maxWrong = 40
)

func TestTypedParity(t *testing.T) {
	check := func(doc []byte, typ reflect.Type) error { _, err := compare(doc, typ); return err }
	var rights, wrongs tally
	by, kinds, injected := map[string]int{}, map[string]int{}, map[string]int{}
	deepest := 0
	for i := range types(t) {
		typ := typeOf(*seed, i, false)
		deepest = max(deepest, depthOf(typ, kinds))
		r := rand.New(rand.NewPCG(*seed, uint64(i)))
		for range documents / 2 {
			doc := right(r.Uint64(), typ)
			out, err := compare(doc, typ)
			if err != nil {
				fail(t, doc, typ, check)
			}
			rights.add(out, by)
			doc, wrong := wronged(r.Uint64(), typ)
			out, err = compare(doc, typ)
			if err != nil {
				t.Logf("wrong: %s", wrong)
				fail(t, doc, typ, check)
			}
			injected[wrong]++
			if err := laws(doc, typ, sets[0]); err != nil {
				fail(t, doc, typ, func(doc []byte, typ reflect.Type) error { return laws(doc, typ, sets[0]) })
			}
			wrongs.add(out, by)
		}
	}
	t.Logf("right: %v", &rights)
	t.Logf("wrong: %v, %v", &wrongs, injected)
	t.Logf("by difference: %v", by)
	t.Logf("levels %d, kinds %v", deepest, kinds)
	if rights.share(rights.inputs) > maxRight || wrongs.share(wrongs.inputs) > maxWrong {
		t.Errorf("seed %d: %.1f %% of the right documents and %.1f %% of the wrong are excused", *seed, rights.share(rights.inputs), wrongs.share(wrongs.inputs))
	}
	for _, d := range differences {
		if by[d.what] == 0 && types(t) >= 500 { // fewer do not show the rarest
			t.Errorf("seed %d: no input shows the difference %q", *seed, d.what)
		}
	}
}

// TestDifferences: each difference is shown by its own input.
func TestDifferences(t *testing.T) {
	for _, d := range differences {
		doc := hexdoc.Must(d.shows)
		out, err := compare(doc, d.typ)
		if err != nil || len(out.excused) != 1 || out.excused[0].what != d.what {
			t.Errorf("%s: %x shows %+v, %v", d.what, doc, out, err)
		}
		for _, s := range sets {
			if err := laws(doc, d.typ, s); err != nil {
				t.Errorf("%s: %x, %s: %v", d.what, doc, s.Name, err)
			}
		}
	}
}
