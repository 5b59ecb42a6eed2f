package walk

import (
	"github.com/boundpack/boundpack/asm"
	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/tier"
)

// leastRun is the number of elements from which on a run is looked for in an array, and
// that a run must have for another one to be looked for behind it.
const leastRun = 32

// runs moves over the first of an array's items, which begin at off, as long as they are
// runs of one marker or of one-byte items. Whatever else there is, it leaves to others at
// its offset.
func runs(data []byte, off int, a bounds.Account, items int64) (int, bounds.Account) {
	for items >= leastRun {
		// What is owed is backed by a byte each, at least.
		marker := data[off]
		size, n := int64(plain[marker]), int64(0)
		switch {
		case size == 1 && tier.On(tier.WalkOneByteRun):
			n = int64(asm.OneByteRun(data[off : off+int(items)]))
			tier.Count(tier.WalkOneByteRun, n)
		case size > 1 && tier.On(tier.WalkStrideRun):
			fit := min(items, a.Fit(size-1))
			n = int64(asm.StrideRun(data[off:off+int(fit*size)], marker, int(size)))
			tier.Count(tier.WalkStrideRun, n)
		}
		a.TakeItems(n, n*size)
		off += int(n * size)
		if items -= n; n < leastRun {
			break
		}
	}
	return off, a
}
