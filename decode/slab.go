package decode

import (
	"time"
	"unsafe"

	"github.com/boundpack/boundpack/internal/price"
)

// slabs are the blocks that small values are carved from. A slab is as long as the
// items still owed could need, and at most 512 bytes (1 KiB for array elements, 4 KiB
// for content), so that one kept value keeps little else alive. Every length wastes
// nothing to the allocator's size classes, so that a slab costs what its values are
// charged. Slabs serve one document: none is left over for the next.
type slabs struct {
	numbers  slab[int64]
	strings  slab[string]
	bytes    slab[[]byte]
	arrays   slab[[]any]
	times    slab[time.Time]
	exts     slab[Ext]
	elements slab[any]
	texts    slab[string] // elements of typed slices
	words    slab[uint64] // the same, of numbers
	unused   int          // elements of slabs shorter than elementSlab, as if none were used
	chunk    slab[byte]
}

// slab is a block of which the first used values are handed out. Counting them, where
// reslicing would do, writes no pointer, which costs while the collector marks.
type slab[T any] struct {
	block []T
	used  int
}

// rest returns how many values are left.
func (b *slab[T]) rest() int { return len(b.block) - b.used }

// carve returns the next n values, of which there must be as many left.
func (b *slab[T]) carve(n int) []T {
	b.used += n
	return b.block[b.used-n : b.used : b.used]
}

// renew replaces the block by a new one of n values.
func (b *slab[T]) renew(n int) { b.block, b.used = make([]T, n), 0 }

// take returns the next value, out of a new block if none is left.
func (b *slab[T]) take(s *state, l *lengths) *T {
	if b.used == len(b.block) {
		// The value being read, and one for each item owed.
		b.renew(int(l[min(1+s.account.Owed(), int64(len(l)-1))]))
	}
	b.used++
	return &b.block[b.used-1]
}

// lengths is, for each kind of slab and number of values wanted, how many it is to hold.
type lengths [65]uint8

func newLengths(most int, size, unit uintptr, scan bool) (l lengths) {
	least := 1
	if !scan {
		least = 2 // the allocator's smallest block is shared with others
	}
	for want := range l {
		l[want] = uint8(max(least, price.Fit(min(most, max(want, least)), uint64(size), uint64(unit), scan)))
	}
	return l
}

var (
	numberSlabs = newLengths(64, 8, price.Number, false)
	stringSlabs = newLengths(32, unsafe.Sizeof(""), price.String, true)
	sliceSlabs  = newLengths(20, unsafe.Sizeof([]byte(nil)), price.Slice, true)
	timeSlabs   = newLengths(22, unsafe.Sizeof(time.Time{}), price.Time, true)
	extSlabs    = newLengths(16, unsafe.Sizeof(Ext{}), price.Ext, true)
)

const (
	// elementSlab is the number of array elements in a slab where enough is owed.
	elementSlab = 63
	// maxUnused is the most of slabs.unused.
	maxUnused = 256
)

// carve returns n bytes, not cleared, for the payload that was read last: out of a chunk
// if they are few.
func (s *state) carve(n int) []byte {
	if n > price.MaxInChunks {
		return make([]byte, n)
	}
	if n > s.slabs.chunk.rest() {
		s.renewChunk(n, len(s.data)-s.off)
	}
	return s.slabs.chunk.carve(n)
}

// renewChunk makes a chunk for content of n bytes, of a payload with left bytes behind it:
// there all content still to come is.
func (s *state) renewChunk(n, left int) {
	s.slabs.chunk.renew(max(16, n, min(price.ChunkSize, n+left-left/4)))
}

// content returns a copy of p, the payload that was read last, which is not empty.
func (s *state) content(p []byte) []byte {
	if len(p) > price.MaxInChunks {
		return append(make([]byte, 0, len(p)), p...) // not cleared first
	}
	c := s.carve(len(p))
	copy(c, p)
	return c
}
