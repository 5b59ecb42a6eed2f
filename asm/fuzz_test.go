package asm

import (
	"slices"
	"testing"

	"github.com/boundpack/boundpack/internal/guard"
	"github.com/boundpack/boundpack/internal/tier"
)

// at returns data at the end of mem, before a page that cannot be read.
func at(mem, data []byte) []byte {
	p := mem[len(mem)-len(data):]
	copy(p, data)
	return p
}

const fuzzed = 1 << 16 // the longest input that is looked at

func FuzzPrefixes(f *testing.F) {
	mem := guard.Pages(f, fuzzed)
	for _, text := range texts {
		f.Add(filled(text, 100), byte(0xcb), byte(9))
	}
	for _, s := range invalid {
		f.Add(append(filled("é", 61), s...), byte(0xc0), byte(2))
	}
	f.Add(make([]byte, 300), byte(0), byte(5))
	f.Fuzz(func(t *testing.T, data []byte, marker, stride byte) {
		if len(data) > fuzzed {
			return
		}
		p, size := at(mem, data), 2+int(stride)%(MaxStride-1)
		utf, ascii, ones, run := plainPrefix(p), asciiPrefixGo(p), oneByteRunGo(p), strideRunGo(p, marker, size)
		for _, set := range tier.Offered() {
			restore := tier.Use(set)
			if got := UTF8Prefix(p); got != utf {
				t.Fatalf("%v: UTF8Prefix(%x) = %d, want %d", set, p, got, utf)
			}
			if got := ASCIIPrefix(p); got != ascii {
				t.Fatalf("%v: ASCIIPrefix(%x) = %d, want %d", set, p, got, ascii)
			}
			if got := OneByteRun(p); got != ones {
				t.Fatalf("%v: OneByteRun(%x) = %d, want %d", set, p, got, ones)
			}
			if got := StrideRun(p, marker, size); got != run {
				t.Fatalf("%v: StrideRun(%x, %#x, %d) = %d, want %d", set, p, marker, size, got, run)
			}
			restore()
		}
	})
}

func FuzzLoads(f *testing.F) {
	mem := guard.Pages(f, fuzzed)
	for _, m := range append([]byte{1, 0xe0, 0xca, 0xcb}, intMarkers...) {
		var doc []byte
		for i := range uint64(150) {
			doc = number{marker: m, bits: i}.append(doc)
		}
		f.Add(doc, uint16(200))
		f.Add(doc, uint16(97))
	}
	f.Fuzz(func(t *testing.T, data []byte, room uint16) {
		if len(data) > fuzzed {
			return
		}
		p := at(mem, data)
		same[int8](t, p, int(room))
		same[int16](t, p, int(room))
		same[int32](t, p, int(room))
		same[int64](t, p, int(room))
		same[uint8](t, p, int(room))
		same[uint16](t, p, int(room))
		same[uint32](t, p, int(room))
		same[uint64](t, p, int(room))
		restore := tier.Use(tier.Go)
		wide, narrow := make([]uint64, room), make([]uint32, room)
		n64, n32 := LoadFloat64s(floats[float64](wide), p), LoadFloat32s(floats[float32](narrow), p)
		restore()
		for _, set := range tier.Offered() {
			restore := tier.Use(set)
			wide2, narrow2 := make([]uint64, room), make([]uint32, room)
			if n := LoadFloat64s(floats[float64](wide2), p); n != n64 || !slices.Equal(wide[:n], wide2[:n]) {
				t.Fatalf("%v: LoadFloat64s of %x into %d: %d, want %d", set, p, room, n, n64)
			}
			if n := LoadFloat32s(floats[float32](narrow2), p); n != n32 || !slices.Equal(narrow[:n], narrow2[:n]) {
				t.Fatalf("%v: LoadFloat32s of %x into %d: %d, want %d", set, p, room, n, n32)
			}
			restore()
		}
	})
}

// same fails unless LoadInts reads into Ts, on every set, what its twin reads.
func same[T Integer](t *testing.T, p []byte, room int) {
	t.Helper()
	want := make([]T, room)
	n, size := loadIntsGo(want, p)
	for _, set := range tier.Offered() {
		restore := tier.Use(set)
		got := make([]T, room)
		if n2, size2 := LoadInts(got, p); n2 != n || size2 != size || !slices.Equal(got[:n], want[:n]) {
			t.Fatalf("%v: LoadInts of %x into %T: %d in %d bytes, want %d in %d", set, p, got, n2, size2, n, size)
		}
		restore()
	}
}
