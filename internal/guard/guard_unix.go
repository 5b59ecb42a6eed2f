//go:build unix

package guard

import (
	"syscall"
	"testing"
)

// Pages returns n bytes, a multiple of 64 KiB, between pages that cannot be touched.
func Pages(tb testing.TB, n int) []byte {
	tb.Helper()
	const guard = 1 << 16 // a multiple of every size of page
	mem, err := syscall.Mmap(-1, 0, n+2*guard, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = syscall.Munmap(mem) })
	for _, side := range [][]byte{mem[:guard], mem[guard+n:]} {
		if err := syscall.Mprotect(side, syscall.PROT_NONE); err != nil {
			tb.Fatal(err)
		}
	}
	return mem[guard : guard+n : guard+n]
}
