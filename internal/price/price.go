// Package price says what Go values cost in memory: the bytes that Go's allocator
// gives up for them, so that a decoder can charge a thing before it makes it.
//
// The prices are those of Go 1.26: its size classes, its allocation headers, and its
// map layout. Tests compare them with the running toolchain, so that a release that
// changes them is noticed.
package price

import "math/bits"

// The constants that differ between 64 and 32 bit.
const (
	ptr         = 4 << (^uintptr(0) >> 63) // bytes of a pointer
	wide        = ptr/4 - 1                // 1 on 64 bit, 0 on 32 bit
	headerAbove = ptr * ptr * 8            // pointerful blocks beyond this carry 8 bytes more
	mapHeader   = 32 + 16*wide
	tableHeader = 24 + 8*wide
)

// classes are the allocator's block sizes up to 32 KiB; beyond, blocks are whole
// pages of 8 KiB.
var classes = [...]uint16{
	8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352, 384, 416, 448, 480,
	512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072, 3200, 3456, 4096, 4864,
	5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384, 18432, 19072, 20480,
	21760, 24576, 27264, 28672, 32768,
}

const (
	largest  = 32760 // the greatest size, any header of 8 bytes included, that has a class
	pageSize = 8192
)

// fine and coarse find a class at once: by eighths up to 1 KiB, beyond by 128 bytes.
var fine, coarse = func() (fine [1024/8 + 1]uint16, coarse [32768/128 + 1]uint16) {
	fill := func(table []uint16, grain int) {
		c := 0
		for i := range table {
			for int(classes[c]) < i*grain {
				c++
			}
			table[i] = classes[c]
		}
	}
	fill(fine[:], 8)
	fill(coarse[:], 128)
	fine[0] = 0
	return fine, coarse
}()

// Block returns the bytes that one allocation of size bytes takes; scan says that it
// holds pointers. Blocks below 16 bytes without pointers share a block of 16 with
// others, by order of arrival: they have no price of their own, and Block's is only
// right for them on average. See [Lone].
func Block(size uint64, scan bool) uint64 {
	if scan && size > headerAbove {
		size += 8
	}
	switch {
	case size <= 1024:
		return uint64(fine[(size+7)/8])
	case size <= largest+8:
		return uint64(coarse[(size+127)/128])
	}
	if scan && size > headerAbove {
		size -= 8 // large blocks keep it elsewhere
	}
	return (size + pageSize - 1) &^ (pageSize - 1)
}

// Lone is Block of a thing that stands alone: at least 16 bytes.
func Lone(size uint64, scan bool) uint64 {
	if size > 0 && size < 16 && !scan {
		return 16
	}
	return Block(size, scan)
}

// Map is what maps of one type cost.
type Map struct {
	group uint64 // bytes of a group of eight slots
	scan  bool   // it holds pointers
	// Key and Elem are what each new key or element takes outside the slots: 0
	// unless it is over 128 bytes.
	Key, Elem uint64
}

// Type is the size, alignment and pointers of a Go type.
type Type struct {
	Size, Align uint64
	Scan        bool
}

// MapOf returns the cost of map[key]elem.
func MapOf(key, elem Type) Map {
	m := Map{scan: key.Scan || elem.Scan}
	if key.Size > 128 {
		m.Key = Lone(key.Size, key.Scan)
		key, m.scan = Type{ptr, ptr, true}, true
	}
	if elem.Size > 128 {
		m.Elem = Lone(elem.Size, elem.Scan)
		elem, m.scan = Type{ptr, ptr, true}, true
	}
	slot := align(key.Size, elem.Align) + elem.Size
	if elem.Size == 0 && key.Size > 0 {
		slot++
	}
	slot = align(slot, max(key.Align, elem.Align))
	m.group = align(8+8*slot, max(key.Align, elem.Align, ptr))
	if slot == 0 {
		m.group = 16
	}
	return m
}

func align(n, to uint64) uint64 { return (n + to - 1) / to * to }

// Plan returns the hint with which a map for n pairs is to be made, and what it then takes.
// Up to 896 pairs the hint is n, and the map never grows. Beyond, Go spreads the pairs over
// tables by their hash, and a table that gets more than its 896 is split in two new ones.
// With 680 a table on average none does: that is more than eight standard deviations. Among
// many tables 790 do as well, where one in nine thousand is split, and the cost then allows
// for more splits than will ever be seen.
func (m Map) Plan(n uint64) (hint, cost uint64) {
	switch {
	case n == 0:
		return 0, mapHeader
	case n <= 8:
		return n, mapHeader + Lone(m.group, m.scan)
	case n <= 896:
		slots := uint64(1) << bits.Len64(n*8/7-1)
		return n, mapHeader + Block(ptr, true) + Block(tableHeader, true) + Block(slots/8*m.group, m.scan)
	}
	tables := uint64(2)
	for n > tables*680 && !(tables >= manyTables && n <= tables*790) {
		tables *= 2
	}
	cost = mapHeader + Block(tables*ptr, true) + tables*m.table()
	if n > tables*680 {
		cost += Block(2*tables*ptr, true) + 2*splits(tables)*m.table()
	}
	return tables * 896, cost
}

// manyTables is from how many tables on splits are allowed for.
const manyTables = 64

// splits is how many of so many tables may be split: with 790 pairs in one on average (a
// Poisson tail of 1.1e-4 beyond 896) more are in less than one map of 10^14.
func splits(tables uint64) uint64 { return 6 + tables/256 }

// table returns what one table of 1024 slots takes.
func (m Map) table() uint64 { return Block(tableHeader, true) + Block(128*m.group, m.scan) }
