//go:build unix

package guard

import (
	"runtime/debug"
	"testing"
	"unsafe"
)

// TestPages: all of it can be used, and nothing around it can be read.
func TestPages(t *testing.T) {
	const n = 1 << 16
	mem := Pages(t, n)
	for i := range mem {
		mem[i] = byte(i)
	}
	if len(mem) != n || cap(mem) != n {
		t.Fatalf("%d bytes of %d", len(mem), cap(mem))
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for _, at := range []int{-1, n} {
		if !faults(mem, at) {
			t.Errorf("byte %d of %d can be read", at, n)
		}
	}
}

var sink byte

// faults reports whether reading the byte at an offset from the start of mem faults.
func faults(mem []byte, at int) (faulted bool) {
	defer func() { faulted = recover() != nil }()
	sink = *(*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(mem)), at))
	return false
}
