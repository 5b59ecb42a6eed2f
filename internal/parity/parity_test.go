package parity

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/samples"
	"github.com/boundpack/boundpack/walk"
)

var (
	seed   = flag.Uint64("parity.seed", 1, "seed of the random documents")
	rounds = flag.Int("parity.rounds", 0, "random documents for each set of options; 0 for 150, or 40 if short")
)

// tally is what a run came to.
type tally struct {
	inputs, shown, values, excused int
	by                             map[string]int // excused, by difference
}

func (a *tally) add(b tally) {
	a.inputs += b.inputs
	a.shown += b.shown
	a.values += b.values
	a.excused += b.excused
	for what, n := range b.by {
		a.by[what] += n
	}
}

func (a tally) String() string {
	return fmt.Sprintf("%d inputs, %d shown to the peer, %d values, %d excused (%.1f %%)",
		a.inputs, a.shown, a.values, a.excused, a.share())
}

// share returns how many of the inputs that the peer saw were excused, in percent.
func (a tally) share() float64 { return 100 * float64(a.excused) / float64(max(1, a.shown)) }

// maxEdited is how many may be of the documents with a flaw or edited bytes: many of those are
// no UTF-8 any more, which the peer takes. Of documents as they were made none is excused.
const maxEdited = 35

// run holds inputs under one set and counts.
type run struct {
	t            *testing.T
	set          *Set
	made, edited tally
}

func newRun(t *testing.T, s *Set) run {
	return run{t, s, tally{by: map[string]int{}}, tally{by: map[string]int{}}}
}

// input holds doc against both references and counts it in n.
func (r *run) input(doc []byte, n *tally) {
	r.law(doc)
	n.inputs++
	out, err := Compare(doc, r.set)
	if err != nil {
		r.fail(doc, err, func(doc []byte) error { _, err := Compare(doc, r.set); return err })
	}
	n.count(out)
}

// law holds doc against the plain decoder alone.
func (r *run) law(doc []byte) {
	if err := Laws(doc, r.set); err != nil {
		r.fail(doc, err, func(doc []byte) error { return Laws(doc, r.set) })
	}
}

func (r *run) fail(doc []byte, err error, check func([]byte) error) {
	r.t.Helper()
	small := Shrink(doc, func(doc []byte) bool { return check(doc) != nil })
	r.t.Fatalf("seed %d, %s: %v\nshrunk: %v\n%s", *seed, r.set.Name, err, check(small), Dump(small))
}

func (a *tally) count(out Outcome) {
	if out.Shown {
		a.shown++
	}
	if out.Value {
		a.values++
	}
	if out.Excused != nil {
		a.excused++
		a.by[out.Excused.What]++
	}
}

// round holds a random document and everything that is made of it.
func (r *run) round(g *Generator) {
	doc := g.Document()
	r.input(doc, &r.made)
	if walk.Check(doc, r.set.Options.Limits) != nil {
		return // only under tight limits
	}
	for n := range min(len(doc), 400) {
		r.law(doc[:n])
		if walk.Check(doc[:n], r.set.Options.Limits) == nil {
			r.t.Fatalf("seed %d: a prefix of %d bytes is whole\n%s", *seed, n, Dump(doc))
		}
	}
	if asStr := BinAsStr(doc); string(asStr) != string(doc) {
		r.input(asStr, &r.edited)
	}
	for range 12 {
		r.input(Edit(g.r, doc), &r.edited)
	}
	r.input(append(doc, 0xc1), &r.made)
	r.input(append(doc, g.Document()...), &r.made)
}

func TestParity(t *testing.T) {
	n := *rounds
	if n == 0 {
		n = 150
		if testing.Short() {
			n = 40
		}
	}
	total := newRun(t, nil)
	for stream, s := range Sets {
		r := newRun(t, s)
		g := NewGenerator(rand.New(rand.NewPCG(*seed, uint64(stream))), s)
		flaws := s.Flaws()
		for i := range n {
			r.round(g)
			if i%4 == 0 {
				r.input(g.Flawed(flaws[(i/4+stream)%len(flaws)]), &r.edited)
			}
		}
		r.hold()
		if values := r.made.values + r.edited.values; values < (r.made.inputs+r.edited.inputs)/4 {
			t.Errorf("%s: %d values: the mix tests little", s.Name, values)
		}
		total.made.add(r.made)
		total.edited.add(r.edited)
	}
	total.hold()
	for _, d := range Differences {
		if total.made.by[d.What]+total.edited.by[d.What] == 0 {
			t.Errorf("seed %d: no input shows the difference %q", *seed, d.What)
		}
	}
}

// hold holds what r counted to what may be excused.
func (r *run) hold() {
	name := "in all"
	if r.set != nil {
		name = r.set.Name
	}
	r.t.Logf("%s: made: %v; edited: %v, %v", name, r.made, r.edited, r.edited.by)
	if r.made.excused > 0 {
		r.t.Errorf("seed %d, %s: made: %v: %v", *seed, name, r.made, r.made.by)
	}
	if r.edited.shown >= 1000 && r.edited.share() > maxEdited {
		r.t.Errorf("seed %d, %s: edited: %v, more than %d %%: %v", *seed, name, r.edited, maxEdited, r.edited.by)
	}
}

// TestDifferences: each difference is shown by its own input.
func TestDifferences(t *testing.T) {
	for _, d := range Differences {
		doc := hexdoc.Must(d.Shows)
		out, err := Compare(doc, Find(d.Set))
		if err != nil || out.Excused == nil || out.Excused.What != d.What {
			t.Errorf("%s: %x shows %+v, %v", d.What, doc, out, err)
		}
		if err := Laws(doc, Find(d.Set)); err != nil {
			t.Errorf("%s: %x: %v", d.What, doc, err)
		}
	}
}

// TestSamples: what is shaped after real traffic is read the same.
func TestSamples(t *testing.T) {
	for _, doc := range [][]byte{samples.Users(5), samples.Dates(5), samples.Formats(), samples.Deep(100)} {
		for _, s := range Sets {
			r := newRun(t, s)
			r.input(doc, &r.made)
			if s.Name != "tight limits" && (r.made.values != 1 || r.made.excused != 0) {
				t.Errorf("%s: %v of %.40x", s.Name, r.made, doc)
			}
		}
	}
}
