package main

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/boundpack/boundpack/walk"
)

// piece is how much of a bin or ext is encoded at a time: a multiple of three, so
// that only the last piece is padded.
const piece = 3 << 10

// scalar prints a value that holds no others. A key is always a string: where the
// value is none, it is a string of the value's JSON.
func (p *printer) scalar(t walk.Token, key bool) {
	switch t.Kind {
	case walk.Str:
		p.str(t.Payload)
	case walk.Bin:
		p.w.WriteByte('"')
		p.base64(t.Payload)
		p.w.WriteByte('"')
	case walk.Ext:
		p.ext(t, key)
	default:
		p.b = appendPlain(p.b[:0], t)
		if key || t.Kind == walk.Float && !finite(t.Float()) {
			p.quoted(p.b)
		} else {
			p.w.Write(p.b)
		}
	}
}

// quoted prints a text that needs no escape as a string.
func (p *printer) quoted(text []byte) {
	p.w.WriteByte('"')
	p.w.Write(text)
	p.w.WriteByte('"')
}

// str prints s, which is valid UTF-8, as a string.
func (p *printer) str(s []byte) {
	p.w.WriteByte('"')
	done := 0
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(s[i:])
		}
		if escaped(r) {
			p.w.Write(s[done:i])
			p.escape(r)
			done = i + size
		}
		i += size
	}
	p.w.Write(s[done:])
	p.w.WriteByte('"')
}

// escaped reports whether r is escaped in a string: what JSON demands, DEL and the
// C1 controls, which terminals obey too, the line ends that JavaScript knows, and
// what turns the direction of the text around it.
func escaped(r rune) bool {
	if r < 0x7f {
		return r < ' ' || r == '"' || r == '\\'
	}
	return r <= 0x9f ||
		r == 0x061c || // ARABIC LETTER MARK
		r == 0x200e || r == 0x200f || // the other two marks
		r >= 0x2028 && r <= 0x202e || // line ends, embeddings and overrides
		r >= 0x2066 && r <= 0x2069 // isolates
}

// escape prints the escape of r, which is below 0x10000.
func (p *printer) escape(r rune) {
	short := byte(0)
	switch r {
	case '"', '\\':
		short = byte(r)
	case '\n':
		short = 'n'
	case '\r':
		short = 'r'
	case '\t':
		short = 't'
	}
	p.w.WriteByte('\\')
	if short != 0 {
		p.w.WriteByte(short)
		return
	}
	const hex = "0123456789abcdef"
	p.w.WriteByte('u')
	for shift := 12; shift >= 0; shift -= 4 {
		p.w.WriteByte(hex[r>>shift&0xf])
	}
}

// base64 prints b in base64.
func (p *printer) base64(b []byte) {
	for len(b) > 0 {
		n := min(len(b), piece)
		p.b = base64.StdEncoding.AppendEncode(p.b[:0], b[:n])
		p.w.Write(p.b)
		b = b[n:]
	}
}

// ext prints an ext: a timestamp as its text, or as seconds and nanoseconds in the
// years that have no such text, and any other as its type and content.
func (p *printer) ext(t walk.Token, key bool) {
	start, quote, end := `{`, `"`, `}`
	if key {
		start, quote, end = `"{`, `\"`, `}"`
	}
	typ, content := t.Ext()
	ts, isTimestamp := timestamp(typ, content)
	if isTimestamp {
		text, ok := appendTime(p.b[:0], ts)
		if p.b = text; ok {
			p.quoted(p.b)
			return
		}
		p.b = append(append(append(append(p.b[:0], start...), quote...), "timestamp"...), quote...)
		p.b = append(p.b, ":["...)
		p.b = strconv.AppendInt(p.b, ts.Seconds, 10)
		p.b = append(p.b, ',')
		p.b = strconv.AppendUint(p.b, uint64(ts.Nanoseconds), 10)
		p.b = append(append(p.b, ']'), end...)
		p.w.Write(p.b)
		return
	}
	p.b = append(append(append(append(p.b[:0], start...), quote...), "ext"...), quote...)
	p.b = append(p.b, ":["...)
	p.b = strconv.AppendInt(p.b, int64(typ), 10)
	p.b = append(append(p.b, ','), quote...)
	p.w.Write(p.b)
	p.base64(content)
	p.w.WriteString(quote)
	p.w.WriteByte(']')
	p.w.WriteString(end)
}

// appendPlain appends the JSON of a nil, bool, int or finite float, and the word
// for a float that is not finite.
func appendPlain(b []byte, t walk.Token) []byte {
	switch t.Kind {
	case walk.Bool:
		return strconv.AppendBool(b, t.Bool())
	case walk.Int:
		if v, ok := t.Int(); ok {
			return strconv.AppendInt(b, v, 10)
		}
		v, _ := t.Uint()
		return strconv.AppendUint(b, v, 10)
	case walk.Float:
		return appendFloat(b, t.Float())
	}
	return append(b, "null"...)
}

// appendFloat appends the shortest number that reads back as f. It always holds a
// point or an exponent, so that it does not look like an int.
func appendFloat(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, "NaN"...)
	case math.IsInf(f, 1):
		return append(b, "Infinity"...)
	case math.IsInf(f, -1):
		return append(b, "-Infinity"...)
	}
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		return strconv.AppendFloat(b, f, 'e', -1, 64)
	}
	b = strconv.AppendFloat(b, f, 'f', -1, 64)
	if f == math.Trunc(f) {
		b = append(b, ".0"...)
	}
	return b
}

func finite(f float64) bool { return f-f == 0 }
