package walk

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
)

func newCursor(t testing.TB, doc []byte, l bounds.Limits) *Cursor {
	t.Helper()
	c, err := NewCursor(doc, l)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCursorTokens reads every token of a document that holds every format, with
// its depth, path and the offset after it.
func TestCursorTokens(t *testing.T) {
	doc := hexdoc.Must("85 a161 92c0cd0100 a3612062 81c402ff61c3 07 a0 c0 93 90 80 d6ff00000001 a163 ca3fc00000 c1")
	c := newCursor(t, doc, bounds.Limits{})
	if c.Depth() != 0 || c.Path() != "" || c.Offset() != 0 {
		t.Errorf("before the first token: depth %d, path %q, offset %d", c.Depth(), c.Path(), c.Offset())
	}
	var got []string
	for {
		tok, err := c.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if cap(tok.Payload) != len(tok.Payload) || len(tok.Payload) > 0 && &tok.Payload[0] != &doc[c.Offset()-len(tok.Payload)] {
			t.Errorf("the payload of the %v at %d has capacity %d, or is a copy", tok.Kind, tok.Offset, cap(tok.Payload))
		}
		got = append(got, fmt.Sprintf("%d %v %02x %d %x depth %d to %d path %s",
			tok.Offset, tok.Kind, tok.Marker, tok.N, tok.Payload, c.Depth(), c.Offset(), c.Path()))
	}
	want := []string{
		"0 map 85 5  depth 0 to 1 path ",
		"1 str a1 1 61 depth 1 to 3 path a",
		"3 array 92 2  depth 1 to 4 path a",
		"4 nil c0 0  depth 2 to 5 path a[0]",
		"5 int cd 2 0100 depth 2 to 8 path a[1]",
		`8 str a3 3 612062 depth 1 to 12 path ["a b"]`,
		`12 map 81 1  depth 1 to 13 path ["a b"]`,
		`13 bin c4 2 ff61 depth 2 to 17 path ["a b"]{"\xffa"}`,
		`17 bool c3 0  depth 2 to 18 path ["a b"]{"\xffa"}`,
		"18 int 07 0  depth 1 to 19 path {7}",
		"19 str a0 0  depth 1 to 20 path {7}",
		"20 nil c0 0  depth 1 to 21 path {nil}",
		"21 array 93 3  depth 1 to 22 path {nil}",
		"22 array 90 0  depth 2 to 23 path {nil}[0]",
		"23 map 80 0  depth 2 to 24 path {nil}[1]",
		"24 ext d6 5 ff00000001 depth 2 to 30 path {nil}[2]",
		"30 str a1 1 63 depth 1 to 32 path c",
		"32 float ca 4 3fc00000 depth 1 to 37 path c",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("tokens:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for range 2 {
		if _, err := c.Next(); err != io.EOF {
			t.Errorf("after the document: %v, want io.EOF", err)
		}
		if _, err := c.Raw(); err != io.EOF {
			t.Errorf("Raw after the document: %v, want io.EOF", err)
		}
	}
	if c.Offset() != len(doc)-1 {
		t.Errorf("the document ends at %d, want %d", c.Offset(), len(doc)-1)
	}
}

func TestTokenValues(t *testing.T) {
	for hex, want := range map[string]string{
		"c0": "nil", "c2": "false", "c3": "true",
		"00": "0 0", "7f": "127 127", "ff": "-1 -", "e0": "-32 -",
		"ccff": "255 255", "cdffff": "65535 65535", "ceffffffff": "4294967295 4294967295",
		"cf7fffffffffffffff": "9223372036854775807 9223372036854775807",
		"cf8000000000000000": "- 9223372036854775808", "cfffffffffffffffff": "- 18446744073709551615",
		"d080": "-128 -", "d07f": "127 127", "d18000": "-32768 -", "d280000000": "-2147483648 -",
		"d38000000000000000": "-9223372036854775808 -", "d37fffffffffffffff": "9223372036854775807 9223372036854775807",
		"d30000000000000001": "1 1",
		"ca3fc00000":         "1.5", "cb3ff8000000000000": "1.5", "ca3dcccccd": "0.10000000149011612", "cbfff0000000000000": "-Inf",
		"d40507": "ext 5 07", "d4ff07": "ext -1 07", "c70080": "ext -128 ", "c8000105ab": "ext 5 ab", "c9000000017fab": "ext 127 ab",
	} {
		tok, err := newCursor(t, hexdoc.Must(hex), bounds.Limits{}).Next()
		if err != nil {
			t.Fatalf("%s: %v", hex, err)
		}
		var got string
		i, iok := tok.Int()
		u, uok := tok.Uint()
		switch tok.Kind {
		case Nil:
			got = "nil"
		case Bool:
			got = fmt.Sprint(tok.Bool())
		case Int:
			is, us := fmt.Sprint(i), fmt.Sprint(u)
			if !iok {
				is = "-"
			}
			if !uok {
				us = "-"
			}
			got = is + " " + us
		case Float:
			got = fmt.Sprint(tok.Float())
		case Ext:
			typ, content := tok.Ext()
			got = fmt.Sprintf("ext %d %x", typ, content)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", hex, got, want)
		}
		if tok.Bool() != (hex == "c3") {
			t.Errorf("%s: a %v is the bool %v", hex, tok.Kind, tok.Bool())
		}
		if tok.Items() != 0 {
			t.Errorf("%s: a %v owes %d items", hex, tok.Kind, tok.Items())
		}
		if tok.Kind != Int && (iok || uok || i != 0 || u != 0) {
			t.Errorf("%s: a %v gives ints %d, %d", hex, tok.Kind, i, u)
		}
		if typ, content := tok.Ext(); tok.Kind != Ext && (typ != 0 || content != nil) {
			t.Errorf("%s: a %v gives an ext", hex, tok.Kind)
		}
		if f := tok.Float(); tok.Kind != Float && f != 0 {
			t.Errorf("%s: a %v gives the float %v", hex, tok.Kind, f)
		}
	}
	for hex, want := range map[string]int{"90": 0, "92c0c0": 2, "80": 0, "82c0c0c0c0": 4, "df00000001c0c0": 2} {
		if tok, err := newCursor(t, hexdoc.Must(hex), bounds.Limits{}).Next(); err != nil || tok.Items() != want {
			t.Errorf("%s owes %d items, %v, want %d", hex, tok.Items(), err, want)
		}
	}
	nan, _ := newCursor(t, hexdoc.Must("ca7fa00000"), bounds.Limits{}).Next()
	if !math.IsNaN(nan.Float()) {
		t.Errorf("a signalling NaN is %v", nan.Float())
	}
}

// TestCursorSkip skips, takes raw and reads at random and must always stand where a
// plain reading stands.
func TestCursorSkip(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		doc := randomDoc(r, nil, 1+r.IntN(60), 1+r.IntN(14))
		end, _, reason := specWalk(doc, resolved(t, bounds.Limits{}))
		if reason != nil {
			continue
		}
		c := newCursor(t, doc, bounds.Limits{})
		for {
			at, err := c.Offset(), error(nil)
			var raw []byte
			switch r.IntN(3) {
			case 0:
				_, err = c.Next()
			case 1:
				err = c.Skip()
			default:
				raw, err = c.Raw()
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%x at %d: %v", doc, at, err)
			}
			n, _, _ := specWalk(doc[at:], resolved(t, bounds.Limits{}))
			if raw != nil && (len(raw) != n || &raw[0] != &doc[at] || cap(raw) != n || c.Offset() != at+n) {
				t.Fatalf("%x: Raw at %d gives %d bytes of capacity %d, want %d", doc, at, len(raw), cap(raw), n)
			}
		}
		if c.Offset() != end {
			t.Fatalf("%x: skipping ends at %d, want %d", doc, c.Offset(), end)
		}
	}
}

// TestCursorBounds holds every way to advance to the same limits: each stops at the
// header that the walk refuses, and stays there.
func TestCursorBounds(t *testing.T) {
	for _, c := range refusals {
		doc := c.doc()
		if len(doc) > 10000 {
			continue
		}
		for name, advance := range map[string]func(*Cursor) error{
			"Next": func(c *Cursor) error { _, err := drain(c); return err },
			"Raw":  func(c *Cursor) error { _, err := c.Raw(); return err },
			"Next, then Skip": func(c *Cursor) error {
				if _, err := c.Next(); err != nil {
					return err
				}
				for {
					if err := c.Skip(); err != nil {
						return err
					}
				}
			},
		} {
			cur := newCursor(t, doc, c.limits)
			for range 2 {
				err := advance(cur)
				if off, _ := bounds.OffsetOf(err); !errors.Is(err, c.reason) || off != c.offset {
					t.Errorf("%s of %.40s with %+v: %v, want %v at %d", name, c.hex, c.limits, err, c.reason, c.offset)
				}
				if got := errors.Is(err, io.ErrUnexpectedEOF); got != c.eof {
					t.Errorf("%s of %.40s: io.ErrUnexpectedEOF is %v", name, c.hex, got)
				}
			}
		}
	}
}

// TestPathAt asks for the path at every offset and compares with the Cursor's.
func TestPathAt(t *testing.T) {
	doc := sample
	c := newCursor(t, doc, bounds.Limits{})
	asked := 0
	for {
		tok, err := c.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for at := tok.Offset; at < c.Offset(); at++ {
			asked++
			if got := PathAt(doc, int64(at)); got != c.Path() {
				t.Errorf("PathAt(%d) = %q, want %q", at, got, c.Path())
			}
		}
	}
	if asked != len(doc) {
		t.Errorf("asked for %d of %d offsets", asked, len(doc))
	}
	for _, c := range []struct {
		hex  string
		at   int64
		want string
	}{
		{"81a575736572739182a46e616d65a161 a3616765c1", 20, "users[0].age"},
		{"81a5757365727392 82a46e616d65a161", 8, "users[0]"},
		{"81a161d9", 3, "a"},
		{"82a16101da00", 4, "{str}"},
		{"92c0dc00", 2, "[1]"},
		{"91*3000 c1", 3000, strings.Repeat("[0]", 37) + "..." + strings.Repeat("[0]", 47)},
		{"c0", 1, ""},
		{"c0", -1, ""},
		{"", 0, ""},
		{"c1", 0, ""},
		{"91c1ff", 2, ""},
		{"92c1c0", 1, "[0]"},
		{"92c0c1", 2, "[1]"},
		{"81c1c0", 1, "{none}"},
		{"81a16191d9", 4, "a[0]"},
		{"92920102c1", 4, "[1]"},
		{"9101", 2, ""},
		{"91", 1, ""},
		// Cut, or claiming more than there is: all that is there has a path.
		{"9392c093", 3, "[0][1]"},
		{"dd7fffff00 82 a161 07 a5 62", 10, "[0]{str}"},
		{"dd7fffff00 93 c0 da", 7, "[0][1]"},
		{"93 a9 6162", 2, "[0]"},
		{"93 a9 6162", 4, ""},
		{"93 db7fffff00 61", 6, "[0]"},
	} {
		if got := PathAt(hexdoc.Must(c.hex), c.at); got != c.want {
			t.Errorf("PathAt(%.40s, %d) = %q, want %q", c.hex, c.at, got, c.want)
		}
	}
}

func TestKindString(t *testing.T) {
	want := "none nil bool int float str bin array map ext none"
	var got []string
	for k := range Kind(11) {
		got = append(got, k.String())
	}
	if strings.Join(got, " ") != want {
		t.Errorf("kinds are %q, want %q", got, want)
	}
}
