// Package probe measures what code allocates, for tests.
package probe

import (
	"runtime"
	"runtime/debug"
)

// Cold returns the bytes and objects that one call of f allocates.
func Cold(f func()) (size, objects uint64) { return allocated(func() {}, f) }

// Warm returns the bytes and objects that the second of two calls of f allocates.
func Warm(f func()) (size, objects uint64) { return allocated(f, f) }

func allocated(first, f func()) (size, objects uint64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would empty pools
	first()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
}
