//go:build race && !purego

package asm

import (
	"runtime"
	"unsafe"
)

// stores tells the race detector of a write of n bytes from p on.
func stores(p unsafe.Pointer, n int) { runtime.RaceWriteRange(p, n) }
