package asm

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/tier"
)

// widest is the bytes of the widest register of a kernel.
const widest = 64

// step returns the distance of the places that a test tries, of lengths and of offsets: 1,
// or more where time is short.
func step() int {
	switch {
	case probe.Race:
		return 31
	case testing.Short():
		return 7
	}
	return 1
}

// onEach runs the test on every set of kernels that this machine has.
func onEach(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	for _, set := range tier.Offered() {
		t.Run(set.String(), func(t *testing.T) {
			defer tier.Use(set)()
			f(t)
		})
	}
}

// A prefix is a kernel that moves from the start of a slice to the first thing that it is
// not for, with its twin. good is what it moves over, wrong what stops it, a byte each.
type prefix struct {
	name         string
	kernel, twin func(p []byte) int
	good, wrong  []byte
}

// prefixes returns those kernels; the strides stop where a marker should stand only.
func prefixes() []prefix {
	all := []prefix{
		{"UTF8Prefix", UTF8Prefix, utf8PrefixGo, []byte{0x00, 0x7f, 'a'}, []byte{0x80, 0xbf, 0xc0, 0xc3, 0xe2, 0xf0, 0xff}},
		{"ASCIIPrefix", ASCIIPrefix, asciiPrefixGo, []byte{0x00, 0x7f, 'a'}, []byte{0x80, 0xc3, 0xff}},
		{
			"OneByteRun", OneByteRun, oneByteRunGo,
			[]byte{0x00, 0x7f, 0xe0, 0xff, 0xc0, 0xc2, 0xc3},
			[]byte{0x80, 0x9f, 0xa0, 0xbf, 0xc1, 0xc4, 0xcb, 0xd3, 0xdf},
		},
	}
	for stride := 2; stride <= MaxStride; stride++ {
		all = append(all, prefix{
			fmt.Sprintf("StrideRun %d", stride),
			func(p []byte) int { return StrideRun(p, 0xcb, stride) * stride },
			func(p []byte) int { return strideRunGo(p, 0xcb, stride) * stride },
			[]byte{0xcb},
			[]byte{0xca, 0x00, 0x4b, 0xff},
		})
	}
	return all
}

// check holds the kernel to its twin on p.
func (k prefix) check(t *testing.T, p []byte, what string) {
	t.Helper()
	if got, want := k.kernel(p), k.twin(p); got != want {
		t.Fatalf("%s of %d bytes, %s: %d, want %d", k.name, len(p), what, got, want)
	}
}

// floats returns the memory of bits as floats, whose bits then are.
func floats[F float32 | float64, B uint32 | uint64](bits []B) []F {
	return unsafe.Slice((*F)(unsafe.Pointer(unsafe.SliceData(bits))), len(bits))
}
