package asm

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/boundpack/boundpack/internal/guard"
	"github.com/boundpack/boundpack/internal/tier"
)

// A number is one int or float as it was written: T holds ints where ok says so.
type number struct {
	marker byte
	bits   uint64 // two's complement, sign-extended; the float's bits
}

func (n number) width() int {
	switch {
	case n.marker < 0x80 || n.marker >= 0xe0:
		return 0
	case n.marker < 0xcc:
		return 4 << (n.marker - 0xca)
	}
	return 1 << (n.marker & 3)
}

func (n number) append(p []byte) []byte {
	b := binary.BigEndian.AppendUint64(nil, n.bits)
	return append(append(p, n.marker), b[8-n.width():]...)
}

// in returns the number as a T, and whether T holds it, by way of 128 bits, so to say: sign
// and magnitude.
func in[T Integer](n number) (T, bool) {
	negative := n.marker >= 0xd0 && int64(n.bits) < 0
	var zero T
	size := 8 * unsafe.Sizeof(zero)
	signed := zero-1 < zero
	var most, least uint64 // magnitudes
	if signed {
		most, least = 1<<(size-1)-1, 1<<(size-1)
	} else {
		most, least = math.MaxUint64>>(64-size), 0
	}
	if negative && -n.bits > least || !negative && n.bits > most {
		return 0, false
	}
	return T(n.bits), true
}

var intMarkers = []byte{0xcc, 0xcd, 0xce, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3}

// randomInt returns an int of the format of marker, 0 standing for fixint, mostly small.
func randomInt(r *rand.Rand, marker byte) number {
	v := r.Uint64() >> r.IntN(65)
	if r.IntN(3) > 0 {
		v &= 0x7f
	}
	n := number{marker: marker}
	switch n.marker {
	case 0:
		n.bits = uint64(int64(int8(r.Uint32()&0x7f) - int8(r.IntN(8)/7*int(r.Uint32()&31))))
		n.bits = uint64(max(int64(n.bits), -32))
		n.marker = byte(n.bits)
		return n
	case 0xcc:
		v &= math.MaxUint8
	case 0xcd:
		v &= math.MaxUint16
	case 0xce:
		v &= math.MaxUint32
	case 0xd0:
		v = uint64(int64(int8(v)))
	case 0xd1:
		v = uint64(int64(int16(v)))
	case 0xd2:
		v = uint64(int64(int32(v)))
	}
	n.bits = v
	return n
}

// checkInts reads numbers into Ts and holds what was read, and where it stopped, to them:
// at the end of dst, at tail, or at a number that T does not hold.
func checkInts[T Integer](t *testing.T, mem, out []byte, numbers []number, tail []byte, room int) {
	t.Helper()
	var doc []byte
	wantN, wantSize, stopped := 0, 0, false
	var want []T
	for _, n := range numbers {
		doc = n.append(doc)
		v, ok := in[T](n)
		stopped = stopped || !ok || len(want) == room
		if !stopped {
			want = append(want, v)
			wantN, wantSize = len(want), len(doc)
		}
	}
	doc = append(doc, tail...)
	p := mem[len(mem)-len(doc):]
	copy(p, doc)
	var zero T
	size := int(unsafe.Sizeof(zero))
	for _, to := range [][]byte{out[:room*size], out[len(out)-room*size:]} {
		dst := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(to))), room)
		for i := range dst {
			dst[i] = 99
		}
		n, took := LoadInts(dst, p)
		if n != wantN || took != wantSize {
			t.Fatalf("LoadInts into %d of %T: %d in %d bytes, want %d in %d\n%.600x", room, zero, n, took, wantN, wantSize, doc)
		}
		for i, v := range want {
			if dst[i] != v {
				t.Fatalf("LoadInts into %T: [%d] is %v, want %v", zero, i, dst[i], v)
			}
		}
	}
}

func loadInts[T Integer](t *testing.T) {
	mem, out := guard.Pages(t, 1<<16), guard.Pages(t, 1<<16)
	r := rand.New(rand.NewPCG(3, 4))
	formats := append([]byte{0}, intMarkers...)
	tails := [][]byte{nil, {0xc0}, {0xcb, 0, 0}, {0xcd, 1}, {0xd3, 1, 2, 3, 4, 5, 6, 7}, {0xa0}}
	most := 3 * widest
	step := step()
	// Runs of every format and length, with each other format and a large number in every place.
	for _, marker := range formats {
		run := make([]number, most)
		for i := range run {
			run[i] = randomInt(r, marker)
			for _, ok := in[T](run[i]); !ok; _, ok = in[T](run[i]) {
				run[i] = randomInt(r, marker)
			}
		}
		for n := 0; n <= most; n += step {
			checkInts[T](t, mem, out, run[:n], tails[n%len(tails)], n+n%3)
			checkInts[T](t, mem, out, run, nil, n)
		}
		for i := 0; i < most; i += step {
			was := run[i]
			run[i] = randomInt(r, formats[r.IntN(len(formats))])
			checkInts[T](t, mem, out, run, nil, most)
			large := number{marker: marker, bits: math.MaxUint64}
			switch marker {
			case 0:
				large = number{0xff, math.MaxUint64}
			case 0xcc, 0xcd, 0xce:
				large.bits >>= 64 - 8*large.width()
			}
			run[i] = large // or -1
			checkInts[T](t, mem, out, run, nil, most)
			run[i] = was
		}
	}
	rounds := 5000 / step
	for range rounds {
		var numbers []number
		marker := byte(0)
		for range r.IntN(400) {
			if r.IntN(100) == 0 {
				marker = formats[r.IntN(len(formats))]
			}
			numbers = append(numbers, randomInt(r, marker))
		}
		checkInts[T](t, mem, out, numbers, tails[r.IntN(len(tails))], r.IntN(len(numbers)+2))
	}
}

func TestLoadInts(t *testing.T) {
	onEach(t, func(t *testing.T) {
		loadInts[int8](t)
		loadInts[int16](t)
		loadInts[int32](t)
		loadInts[int64](t)
		loadInts[int](t)
		loadInts[uint8](t)
		loadInts[uint16](t)
		loadInts[uint32](t)
		loadInts[uint64](t)
		loadInts[uint](t)
	})
}

// TestLoadIntsStops: every byte that is no fixint ends a run of them, wherever it is.
func TestLoadIntsStops(t *testing.T) {
	onEach(t, func(t *testing.T) {
		for _, fill := range []byte{0x00, 0x7f, 0xe0, 0xff} {
			p := make([]byte, 3*widest)
			for i := range p {
				p[i] = fill
			}
			for i := range p {
				for b := 0x80; b < 0xe0; b++ {
					p[i] = byte(b)
					if n, size := LoadInts(make([]int16, len(p)), p[:i+1]); n != i || size != i {
						t.Fatalf("%#x after %d bytes %#x: %d in %d bytes", b, i, fill, n, size)
					}
					p[i] = fill
				}
			}
			if n, _ := LoadInts(make([]uint8, len(p)), p); n == len(p) != (fill < 0x80) {
				t.Errorf("%d of %d bytes %#x are read into uint8", n, len(p), fill)
			}
		}
	})
}

// loadFloats tries runs of every length, cut everywhere at the end of a page, and another
// marker in every place; dst ends, and begins, at the edge of a page too.
func loadFloats[T float32 | float64](t *testing.T, marker byte, load func(dst []T, p []byte) int) {
	mem, out := guard.Pages(t, 1<<16), guard.Pages(t, 1<<16)
	r := rand.New(rand.NewPCG(5, 6))
	var zero T
	width := int(unsafe.Sizeof(zero))
	most := 3 * widest
	var doc []byte
	for range most {
		doc = number{marker, r.Uint64()}.append(doc)
	}
	check := func(p []byte, room, want int) {
		t.Helper()
		for _, to := range [][]byte{out[:room*width], out[len(out)-room*width:]} {
			clear(to)
			dst := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(to))), room)
			if n := load(dst, p); n != want {
				t.Fatalf("%d of %d bytes into %d: want %d", n, len(p), room, want)
			}
			for i := range want {
				from := p[i*(1+width)+1:][:width]
				for k := range width {
					if host := hostIndex(k, width); to[i*width+host] != from[k] {
						t.Fatalf("[%d] is %x, want the bytes of %x", i, to[i*width:][:width], from)
					}
				}
			}
		}
	}
	for n := 0; n <= len(doc); n++ {
		p := mem[len(mem)-n:]
		copy(p, doc)
		check(p, most, n/(1+width))
		if n <= most {
			full := mem[len(mem)-len(doc):]
			copy(full, doc)
			check(full, n, n)
		}
	}
	p := mem[len(mem)-len(doc):]
	copy(p, doc)
	for i := range most {
		at := i * (1 + width)
		for _, m := range []byte{0xca, 0xcb, 0xc0, 0xd3, 0x00} {
			if m != marker {
				p[at] = m
				check(p, most, i)
			}
		}
		p[at] = marker
	}
}

// hostIndex returns where byte k of a big-endian number stands in the memory of this machine.
func hostIndex(k, width int) int {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return width - 1 - k
	}
	return k
}

func TestLoadFloats(t *testing.T) {
	onEach(t, func(t *testing.T) {
		loadFloats(t, 0xcb, LoadFloat64s)
		loadFloats(t, 0xca, LoadFloat32s)
	})
}

// TestLoadsLeaveTheRest: what lies behind what was read, in dst and around it, stays.
func TestLoadsLeaveTheRest(t *testing.T) {
	onEach(t, func(t *testing.T) {
		for n := range 200 {
			p := make([]byte, 0, 9*n)
			for range n {
				p = number{0xcb, math.Float64bits(1.5)}.append(p)
			}
			all := make([]float64, 600)
			for i := range all {
				all[i] = -1
			}
			if got := LoadFloat64s(all[8:592], p); got != n {
				t.Fatalf("%d of %d", got, n)
			}
			for i, v := range all {
				want := -1.0
				if i >= 8 && i < 8+n {
					want = 1.5
				}
				if v != want {
					t.Fatalf("with %d read, [%d] is %v", n, i, v)
				}
			}
		}
	})
}

// TestLoadCalls reads more than one call of a kernel may.
func TestLoadCalls(t *testing.T) {
	var p []byte
	const n = maxCall/8 + 1000
	for i := range n {
		p = number{0xcd, uint64(i) & math.MaxUint16}.append(p)
	}
	onEach(t, func(t *testing.T) {
		dst := make([]int64, n)
		if got, size := LoadInts(dst, p); got != n || size != len(p) {
			t.Fatalf("%d in %d bytes", got, size)
		}
		for i, v := range dst {
			if v != int64(i&math.MaxUint16) {
				t.Fatalf("[%d] is %d", i, v)
			}
		}
	})
}

// TestLoadKernelsRun: on a set that has them, the kernels read what they are for.
func TestLoadKernelsRun(t *testing.T) {
	onEach(t, func(t *testing.T) {
		ones := make([]byte, 1000)
		has := tier.InUse() == tier.AVX2 || tier.InUse() == tier.AVX512
		if got := fixintKernel(make([]int64, 1000), ones); (got > 900) != has {
			t.Errorf("fixints: the kernel read %d of 1000, has one: %v", got, has)
		}
		if tier.InUse() != tier.AVX512 {
			return
		}
		for m := byte(0xcc); m <= 0xd3; m++ {
			var p []byte
			for range 1000 {
				p = number{m, 1}.append(p)
			}
			if got := loadKernel(make([]int64, 1000), p, m); got < 900 {
				t.Errorf("%#x: the kernel read %d of 1000", m, got)
			}
		}
	})
}

// TestLoadIntRun: a run is what LoadInts reads, or the start of it, of one format.
func TestLoadIntRun(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	onEach(t, func(t *testing.T) {
		read := 0
		for range 2000 {
			marker := append([]byte{0, 0xc0}, intMarkers...)[r.IntN(10)]
			var p []byte
			for range r.IntN(300) {
				n := number{marker: 0xc0}
				if marker != 0xc0 {
					n = randomInt(r, marker)
				}
				p = n.append(p)
			}
			got, want := make([]int32, r.IntN(300)), make([]int32, 300)
			n, size := LoadIntRun(got, p)
			most, _ := loadIntsGo(want[:len(got)], p)
			if n > most || !slices.Equal(got[:n], want[:n]) {
				t.Fatalf("LoadIntRun(%x) = %d, at most %d", p, n, most)
			}
			if _, took := loadIntsGo(want[:n], p); took != size {
				t.Fatalf("LoadIntRun(%x) = %d in %d bytes, want %d", p, n, size, took)
			}
			read += n
		}
		if has := tier.InUse() == tier.AVX2 || tier.InUse() == tier.AVX512; (read > 0) != has {
			t.Errorf("runs of %d ints were read, there is a kernel: %v", read, has)
		}
	})
}

func ExampleLoadInts() {
	dst := make([]int32, 8)
	n, size := LoadInts(dst, []byte{1, 0xcd, 1, 0, 0xff, 0xc0})
	fmt.Println(dst[:n], size)
	// Output: [1 256 -1] 5
}
