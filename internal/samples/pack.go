package samples

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"time"
)

// The Append functions add one MessagePack header or value to b, always in the
// shortest form there is, and return the longer slice. They trust their caller:
// it is for the caller to let as many items follow a header as it promises.

// AppendNil appends nil.
func AppendNil(b []byte) []byte { return append(b, 0xc0) }

// AppendBool appends true or false.
func AppendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 0xc3)
	}
	return append(b, 0xc2)
}

// AppendInt appends v: unsigned formats from 0 on, signed ones below.
func AppendInt(b []byte, v int64) []byte {
	switch {
	case v >= 0:
		return AppendUint(b, uint64(v))
	case v >= -32:
		return append(b, byte(v))
	case v >= math.MinInt8:
		return append(b, 0xd0, byte(v))
	case v >= math.MinInt16:
		return binary.BigEndian.AppendUint16(append(b, 0xd1), uint16(v))
	case v >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(b, 0xd2), uint32(v))
	default:
		return binary.BigEndian.AppendUint64(append(b, 0xd3), uint64(v))
	}
}

// AppendUint appends v.
func AppendUint(b []byte, v uint64) []byte {
	switch {
	case v < 0x80:
		return append(b, byte(v))
	case v <= math.MaxUint8:
		return append(b, 0xcc, byte(v))
	case v <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, 0xcd), uint16(v))
	case v <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, 0xce), uint32(v))
	default:
		return binary.BigEndian.AppendUint64(append(b, 0xcf), v)
	}
}

// AppendFloat32 appends v in four bytes.
func AppendFloat32(b []byte, v float32) []byte {
	return binary.BigEndian.AppendUint32(append(b, 0xca), math.Float32bits(v))
}

// AppendFloat64 appends v in eight bytes, even where four would hold it.
func AppendFloat64(b []byte, v float64) []byte {
	return binary.BigEndian.AppendUint64(append(b, 0xcb), math.Float64bits(v))
}

// AppendStr appends s. It does not look whether s is valid UTF-8.
func AppendStr(b []byte, s string) []byte {
	return append(appendLength(b, len(s), 0xa0, 32, 0xd9), s...)
}

// AppendBin appends v as bin.
func AppendBin(b, v []byte) []byte {
	return append(appendLength(b, len(v), 0, 0, 0xc4), v...)
}

// AppendArray appends the header of an array of n elements.
func AppendArray(b []byte, n int) []byte {
	return appendCount(b, n, 0x90, 0xdc)
}

// AppendMap appends the header of a map of n pairs.
func AppendMap(b []byte, n int) []byte {
	return appendCount(b, n, 0x80, 0xde)
}

// AppendExt appends an ext value of the given type.
func AppendExt(b []byte, typ int8, data []byte) []byte {
	switch n := len(data); n {
	case 1, 2, 4, 8, 16:
		// d4 to d8 stand in the order of the powers of two they are for.
		b = append(b, 0xd4+byte(bits.TrailingZeros(uint(n))))
	default:
		b = appendLength(b, n, 0, 0, 0xc7)
	}
	return append(append(b, byte(typ)), data...)
}

// AppendTime appends t as the timestamp ext, in 4, 8 or 12 payload bytes as it
// needs them.
func AppendTime(b []byte, t time.Time) []byte {
	sec, nsec := t.Unix(), uint64(t.Nanosecond())
	var data []byte
	switch {
	case sec>>34 != 0:
		data = binary.BigEndian.AppendUint32(data, uint32(nsec))
		data = binary.BigEndian.AppendUint64(data, uint64(sec))
	case sec>>32 != 0 || nsec != 0:
		data = binary.BigEndian.AppendUint64(data, nsec<<34|uint64(sec))
	default:
		data = binary.BigEndian.AppendUint32(data, uint32(sec))
	}
	return AppendExt(b, -1, data)
}

// appendLength appends the header of a value of n payload bytes: fix|n below
// fixEnd, else the form of 8, 16 or 32 bits, whose markers follow one another
// from first8 on.
func appendLength(b []byte, n int, fix byte, fixEnd int, first8 byte) []byte {
	switch {
	case n < fixEnd:
		return append(b, fix|byte(n))
	case n <= math.MaxUint8:
		return append(b, first8, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, first8+1), uint16(n))
	default:
		return binary.BigEndian.AppendUint32(append(b, first8+2), length32(n))
	}
}

// appendCount appends the header of a container of n items or pairs: fix|n
// below 16, else the form of 16 or 32 bits, of which first16 is the first.
func appendCount(b []byte, n int, fix, first16 byte) []byte {
	switch {
	case n < 0:
		panic(fmt.Sprintf("samples: count %d", n))
	case n < 16:
		return append(b, fix|byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, first16), uint16(n))
	default:
		return binary.BigEndian.AppendUint32(append(b, first16+1), length32(n))
	}
}

// length32 converts n, which does not fit 32 bits only by a caller's mistake.
func length32(n int) uint32 {
	if uint64(n) > math.MaxUint32 {
		panic(fmt.Sprintf("samples: length %d is beyond 32 bits", n))
	}
	return uint32(n)
}
