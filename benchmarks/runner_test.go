package main

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/boundpack/boundpack/benchmarks/internal/contend"
)

// TestMeasureTakesTurns follows the order in which contenders run.
func TestMeasureTakesTurns(t *testing.T) {
	const rounds = 4
	var order []string
	busy := func(name string) contend.Contender {
		return contend.Contender{Name: name, Run: func([]byte) error {
			if len(order) == 0 || order[len(order)-1] != name {
				order = append(order, name)
			}
			burn(time.Millisecond)
			return nil
		}}
	}
	all := measure([]byte{0xc0}, []contend.Contender{busy("a"), busy("b"), busy("c")}, plan{rounds, time.Millisecond})
	// Calibration in order, then a round that begins one further each time; the
	// last of a round and the first of the next never coincide.
	want := []string{"a", "b", "c", "a", "b", "c", "b", "c", "a", "c", "a", "b", "a", "b", "c"}
	if !slices.Equal(order, want) {
		t.Errorf("ran as %v, want %v", order, want)
	}
	for i, s := range all {
		if len(s.nanoseconds) != rounds || len(s.bytes) != rounds || len(s.allocs) != rounds {
			t.Errorf("contender %d has %d, %d, %d samples", i, len(s.nanoseconds), len(s.bytes), len(s.allocs))
		}
	}
}

var sink []byte

func TestMeasureCountsAllocations(t *testing.T) {
	c := contend.Contender{Name: "one block", Run: func([]byte) error {
		sink = make([]byte, 64<<10)
		return nil
	}}
	s := measure(nil, []contend.Contender{c}, plan{3, 2 * time.Millisecond})[0]
	if allocs := spreadOf(s.allocs).median; allocs < 1 || allocs > 1.1 {
		t.Errorf("%v allocations, want 1", allocs)
	}
	if size := spreadOf(s.bytes).median; size < 64<<10 || size > 66<<10 {
		t.Errorf("%v bytes, want 65536", size)
	}
}

func TestCalibrate(t *testing.T) {
	c := contend.Contender{Name: "busy", Run: func([]byte) error { burn(500 * time.Microsecond); return nil }}
	if n := calibrate(nil, c, 20*time.Millisecond); n < 4 || n > 80 {
		t.Errorf("%d runs of half a millisecond for 20 ms", n)
	}
	slow := contend.Contender{Name: "slow", Run: func([]byte) error { burn(5 * time.Millisecond); return nil }}
	if n := calibrate(nil, slow, time.Millisecond); n != 1 {
		t.Errorf("%d runs of a contender slower than a sample, want 1", n)
	}
}

// TestErrorStopsMeasuring makes sure that no figure comes of refusing quickly.
func TestErrorStopsMeasuring(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a refusal was timed")
		}
	}()
	timed(nil, contend.Contender{Name: "refuses", Run: func([]byte) error { return errors.New("no") }}, 1)
}

func TestCPUTimeIsNotWallTime(t *testing.T) {
	start := cpuTime()
	time.Sleep(50 * time.Millisecond)
	asleep := cpuTime() - start
	burn(50 * time.Millisecond)
	awake := cpuTime() - start - asleep
	if asleep > awake/2 {
		t.Errorf("sleeping took %v, working %v", asleep, awake)
	}
}

func burn(d time.Duration) {
	for start := cpuTime(); cpuTime()-start < d; {
	}
}
