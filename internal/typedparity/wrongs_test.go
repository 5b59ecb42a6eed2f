package typedparity

import (
	"math"
	"reflect"
	"strings"

	"github.com/boundpack/boundpack/internal/parity"
	"github.com/boundpack/boundpack/internal/samples"
)

// What a document can be made wrong by. Not all of it is refused: a missing field is fine.
const (
	otherKind  = "value of another kind"
	otherForm  = "array for a struct, or map for one that is an array"
	outOfRange = "number out of range"
	fraction   = "float for an int"
	inexact    = "number that a float rounds"
	missing    = "missing field"
	unknown    = "unknown field"
	cutShort   = "cut short"
	followed   = "trailing bytes"
	notUTF8    = "invalid UTF-8"
	twice      = "duplicate key"
	shorter    = "array too short"
	longer     = "array too long"
	nothing    = "nil"
	nilKey     = "nil key"
	otherKey   = "key of another kind"
	badTime    = "timestamp out of range"
	reserved   = "reserved marker"
	wrapped    = "ext around a map"
)

var wrongs = []string{
	otherKind, otherForm, outOfRange, fraction, inexact, missing, unknown, cutShort, followed, notUTF8,
	twice, shorter, longer, nothing, nilKey, otherKey, badTime, reserved, wrapped, parity.BinKey,
}

// instead appends something wrong in place of a value of t, if this is the place.
func (w *writer) instead(t reflect.Type) bool {
	switch {
	case w.here(otherKind):
		w.another(t)
	case !nilable(t) && w.here(nothing):
		w.b = samples.AppendNil(w.b)
	case w.here(reserved):
		w.b = append(w.b, 0xc1)
	case (t.Kind() == reflect.Map || t.Kind() == reflect.Struct) && w.here(wrapped):
		w.b = append(w.b, 0xd5, 5, 0x80, 0xc0)
		if w.oneIn(2) { // what the content says is a map of one pair
			w.b = append(w.b[:len(w.b)-4], 0xc7, 4, 0x80, 0x81, 0xa1, 'k')
			w.b = append(w.b, 1)
		}
	default:
		return false
	}
	return true
}

// another appends a value of a kind that t does not take, if there is one.
func (w *writer) another(t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var kinds []func()
	add := func(f func(), taken bool) {
		if !taken {
			kinds = append(kinds, f)
		}
	}
	k := t.Kind()
	isBytes := (k == reflect.Slice || k == reflect.Array) && t.Elem().Kind() == reflect.Uint8
	add(func() { w.b = samples.AppendBool(w.b, w.oneIn(2)) }, k == reflect.Bool)
	add(func() { w.b = samples.AppendInt(w.b, int64(w.r.IntN(300))) }, k >= reflect.Int && k <= reflect.Float64)
	add(func() { w.b = samples.AppendFloat64(w.b, 2.5) }, k >= reflect.Int && k <= reflect.Float64)
	add(func() { w.str(w.plainText()) }, k == reflect.String || isBytes)
	add(func() { w.str("2026-11-30T12:00:00Z") }, k == reflect.String || isBytes)
	add(func() { w.bytes(w.plainText(), false) }, k == reflect.String || isBytes)
	add(func() { w.b = append(w.b, 0x92, 1, 2) }, (k == reflect.Slice || k == reflect.Array) && !isBytes)
	add(func() { w.b = append(w.b, 0x90) }, (k == reflect.Slice || k == reflect.Array) && !isBytes)
	add(func() { w.b = append(w.b, 0x81, 0xa1, 'k', 1) }, k == reflect.Map || k == reflect.Struct)
	add(func() { w.ext() }, t == extType)
	if k == reflect.Interface {
		w.any(1)
		return
	}
	kinds[w.r.IntN(len(kinds))]()
}

// scalar appends a number, bool or str that t takes.
func (w *writer) scalar(t reflect.Type) {
	switch k := t.Kind(); k {
	case reflect.Bool:
		w.b = samples.AppendBool(w.b, w.oneIn(2))
	case reflect.String:
		s := w.text()
		if w.oneIn(8) {
			w.bytes(s, false)
			return
		}
		w.str(s)
	case reflect.Float32, reflect.Float64:
		w.float(t)
	default:
		w.int(t)
	}
}

// int appends an int that t takes, or a wrong one.
func (w *writer) int(t reflect.Type) {
	bits := t.Bits()
	signed := t.Kind() <= reflect.Int64
	if w.here(fraction) {
		w.b = samples.AppendFloat64(w.b, []float64{3, 3.5, -1, 1e300, math.NaN(), math.Inf(1)}[w.r.IntN(6)])
		return
	}
	over := w.here(outOfRange)
	if !signed {
		v := w.r.Uint64() >> (64 - bits) >> w.r.IntN(bits)
		if w.oneIn(6) {
			v = math.MaxUint64 >> (64 - bits)
		}
		switch {
		case over && (bits == 64 || w.oneIn(2)):
			w.wider(-1 - int64(w.r.IntN(300)))
		case over:
			w.wider(1<<bits + int64(w.r.IntN(300)))
		case v > math.MaxInt64:
			w.b = samples.AppendUint(w.b, v)
		default:
			w.wider(int64(v))
		}
		return
	}
	v := int64(w.r.Uint64()) >> (64 - bits) >> w.r.IntN(bits)
	if w.oneIn(6) {
		v = []int64{math.MinInt64, math.MaxInt64}[w.r.IntN(2)] >> (64 - bits)
	}
	switch {
	case over && bits == 64:
		w.b = samples.AppendUint(w.b, 1<<63+w.r.Uint64()>>1)
	case over && w.oneIn(2):
		w.wider(1<<(bits-1) + int64(w.r.IntN(300)))
	case over:
		w.wider(-1<<(bits-1) - 1 - int64(w.r.IntN(300)))
	default:
		w.wider(v)
	}
}

// wider appends v in a format that holds it, not always the shortest.
func (w *writer) wider(v int64) {
	width := w.r.IntN(8) // of the log of the number of bytes; 4 and above for the shortest
	bits := 8 << min(width, 3)
	switch {
	case width > 3:
	case v >= 0 && w.oneIn(2) && (bits == 64 || v>>bits == 0):
		w.number(0xcc+byte(width), uint64(v), bits)
		return
	case v >= math.MinInt64>>(64-bits) && v <= math.MaxInt64>>(64-bits):
		w.number(0xd0+byte(width), uint64(v), bits)
		return
	}
	w.b = samples.AppendInt(w.b, v)
}

// number appends marker and the low bits of v, big-endian.
func (w *writer) number(marker byte, v uint64, bits int) {
	w.b = append(w.b, marker)
	for bits > 0 {
		bits -= 8
		w.b = append(w.b, byte(v>>bits))
	}
}

// float appends a number that t takes without a loss, or a wrong one.
func (w *writer) float(t reflect.Type) {
	single := t.Bits() == 32
	v := w.r.NormFloat64()
	switch w.r.IntN(8) {
	case 0:
		v = math.Copysign(0, w.r.NormFloat64())
	case 1:
		v = math.Inf(1 - 2*w.r.IntN(2))
	case 2:
		v = math.NaN()
	}
	switch {
	case w.here(inexact) && single:
		if w.oneIn(2) {
			w.wider(1<<24 + 1)
			return
		}
		w.b = samples.AppendFloat64(w.b, 0.1)
	case w.here(inexact):
		w.wider(1<<53 + 1)
	case w.here(outOfRange) && single:
		w.b = samples.AppendFloat64(w.b, 1e300)
	case w.here(outOfRange):
		w.b = samples.AppendUint(w.b, 1<<63)
	case w.oneIn(4):
		w.wider(int64(w.r.IntN(2000) - 1000))
	case single || w.oneIn(4):
		w.b = samples.AppendFloat32(w.b, float32(v))
	default:
		w.b = samples.AppendFloat64(w.b, v)
	}
}

// text returns the content of a str, invalid UTF-8 in it if this is the place.
func (w *writer) text() string {
	s := w.plainText()
	if w.here(notUTF8) {
		s = w.spoilt(s)
	}
	return s
}

func (w *writer) spoilt(s string) string {
	at := w.r.IntN(len(s) + 1)
	bad := []string{"\xff", "\x80", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe0\x80\x80", "\xf0\x9f\x9a"}
	return s[:at] + bad[w.r.IntN(len(bad))] + s[at:]
}

// plainText returns valid UTF-8, of lengths around those that are read differently.
func (w *writer) plainText() string {
	n := w.r.IntN(10)
	switch w.r.IntN(14) {
	case 0:
		n = 30 + w.r.IntN(5)
	case 1:
		n = 62 + w.r.IntN(5)
	case 2:
		n = w.r.IntN(300)
	}
	wide := w.oneIn(4)
	var b strings.Builder
	for b.Len() < n {
		if wide && w.oneIn(2) {
			b.WriteRune([]rune("éß川🚲\u0000\uFFFD\U0010FFFF")[w.r.IntN(7)])
			continue
		}
		b.WriteByte('a' + byte(w.r.IntN(6)))
	}
	return b.String()
}
