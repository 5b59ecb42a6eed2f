package price

// The prices of what a value of type any points to, in bytes. Values of one kind stand
// in slabs that waste nothing, so that no price depends on what stands before or after.
const (
	Number      = 8       // an int64, uint64 or float64 beyond the static ones
	String      = 2 * ptr // the header of a string
	Slice       = 16 + 8*wide
	Time        = 21 + 3*wide
	Ext         = 16 + 16*wide
	slot        = 2 * ptr // an any
	smallSlots  = 10 + 9*wide
	ownContent  = 512
	SmallArray  = 8    // items up to which an array may stand in a slab
	ChunkSize   = 4096 // bytes of str and bin content allocated at once
	MaxInChunks = ownContent
)

// Content returns the price of n bytes of str or bin content. Up to 512 bytes it
// stands in a chunk of 4 KiB, of which at least 3,585 bytes are used.
func Content(n int) int64 {
	if n <= ownContent {
		return (8*int64(n) + 6) / 7
	}
	return int64(Block(uint64(n), false))
}

// Elements returns the price of the elements of an array of n. Up to eight may stand
// in a slab of 63, of which at least 56 are used.
func Elements(n int) int64 {
	if n <= SmallArray {
		return smallSlots * int64(n)
	}
	return int64(Block(slot*uint64(n), true))
}

// AnyMap is the price list of map[string]any and map[any]any: string and any are of
// one size.
var AnyMap = MapOf(Type{slot, ptr, true}, Type{slot, ptr, true})

// Fit returns the greatest number of elements of size bytes, most at the most, whose
// slab takes no more than unit bytes an element; scan says that they hold pointers.
// Without pointers a slab takes at least 16 bytes. It is 1 if nothing fits.
func Fit(most int, size, unit uint64, scan bool) int {
	for k := most; k > 1; k-- {
		n := uint64(k)
		if b := Block(n*size, scan); b <= n*unit && (scan || b >= 16) {
			return k
		}
	}
	return 1
}
