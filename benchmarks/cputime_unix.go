//go:build unix

package main

import (
	"fmt"
	"syscall"
	"time"
)

// cpuTime returns the CPU time this process has used in all its threads, those
// of the garbage collector included. Other processes do not move it.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(fmt.Sprintf("getrusage: %v", err))
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
