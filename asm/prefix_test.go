package asm

import (
	"fmt"
	"math"
	"testing"

	"github.com/boundpack/boundpack/internal/guard"
	"github.com/boundpack/boundpack/internal/tier"
)

// TestPrefixEdges tries every length up to four registers against an unreadable page
// after the slice and before it, and there every place for what stops the kernel. The
// bytes on the other side would be moved over, if the kernel looked at them.
func TestPrefixEdges(t *testing.T) {
	mem := guard.Pages(t, 1<<16)
	most := 4 * widest
	onEach(t, func(t *testing.T) {
		for _, k := range prefixes() {
			for _, good := range k.good {
				for i := range mem {
					mem[i] = good
				}
				for n := range most + 1 {
					for side, p := range map[string][]byte{"head": mem[:n:n], "tail": mem[len(mem)-n:]} {
						k.check(t, p, side)
						wrong := k.wrong[n%len(k.wrong)]
						for i := n % step(); i < n; i += step() {
							p[i] = wrong
							k.check(t, p, fmt.Sprintf("%s, %#x at %d", side, wrong, i))
							p[i] = good
						}
					}
				}
			}
		}
	})
}

// TestPrefixAlignments tries every alignment, every byte there is, and stops beyond one
// call of a kernel.
func TestPrefixAlignments(t *testing.T) {
	mem := make([]byte, 2*maxCall)
	onEach(t, func(t *testing.T) {
		for _, k := range prefixes() {
			for i := range mem {
				mem[i] = k.good[i%len(k.good)]
			}
			for align := range widest {
				for _, n := range []int{1, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 300} {
					p := mem[align:][:n]
					k.check(t, p, fmt.Sprintf("aligned at %d", align))
					was := p[n-1]
					for _, wrong := range k.wrong {
						p[n-1] = wrong
						k.check(t, p, fmt.Sprintf("aligned at %d, %#x at the end", align, wrong))
					}
					p[n-1] = was
				}
			}
			p := mem[:widest*MaxStride+9]
			for i := 0; i < len(p); i += 5 {
				was := p[i]
				for b := range 256 {
					p[i] = byte(b)
					k.check(t, p, fmt.Sprintf("%#x at %d", b, i))
				}
				p[i] = was
			}
			for _, n := range []int{maxCall - 1, maxCall, maxCall + 1, maxCall + 40, len(mem)} {
				k.check(t, mem[:n], "more than a call")
				was := mem[n-1]
				mem[n-1] = k.wrong[0]
				k.check(t, mem[:n], "more than a call, and stopped at the end")
				mem[n-1] = was
			}
		}
	})
}

// TestKernelsFinish: what is good all through, a kernel takes to the end, whatever the bytes;
// its twin would do it too, and hide that it did not.
func TestKernelsFinish(t *testing.T) {
	onEach(t, func(t *testing.T) {
		if tier.InUse() == tier.Go {
			p := make([]byte, 6*widest)
			if asciiKernel(p) != 0 || oneByteKernel(p) != 0 || utf8Proved(p) != 0 {
				t.Error("the set of the twins has a kernel")
			}
			return
		}
		for n := 32; n < 6*widest; n += 1 + step()/7 {
			p := make([]byte, n)
			for b := range 256 {
				for i := range p {
					p[i] = byte(b)
				}
				if got := asciiKernel(p); b < 0x80 && got != n {
					t.Fatalf("ASCII: %d of %d bytes %#x", got, n, b)
				}
				if got := oneByteKernel(p); oneByteRunGo(p[:1]) == 1 && got != n {
					t.Fatalf("one-byte items: %d of %d bytes %#x", got, n, b)
				}
			}
			for stride := 2; stride <= MaxStride; stride++ {
				p := make([]byte, 20*n)
				for i := range p {
					p[i] = 0xff
				}
				if got := strideKernel(p, 0xff, stride); got <= len(p)/stride-widest {
					t.Fatalf("stride %d: %d items of %d bytes", stride, got, len(p))
				}
			}
		}
	})
}

// TestStrideRange: a stride that no item has is no run, whatever the bytes are.
func TestStrideRange(t *testing.T) {
	p := make([]byte, 4096)
	onEach(t, func(t *testing.T) {
		for _, stride := range []int{math.MinInt, -1, 0, 1, MaxStride + 1, math.MaxInt} {
			if n := StrideRun(p, 0, stride); n != 0 {
				t.Errorf("a run of stride %d: %d items", stride, n)
			}
		}
	})
}

// TestRunsAreWhatTheySay holds the twins of the runs to the specification, marker by marker.
func TestRunsAreWhatTheySay(t *testing.T) {
	for b := range 256 {
		want := 0
		if b < 0x80 || b >= 0xe0 || b == 0xc0 || b == 0xc2 || b == 0xc3 {
			want = 1
		}
		if got := oneByteRunGo([]byte{byte(b)}); got != want {
			t.Errorf("oneByteRunGo(%#x) = %d", b, got)
		}
		want = 0
		if b < 0x80 {
			want = 1
		}
		if got := asciiPrefixGo([]byte{byte(b)}); got != want {
			t.Errorf("asciiPrefixGo(%#x) = %d", b, got)
		}
	}
	for n, want := range []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 2} {
		p := []byte{0xcd, 1, 2, 0xcd, 3, 4, 0xce, 5, 6}[:n]
		if got := strideRunGo(p, 0xcd, 3); got != want {
			t.Errorf("strideRunGo of %d bytes = %d, want %d", n, got, want)
		}
	}
}
