package walk

import (
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/tier"
)

// reads are the typed reads by the name of what they want.
var reads = map[string]func(*Cursor) (any, error){
	"nil":     func(c *Cursor) (any, error) { return nil, c.ReadNil() },
	"bool":    func(c *Cursor) (any, error) { return c.ReadBool() },
	"int":     func(c *Cursor) (any, error) { return c.ReadInt() },
	"int8":    func(c *Cursor) (any, error) { return c.ReadInt8() },
	"int16":   func(c *Cursor) (any, error) { return c.ReadInt16() },
	"int32":   func(c *Cursor) (any, error) { return c.ReadInt32() },
	"int64":   func(c *Cursor) (any, error) { return c.ReadInt64() },
	"uint8":   func(c *Cursor) (any, error) { return c.ReadUint8() },
	"uint16":  func(c *Cursor) (any, error) { return c.ReadUint16() },
	"uint32":  func(c *Cursor) (any, error) { return c.ReadUint32() },
	"uint64":  func(c *Cursor) (any, error) { return c.ReadUint64() },
	"float64": func(c *Cursor) (any, error) { return c.ReadFloat64() },
	"str":     func(c *Cursor) (any, error) { v, err := c.ReadStr(); return string(v), err },
	"raw str": func(c *Cursor) (any, error) { v, err := c.ReadRawStr(); return string(v), err },
	"bin":     func(c *Cursor) (any, error) { v, err := c.ReadBin(); return string(v), err },
	"ext":     func(c *Cursor) (any, error) { typ, v, err := c.ReadExt(); return fmt.Sprint(typ, v), err },
	"array":   func(c *Cursor) (any, error) { return c.ReadArrayLen() },
	"map":     func(c *Cursor) (any, error) { return c.ReadMapLen() },
}

// TestTypedReads gives every read every kind, at the edges of every range: the value, or
// the sentinel, after which the cursor stands where it stood and reads the item otherwise.
func TestTypedReads(t *testing.T) {
	ints := "int int8 int16 int32 int64 uint8 uint16 uint32 uint64"
	for hex, want := range map[string]map[string]any{
		"c0":                 {"nil": nil},
		"c2":                 {"bool": false},
		"c3":                 {"bool": true},
		"07":                 {ints: 7, "float64": 7.0},
		"7f":                 {ints: 127, "float64": 127.0},
		"ff":                 {"int int8 int16 int32 int64": -1, "uint8 uint16 uint32 uint64": ErrOverflow, "float64": -1.0},
		"d080":               {"int int8 int16 int32 int64": -128, "uint8 uint16 uint32 uint64": ErrOverflow, "float64": -128.0},
		"cc80":               {"int int16 int32 int64 uint8 uint16 uint32 uint64": 128, "int8": ErrOverflow, "float64": 128.0},
		"d1ff7f":             {"int int16 int32 int64": -129, "int8 uint8 uint16 uint32 uint64": ErrOverflow, "float64": -129.0},
		"ccff":               {"int int16 int32 int64 uint8 uint16 uint32 uint64": 255, "int8": ErrOverflow, "float64": 255.0},
		"cd0100":             {"int int16 int32 int64 uint16 uint32 uint64": 256, "int8 uint8": ErrOverflow, "float64": 256.0},
		"cd7fff":             {"int int16 int32 int64 uint16 uint32 uint64": 32767, "int8 uint8": ErrOverflow, "float64": 32767.0},
		"cd8000":             {"int int32 int64 uint16 uint32 uint64": 32768, "int8 int16 uint8": ErrOverflow, "float64": 32768.0},
		"d18000":             {"int int16 int32 int64": -32768, "int8 uint8 uint16 uint32 uint64": ErrOverflow, "float64": -32768.0},
		"d2ffff7fff":         {"int int32 int64": -32769, "int8 int16 uint8 uint16 uint32 uint64": ErrOverflow, "float64": -32769.0},
		"cdffff":             {"int int32 int64 uint16 uint32 uint64": 65535, "int8 int16 uint8": ErrOverflow, "float64": 65535.0},
		"ce00010000":         {"int int32 int64 uint32 uint64": 65536, "int8 int16 uint8 uint16": ErrOverflow, "float64": 65536.0},
		"ce7fffffff":         {"int int32 int64 uint32 uint64": math.MaxInt32, "int8 int16 uint8 uint16": ErrOverflow, "float64": float64(math.MaxInt32)},
		"d280000000":         {"int int32 int64": math.MinInt32, "int8 int16 uint8 uint16 uint32 uint64": ErrOverflow, "float64": float64(math.MinInt32)},
		"ce80000000":         {"int64 uint32 uint64": int64(1 << 31), "int8 int16 int32 uint8 uint16": ErrOverflow, "float64": 1.0 * (1 << 31)},
		"ceffffffff":         {"int64 uint32 uint64": int64(math.MaxUint32), "int8 int16 int32 uint8 uint16": ErrOverflow, "float64": float64(math.MaxUint32)},
		"d3ffffffff7fffffff": {"int64": int64(math.MinInt32 - 1), "int8 int16 int32 uint8 uint16 uint32 uint64": ErrOverflow, "float64": float64(math.MinInt32 - 1)},
		"cf0000000100000000": {"int64 uint64": int64(1 << 32), "int8 int16 int32 uint8 uint16 uint32": ErrOverflow, "float64": 1.0 * (1 << 32)},
		"cf7fffffffffffffff": {"int64 uint64": int64(math.MaxInt64), "int8 int16 int32 uint8 uint16 uint32": ErrOverflow, "float64": ErrInexact},
		"cf8000000000000000": {"uint64": uint64(1 << 63), "int int8 int16 int32 int64 uint8 uint16 uint32": ErrOverflow, "float64": 1.0 * (1 << 63)},
		"cfffffffffffffffff": {"uint64": uint64(math.MaxUint64), "int int8 int16 int32 int64 uint8 uint16 uint32": ErrOverflow, "float64": ErrInexact},
		"d38000000000000000": {"int64": int64(math.MinInt64), "int8 int16 int32 uint8 uint16 uint32 uint64": ErrOverflow, "float64": -1.0 * (1 << 63)},
		"d38000000000000001": {"int64": int64(math.MinInt64 + 1), "int8 int16 int32 uint8 uint16 uint32 uint64": ErrOverflow, "float64": ErrInexact},
		"cf0020000000000000": {"int64 uint64": int64(1 << 53), "float64": 1.0 * (1 << 53), "int8 int16 int32 uint8 uint16 uint32": ErrOverflow},
		"cf001fffffffffffff": {"int64 uint64": int64(1<<53 - 1), "float64": 1.0*(1<<53) - 1, "int8 int16 int32 uint8 uint16 uint32": ErrOverflow},
		"cf0020000000000001": {"int64 uint64": int64(1<<53 + 1), "float64": ErrInexact, "int8 int16 int32 uint8 uint16 uint32": ErrOverflow},
		"d3ffdfffffffffffff": {"int64": int64(-1<<53 - 1), "float64": ErrInexact, "int8 int16 int32 uint8 uint16 uint32 uint64": ErrOverflow},
		"ca3fc00000":         {"float64": 1.5},
		"cbc000000000000000": {"float64": -2.0},
		"a0":                 {"str": "", "raw str": ""},
		"a3616263":           {"str": "abc", "raw str": "abc"},
		"d903616263":         {"str": "abc", "raw str": "abc"},
		"a2c3a9":             {"str": "é", "raw str": "é"},
		"a361ffc3":           {"str": ErrUTF8, "raw str": "a\xff\xc3"},
		"da0001ff":           {"str": ErrUTF8, "raw str": "\xff"},
		"c402ff61":           {"bin": "\xffa"},
		"d40507":             {"ext": "5 [7]"},
		"c70080":             {"ext": "-128 []"},
		"90":                 {"array": 0},
		"92c0c0":             {"array": 2},
		"dc0001c0":           {"array": 1},
		"80":                 {"map": 0},
		"82c0c0c0c0":         {"map": 2},
		"df00000001c0c0":     {"map": 1},
	} {
		results := map[string]any{}
		for names, v := range want {
			if names == "nil" {
				results["nil"] = nil
				continue
			}
			for _, name := range split(names) {
				results[name] = v
			}
		}
		for name, read := range reads {
			as := "int64" // what an int is
			if math.MaxInt == math.MaxInt32 {
				as = "int32"
			}
			if v, ok := results[as]; ok {
				results["int"] = v
			}
			for _, on := range []bool{true, false} {
				restore := tier.Set(tier.CursorInline, on)
				// Inside an array, so that a depth and a place are there to be kept.
				c := newCursor(t, append([]byte{0x92, 0xc0}, hexdoc.Must(hex)...), bounds.Limits{})
				restore()
				_, _ = c.Next()
				_, _ = c.Next()
				if kind, err := c.Peek(); err != nil || kind != KindOf(hexdoc.Must(hex)[0]) {
					t.Errorf("Peek at %s is %v, %v", hex, kind, err)
				}
				v, err := read(c)
				expected, takes := results[name]
				reason, refuses := expected.(error)
				if takes && !refuses {
					if err != nil || fmt.Sprint(v) != fmt.Sprint(expected) {
						t.Errorf("%s read as %s is %v, %v, want %v", hex, name, v, err, expected)
					}
					if v, ok := expected.(float64); ok && math.Signbit(v) != math.Signbit(expected.(float64)) {
						t.Errorf("%s read as %s is %v", hex, name, v)
					}
					if c.Depth() != 1 || c.Path() != "[1]" {
						t.Errorf("after %s: depth %d, path %s", hex, c.Depth(), c.Path())
					}
					continue
				}
				at := int64(2)
				switch {
				case !takes:
					reason = ErrType
				case reason == ErrUTF8:
					at = int64(2 + strings.Index(string(hexdoc.Must(hex)), "\xff"))
				}
				var e *Error
				if !errors.As(err, &e) || !errors.Is(err, reason) || e.Offset != at || e.Wire != KindOf(hexdoc.Must(hex)[0]) || e.Want != strings.TrimPrefix(name, "raw ") {
					t.Errorf("%s read as %s: %#v, want %v at %d", hex, name, err, reason, at)
				}
				if off, ok := bounds.OffsetOf(err); !ok || off != at {
					t.Errorf("OffsetOf(%v) = %d, %v", err, off, ok)
				}
				if c.Offset() != 2 || c.Depth() != 1 || c.Path() != "[0]" {
					t.Errorf("%s refused as %s: offset %d, depth %d, path %s", hex, name, c.Offset(), c.Depth(), c.Path())
				}
				if tok, err := c.Next(); err != nil || tok.Offset != 2 {
					t.Errorf("%s refused as %s, then Next: %v, %v", hex, name, tok, err)
				}
			}
		}
	}
}

// split returns the words of s, "raw str" being one.
func split(s string) (words []string) {
	if s == "raw str" {
		return []string{s}
	}
	return strings.Fields(s)
}

// TestTypedReadsBounds holds the typed reads to the limits of Next: a flaw of structure
// outranks the wrong kind, is kept, and the end is io.EOF.
func TestTypedReadsBounds(t *testing.T) {
	for _, c := range refusals {
		doc := c.doc()
		if len(doc) > 10000 {
			continue
		}
		for name, read := range reads {
			plain, cur := newCursor(t, doc, c.limits), newCursor(t, doc, c.limits)
			for {
				want := error(nil)
				for want == nil && plain.Offset() <= cur.Offset() {
					_, want = plain.Next()
				}
				_, err := read(cur)
				var e *Error
				if errors.As(err, &e) && e.Err != ErrUTF8 {
					// Another kind: the item is well-formed, or Next would say so.
					if _, err = cur.Next(); err != nil {
						t.Fatalf("%s of %.40s: %v, then %v", name, c.hex, e, err)
					}
				} else if e != nil {
					_, err = cur.Next()
				}
				if err != nil || want != nil {
					if !reflect.DeepEqual(err, want) {
						t.Errorf("%s of %.40s within %+v: %v, want %v", name, c.hex, c.limits, err, want)
					}
					for range 2 {
						if _, again := read(cur); again != err {
							t.Errorf("%s of %.40s: %v, and then %v", name, c.hex, err, again)
						}
						if _, again := cur.Peek(); again != err {
							t.Errorf("Peek of %.40s: %v, and then %v", c.hex, err, again)
						}
					}
					break
				}
			}
		}
	}
	for name, read := range reads {
		c := newCursor(t, hexdoc.Must("c0 c1"), bounds.Limits{})
		_, _ = c.Next()
		if _, err := read(c); err != io.EOF {
			t.Errorf("%s at the end: %v, want io.EOF", name, err)
		}
		if _, err := c.Peek(); err != io.EOF {
			t.Errorf("Peek at the end: %v, want io.EOF", err)
		}
	}
	for hex, want := range map[string]error{"": ErrEmpty, "c1": ErrReserved, "92": ErrOwed} {
		c := newCursor(t, hexdoc.Must(hex), bounds.Limits{})
		kind, err := c.Peek()
		if want == ErrOwed { // which the marker does not say
			if kind != Array || err != nil {
				t.Errorf("Peek of %s: %v, %v", hex, kind, err)
			}
			_, err = c.ReadArrayLen()
		}
		if off, _ := bounds.OffsetOf(err); !errors.Is(err, want) || off != 0 {
			t.Errorf("Peek of %q: %v, want %v at 0", hex, err, want)
		}
	}
}

// TestDepthAround: the levels around what a cursor reads count for every way to read.
func TestDepthAround(t *testing.T) {
	limits := resolved(t, bounds.Limits{MaxDepth: 3})
	doc := hexdoc.Must("91 91 91 90")
	for name, read := range map[string]func(*Cursor) error{
		"Next":         func(c *Cursor) error { _, err := c.Next(); return err },
		"Skip":         (*Cursor).Skip,
		"ReadArrayLen": func(c *Cursor) error { _, err := c.ReadArrayLen(); return err },
	} {
		for depth := range 4 {
			var c Cursor
			c.limits = limits
			c.begin(doc, 3, bounds.Open(len(doc)-3, &limits), depth)
			err := read(&c)
			if off, _ := bounds.OffsetOf(err); errors.Is(err, ErrMaxDepth) != (depth == 3) || err != nil && off != 3 {
				t.Errorf("%s inside %d levels: %v", name, depth, err)
			}
		}
	}
}

func TestErrorText(t *testing.T) {
	c := newCursor(t, hexdoc.Must("92 c0 a161"), bounds.Limits{})
	_, _ = c.ReadArrayLen()
	_, _ = c.Next()
	_, err := c.ReadInt8()
	if want := "msgpack document holds a value of another type than its target: str into int8 (at byte 2)"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
