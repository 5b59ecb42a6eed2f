package main

import (
	"slices"
	"testing"
)

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		samples []float64
		want    spread
	}{
		{[]float64{7}, spread{7, 7, 7}},
		{[]float64{9, 1}, spread{5, 1, 9}},
		{[]float64{5, 100, 1}, spread{5, 1, 100}},
		{[]float64{4, 1, 3, 2}, spread{2.5, 1, 4}},
	} {
		before := slices.Clone(c.samples)
		if got := spreadOf(c.samples); got != c.want {
			t.Errorf("spreadOf(%v) = %v, want %v", c.samples, got, c.want)
		}
		if !slices.Equal(c.samples, before) {
			t.Error("spreadOf sorts its argument: later ratios would pair samples of different rounds")
		}
	}
}

// TestRatios is why ratios are taken round by round: a slow second round falls
// on both and leaves their ratio alone.
func TestRatios(t *testing.T) {
	base, own := []float64{10, 100, 10}, []float64{5, 50, 5}
	if got := spreadOf(ratios(base, own)); got != (spread{2, 2, 2}) {
		t.Errorf("ratios %v, want 2 throughout", got)
	}
	if got := spreadOf(ratios(own, base)).median; got != 0.5 {
		t.Errorf("slower one is %vx, want 0.5", got)
	}
}
