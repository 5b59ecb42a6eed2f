package decode

import (
	"encoding/binary"
	"math/bits"
	"sync"
)

// Strings up to these lengths in bytes are shared: equal ones within a document become
// one string.
const (
	sharedKey   = 64
	sharedValue = 32
)

// shared is the table of short strings of one document: for each hash the last string
// that had it. A table that forgets costs a copy now and then, while its memory stays
// bounded and no choice of strings makes a look-up slow.
//
// A small document has its table on the stack, where it is cleared for nothing and
// writing costs the collector nothing; a larger one has one from the pool, which is empty
// again before it goes back.
type shared struct {
	small [1 << smallBits]sharedEntry
	large *[1 << largeBits]sharedEntry // nil for a small document
	bits  uint8                        // of a hash that choose among large

	misses int // in a row
	rest   int // strings that are not looked up any more
}

type sharedEntry struct {
	lo, hi uint64 // words(s)
	s      string
	boxed  *string // s in a slab, as an any needs it; nil before that
}

const (
	smallBits = 5
	largeBits = 9
	smallSize = 1 << 10 // bytes of a small document
)

// Where strings are all different, looking them up is in vain: after so many misses in a
// row so many strings are not looked up.
const (
	mostMisses = 32
	restAfter  = 480
)

// missed counts a string that was not there.
func (t *shared) missed() {
	if t.misses++; t.misses == mostMisses {
		t.misses, t.rest = 0, restAfter
	}
}

// resting reports whether the next string is not to be looked up.
func (t *shared) resting() bool {
	if t.rest == 0 {
		return false
	}
	t.rest--
	return true
}

var largeTables = sync.Pool{New: func() any { return new([1 << largeBits]sharedEntry) }}

// words returns the first and the last bytes of p, of at least 2: all of p if it is no
// longer than 16. Strings of one length up to that are equal if their words are.
func words(p []byte) (lo, hi uint64) {
	n := len(p)
	if n >= 8 {
		return binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[n-8:])
	}
	if n >= 4 {
		return uint64(binary.LittleEndian.Uint32(p)), uint64(binary.LittleEndian.Uint32(p[n-4:]))
	}
	return uint64(p[0]) | uint64(p[n/2])<<8, uint64(p[n-1])
}

// borrow takes a table fit for a document of size bytes from the pool.
func (t *shared) borrow(size int) {
	t.large = largeTables.Get().(*[1 << largeBits]sharedEntry)
	t.bits = min(largeBits, uint8(bits.Len(uint(size/32))))
}

// giveBack gives the table back, empty.
func (t *shared) giveBack() {
	clear(t.large[:1<<t.bits])
	largeTables.Put(t.large)
}

// at returns the entry where p, whose words are lo and hi, is or would be, and whether
// it is there.
func (t *shared) at(p []byte, lo, hi uint64) (e *sharedEntry, hit bool) {
	n := len(p)
	h := (lo ^ bits.RotateLeft64(hi, 29) ^ uint64(n)) * 0x9e3779b97f4a7c15
	if t.large == nil {
		e = &t.small[h>>(64-smallBits)]
	} else {
		e = &t.large[h>>(64-t.bits)%(1<<largeBits)]
	}
	return e, e.lo == lo && e.hi == hi && len(e.s) == n && (n <= 16 || e.s == string(p))
}
