package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/boundpack/boundpack/benchmarks/internal/contend"
)

// A plan says how much to measure.
type plan struct {
	rounds int
	sample time.Duration // CPU time of one sample
}

// A series is the samples of one contender on one document, one of each round,
// all per run.
type series struct {
	nanoseconds []float64
	bytes       []float64 // allocated
	allocs      []float64
}

// measure samples every contender once in each round. Noise that lasts longer
// than a sample, a busy neighbour or a slower clock, so falls on all of them;
// and as the order moves on by one each round, none has always the same one
// before it.
func measure(doc []byte, contenders []contend.Contender, p plan) []series {
	runs := make([]int, len(contenders))
	for i, c := range contenders {
		runs[i] = calibrate(doc, c, p.sample)
	}
	all := make([]series, len(contenders))
	for round := range p.rounds {
		for i := range contenders {
			at := (round + i) % len(contenders)
			all[at].add(doc, contenders[at], runs[at])
		}
	}
	return all
}

// calibrate returns how many runs take about the wanted time, and warms up the
// contender by finding out.
func calibrate(doc []byte, c contend.Contender, want time.Duration) int {
	for n := 1; ; n *= 2 {
		// Below a quarter of a sample the clock's own step would show.
		if took := timed(doc, c, n); took >= want/4 {
			return max(1, int(float64(n)*float64(want)/float64(took)))
		}
	}
}

// add takes one sample. The collection before it, outside the clock, keeps one
// contender's garbage from being the next one's work.
func (s *series) add(doc []byte, c contend.Contender, n int) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	took := timed(doc, c, n)
	runtime.ReadMemStats(&after)
	per := func(total uint64) float64 { return float64(total) / float64(n) }
	s.nanoseconds = append(s.nanoseconds, per(uint64(took)))
	s.bytes = append(s.bytes, per(after.TotalAlloc-before.TotalAlloc))
	s.allocs = append(s.allocs, per(after.Mallocs-before.Mallocs))
}

// timed returns the CPU time of n runs.
func timed(doc []byte, c contend.Contender, n int) time.Duration {
	run := c.Run
	start := cpuTime()
	for range n {
		if err := run(doc); err != nil {
			// All contenders were seen to accept the document.
			panic(fmt.Sprintf("%s refuses what it accepted: %v", c.Name, err))
		}
	}
	return cpuTime() - start
}
