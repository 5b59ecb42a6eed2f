package envelope

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/pierrec/lz4/v4"
	"github.com/zeebo/xxh3"
)

// benchmarked are payloads of words and of noise.
func benchmarked(yield func(name string, payload []byte) bool) {
	for _, n := range []int{64, 1 << 10, 64 << 10, 1 << 20} {
		r := rand.New(rand.NewPCG(11, 12))
		words, noise := make([]byte, 0, n+16), make([]byte, n)
		for len(words) < n {
			words = append(words, []string{"the ", "envelope ", "of ", "a ", "payload ", "is ", "small ", "and ", "checked "}[r.IntN(9)]...)
		}
		for i := range noise {
			noise[i] = byte(r.Uint32())
		}
		if !yield(fmt.Sprintf("words/%d", n), words[:n]) || !yield(fmt.Sprintf("noise/%d", n), noise) {
			return
		}
	}
}

// BenchmarkOpen compares opening with the LZ4 decoder and the checksum alone, in turns of
// one run: ns/op is two turns of both, the metrics are the medians of each. "into" reuses the
// buffer, "new" makes it.
func BenchmarkOpen(b *testing.B) {
	for name, payload := range benchmarked {
		env, err := Seal(payload, "")
		if err != nil {
			b.Fatal(err)
		}
		p, ok := readCanonical(env)
		if !ok {
			b.Fatal("not canonical")
		}
		buf := make([]byte, 0, len(payload))
		alone := func(dst []byte) {
			n, err := lz4.UncompressBlock(p.block, dst)
			if err != nil || xxh3.Hash(dst[:n]) != p.checksum {
				b.Fatal(err)
			}
		}
		for _, bench := range []struct {
			name        string
			ours, alone func()
		}{
			{"into", func() {
				if _, _, err := OpenAppend(buf, env); err != nil {
					b.Fatal(err)
				}
			}, func() { alone(buf[:len(payload)]) }},
			{"new", func() {
				if _, _, err := Open(env); err != nil {
					b.Fatal(err)
				}
			}, func() { alone(make([]byte, len(payload))) }},
		} {
			b.Run(name+"/"+bench.name, func(b *testing.B) {
				b.SetBytes(int64(len(payload)))
				calls := max(1, (64<<10)/len(payload)) // in one turn, so that the clock is small
				var ours, other []time.Duration
				turn := func(f func(), took *[]time.Duration) {
					start := time.Now()
					for range calls {
						f()
					}
					*took = append(*took, time.Since(start))
				}
				for b.Loop() {
					turn(bench.alone, &other)
					turn(bench.ours, &ours)
					turn(bench.ours, &ours)
					turn(bench.alone, &other)
				}
				a, o := median(other)/float64(calls), median(ours)/float64(calls)
				b.ReportMetric(a, "ns/alone")
				b.ReportMetric(o, "ns/open")
				b.ReportMetric(o-a, "ns/overhead")
				b.ReportMetric(100*(o/a-1), "%overhead")
			})
		}
	}
}

func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2])
}

// BenchmarkOpenInts is the full read of the first layout.
func BenchmarkOpenInts(b *testing.B) {
	for name, payload := range benchmarked {
		block := make([]byte, lz4.CompressBlockBound(len(payload)))
		n, err := compress(block, payload)
		if err != nil {
			b.Fatal(err)
		}
		env := []byte("\x94" + ints(4, 0, string(block[:n])) + ints(0, 0, sum(string(payload))) + number(0xce, uint64(len(payload))) + "\xa0")
		buf := make([]byte, 0, len(payload))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(payload)))
			for b.Loop() {
				if _, _, err := OpenAppend(buf, env); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSeal(b *testing.B) {
	for name, payload := range benchmarked {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(payload)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Seal(payload, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
