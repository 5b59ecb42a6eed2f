package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/boundpack/boundpack/benchmarks/internal/contend"
)

// A result is one contender on one document.
type result struct {
	doc, contender string
	size           int
	nanoseconds    spread
	ratio          spread // the baseline's time by this one's: above 1 is faster
	bytes, allocs  float64
}

// results returns the results of one document, in the order of the contenders.
func results(doc string, size int, w contend.Workload, all []series) []result {
	base := slices.IndexFunc(w.Contenders, func(c contend.Contender) bool { return c.Name == w.Baseline })
	rows := make([]result, len(all))
	for i, s := range all {
		rows[i] = result{
			doc:         doc,
			contender:   w.Contenders[i].Name,
			size:        size,
			nanoseconds: spreadOf(s.nanoseconds),
			ratio:       spreadOf(ratios(all[base].nanoseconds, s.nanoseconds)),
			bytes:       spreadOf(s.bytes).median,
			allocs:      spreadOf(s.allocs).median,
		}
	}
	return rows
}

// tabulate names a document and its size once, at its first contender.
func tabulate(rows []result) table {
	t := table{
		head: []string{"document", "bytes", "contender", "time", "min..max", "MB/s", "ratio", "min..max", "B/op", "allocs/op"},
		left: []int{0, 2},
	}
	last := ""
	for _, r := range rows {
		doc, size := r.doc, fmt.Sprint(r.size)
		if doc == last {
			doc, size = "", ""
		}
		last = r.doc
		t.rows = append(t.rows, []string{
			doc, size, r.contender,
			duration(r.nanoseconds.median),
			duration(r.nanoseconds.low) + ".." + duration(r.nanoseconds.high),
			fmt.Sprintf("%.0f", 1e3*float64(r.size)/r.nanoseconds.median),
			significant(r.ratio.median) + "x",
			significant(r.ratio.low) + ".." + significant(r.ratio.high),
			fmt.Sprintf("%.0f", r.bytes),
			fmt.Sprintf("%.0f", r.allocs),
		})
	}
	return t
}

// duration writes nanoseconds in the unit that fits.
func duration(ns float64) string {
	units := []string{"ns", "µs", "ms"}
	for len(units) > 1 && ns >= 999.5 {
		ns, units = ns/1000, units[1:]
	}
	return significant(ns) + " " + units[0]
}

// significant writes v with three digits, fewer below a ten-thousandth.
func significant(v float64) string {
	if v <= 0 {
		return "0"
	}
	// Rounded first, so that 9.996 counts as the 10.0 it is written as.
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64)
	if err != nil {
		panic(err) // what FormatFloat writes, ParseFloat reads
	}
	digits := 2 - int(math.Floor(math.Log10(rounded)))
	return strconv.FormatFloat(v, 'f', min(max(digits, 0), 6), 64)
}
