package main

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// random makes well-formed documents of every format, with everything as a key.
type random struct {
	*rand.Rand
	left int // items that may still be made
}

// document returns a document of about the given number of items at most, one in
// four a scalar.
func (r *random) document(items int) []byte {
	r.left = items
	if r.IntN(4) == 0 {
		return r.scalar(nil)
	}
	return r.container(nil, 0)
}

func (r *random) item(b []byte, depth int) []byte {
	if depth < 20 && r.left > 0 && r.IntN(3) == 0 {
		return r.container(b, depth)
	}
	r.left--
	return r.scalar(b)
}

// container appends an array or map, of any format.
func (r *random) container(b []byte, depth int) []byte {
	n := r.IntN(min(16, 2+r.left))
	r.left -= n
	fixed, marker := byte(0x90), byte(0xdc)
	items := n
	if r.IntN(2) == 0 {
		fixed, marker = 0x80, 0xde
		items *= 2
	}
	if r.IntN(2) == 0 {
		b = append(b, fixed+byte(n))
	} else {
		b = r.wide(b, marker, n)
	}
	for range items {
		b = r.item(b, depth+1)
	}
	return b
}

// scalar appends an item of a kind that holds no others.
func (r *random) scalar(b []byte) []byte {
	switch r.IntN(12) {
	case 0:
		return append(b, 0xc0)
	case 1:
		return append(b, 0xc2+byte(r.IntN(2)))
	case 2:
		return append(b, byte(r.IntN(128))) // positive fixint
	case 3:
		return append(b, 0xe0+byte(r.IntN(32))) // negative fixint
	case 4:
		i := r.IntN(4)
		return r.number(append(b, 0xcc+byte(i)), 1<<i) // uint
	case 5:
		i := r.IntN(4)
		return r.number(append(b, 0xd0+byte(i)), 1<<i) // int
	case 6:
		return r.number(append(b, 0xca), 4)
	case 7:
		return r.float(append(b, 0xcb))
	case 8:
		return r.str(b)
	case 9:
		n := r.IntN(40)
		return r.number(r.length(b, 0xc4, n), n) // bin
	case 10:
		return r.ext(b)
	}
	return r.timestamp(b)
}

// length appends a header with a length field of one, two or four bytes.
func (r *random) length(b []byte, marker byte, n int) []byte {
	if r.IntN(3) == 0 {
		return append(b, marker, byte(n))
	}
	return r.wide(b, marker+1, n)
}

// wide appends a header with a length field of two or four bytes.
func (r *random) wide(b []byte, marker byte, n int) []byte {
	if r.IntN(2) == 0 {
		return binary.BigEndian.AppendUint16(append(b, marker), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(b, marker+1), uint32(n))
}

func (r *random) fill(b []byte) []byte {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func (r *random) number(b []byte, size int) []byte {
	return append(b, r.fill(make([]byte, size))...)
}

func (r *random) float(b []byte) []byte {
	f := [...]float64{
		0, math.Copysign(0, -1), 1, 1e6, 1e20, 1e21, 1e-6, 9.9e-7, math.MaxFloat64, math.SmallestNonzeroFloat64,
		math.NaN(), math.Inf(1), math.Inf(-1), r.NormFloat64(), float64(r.Int32()), math.Float64frombits(r.Uint64()),
	}[r.IntN(16)]
	return binary.BigEndian.AppendUint64(b, math.Float64bits(f))
}

func (r *random) str(b []byte) []byte {
	s := make([]rune, r.IntN(20))
	for i := range s {
		switch r.IntN(5) {
		case 0:
			s[i] = rune(r.IntN(0x20)) // controls
		case 1:
			s[i] = rune(r.IntN(0x100))
		case 2:
			s[i] = rune(0x2000 + r.IntN(0x80))
		case 3:
			s[i] = rune(r.IntN(0x110000))
		default:
			s[i] = rune('a' + r.IntN(26))
		}
	}
	text := string(s)
	if len(text) < 32 {
		b = append(b, 0xa0+byte(len(text)))
	} else {
		b = r.length(b, 0xd9, len(text))
	}
	return append(b, text...)
}

func (r *random) ext(b []byte) []byte {
	typ := byte(r.IntN(5) - 2)
	if r.IntN(2) == 0 {
		i := r.IntN(5)
		return r.number(append(b, 0xd4+byte(i), typ), 1<<i)
	}
	n := r.IntN(40)
	return r.number(append(r.length(b, 0xc7, n), typ), n)
}

// timestamp appends one that is valid but for its nanoseconds at times.
func (r *random) timestamp(b []byte) []byte {
	seconds := r.Int64N(1e12) - 5e11
	if r.IntN(4) == 0 {
		seconds = int64(r.Uint64())
	}
	b = append(b, 0xc7, 12, 0xff)
	b = binary.BigEndian.AppendUint32(b, r.Uint32N(1.1e9))
	return binary.BigEndian.AppendUint64(b, uint64(seconds))
}
