package decode

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// quick decodes the next item into memory of p's type if it is one of the scalars met most
// and nothing stands against it: a shortcut past the header step, the limits of fields and
// the general path. It reports false, and has done nothing, otherwise.
func (s *state) quick(p *plan, ptr unsafe.Pointer) bool {
	b := s.next()
	switch p.op {
	case opString:
		if n, size, ok := s.quickHeader(b); ok {
			return s.quickString((*string)(ptr), size, n)
		}
	case opBool:
		if b == 0xc2 || b == 0xc3 {
			*(*bool)(ptr) = b == 0xc3
			s.account.Take(0)
			s.off++
			return true
		}
	case opInt, opUint:
		if int8(b) >= 0 || int8(b) >= -32 && p.op == opInt {
			storeInt(ptr, p.size, int64(int8(b)))
			s.account.Take(0)
			s.off++
			return true
		}
		v, ok := s.quickInt(b, p.op == opInt)
		if ok && p.size == 8 && s.scalar(int(numberLen[b])) {
			*(*int64)(ptr) = v
			s.off += int(numberLen[b])
			return true
		}
	case opFloat:
		if b == 0xcb && p.size == 8 && s.scalar(8) {
			*(*float64)(ptr) = math.Float64frombits(binary.BigEndian.Uint64(s.payload(8)))
			return true
		}
	}
	return false
}

// storeInt stores v, which every integer type holds, in size bytes.
func storeInt(ptr unsafe.Pointer, size uintptr, v int64) {
	switch size {
	case 1:
		*(*int8)(ptr) = int8(v)
	case 2:
		*(*int16)(ptr) = int16(v)
	case 4:
		*(*int32)(ptr) = int32(v)
	default:
		*(*int64)(ptr) = v
	}
}

// quickHeader returns the length of the str whose marker b is next, and of its header, if
// that is a fixstr or a str 8.
func (s *state) quickHeader(b byte) (n, size int, ok bool) {
	if b&0xe0 == 0xa0 {
		return int(b & 0x1f), 1, true
	}
	if b == 0xd9 && s.off+1 < len(s.data) {
		return int(s.data[s.off+1]), 2, true
	}
	return 0, 0, false
}

// quickInt returns the int whose marker b is next, if its payload is there and a signed or
// an unsigned integer of 64 bits holds it.
func (s *state) quickInt(b byte, signed bool) (v int64, ok bool) {
	if b < 0xcc || b > 0xd3 || len(s.data)-s.off < 9 {
		return 0, false // the last bytes of a document are not worth a case of their own
	}
	v = bigInt(b, s.data[s.off+1:])
	return v, v >= 0 || signed != (b == 0xcf)
}

// bigInt returns the integer with the marker b, 0xcc to 0xd3, whose payload is the start of
// p, of at least 8 bytes: the bits of a uint64 for 0xcf.
func bigInt(b byte, p []byte) int64 {
	w := binary.BigEndian.Uint64(p)
	switch b {
	case 0xcc:
		return int64(w >> 56)
	case 0xcd:
		return int64(w >> 48)
	case 0xce:
		return int64(w >> 32)
	case 0xd0:
		return int64(w) >> 56
	case 0xd1:
		return int64(w) >> 48
	case 0xd2:
		return int64(w) >> 32
	}
	return int64(w)
}

// quickString is quick for a str with a header of size bytes and n bytes of content.
func (s *state) quickString(dst *string, size, n int) bool {
	if !s.account.Scalar(int64(size - 1 + n)).Backed() {
		return false
	}
	start := s.off + size
	str, ok := s.quickText(s.data[start:start+n:start+n], start+n)
	if !ok {
		return false
	}
	*dst = str
	s.off = start + n
	s.account.Take(int64(size - 1 + n))
	return true
}

// quickText charges and returns the string of the content p, of less than 256 bytes, that
// ends at end. It reports false, and has done nothing, if that is for the general path.
func (s *state) quickText(p []byte, end int) (str string, ok bool) {
	n := len(p)
	left := s.memory - int64(textPrices[uint8(n)])
	if left < 0 || s.replacing {
		return "", false
	}
	if n < 2 {
		if n == 0 {
			return "", true
		}
		if p[0] >= 0x80 {
			return "", false
		}
		s.memory = left
		return byteStrings[p[0]], true
	}
	if n > sharedValue || s.shared.resting() {
		if !isText(p) {
			return "", false
		}
		s.memory = left
		return s.freshText(p, end), true
	}
	lo, hi := words(p)
	e, hit := s.shared.at(p, lo, hi)
	if hit {
		s.shared.misses = 0
		s.memory = left
		return e.s, true
	}
	if (n > 16 || (lo|hi)&high != 0) && !isText(p) {
		return "", false
	}
	s.shared.missed()
	s.memory = left
	str = s.freshText(p, end)
	*e = sharedEntry{lo, hi, str, nil}
	return str, true
}

// freshText returns p, of at least 2 bytes, which ends at end, as a string of its own.
func (s *state) freshText(p []byte, end int) string {
	if s.d.alias {
		return asString(p)
	}
	c := &s.slabs.chunk
	n := len(p)
	if n > c.rest() {
		s.renewChunk(n, len(s.data)-end)
	}
	dst := c.carve(n)
	if n >= 8 && n <= 32 { // without a call
		if n > 16 {
			binary.LittleEndian.PutUint64(dst[8:], binary.LittleEndian.Uint64(p[8:]))
			binary.LittleEndian.PutUint64(dst[n-16:], binary.LittleEndian.Uint64(p[n-16:]))
		}
		binary.LittleEndian.PutUint64(dst, binary.LittleEndian.Uint64(p))
		binary.LittleEndian.PutUint64(dst[n-8:], binary.LittleEndian.Uint64(p[n-8:]))
	} else {
		copy(dst, p)
	}
	return asString(dst)
}
