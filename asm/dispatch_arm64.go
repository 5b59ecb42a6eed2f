//go:build !purego

package asm

import (
	"github.com/boundpack/boundpack/internal/tier"
	"golang.org/x/sys/cpu"
)

func init() {
	if cpu.ARM64.HasASIMD {
		tier.Offer(tier.NEON)
	}
}

// utf8Short has no kernel here.
func utf8Short([]byte) bool { return false }

// utf8Proved returns how far p, of 32 to maxCall bytes, was proved to be valid UTF-8, but
// for a sequence that is open there: to the end, or to near an error.
func utf8Proved(p []byte) int {
	sees(p)
	if tier.InUse() == tier.Go {
		return 0
	}
	return utf8BlocksNEON(&p[0], len(p))
}

// asciiKernel returns the length of the longest prefix of p that is ASCII, or less. p has
// 32 to maxCall bytes.
func asciiKernel(p []byte) int {
	sees(p)
	if tier.InUse() == tier.Go {
		return 0
	}
	return asciiNEON(&p[0], len(p))
}

// oneByteKernel is the same for bytes that are fixint, nil or bool.
func oneByteKernel(p []byte) int {
	sees(p)
	if tier.InUse() == tier.Go {
		return 0
	}
	return oneByteNEON(&p[0], len(p))
}

// strideItems returns how many items a group of strideGroups has, 0 if there is no kernel.
func strideItems(set tier.Kernels) int {
	if set == tier.Go {
		return 0
	}
	return 16
}

// strideGroups returns how many groups at p, each of size bytes, have the marker where masks
// is set, up to the first that does not.
func strideGroups(_ tier.Kernels, p *byte, groups int, marker byte, size int, masks *byte) int {
	return strideNEON(p, groups, marker, size, masks)
}
