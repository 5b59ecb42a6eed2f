package asm

import (
	"encoding/binary"
	"math"
)

// LoadFloat64s reads the float 64s that stand at the start of p one after another into
// dst, and returns how many: it stops at the end of dst, before another marker, and before
// a number that p cuts short. Each takes 9 bytes of p. The bits of NaNs are kept.
func LoadFloat64s(dst []float64, p []byte) int {
	const size = 9
	n := loadKernel(dst, p, 0xcb)
	dst, p = dst[n:], p[n*size:]
	for i := range dst {
		if len(p) < size || p[0] != 0xcb {
			return n + i
		}
		dst[i] = math.Float64frombits(binary.BigEndian.Uint64(p[1:]))
		p = p[size:]
	}
	return n + len(dst)
}

// LoadFloat32s is [LoadFloat64s] for float 32s, each of which takes 5 bytes of p.
func LoadFloat32s(dst []float32, p []byte) int {
	const size = 5
	n := loadKernel(dst, p, 0xca)
	dst, p = dst[n:], p[n*size:]
	for i := range dst {
		if len(p) < size || p[0] != 0xca {
			return n + i
		}
		dst[i] = math.Float32frombits(binary.BigEndian.Uint32(p[1:]))
		p = p[size:]
	}
	return n + len(dst)
}

// Integer is a type that LoadInts reads into.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// LoadInts reads the ints, of whatever formats, that stand at the start of p one after
// another into dst. It stops at the end of dst, before an item that is no int, before one
// whose value T does not hold, and before one that p cuts short. It returns how many it
// read and the bytes of p that they take.
func LoadInts[T Integer](dst []T, p []byte) (n, size int) {
	for n < len(dst) && size < len(p) {
		rest, from := dst[n:], p[size:]
		if len(rest) >= bulk {
			if k, took := LoadIntRun(rest, from); k > 0 {
				n, size = n+k, size+took
				continue
			}
			// What is no run here may be one further on.
			rest = rest[:bulk]
		}
		k, took := loadIntsGo(rest, from)
		n, size = n+k, size+took
		if k < len(rest) {
			break
		}
	}
	return n, size
}

// bulk is the number of ints from which on a kernel is tried.
const bulk = 64

// LoadIntRun reads ints of the one format that p begins with, or fixints, into dst, by a
// kernel: as many as it likes, 0 where there is no kernel for it or not enough to do. All
// that it reads are what [LoadInts] would read. It returns how many and the bytes of p that
// they take. It is for loops that read the rest themselves.
func LoadIntRun[T Integer](dst []T, p []byte) (n, size int) {
	if len(p) == 0 {
		return 0, 0
	}
	width := 0
	switch m := p[0]; {
	case int8(m) >= -32:
		n = fixintKernel(dst, p)
		return n, n
	case m >= 0xcc && m <= 0xcf:
		width = 1 << (m - 0xcc)
	case m >= 0xd0 && m <= 0xd3:
		width = 1 << (m - 0xd0)
	default:
		return 0, 0
	}
	n = loadKernel(dst, p, p[0])
	return n, n * (1 + width)
}

// loadIntsGo is the twin of the kernels behind LoadInts.
func loadIntsGo[T Integer](dst []T, p []byte) (n, size int) {
	var zero T
	signed := zero-1 < zero
	for n < len(dst) && size < len(p) {
		m, s := p[size], p[size+1:]
		var v int64 // the two's complement bits of the value
		width := 0
		switch {
		case int8(m) >= -32:
			v = int64(int8(m))
		case m < 0xcc || m > 0xd3:
			return n, size
		default:
			width = 1 << (m & 3)
			if len(s) < width {
				return n, size
			}
			switch m {
			case 0xcc:
				v = int64(s[0])
			case 0xcd:
				v = int64(binary.BigEndian.Uint16(s))
			case 0xce:
				v = int64(binary.BigEndian.Uint32(s))
			case 0xcf, 0xd3:
				v = int64(binary.BigEndian.Uint64(s))
			case 0xd0:
				v = int64(int8(s[0]))
			case 0xd1:
				v = int64(int16(binary.BigEndian.Uint16(s)))
			case 0xd2:
				v = int64(int32(binary.BigEndian.Uint32(s)))
			}
		}
		t := T(v)
		// The bits must come back, and mean a number of the same sign.
		if negative := v < 0 && m != 0xcf; int64(t) != v || (t < 0) != negative || v < 0 && signed != negative {
			return n, size
		}
		dst[n] = t
		n, size = n+1, size+1+width
	}
	return n, size
}
