package asm

import (
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/klauspost/cpuid/v2"
)

// TestOffered: a set that this machine can run and this build has is offered, by the word
// of another library; a set that is not offered is tested by nobody.
func TestOffered(t *testing.T) {
	if s := os.Getenv("GODEBUG"); strings.Contains(s, "cpu.") {
		t.Skip("GODEBUG takes features away: " + s)
	}
	want := []tier.Kernels{tier.Go}
	if runtime.GOARCH == "amd64" && !pure {
		if cpuid.CPU.Supports(cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.POPCNT) {
			want = append(want, tier.AVX2)
			if cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512VL, cpuid.AVX512DQ, cpuid.AVX512VBMI, cpuid.AVX512VBMI2) {
				want = append(want, tier.AVX512)
			}
		}
	}
	if runtime.GOARCH == "arm64" && !pure {
		want = append(want, tier.NEON)
	}
	if got := tier.Offered(); !slices.Equal(got, want) {
		t.Errorf("offered are %v, want %v", got, want)
	}
	if got := tier.InUse(); got != want[len(want)-1] {
		t.Errorf("%v is in use, not the best, %v", got, want[len(want)-1])
	}
	t.Logf("%s: %v", cpuid.CPU.BrandName, want)
}

// narrowReturns has the kernels that return on a path, the first of their text, which touches
// no wide register.
var narrowReturns = map[string]int{"utf8ShortAVX2": 1}

// TestVZEROUPPER: what touches wide registers clears their upper parts before it returns,
// on every path.
func TestVZEROUPPER(t *testing.T) {
	text, err := os.ReadFile("kernels_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	wide := regexp.MustCompile(`\b[YZ][0-9]+\b`)
	returns := 0
	for _, kernel := range strings.Split(string(text), "\nTEXT ·")[1:] {
		name, _, _ := strings.Cut(kernel, "(")
		if !wide.MatchString(kernel) {
			continue
		}
		narrow := narrowReturns[name]
		lines := strings.Split(kernel, "\n")
		for i, line := range lines {
			if strings.TrimSpace(line) != "RET" {
				continue
			}
			returns++
			if strings.TrimSpace(lines[i-1]) == "VZEROUPPER" {
				continue
			}
			if narrow--; narrow < 0 || wide.MatchString(strings.Join(lines[:i], "\n")) {
				t.Errorf("%s returns without VZEROUPPER", name)
			}
		}
		if regexp.MustCompile(`(?m)^\s+(CALL|JMP\s+·)`).MatchString(kernel) {
			t.Errorf("%s leaves by a call", name)
		}
	}
	if returns < 10 {
		t.Errorf("only %d returns were looked at", returns)
	}
}

// TestAllocations: no kernel allocates, and none makes its caller's bytes escape.
func TestAllocations(t *testing.T) {
	if probe.Race {
		t.Skip("the calls that tell the race detector of reads make bytes escape")
	}
	onEach(t, func(t *testing.T) {
		if n := testing.AllocsPerRun(10, func() {
			var text [300]byte
			var floats [8]float64
			var ints [100]int32
			_ = UTF8Prefix(text[:])
			_ = ASCIIPrefix(text[:])
			_ = OneByteRun(text[:])
			_ = StrideRun(text[:], 0, 2)
			_ = LoadFloat64s(floats[:], text[:])
			_, _ = LoadInts(ints[:], text[:])
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}
