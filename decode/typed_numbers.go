package decode

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/boundpack/boundpack/asm"
	"github.com/boundpack/boundpack/internal/tier"
)

// runIntegers is run for ints and uints: it chooses the loop of the type's size.
func (s *state) runIntegers(p *plan, ptr unsafe.Pointer, n int) int {
	if p.op == opInt {
		switch p.size {
		case 1:
			return runInts(s, unsafe.Slice((*int8)(ptr), n), true)
		case 2:
			return runInts(s, unsafe.Slice((*int16)(ptr), n), true)
		case 4:
			return runInts(s, unsafe.Slice((*int32)(ptr), n), true)
		}
		return runInts(s, unsafe.Slice((*int64)(ptr), n), true)
	}
	switch p.size {
	case 1:
		return runInts(s, unsafe.Slice((*uint8)(ptr), n), false)
	case 2:
		return runInts(s, unsafe.Slice((*uint16)(ptr), n), false)
	case 4:
		return runInts(s, unsafe.Slice((*uint32)(ptr), n), false)
	}
	return runInts(s, unsafe.Slice((*uint64)(ptr), n), false)
}

// leastBulk is the number of integers from which on they are tried in bulk.
const leastBulk = 64

// runInts reads ints in their shortest and in longer forms into dst as long as they fit.
func runInts[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](s *state, dst []T, signed bool) int {
	data, off := s.data, s.off
	reach := off + int(s.account.Free()) // see runStrings
	i, bulk := 0, 0
	if !tier.On(tier.DecodeBulk) {
		bulk = len(dst)
	}
	for i < len(dst) && uint(off) < uint(len(data)) {
		if i >= bulk && len(dst)-i >= leastBulk {
			most := len(dst) - i
			if width := int(numberLen[data[off]]); width > 0 {
				most = min(most, (reach-off)/width)
			}
			n, size := asm.LoadIntRun(dst[i:i+most], data[off:])
			s.steps += int64(n)
			tier.Count(tier.DecodeBulk, int64(n))
			i += n
			off += size
			reach += n
			bulk = i + leastBulk // what is no run here may be one there
			if n > 0 {
				bulk = i
				continue
			}
		}
		if len(dst)-i >= 8 && len(data)-off >= 8 {
			// Eight fixints at once: no high bit is set but in 111xxxxx.
			w := word(data, off)
			bad := w & high
			if signed {
				bad &^= w << 1 & (w << 2)
			}
			if bad == 0 {
				d := dst[i : i+8 : i+8]
				for k := range d {
					d[k] = T(int8(w >> (8 * k)))
				}
				i += 8
				off += 8
				reach += 8
				continue
			}
		}
		b := data[off]
		v, size := int64(int8(b)), 1
		if v < 0 && (v < -32 || !signed) {
			if b < 0xcc || b > 0xd3 || len(data)-off < 9 {
				break // the last bytes of a document are not worth a case of their own
			}
			v, size = bigInt(b, bigWord(data, off+1)), 1+int(numberLen[b])
			if int64(T(v)) != v || v < 0 && signed == (b == 0xcf) || off+size > reach+1 {
				break
			}
		}
		dst[i] = T(v)
		i++
		off += size
		reach++
	}
	s.account.TakeItems(int64(i), int64(off-s.off))
	s.off = off
	return i
}

// runFloats reads floats of the width of T into dst by load.
func runFloats[T float32 | float64](s *state, load func(dst []T, p []byte) int, dst []T) int {
	if !tier.On(tier.DecodeBulk) {
		return 0
	}
	width := int(unsafe.Sizeof(T(0)))
	n := min(len(dst), (len(s.data)-s.off)/(1+width), int(s.account.Free())/width)
	i := load(dst[:n], s.data[s.off:s.off+n*(1+width)])
	s.steps += int64(i)
	tier.Count(tier.DecodeBulk, int64(i))
	s.account.TakeItems(int64(i), int64(i*(1+width)))
	s.off += i * (1 + width)
	return i
}

// runPoints reads arrays of size float64 each, 1 to 15, into dst, which holds them one after
// the other. It returns how many.
func (s *state) runPoints(dst []float64, size int) int {
	if s.depth() >= s.limits.MaxDepth || s.typedFrames.Len() >= s.typedLevels {
		return 0
	}
	data, each := s.data[s.off:], 1+9*size
	n := int(s.account.Records(int64(min(len(dst)/size, len(data)/each)), int64(size), 8))
	i := 0
points:
	for ; i < n && data[0] == 0x90|byte(size); i++ {
		p, d := data[1:each], dst[:size]
		for k := range d {
			if p[0] != 0xcb {
				break points
			}
			d[k] = math.Float64frombits(binary.BigEndian.Uint64(p[1:]))
			p = p[9:]
		}
		data, dst = data[each:], dst[size:]
	}
	s.account.TakeRecords(int64(i), int64(size), 8)
	s.off += i * each
	return i
}
