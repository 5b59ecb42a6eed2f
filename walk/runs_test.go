package walk

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/guard"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/tier"
)

// item appends an item of the marker with a payload of zeros.
func item(p []byte, marker byte) []byte {
	return append(append(p, marker), make([]byte, max(int(plain[marker])-1, 0))...)
}

// long appends the header of an array of n elements.
func long(p []byte, n int) []byte {
	if n&1 == 0 && n < 1<<16 {
		return binary.BigEndian.AppendUint16(append(p, 0xdc), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(p, 0xdd), uint32(n))
}

// runMarkers are those of the items that runs are made of.
var runMarkers = func() (m []byte) {
	for b, size := range plain {
		if size > 0 && (b < 4 || b > 0xfc || b >= 0xc0 && b < 0xe0) {
			m = append(m, byte(b))
		}
	}
	return m
}()

// TestRunsAgree puts runs of every marker, of lengths around those that kernels take at
// once, next to each other, behind each other and inside each other, cuts and changes them,
// under limits that end in them.
func TestRunsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, marker := range runMarkers {
		for _, n := range []int{leastRun - 1, leastRun, leastRun + 1, 63, 64, 65, 129, 200} {
			doc := long([]byte{0x93, 0xc0}, n)
			for range n {
				doc = item(doc, marker)
			}
			doc = append(doc, 0x07)
			agree(t, doc, bounds.Limits{})
			for range 12 {
				agree(t, doc[:r.IntN(len(doc)+1)], bounds.Limits{})
				agree(t, doc, bounds.Limits{MaxBytes: len(doc) - r.IntN(2)})
				agree(t, doc, bounds.Limits{MaxBytes: 1 + r.IntN(len(doc))})
				agree(t, doc, bounds.Limits{MaxItems: 4 + n - r.IntN(2)})
				edited := bytes.Clone(doc)
				for range 1 + r.IntN(3) {
					edited[r.IntN(len(edited))] = byte(r.Uint32())
				}
				agree(t, edited, bounds.Limits{})
				// An element that is longer than the rest, near the end: the run must not
				// take bytes that are owed to others.
				edited = bytes.Clone(doc)
				edited[len(doc)-1-r.IntN(min(40, len(doc)-1))] = runMarkers[r.IntN(len(runMarkers))]
				agree(t, edited, bounds.Limits{})
			}
		}
	}
	rounds := 4000
	if testing.Short() {
		rounds = 400
	}
	for range rounds {
		doc, items := []byte{0xdc, 0, 0}, 0
		for range 1 + r.IntN(4) {
			n := r.IntN(150)
			doc, items = long(doc, n), items+1
			marker := runMarkers[r.IntN(len(runMarkers))]
			for range n {
				if r.IntN(60) == 0 {
					marker = runMarkers[r.IntN(len(runMarkers))]
				}
				doc = item(doc, marker)
			}
		}
		doc[2] = byte(items)
		agree(t, doc, bounds.Limits{})
		agree(t, doc[:r.IntN(len(doc))], bounds.Limits{})
		doc[r.IntN(len(doc))] = byte(r.Uint32())
		agree(t, doc, bounds.Limits{})
	}
}

// TestRunsAtTheEdge walks documents, and parts of them, that end at an unreadable page.
func TestRunsAtTheEdge(t *testing.T) {
	mem := guard.Pages(t, 1<<16)
	for _, marker := range runMarkers {
		for _, n := range []int{32, 40, 64, 100, 150} {
			doc := long(nil, n)
			for range n {
				doc = item(doc, marker)
			}
			step := 1
			if testing.Short() {
				step = 9
			}
			for cut := 0; cut < len(doc); cut += step {
				p := mem[len(mem)-len(doc)+cut:]
				copy(p, doc)
				agree(t, p, bounds.Limits{})
			}
			p := mem[len(mem)-len(doc):]
			copy(p, doc)
			if err := Valid(p, bounds.Limits{}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestRunsRun proves that runs are taken by the shortcut for them, to the item, and by none
// that is switched off.
func TestRunsRun(t *testing.T) {
	for _, c := range []struct {
		doc             string
		inline          int64
		oneByte, stride int64
	}{
		{"dc0020 01*32", 0, 32, 0},
		{"dc001f 01*31", 31, 0, 0},
		{"dd00000020 c0*16 c2*8 c3*8", 0, 32, 0},
		{"dc0021 cb0000000000000000*33", 0, 0, 33},
		{"dc0040 cd0001*40 01*24", 24, 0, 40},
		{"dc0080 cd0001*40 01*88", 0, 88, 40},
		{"dc0080 cd0001*20 01*108", 108, 0, 20},
		{"dc0040 d80000000000000000000000000000000000*64", 0, 0, 64},
		{"dc0040 90*64", 64, 0, 0},
		{"dc0040 a161*64", 0, 0, 64},
		{"dc0040 a0*64", 64, 0, 0},
		{"dc0020 b361616161616161616161616161616161616161*32", 32, 0, 0},
		{"92 dc0020 01*32 dc0020 ca00000000*32", 1, 32, 32},
		{"de0020 01*64", 0, 0, 0},
	} {
		doc := hexdoc.Must(c.doc)
		for _, set := range tier.Offered() {
			restore := tier.Use(set)
			want := map[tier.Shortcut]int64{tier.WalkOneByteRun: c.oneByte, tier.WalkStrideRun: c.stride}
			for s, n := range want {
				run := func() {
					if err := Check(doc, bounds.Limits{}); err != nil {
						t.Errorf("%s: %v", c.doc, err)
					}
				}
				if got := tier.Counted(s, run); got != n {
					t.Errorf("%s: %v took %d items, want %d", c.doc, s, got, n)
				}
				if got := tier.Counted(tier.WalkInline, run); c.inline > 0 && got != c.inline {
					t.Errorf("%s: %v took %d items, want %d", c.doc, tier.WalkInline, got, c.inline)
				}
				on := tier.Set(s, false)
				if got := tier.Counted(s, run); got != 0 {
					t.Errorf("%s: %v is off and took %d items", c.doc, s, got)
				}
				on()
			}
			restore()
		}
	}
	if !slices.Contains(runMarkers, 0xd8) || len(runMarkers) < 20 {
		t.Errorf("runs are made of %x", runMarkers)
	}
}
