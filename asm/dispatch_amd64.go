//go:build !purego

package asm

import (
	"unsafe"

	"github.com/boundpack/boundpack/internal/tier"
	"golang.org/x/sys/cpu"
)

func init() {
	x := &cpu.X86
	if !x.HasAVX2 || !x.HasBMI1 || !x.HasBMI2 || !x.HasPOPCNT {
		return
	}
	tier.Offer(tier.AVX2)
	if x.HasAVX512F && x.HasAVX512BW && x.HasAVX512VL && x.HasAVX512DQ && x.HasAVX512VBMI && x.HasAVX512VBMI2 {
		tier.Offer(tier.AVX512)
	}
}

// utf8Short reports whether p, of 8 to 31 bytes, is valid UTF-8, if a kernel can say so.
func utf8Short(p []byte) bool {
	sees(p)
	return tier.InUse() != tier.Go && utf8ShortAVX2(unsafe.SliceData(p), len(p)) == len(p)
}

// utf8Proved returns how far p, of 32 to maxCall bytes, was proved to be valid UTF-8, but
// for a sequence that is open there: to the end, or to near an error.
func utf8Proved(p []byte) int {
	sees(p)
	switch set := tier.InUse(); {
	case set == tier.Go:
		return 0
	case set == tier.AVX512 && len(p) >= utf8Wide:
		return utf8BlocksAVX512(&p[0], len(p))
	}
	return utf8BlocksAVX2(&p[0], len(p))
}

// utf8Wide is the length from which on blocks of 64 bytes are faster than those of 32.
const utf8Wide = 64

// asciiKernel returns the length of the longest prefix of p that is ASCII, or less. p has
// 32 to maxCall bytes.
func asciiKernel(p []byte) int {
	sees(p)
	switch set := tier.InUse(); {
	case set == tier.Go:
		return 0
	case set == tier.AVX512 && len(p) >= 64:
		return asciiAVX512(&p[0], len(p))
	}
	return asciiAVX2(&p[0], len(p))
}

// oneByteKernel is the same for bytes that are fixint, nil or bool.
func oneByteKernel(p []byte) int {
	sees(p)
	switch set := tier.InUse(); {
	case set == tier.Go:
		return 0
	case set == tier.AVX512 && len(p) >= 64:
		return oneByteAVX512(&p[0], len(p))
	}
	return oneByteAVX2(&p[0], len(p))
}

// strideItems returns how many items a group of strideGroups has, 0 if there is no kernel.
func strideItems(set tier.Kernels) int {
	switch set {
	case tier.Go:
		return 0
	case tier.AVX512:
		return 64
	}
	return 32
}

// strideGroups returns how many groups at p, each of size bytes, have the marker where masks
// is set, up to the first that does not.
func strideGroups(set tier.Kernels, p *byte, groups int, marker byte, size int, masks *byte) int {
	if set == tier.AVX512 {
		return strideAVX512(p, groups, marker, size, masks)
	}
	return strideAVX2(p, groups, marker, size, masks)
}
