package walk

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/route"
)

// place is where an item stands.
type place struct {
	end   int // of the item and everything in it; 0 if that is cut
	depth int
	path  string
}

// places returns the place of every item of doc whose header stands before stop, by its
// offset. It descends by recursion and shares nothing with Cursor but the header step and
// the spelling of a key.
func places(doc []byte, stop int) map[int]place {
	all := map[int]place{}
	widest := bounds.Limits{MaxDepth: bounds.CeilingMaxDepth, MaxBytes: bounds.CeilingMaxBytes, MaxItems: bounds.CeilingMaxItems}
	var descend func(off int, steps []string) (end int)
	descend = func(off int, steps []string) int {
		if off >= stop {
			return 0
		}
		h, _, err := Step(doc, off, bounds.Open(bounds.CeilingMaxBytes, &widest), 0, &widest)
		if err != nil {
			return 0
		}
		all[off] = place{0, len(steps), route.Join(len(steps), func(b []byte, i int) []byte { return append(b, steps[i]...) })}
		end := off + h.Size + h.Payload
		key := 0
		for i := range h.Items {
			step := fmt.Sprintf("[%d]", i)
			if h.Kind == Map {
				if i%2 == 0 {
					key = end
				}
				if key < len(doc) {
					step = string(appendKey(nil, doc, key))
				}
			}
			if end = descend(end, append(steps[:len(steps):len(steps)], step)); end == 0 {
				return 0
			}
		}
		p := all[off]
		p.end = end
		all[off] = p
		return end
	}
	descend(0, nil)
	return all
}

// TestCursorPlace reads documents, most of them damaged, by Next, Skip and Raw in turn:
// after every call, refused or not, Depth, Path and Offset are those of the item that
// was last read.
func TestCursorPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	rounds := 20000
	if testing.Short() {
		rounds = 3000
	}
	refused, ended := 0, 0
	var c Cursor
	for range rounds {
		doc := randomDoc(r, nil, 1+r.IntN(40), 1+r.IntN(12))
		l := bounds.Limits{}
		switch r.IntN(6) {
		case 0:
			l.MaxDepth = 1 + r.IntN(4)
		case 1:
			l.MaxItems = 1 + r.IntN(20)
		case 2:
			l.MaxBytes = 1 + r.IntN(len(doc)+1)
		case 3, 4:
			doc[r.IntN(len(doc))] = byte(r.Uint32())
		}
		stop := len(doc)
		if _, at, reason := specWalk(doc, resolved(t, l)); reason != nil {
			stop = at
		}
		all := places(doc, stop)
		if err := c.Reset(doc, l); err != nil {
			t.Fatal(err)
		}
		var last place
		read := 0 // bytes
		for {
			at, op := c.Offset(), r.IntN(3)
			var err error
			switch op {
			case 0:
				_, err = c.Next()
			case 1:
				err = c.Skip()
			default:
				_, err = c.Raw()
			}
			if err == nil {
				last = all[at]
				read = last.end
				if op == 0 {
					read = c.Offset() // TestCursorTokens holds it
				}
			}
			if c.Depth() != last.depth || c.Path() != last.path || c.Offset() != read {
				t.Fatalf("%x within %+v, call %d at %d (%v): depth %d, path %q, offset %d, want those of the item last read, %+v, %d",
					doc, l, op, at, err, c.Depth(), c.Path(), c.Offset(), last, read)
			}
			if err == nil {
				continue
			}
			if _, again := c.Next(); again != err {
				t.Fatalf("%x: %v, and then %v", doc, err, again)
			}
			if last.depth > 0 && err == io.EOF {
				ended++
			} else if last.depth > 0 {
				refused++
			}
			break
		}
	}
	if refused < rounds/50 || ended < rounds/50 {
		t.Errorf("%d documents refused and %d ended inside a container: too few to tell", refused, ended)
	}
}

// TestCursorPlaceAfterRefusal has the places that a refusal or the end once moved.
func TestCursorPlaceAfterRefusal(t *testing.T) {
	for _, c := range []struct {
		hex   string
		calls string // n Next, r Raw, s Skip
		err   error
		at    int64
		depth int
		path  string
	}{
		{"92c0c1", "nnn", ErrReserved, 2, 1, "[0]"},
		{"92c1c0", "nn", ErrReserved, 1, 0, ""},
		{"81c1c0", "nn", ErrReserved, 1, 0, ""},
		{"81a16191d9", "nnnn", ErrPrefix, 4, 1, "a"},
		{"92920102c1", "nnnnn", ErrReserved, 4, 2, "[0][1]"},
		{"9101", "nnn", io.EOF, 0, 1, "[0]"},
		{"9101", "nns", io.EOF, 0, 1, "[0]"},
		{"9101", "rr", io.EOF, 0, 0, ""},
		{"91 91 01", "nrr", io.EOF, 0, 1, "[0]"},
		{"9291c101", "nrn", ErrReserved, 2, 0, ""},
		{"9291c101", "nnsn", ErrReserved, 2, 1, "[0]"},
		{"92 91 01 91c1", "nsr", ErrReserved, 4, 1, "[0]"},
		{"91*4 c0", "nnnn", ErrMaxDepth, 3, 2, "[0][0]"},
		{"91*4 c0", "nnr", ErrMaxDepth, 3, 1, "[0]"},
		{"c1", "n", ErrReserved, 0, 0, ""},
		{"", "r", ErrEmpty, 0, 0, ""},
	} {
		cur := newCursor(t, hexdoc.Must(c.hex), bounds.Limits{MaxDepth: 3})
		var err error
		for i, call := range c.calls {
			if err != nil && !errors.Is(err, c.err) {
				t.Errorf("%s, %s: call %d: %v", c.hex, c.calls, i, err)
			}
			switch call {
			case 'n':
				_, err = cur.Next()
			case 'r':
				_, err = cur.Raw()
			case 's':
				err = cur.Skip()
			}
		}
		if off, _ := bounds.OffsetOf(err); !errors.Is(err, c.err) || off != c.at {
			t.Errorf("%s, %s: %v, want %v at %d", c.hex, c.calls, err, c.err, c.at)
		}
		if cur.Depth() != c.depth || cur.Path() != c.path {
			t.Errorf("%s, %s: depth %d, path %q, want %d, %q", c.hex, c.calls, cur.Depth(), cur.Path(), c.depth, c.path)
		}
	}
}

// TestCursorReset leaves nothing of one document to the next: of its levels, its limits
// or its refusal.
func TestCursorReset(t *testing.T) {
	read := func(c *Cursor) (seen []string, err error) {
		for {
			tok, err := c.Next()
			if err != nil {
				return seen, err
			}
			seen = append(seen, fmt.Sprint(tok.Offset, tok.Kind, c.Depth(), c.Path()))
		}
	}
	doc := hexdoc.Must("92 81 a161 91 05 c0")
	want, _ := read(newCursor(t, doc, bounds.Limits{}))
	for _, before := range []string{"91*20 c0", "91*20 c1", "92 91 c0 c0", "82 a161 c0 a162 91 c1", "c0", "c1", ""} {
		for calls := range 25 {
			c := newCursor(t, hexdoc.Must(before), bounds.Limits{MaxDepth: 30, MaxItems: 30})
			for range calls {
				c.Next()
			}
			if err := c.Reset(doc, bounds.Limits{}); err != nil {
				t.Fatal(err)
			}
			if c.Depth() != 0 || c.Path() != "" || c.Offset() != 0 {
				t.Errorf("%d calls into %s, Reset leaves depth %d, path %q, offset %d", calls, before, c.Depth(), c.Path(), c.Offset())
			}
			if got, err := read(c); err != io.EOF || !reflect.DeepEqual(got, want) {
				t.Errorf("after %d calls into %s and Reset: %q, %v, want %q", calls, before, got, err, want)
			}
		}
	}
	// Limits are those of the last Reset, both ways.
	c := newCursor(t, doc, bounds.Limits{MaxDepth: 2, MaxItems: 3, MaxBytes: 4})
	if err := c.Reset(doc, bounds.Limits{}); err != nil {
		t.Fatal(err)
	}
	if n, err := drain(c); n != len(doc) || err != nil {
		t.Errorf("with wider limits: %d, %v", n, err)
	}
	for _, narrow := range []struct {
		limits bounds.Limits
		reason error
	}{{bounds.Limits{MaxDepth: 2}, ErrMaxDepth}, {bounds.Limits{MaxItems: 3}, ErrMaxItems}, {bounds.Limits{MaxBytes: 4}, ErrMaxBytes}} {
		if err := c.Reset(doc, narrow.limits); err != nil {
			t.Fatal(err)
		}
		if _, err := drain(c); !errors.Is(err, narrow.reason) {
			t.Errorf("with %+v: %v, want %v", narrow.limits, err, narrow.reason)
		}
	}
}

// TestCursorResetRefused: limits out of range leave no document to read, be it the one
// before or the new one.
func TestCursorResetRefused(t *testing.T) {
	doc := hexdoc.Must("92 91 c0 c0")
	for calls := range 6 {
		c := newCursor(t, doc, bounds.Limits{})
		for range calls {
			c.Next()
		}
		refused := c.Reset(doc, bounds.Limits{MaxItems: -1})
		if !errors.Is(refused, ErrOptions) {
			t.Fatalf("Reset with bad limits: %v", refused)
		}
		_, next := c.Next()
		raw, err := c.Raw()
		if skip := c.Skip(); next != refused || err != refused || skip != refused || raw != nil {
			t.Errorf("then Next, Raw, Skip: %v, %x, %v, %v, want %v", next, raw, err, skip, refused)
		}
		if c.Depth() != 0 || c.Path() != "" || c.Offset() != 0 {
			t.Errorf("then depth %d, path %q, offset %d", c.Depth(), c.Path(), c.Offset())
		}
		if err := c.Reset(doc, bounds.Limits{}); err != nil {
			t.Fatal(err)
		}
		if n, err := drain(c); n != len(doc) || err != nil {
			t.Errorf("and after a good Reset: %d, %v", n, err)
		}
	}
}

// TestPathOfKeys has a key of every kind, whose path is that of its value.
func TestPathOfKeys(t *testing.T) {
	for hex, want := range map[string]string{
		"a161": "a", "a2c328": `["\xc3("]`, "c40161": `{"a"}`, "c0": "{nil}", "c2": "{false}", "c3": "{true}",
		"07": "{7}", "ff": "{-1}", "d38000000000000000": "{-9223372036854775808}",
		"cf7fffffffffffffff": "{9223372036854775807}", "cf8000000000000000": "{9223372036854775808}", "cfffffffffffffffff": "{18446744073709551615}",
		"ca3fc00000": "{float}", "d6ff00000001": "{ext}", "90": "{array}", "9101": "{array}", "80": "{map}",
	} {
		doc := hexdoc.Must("81 " + hex + " c1")
		at := int64(len(doc) - 1)
		if got := PathAt(doc, at); got != want {
			t.Errorf("the path of the value of key %s is %q, want %q", hex, got, want)
		}
		c := newCursor(t, doc, bounds.Limits{})
		if _, err := c.Next(); err != nil {
			t.Fatal(err)
		}
		if err := c.Skip(); err != nil || c.Path() != want {
			t.Errorf("the path of key %s is %q (%v), want %q", hex, c.Path(), err, want)
		}
	}
	if got := PathAt(hexdoc.Must("81 d921 61*33 c1"), 36); got != `["`+strings.Repeat("a", 32)+`"...]` {
		t.Errorf("a long key gives %q", got)
	}
}
