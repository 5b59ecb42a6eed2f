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
	for items >= leastRun && off < len(data) { // a stream may owe what has not come yet
		most := min(items, a.Fit(max(int64(plain[data[off]])-1, 0)))
		n, size := run(data[off:], int(most))
		a.TakeItems(int64(n), int64(n*size))
		off += n * size
		if items -= int64(n); n < leastRun {
			break
		}
	}
	return off, a
}

// run returns how many items at the start of p, at most most, are a run, and the length in
// bytes of each. p is not empty.
func run(p []byte, most int) (n, size int) {
	size = int(plain[p[0]])
	switch {
	case size == 1 && tier.On(tier.WalkOneByteRun):
		n = asm.OneByteRun(p[:min(most, len(p))])
		tier.Count(tier.WalkOneByteRun, int64(n))
	case size > 1 && tier.On(tier.WalkStrideRun):
		n = asm.StrideRun(p[:min(most, len(p)/size)*size], p[0], size)
		tier.Count(tier.WalkStrideRun, int64(n))
	}
	return n, size
}
