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
	if !s.inline {
		return false
	}
	end := s.quickAt(p, ptr, s.off, s.off+int(s.account.Free()))
	if end == 0 {
		return false
	}
	s.account.TakeItems(1, int64(end-s.off))
	s.off = end
	return true
}

// quickAt is quick for the item at off, whose content is backed up to reach: see runStrings.
// It returns the offset after the item, or 0.
func (s *state) quickAt(p *plan, ptr unsafe.Pointer, off, reach int) (end int) {
	data := s.data
	if uint(off) >= uint(len(data)) {
		return 0
	}
	b := data[off]
	switch p.op {
	case opString:
		start, n, ok := shortStr(data, off)
		if !ok || start+n > reach+1 {
			return 0
		}
		str, ok := s.quickText(start, n)
		if !ok {
			return 0
		}
		*(*string)(ptr) = str
		return start + n
	case opBool:
		if b == 0xc2 || b == 0xc3 {
			*(*bool)(ptr) = b == 0xc3
			return off + 1
		}
	case opInt, opUint:
		if int8(b) >= 0 || int8(b) >= -32 && p.op == opInt {
			storeInt(ptr, p.size, int64(int8(b)))
			return off + 1
		}
		if b < 0xcc || b > 0xd3 || len(data)-off < 9 || p.size != 8 {
			return 0 // the last bytes of a document are not worth a case of their own
		}
		v := bigInt(b, bigWord(data, off+1))
		end := off + 1 + int(numberLen[b])
		if v < 0 && (p.op == opInt) == (b == 0xcf) || end > reach+1 {
			return 0
		}
		*(*int64)(ptr) = v
		return end
	case opFloat:
		if b == 0xcb && p.size == 8 && len(data)-off >= 9 && reach-off >= 8 {
			*(*float64)(ptr) = math.Float64frombits(bigWord(data, off+1))
			return off + 9
		}
	}
	return 0
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

// bigInt returns the integer with the marker b, 0xcc to 0xd3, whose payload is the start of
// w: the bits of a uint64 for 0xcf.
func bigInt(b byte, w uint64) int64 {
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

// shortStr returns where the content of the fixstr or str 8 at off begins and its length, if
// that is what stands there.
func shortStr(data []byte, off int) (start, n int, ok bool) {
	if uint(off) >= uint(len(data)) {
		return 0, 0, false
	}
	b := data[off]
	if b&0xe0 == 0xa0 {
		return off + 1, int(b & 0x1f), true
	}
	if b != 0xd9 || off+1 >= len(data) {
		return 0, 0, false
	}
	return off + 2, int(data[off+1]), true
}

// quickText charges and returns the string of n bytes, less than 256, at start. It reports
// false, and has done nothing, if that is for the general path.
func (s *state) quickText(start, n int) (str string, ok bool) {
	data := s.data
	left := s.memory - int64(textPrices[uint8(n)])
	if left < 0 {
		return "", false
	}
	if n-2 > 14 || n < 2 || len(data)-start < 16 {
		return s.quickLongText(data[start:start+n:start+n], start+n)
	}

	// Of 2 to 16 bytes: all of it in two words, with no branch on its length.
	m := &wordMasks[n]
	lo, hi := word(data, start)&m[0], word(data, start+8)&m[1]
	if (lo|hi)&high != 0 && !isText(data[start:start+n]) {
		return "", false
	}
	var e *sharedEntry
	if !s.shared.resting() {
		if h := hash(n, lo, hi); s.shared.sighted(h) {
			var hit bool
			if e, hit = s.shared.at(data[start:start+n], lo, hi, h); hit {
				s.memory = left
				return e.s, true
			}
		}
	}
	s.memory = left
	if s.d.alias {
		str = asString(data[start : start+n])
	} else {
		c := &s.slabs.chunk
		if c.rest() < 16 {
			str = s.freshText(data[start:start+n], start+n)
		} else {
			// What this writes beyond n bytes is nobody's yet.
			dst := c.block[c.used : c.used+16]
			binary.LittleEndian.PutUint64(dst, lo)
			binary.LittleEndian.PutUint64(dst[8:], hi)
			c.used += n
			str = asString(dst[:n])
		}
	}
	if e != nil {
		e.set(lo, hi, str, nil)
	}
	return str, true
}

// quickLongText is quickText for the content p, which ends at end.
func (s *state) quickLongText(p []byte, end int) (str string, ok bool) {
	n := len(p)
	if n <= 16 || n > sharedValue {
		switch {
		case n == 0:
			return "", true
		case n == 1:
			return byteStrings[p[0]], p[0] < 0x80
		case !isText(p):
			return "", false
		}
		s.memory -= int64(textPrices[uint8(n)])
		if s.d.alias {
			return asString(p), true
		}
		return s.freshText(p, end), true
	}

	// Of 17 to 32 bytes: all of it in four words.
	first, second, third, last := word(p, 0), word(p, 8), word(p, n-16), word(p, n-8)
	if (first|second|third|last)&high != 0 && !isText(p) {
		return "", false
	}
	var e *sharedEntry
	if !s.shared.resting() {
		if h := hash(n, first, last); s.shared.sighted(h) {
			var hit bool
			if e, hit = s.shared.at(p, first, last, h); hit {
				s.memory -= int64(textPrices[uint8(n)])
				return e.s, true
			}
		}
	}
	s.memory -= int64(textPrices[uint8(n)])
	if s.d.alias {
		str = asString(p)
	} else {
		c := &s.slabs.chunk
		if c.rest() < n {
			s.renewChunk(n, len(s.data)-end)
		}
		dst := c.carve(n)
		binary.LittleEndian.PutUint64(dst, first)
		binary.LittleEndian.PutUint64(dst[8:], second)
		binary.LittleEndian.PutUint64(dst[n-16:], third)
		binary.LittleEndian.PutUint64(dst[n-8:], last)
		str = asString(dst)
	}
	if e != nil {
		e.set(first, last, str, nil)
	}
	return str, true
}

// freshText returns a copy of p, which ends at end, out of a chunk.
func (s *state) freshText(p []byte, end int) string {
	c := &s.slabs.chunk
	if len(p) > c.rest() {
		s.renewChunk(len(p), len(s.data)-end)
	}
	dst := c.carve(len(p))
	copy(dst, p)
	return asString(dst)
}

// wordMasks is, by length of a string, which bytes of two words are its.
var wordMasks = func() (t [17][2]uint64) {
	for n := range t {
		for i := range n {
			t[n][i/8] |= 0xff << (i % 8 * 8)
		}
	}
	return t
}()
