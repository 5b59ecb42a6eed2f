//go:build !purego && (amd64 || arm64)

package asm

import "github.com/boundpack/boundpack/internal/tier"

// strideMasks has for each stride the first bytes of items of that size, set, in 64 of
// them; a half of that is 32 of them, and so on.
var strideMasks = func() (t [MaxStride + 1][]byte) {
	for stride := 2; stride <= MaxStride; stride++ {
		t[stride] = make([]byte, 64*stride)
		for i := 0; i < len(t[stride]); i += stride {
			t[stride][i] = 0xff
		}
	}
	return t
}()

// strideKernel returns the number of items at the start of p that are stride bytes each,
// the first of them marker, or less. stride is 2 to MaxStride.
func strideKernel(p []byte, marker byte, stride int) int {
	set := tier.InUse()
	items := strideItems(set)
	if items == 0 {
		return 0
	}
	size := items * stride
	groups := len(p) / size
	for at := 0; at < groups; {
		given := min(groups-at, maxCall/size)
		sees(p[at*size:][:given*size])
		proved := strideGroups(set, &p[at*size], given, marker, size, &strideMasks[stride][0])
		at += proved
		if proved < given {
			return at * items
		}
	}
	return groups * items
}
