//go:build race && (amd64 || arm64) && !purego

package asm

import (
	"runtime"
	"unsafe"
)

// sees tells the race detector of a read in assembly, which it does not see.
func sees(p []byte) { runtime.RaceReadRange(unsafe.Pointer(unsafe.SliceData(p)), len(p)) }
