package main

import "slices"

// A spread is what is reported of a series: its median, and its ends so that a
// reader sees how far to trust it.
type spread struct{ median, low, high float64 }

// spreadOf returns the spread of at least one sample.
func spreadOf(samples []float64) spread {
	s := slices.Sorted(slices.Values(samples))
	half := len(s) / 2
	median := s[half]
	if len(s)%2 == 0 {
		median = (s[half-1] + s[half]) / 2
	}
	return spread{median, s[0], s[len(s)-1]}
}

// ratios divides base by own round by round. Two samples of one round are close
// in time, so their ratio holds where each alone does not.
func ratios(base, own []float64) []float64 {
	r := make([]float64, len(own))
	for i := range r {
		r[i] = base[i] / own[i]
	}
	return r
}
