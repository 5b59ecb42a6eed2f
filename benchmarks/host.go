package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// header returns the lines without which a figure says nothing: what ran, where
// and how.
func header(o options) []string {
	gc := "GC on"
	if o.gcOff {
		gc = "GC off"
	}
	lines := []string{
		fmt.Sprintf("%s %s/%s, %d CPUs (%s), GOMAXPROCS=%d, %s",
			runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), cpuModel(), o.procs, gc),
		fmt.Sprintf("%s, %d rounds of %v CPU time, ratios to %s (above 1: faster)",
			o.workload.Name, o.plan.rounds, o.plan.sample, o.workload.Baseline),
	}
	if peers := peerVersions(); len(peers) > 0 {
		lines = append(lines, "with "+strings.Join(peers, ", "))
	}
	return lines
}

// cpuModel reads the name of the CPU where Linux tells it.
func cpuModel() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "model unknown"
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), ":")
		if strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "model unknown"
}

// peerVersions returns the modules linked into this program that do not stand
// in the same repository, and so have a version.
func peerVersions() (peers []string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	for _, m := range info.Deps {
		if m.Replace == nil {
			peers = append(peers, m.Path+" "+m.Version)
		}
	}
	return peers
}
