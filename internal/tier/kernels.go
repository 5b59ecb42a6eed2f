package tier

import (
	"slices"
	"sync/atomic"
)

// Kernels names a set of kernels of package asm.
type Kernels uint8

const (
	// Go is the twins in Go, which run everywhere.
	Go Kernels = iota
	// AVX2 is for amd64 with AVX2 and BMI.
	AVX2
	// AVX512 is for amd64 with AVX-512 F, BW, VL, DQ, VBMI and VBMI2.
	AVX512
	// NEON is for arm64.
	NEON
)

// String returns the name of the set.
func (k Kernels) String() string {
	all := [...]string{"go", "avx2", "avx512", "neon"}
	if int(k) >= len(all) {
		return "none"
	}
	return all[k]
}

var (
	offered = []Kernels{Go}
	inUse   atomic.Uint32
)

// Offer says that this build has a set and this machine can run it, better than those
// offered before. For package asm, while it is initialised.
func Offer(k Kernels) {
	offered = append(offered, k)
	inUse.Store(uint32(k))
}

// Offered returns the sets that can run here, the best last. Go is always the first.
func Offered() []Kernels { return slices.Clone(offered) }

// InUse returns the set that kernels are taken from: the best, unless a test says
// otherwise.
func InUse() Kernels { return Kernels(inUse.Load()) }

// Use takes kernels from the set k, which must be offered, and returns a function that
// puts it back. For tests.
func Use(k Kernels) (restore func()) {
	if !slices.Contains(offered, k) {
		panic("tier: this machine has no " + k.String())
	}
	was := inUse.Swap(uint32(k))
	return func() { inUse.Store(was) }
}
