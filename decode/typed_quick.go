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
		if b&0xe0 == 0xa0 {
			return s.quickString((*string)(ptr), 1, int(b&0x1f))
		}
		if b == 0xd9 && s.off+1 < len(s.data) {
			return s.quickString((*string)(ptr), 2, int(s.data[s.off+1]))
		}
	case opBool:
		if b == 0xc2 || b == 0xc3 {
			*(*bool)(ptr) = b == 0xc3
			s.account.Take(0)
			s.off++
			return true
		}
	case opInt:
		if int8(b) >= -32 {
			storeInt(ptr, p.size, int64(int8(b)))
			s.account.Take(0)
			s.off++
			return true
		}
		if p.size == 8 && b >= 0xcc && b <= 0xce && s.scalar(1<<(b-0xcc)) {
			switch b {
			case 0xcc:
				*(*int64)(ptr) = int64(s.payload(1)[0])
			case 0xcd:
				*(*int64)(ptr) = int64(binary.BigEndian.Uint16(s.payload(2)))
			default:
				*(*int64)(ptr) = int64(binary.BigEndian.Uint32(s.payload(4)))
			}
			return true
		}
	case opUint:
		if b < 0x80 {
			storeInt(ptr, p.size, int64(b))
			s.account.Take(0)
			s.off++
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

// quickString is quick for a str with a header of size bytes and n bytes of content.
func (s *state) quickString(dst *string, size, n int) bool {
	if !s.account.Scalar(int64(size-1+n)).Backed() || s.replacing {
		return false
	}
	start := s.off + size
	p := s.data[start : start+n : start+n]
	price := s.textPrice(p)
	if s.memory < price {
		return false
	}
	var str string
	switch {
	case n == 0:
	case n > 1 && n <= sharedValue:
		lo, hi := words(p)
		e, hit := s.shared.at(p, lo, hi)
		if hit {
			str = e.s
			break
		}
		if (n > 16 || (lo|hi)&high != 0) && !isText(p) {
			return false
		}
		s.off = start + n
		str = s.copyText(p)
		*e = sharedEntry{lo, hi, str, nil}
	default:
		if !isText(p) {
			return false
		}
		s.off = start + n
		str = s.copyText(p)
	}
	*dst = str
	s.off = start + n
	s.account.Take(int64(size - 1 + n))
	s.memory -= price
	return true
}

// quickFields decodes the next fields of the struct of f as long as they come in the order
// of the Go type and quick takes their values. If a name was read whose value it did not
// take, it returns where that goes.
func (s *state) quickFields(f *typedFrame) (t target, named bool) {
	fields := f.plan.table.fields
	i, read, seen := f.guess, f.read, f.seen
	for read < f.n && uint(i) < uint(len(fields)) && i < 64 {
		fd := &fields[i]
		bit := uint64(1) << i
		if !fd.quick || seen&bit != 0 || !s.quickName(fd) {
			break
		}
		seen |= bit
		i++
		ptr := unsafe.Add(f.ptr, fd.off)
		if !s.quick(fd.plan, ptr) {
			t, named = target{fd.plan, ptr, -1}, true
			break
		}
		read++
	}
	f.guess, f.read, f.seen = i, read, seen
	return t, named
}

// quickName reads the next key if it is the fixstr of fd's name: a shortcut past the header
// step and the look-up.
func (s *state) quickName(fd *field) bool {
	rest := s.data[s.off:]
	n := len(fd.name)
	if !s.inline || len(rest) < 9 || rest[0] != fd.head {
		return false
	}
	if n <= 8 {
		if binary.LittleEndian.Uint64(rest[1:])&fd.mask != fd.word {
			return false
		}
	} else if len(rest) <= n || string(rest[1:1+n]) != fd.name {
		return false
	}
	if !s.account.Take(int64(n)) {
		return false
	}
	s.off += 1 + n
	return true
}
