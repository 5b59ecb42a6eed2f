package main

import (
	"os"
	"syscall"
)

// peakMemory returns the most bytes that a process had in memory.
func peakMemory(p *os.ProcessState) (peak int64, ok bool) {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	return int64(usage.Maxrss) << 10, true // it is in KiB
}
