//go:build race

package asm

import (
	"runtime"
	"unsafe"
)

// sees tells the race detector of a read in assembly, which it does not see.
func sees(p []byte) { runtime.RaceReadRange(unsafe.Pointer(unsafe.SliceData(p)), len(p)) }

// stores tells it of a write of n bytes from p on.
func stores(p unsafe.Pointer, n int) { runtime.RaceWriteRange(p, n) }
