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
	large *largeTable // nil for a small document
	bits  uint8       // of a hash that choose among large

	misses int // in a row
	rest   int // strings that are not looked up any more
}

type largeTable struct {
	entries [1 << largeBits]sharedEntry
	marks   [2 << largeBits]uint16 // of the hashes that were met, for sighted
}

type sharedEntry struct {
	lo, hi uint64 // words(s)
	s      string
	boxed  *string // s in a slab, as an any needs it; nil before that
}

// set stores field by field: as a whole the collector's barrier would take it the long way.
func (e *sharedEntry) set(lo, hi uint64, s string, boxed *string) {
	e.lo, e.hi = lo, hi
	e.s = s
	e.boxed = boxed
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

// resting reports whether the next string into a Go type is not to be looked up: never in a
// small document, which has little to share.
func (t *shared) resting() bool {
	if t.rest > 0 {
		t.rest--
		return true
	}
	return t.large == nil
}

var largeTables = sync.Pool{New: func() any { return new(largeTable) }}

// words returns p, of at least 2 bytes, in two words if it is no longer than 16, and else
// its first and its last 8 bytes. Strings of one length up to 16 are equal if their words are.
func words(p []byte) (lo, hi uint64) {
	n := len(p)
	switch {
	case n >= 16:
		return binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[n-8:])
	case n >= 8:
		return binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[n-8:]) >> uint(8*(16-n))
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(p)) | uint64(binary.LittleEndian.Uint32(p[n-4:]))<<(8*(n-4)), 0
	}
	return uint64(p[0]) | uint64(p[1])<<8 | uint64(p[n-1])<<(8*(n-1)), 0
}

// borrow takes a table fit for a document of size bytes from the pool.
func (t *shared) borrow(size int) {
	t.large = largeTables.Get().(*largeTable)
	t.bits = min(largeBits, uint8(bits.Len(uint(size/32))))
}

// giveBack gives the table back, empty.
func (t *shared) giveBack() {
	clear(t.large.entries[:1<<t.bits])
	clear(t.large.marks[:2<<t.bits])
	largeTables.Put(t.large)
}

// hash returns the hash of a string of n bytes whose words are lo and hi.
func hash(n int, lo, hi uint64) uint64 {
	// Both halves of the product, so that every bit of the words comes to bear on every bit.
	h, l := bits.Mul64(lo^bits.RotateLeft64(hi, 29)^uint64(n), 0x9e3779b97f4a7c15)
	return h ^ l
}

// at returns the entry where p, whose words are lo and hi and whose hash is h, is or would
// be, and whether it is there.
func (t *shared) at(p []byte, lo, hi, h uint64) (e *sharedEntry, hit bool) {
	if t.large == nil {
		e = &t.small[h>>(64-smallBits)]
	} else {
		e = &t.large.entries[h>>(64-t.bits)%(1<<largeBits)]
	}
	return e, e.lo == lo && e.hi == hi && len(e.s) == len(p) && (len(p) <= 16 || e.s == string(p))
}

// sighted reports whether a string with the hash h, of a document that is not small, was met
// before, as far as is known, and notes that it was now. Strings met once, which most are, so stay out of the table, whose
// entries cost more to write than they save.
func (t *shared) sighted(h uint64) bool {
	mark := &t.large.marks[h>>(63-t.bits)%(2<<largeBits)]
	was := *mark
	*mark = uint16(h) | 1
	if was == uint16(h)|1 {
		t.misses = 0
		return true
	}
	if t.misses++; t.misses == mostMisses {
		t.misses, t.rest = 0, restAfter
	}
	return false
}
