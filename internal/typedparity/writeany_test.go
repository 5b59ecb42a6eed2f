package typedparity

import (
	"encoding/binary"
	"math"
	"reflect"
	"time"

	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/parity"
	"github.com/boundpack/boundpack/internal/samples"
)

// anyKey stands for the keys of a map into any: str only, by default.
type anyKey string

// any appends any value that nests at most depth levels.
func (w *writer) any(depth int) {
	w.items--
	if w.here(reserved) {
		w.b = append(w.b, 0xc1)
		return
	}
	kind := w.r.IntN(13)
	if depth <= 0 || w.items <= 0 {
		kind = w.r.IntN(9)
	}
	switch kind {
	case 0:
		w.b = samples.AppendNil(w.b)
	case 1:
		w.b = samples.AppendBool(w.b, w.oneIn(2))
	case 2, 3:
		w.wider(int64(w.r.Uint64()) >> w.r.IntN(64))
	case 4:
		switch w.r.IntN(3) {
		case 0:
			w.b = samples.AppendUint(w.b, 1<<63|w.r.Uint64())
		case 1:
			w.b = samples.AppendFloat32(w.b, float32(w.r.NormFloat64()))
		default:
			w.b = samples.AppendFloat64(w.b, w.r.NormFloat64())
		}
	case 5:
		w.bytes(w.plainText(), false)
	case 6:
		w.ext()
	case 7:
		w.timestamp(timeType)
	case 8:
		w.str(w.text())
	case 9, 10:
		n := w.count()
		w.header(n, 0x90, 0xdc)
		for range n {
			w.any(depth - 1)
		}
	default:
		w.pairs(w.count(), reflect.TypeFor[anyKey](), func() { w.any(depth - 1) })
	}
}

// ext appends an ext that is no timestamp.
func (w *writer) ext() {
	content := make([]byte, []int{0, 1, 2, 3, 4, 5, 8, 12, 16, 17, 40}[w.r.IntN(11)])
	for i := range content {
		content[i] = byte(w.r.Uint32())
	}
	w.b = samples.AppendExt(w.b, []int8{5, -3, 0, 127, -128, 13}[w.r.IntN(6)], content)
}

// timestamp appends one that t takes, in one of its three widths, or a wrong one.
func (w *writer) timestamp(t reflect.Type) {
	if w.here(badTime) {
		switch w.r.IntN(5) {
		case 0:
			w.b = samples.AppendExt(w.b, -1, make([]byte, []int{0, 1, 3, 5, 16}[w.r.IntN(5)]))
		case 1:
			w.b = append(w.b, 0xd7, 0xff, 0xee, 0x6b, 0x28, 0, 0, 0, 0, 1) // a nanosecond too many
		case 2:
			w.b = append(w.b, 0xc7, 12, 0xff, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
		case 3:
			w.b = samples.AppendExt(w.b, 13, []byte{0, 0, 0, 1}) // what one package writes
		default:
			w.ext()
		}
		return
	}
	seconds := int64(w.r.Uint64()) >> (8 + w.r.IntN(40))
	nanoseconds := int64(w.r.IntN(1e9)) * int64(w.r.IntN(2))
	if t == stampType && w.oneIn(4) {
		content := binary.BigEndian.AppendUint32(nil, uint32(nanoseconds))
		w.b = samples.AppendExt(w.b, -1, binary.BigEndian.AppendUint64(content, 1<<63))
		return
	}
	w.b = samples.AppendTime(w.b, time.Unix(seconds, nanoseconds))
}

// key appends a key of type t that is not in seen.
func (w *writer) key(t reflect.Type, seen map[any]bool) {
	switch {
	case w.here(nilKey):
		w.b = samples.AppendNil(w.b)
		return
	case w.here(otherKey):
		w.otherKey(t == anyType)
		return
	}
	for try := 0; ; try++ {
		start, places := len(w.b), w.seen
		id := w.plainKey(t, try)
		if !seen[id] {
			seen[id] = true
			return
		}
		w.b, w.seen = w.b[:start], places
	}
}

// plainKey appends a key that t takes and returns what it is as a key.
func (w *writer) plainKey(t reflect.Type, try int) (id any) {
	switch t.Kind() {
	case reflect.Bool:
		v := w.oneIn(2)
		w.b = samples.AppendBool(w.b, v)
		return v
	case reflect.String:
		s := w.text()
		if try > 2 {
			s += string(rune('A' + try))
		}
		if own := t == reflect.TypeFor[anyKey](); own && w.here(parity.BinKey) || !own && w.oneIn(12) {
			w.bytes(s, false)
		} else {
			w.str(s)
		}
		return s
	case reflect.Float32, reflect.Float64:
		v := float64(w.r.IntN(64)) / 4
		if w.here(inexact) {
			w.b = samples.AppendFloat64(w.b, math.NaN())
			return v
		}
		if w.oneIn(2) {
			w.b = samples.AppendFloat32(w.b, float32(v))
		} else if v == math.Trunc(v) {
			w.wider(int64(v))
		} else {
			w.b = samples.AppendFloat32(w.b, float32(v))
		}
		return v
	case reflect.Interface:
		switch w.r.IntN(6) {
		case 0:
			w.b = samples.AppendNil(w.b)
			return nil
		case 1:
			return w.plainKey(reflect.TypeFor[bool](), try)
		case 2:
			return w.plainKey(reflect.TypeFor[float64](), try)
		case 3:
			v := int64(w.r.IntN(200))
			w.wider(v)
			return v
		}
		s := w.plainText()
		if w.here(parity.BinKey) {
			w.bytes(s, false)
			return decode.Bin(s)
		}
		w.str(s)
		return s
	}
	v := int64(w.r.IntN(100))
	if w.here(outOfRange) {
		w.b = samples.AppendUint(w.b, 1<<63+uint64(v))
		return v
	}
	w.wider(v)
	return v
}

// otherKey appends a key that hardly any map takes.
func (w *writer) otherKey(often bool) {
	kind := w.r.IntN(7)
	if often && !w.oneIn(4) {
		kind = 3 // a time is the one of these that is a Go key
	}
	switch kind {
	case 0:
		w.b = append(w.b, 0x90)
	case 1:
		w.b = append(w.b, 0x81, 0xa1, 'k', 1)
	case 2:
		w.b = samples.AppendExt(w.b, 5, []byte{1})
	case 3:
		w.b = samples.AppendTime(w.b, time.Unix(int64(w.r.Uint32()), 0))
	case 4:
		w.b = samples.AppendFloat64(w.b, math.NaN())
	case 5:
		w.str(w.plainText())
	default:
		w.wider(int64(w.r.IntN(100)))
	}
}
