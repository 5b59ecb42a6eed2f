//go:build !unix

package main

import "time"

var start = time.Now()

// cpuTime stands in for process CPU time where there is no getrusage: it is the
// time on the wall, which other processes do move.
func cpuTime() time.Duration { return time.Since(start) }
