package decode

import (
	"math/bits"
	"math/rand/v2"
)

// names finds the field of a name in one probe: a perfect hash of the names of one struct,
// made with its plan. A name that is none costs a document that holds it no more than one
// that is: there are no chains to be made long.
//
// The hash is that of hash, displace, and compress (Belazzougui, Botelho, Dietzfelbinger,
// 2009): the upper bits choose a bucket, whose displacement says where its names went.
type names struct {
	longest int
	shift   uint8    // 64 less the bits of a bucket
	moves   []uint32 // of each bucket
	slots   []nameSlot
	seed    uint64
	byName  map[string]int // instead, if names agree in length and at both ends, or no seed will do
}

type nameSlot struct {
	lo, hi uint64 // ends(name)
	name   string
	field  int // -1 for none
}

// ends returns the first and the last bytes of p: all of it if it is no longer than 16.
func ends(p []byte) (lo, hi uint64) {
	if len(p) < 2 {
		if len(p) == 1 {
			return uint64(p[0]), 0
		}
		return 0, 0
	}
	return words(p)
}

func (t *names) hash(n int, lo, hi uint64) uint64 {
	// The length is mixed in apart: with a byte of the name it could cancel out, whatever
	// the seed is.
	h, l := bits.Mul64(lo^t.seed, hi^0x9e3779b97f4a7c15)
	return (h ^ l ^ uint64(n)) * (t.seed | 1)
}

// place returns the slot of the hash h, whose bucket was moved by move.
func (t *names) place(h uint64, move uint32) uint32 {
	return (uint32(h) + move*(uint32(h>>16)|1)) & uint32(len(t.slots)-1)
}

// field returns the field of the name, if there is one.
func (t *names) field(name []byte) (i int, known bool) {
	if len(name) > t.longest {
		return 0, false
	}
	if t.byName != nil {
		i, known = t.byName[string(name)]
		return i, known
	}
	lo, hi := ends(name)
	h := t.hash(len(name), lo, hi)
	s := &t.slots[t.place(h, t.moves[h>>t.shift])]
	if s.field < 0 || s.lo != lo || s.hi != hi || len(s.name) != len(name) || len(name) > 16 && s.name != string(name) {
		return 0, false
	}
	return s.field, true
}

// newNames returns the names that byName gives the fields of.
func newNames(byName map[string]int) names {
	t := names{}
	type key struct {
		n      int
		lo, hi uint64
	}
	seen := map[key]bool{}
	for name := range byName {
		lo, hi := ends([]byte(name))
		seen[key{len(name), lo, hi}] = true
		t.longest = max(t.longest, len(name))
	}
	if len(seen) < len(byName) {
		t.byName = byName
		return t
	}
	for range mostSeeds {
		if t.build(byName) {
			return t
		}
	}
	return names{longest: t.longest, byName: byName}
}

// mostSeeds is how many seeds are tried.
const mostSeeds = 64

// build tries one seed.
func (t *names) build(byName map[string]int) bool {
	buckets := 1 << bits.Len(uint(len(byName)/3))
	t.seed, t.shift = rand.Uint64(), uint8(65-bits.Len(uint(buckets)))
	t.moves = make([]uint32, buckets)
	t.slots = make([]nameSlot, 2<<bits.Len(uint(len(byName))))
	for i := range t.slots {
		t.slots[i].field = -1
	}
	type entry struct {
		nameSlot
		hash uint64
	}
	groups := make([][]entry, buckets)
	largest := 0
	for name, i := range byName {
		lo, hi := ends([]byte(name))
		h := t.hash(len(name), lo, hi)
		g := &groups[h>>t.shift]
		*g = append(*g, entry{nameSlot{lo, hi, name, i}, h})
		largest = max(largest, len(*g))
	}
	for size := largest; size > 0; size-- { // the large ones while there is room
	next:
		for b, g := range groups {
			if len(g) != size {
				continue
			}
			for move := range uint32(4 * len(t.slots)) {
				placed := 0
				for _, e := range g {
					s := &t.slots[t.place(e.hash, move)]
					if s.field >= 0 {
						break
					}
					*s = e.nameSlot
					placed++
				}
				if placed == size {
					t.moves[b] = move
					continue next
				}
				for _, e := range g[:placed] {
					t.slots[t.place(e.hash, move)].field = -1
				}
			}
			return false
		}
	}
	return true
}
