package main

import (
	"strings"
	"testing"

	"github.com/boundpack/boundpack/benchmarks/internal/contend"
)

func TestResults(t *testing.T) {
	w := contend.Workload{Name: "walk", Baseline: "peer", Contenders: []contend.Contender{{Name: "own"}, {Name: "peer"}}}
	rows := results("doc", 2000, w, []series{
		{nanoseconds: []float64{1000, 2000, 1100}, bytes: []float64{0, 0, 0}, allocs: []float64{0, 0, 0}},
		{nanoseconds: []float64{2000, 4000, 3300}, bytes: []float64{64, 64, 64}, allocs: []float64{1, 1, 1}},
	})
	var text, markdown strings.Builder
	if err := tabulate(rows).writeText(&text); err != nil {
		t.Fatal(err)
	}
	if err := tabulate(rows).writeMarkdown(&markdown); err != nil {
		t.Fatal(err)
	}
	const wantText = `
document  bytes  contender     time          min..max  MB/s  ratio    min..max  B/op  allocs/op
doc        2000  own        1.10 µs  1.00 µs..2.00 µs  1818  2.00x  2.00..3.00     0          0
                 peer       3.30 µs  2.00 µs..4.00 µs   606  1.00x  1.00..1.00    64          1
`
	if got := "\n" + text.String(); got != wantText {
		t.Errorf("text table is%s\nwant%s", got, wantText)
	}
	const wantMarkdown = `
| document | bytes | contender | time | min..max | MB/s | ratio | min..max | B/op | allocs/op |
| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| doc | 2000 | own | 1.10 µs | 1.00 µs..2.00 µs | 1818 | 2.00x | 2.00..3.00 | 0 | 0 |
|  |  | peer | 3.30 µs | 2.00 µs..4.00 µs | 606 | 1.00x | 1.00..1.00 | 64 | 1 |
`
	if got := "\n" + markdown.String(); got != wantMarkdown {
		t.Errorf("Markdown table is%s\nwant%s", got, wantMarkdown)
	}
}

func TestDuration(t *testing.T) {
	for ns, want := range map[float64]string{
		7.444:       "7.44 ns",
		9.996:       "10.0 ns",
		99.96:       "100 ns",
		999.4:       "999 ns",
		999.6:       "1.00 µs",
		13_240:      "13.2 µs",
		1_368_000:   "1.37 ms",
		206_860_000: "207 ms",
		2e9:         "2000 ms",
	} {
		if got := duration(ns); got != want {
			t.Errorf("duration(%v) = %q, want %q", ns, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0", 0.00034: "0.000340", 0.0000123: "0.000012", 0.1424: "0.142", 0.9996: "1.00", 1: "1.00", 27.34: "27.3", 450.6: "451"} {
		if got := significant(v); got != want {
			t.Errorf("significant(%v) = %q, want %q", v, got, want)
		}
	}
}
