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

// maxShare is how many may be.
const maxShare = 5

// run holds inputs under one set and counts.
type run struct {
	t   *testing.T
	set *Set
	tally
}

// input holds doc against both references.
func (r *run) input(doc []byte) {
	r.law(doc)
	r.inputs++
	out, err := Compare(doc, r.set)
	if err != nil {
		r.fail(doc, err, func(doc []byte) error { _, err := Compare(doc, r.set); return err })
	}
	r.count(out)
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

func (r *run) count(out Outcome) {
	if out.Shown {
		r.shown++
	}
	if out.Value {
		r.values++
	}
	if out.Excused != nil {
		r.excused++
		r.by[out.Excused.What]++
	}
}

// round holds a random document and everything that is made of it.
func (r *run) round(g *Generator) {
	doc := g.Document()
	r.input(doc)
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
		r.edited(g, asStr)
	}
	for range 12 {
		r.edited(g, Edit(g.r, doc))
	}
	r.input(append(doc, 0xc1))
	r.input(append(doc, g.Document()...))
}

// edited holds an edited document. Many have a flaw that the peer is known to take,
// invalid UTF-8 most of all: those all go to the plain decoder, which knows each reason
// and offset, but few to the peer, so that most of what the peer sees is to agree.
func (r *run) edited(g *Generator, doc []byte) {
	if walk.Check(doc, r.set.Options.Limits) == nil {
		if _, _, flaw := Plain(doc, r.set); flaw != nil && named(flaw.What) != nil && !g.oneIn(16) {
			r.law(doc)
			return
		}
	}
	r.input(doc)
}

func TestParity(t *testing.T) {
	n := *rounds
	if n == 0 {
		n = 150
		if testing.Short() {
			n = 40
		}
	}
	total := tally{by: map[string]int{}}
	for stream, s := range Sets {
		r := run{t: t, set: s, tally: tally{by: map[string]int{}}}
		g := NewGenerator(rand.New(rand.NewPCG(*seed, uint64(stream))), s)
		flaws := s.Flaws()
		for i := range n {
			r.round(g)
			if i%4 == 0 {
				r.input(g.Flawed(flaws[(i/4+stream)%len(flaws)]))
			}
		}
		t.Logf("%s: %v", s.Name, r.tally)
		if r.shown >= 1000 && r.share() > maxShare {
			t.Errorf("seed %d, %s: %v, more than %d %%: %v", *seed, s.Name, r.tally, maxShare, r.by)
		}
		if r.values < r.inputs/4 {
			t.Errorf("%s: %v: the mix tests little", s.Name, r.tally)
		}
		total.add(r.tally)
	}
	if total.share() > maxShare {
		t.Errorf("seed %d: %v, more than %d %%: %v", *seed, total, maxShare, total.by)
	}
	for _, d := range Differences {
		if total.by[d.What] == 0 {
			t.Errorf("seed %d: no input shows the difference %q", *seed, d.What)
		}
	}
	t.Logf("in all: %v, %v", total, total.by)
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
			r := run{t: t, set: s, tally: tally{by: map[string]int{}}}
			r.input(doc)
			if s.Name != "tight limits" && (r.values != 1 || r.excused != 0) {
				t.Errorf("%s: %v of %.40x", s.Name, r.tally, doc)
			}
		}
	}
}
