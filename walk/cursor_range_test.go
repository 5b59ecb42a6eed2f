package walk

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/tier"
)

// outline writes the next item of c by its loops: v a scalar, and whatever skip says is left
// to the loop.
func outline(c *Cursor, skip func() bool) (string, error) {
	kind, err := c.Peek()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	switch kind {
	case Array:
		b.WriteByte('[')
		for i, err := range c.Array() {
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "%d:", i)
			if skip() {
				continue
			}
			s, err := outline(c, skip)
			if err != nil {
				return "", err
			}
			b.WriteString(s)
		}
		b.WriteByte(']')
	case Map:
		b.WriteByte('{')
		for key, err := range c.Map() {
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "%x=", key.Payload)
			if skip() {
				continue
			}
			s, err := outline(c, skip)
			if err != nil {
				return "", err
			}
			b.WriteString(s)
		}
		b.WriteByte('}')
	default:
		if _, err := c.Next(); err != nil {
			return "", err
		}
		b.WriteByte('v')
	}
	return b.String(), nil
}

func never() bool { return false }

func TestLoops(t *testing.T) {
	for hex, want := range map[string]string{
		"90": "[]", "80": "{}", "c0": "v",
		"93 01 92 02 03 04":           "[0:v1:[0:v1:v]2:v]",
		"82 a161 01 a162 81 a163 90":  "{61=v62={63=[]}}",
		"83 07 01 c0 02 c40163 91 c3": "{=v=v63=[0:v]}",
		"91*12 c0":                    strings.Repeat("[0:", 12) + "v" + strings.Repeat("]", 12),
	} {
		for _, on := range []bool{true, false} {
			restore := tier.Set(tier.CursorInline, on)
			c := newCursor(t, hexdoc.Must(hex), bounds.Limits{})
			got, err := outline(c, never)
			if got != want || err != nil {
				t.Errorf("%s is %s, %v, want %s", hex, got, err, want)
			}
			if _, err := c.Next(); err != io.EOF {
				t.Errorf("after %s: %v, want io.EOF", hex, err)
			}
			restore()
		}
	}
}

// TestLoopsSkip: rounds that read nothing, or only the beginning of what is theirs, or more
// than that.
func TestLoopsSkip(t *testing.T) {
	next := func(n int) func(*testing.T, *Cursor) {
		return func(t *testing.T, c *Cursor) {
			for range n {
				if _, err := c.Next(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	elements := "93 92 92 01 02 03 81 a161 91 04 05" // [[[1 2] 3] {a: [4]} 5]
	pairs := "83 a161 92 01 02 a162 03 a163 80"      // {a: [1 2], b: 3, c: {}}
	for _, c := range []struct {
		hex   string
		round func(*testing.T, *Cursor)
		want  string // the index or key of each round, and where c stands in it
	}{
		{elements, next(0), "0@1 1@6 2@11 "},
		{elements, next(1), "0@1 1@6 2@11 "},
		{elements, func(t *testing.T, c *Cursor) { next(min(3, 12-c.Offset()))(t, c) }, "0@1 1@6 2@11 "},
		{elements, func(t *testing.T, c *Cursor) { next(min(6, 12-c.Offset()))(t, c) }, "0@1 2@11 "},
		{elements, func(t *testing.T, c *Cursor) { next(min(9, 12-c.Offset()))(t, c) }, "0@1 2@11 "},
		{pairs, next(0), "a@3 b@8 c@11 "},
		{pairs, next(1), "a@3 b@8 c@11 "},
		{pairs, next(2), "a@3 b@8 "}, // b reads the key c, too
		{pairs, func(t *testing.T, c *Cursor) { next(min(4, 12-c.Offset()))(t, c) }, "a@3 c@11 "}, // a reads the key b, too
	} {
		// In a document where something follows that is no part of the container.
		cur := newCursor(t, append([]byte{0x92}, append(hexdoc.Must(c.hex), 0x92, 0xc3, 0xc3)...), bounds.Limits{})
		next(1)(t, cur)
		var got strings.Builder
		if kind, _ := cur.Peek(); kind == Array {
			for i, err := range cur.Array() {
				if err != nil {
					t.Fatal(err)
				}
				got.WriteString(fmt.Sprintf("%d@%d ", i, cur.Offset()-1))
				c.round(t, cur)
			}
		} else {
			for key, err := range cur.Map() {
				if err != nil {
					t.Fatal(err)
				}
				got.WriteString(fmt.Sprintf("%s@%d ", key.Payload, cur.Offset()-1))
				c.round(t, cur)
			}
		}
		if got.String() != c.want {
			t.Errorf("%s: rounds %s, want %s", c.hex, got.String(), c.want)
		}
		if tok, err := cur.Next(); err != nil || tok.N != 2 || tok.Kind != Array {
			t.Errorf("%s: after the loop %v, %v", c.hex, tok, err)
		}
	}
	// A round that leaves the container altogether ends the loop, wherever it goes.
	cur := newCursor(t, hexdoc.Must("93 93 01 02 03 dc0010 04*16 c3"), bounds.Limits{})
	next(1)(t, cur)
	for i, err := range cur.Array() {
		if i != 0 || err != nil {
			t.Fatalf("round %d, %v", i, err)
		}
		next(5)(t, cur) // 1 2 3, the header of the next array and its first element
	}
	if cur.Offset() != 9 || cur.Path() != "[1][0]" {
		t.Errorf("offset %d, path %s, want 9, [1][0]", cur.Offset(), cur.Path())
	}
}

// TestLoopsRefuse: every error of a loop comes in one round, the last.
func TestLoopsRefuse(t *testing.T) {
	for _, c := range []struct {
		hex    string
		rounds int // before the one with the error
		reason error
		at     int64
	}{
		{"07", 0, ErrType, 0},
		{"c1", 0, ErrReserved, 0},
		{"", 0, ErrEmpty, 0},
		{"93 01 02", 0, ErrOwed, 0},
		{"92 c1 01", 1, ErrReserved, 1},
		{"92 01 c1", 2, ErrReserved, 2},
		{"92 91 c1 01", 1, ErrReserved, 2},
		{"82 a161 01 c1 02", 1, ErrReserved, 4},
		{"82 a161 c1 a162 02", 1, ErrReserved, 3},
		{"82 a161 01 90 02", 1, ErrKeyType, 4},
		{"82 a161 01 81 c0 c0 02", 1, ErrKeyType, 4},
		{"81 dd00000009 02", 0, ErrOwed, 1},
	} {
		cur := newCursor(t, hexdoc.Must(c.hex), bounds.Limits{})
		rounds := 0
		var last error
		loop := func(err error) {
			if last != nil {
				t.Errorf("%s: a round after the error %v", c.hex, last)
			}
			if last = err; err == nil {
				rounds++
			}
		}
		if strings.HasPrefix(c.hex, "8") {
			for _, err := range cur.Map() {
				loop(err)
			}
		} else {
			for _, err := range cur.Array() {
				loop(err)
			}
		}
		if off, _ := bounds.OffsetOf(last); !errors.Is(last, c.reason) || off != c.at || rounds != c.rounds {
			t.Errorf("%s: %v after %d rounds, want %v at %d after %d", c.hex, last, rounds, c.reason, c.at, c.rounds)
		}
	}
	c := newCursor(t, hexdoc.Must("c0"), bounds.Limits{})
	_, _ = c.Next()
	for _, err := range c.Map() {
		if err != io.EOF {
			t.Errorf("a map after the end: %v, want io.EOF", err)
		}
	}
	c = newCursor(t, hexdoc.Must("93 01 02 03"), bounds.Limits{})
	for i := range c.Array() {
		if i == 1 {
			break
		}
	}
	if c.Offset() != 2 {
		t.Errorf("a loop left in round 1 stands at %d, want 2", c.Offset())
	}
}

// TestLoopsAgainstNext: loops over random documents, with rounds that skip at random, end
// where the walk does and refuse as it does; and so do cursors over parts.
func TestLoopsAgainstNext(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	rounds := 20000
	if testing.Short() {
		rounds = 3000
	}
	refused, parts := 0, 0
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
		case 3:
			doc[r.IntN(len(doc))] = byte(r.Uint32())
		}
		end, at, reason := specWalk(doc, resolved(t, l))
		c := newCursor(t, doc, l)
		_, err := outline(c, func() bool { return r.IntN(4) == 0 })
		off, _ := bounds.OffsetOf(err)
		switch {
		case errors.Is(err, ErrKeyType):
			if !bytesAreContainer(doc, int(off)) {
				t.Fatalf("%x within %+v: %v", doc, l, err)
			}
		case reason == nil && (err != nil || c.Offset() != end), reason != nil && (!errors.Is(err, reason) || off != int64(at)):
			t.Fatalf("%x within %+v: %v, want %v at %d", doc, l, err, reason, at)
		case reason != nil:
			refused++
		}
		// Every item of it by a cursor of its own.
		c = newCursor(t, doc, l)
		plain := newCursor(t, doc, l)
		var sub, subOfSub Cursor
		for {
			start := c.Offset()
			_, wantErr := plain.Raw()
			err := c.Sub(&sub)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || c.Offset() != plain.Offset() || c.Path() != plain.Path() || c.Depth() != plain.Depth() {
				t.Fatalf("%x: Sub gives %v at %d, Skip %v at %d", doc, err, c.Offset(), wantErr, plain.Offset())
			}
			if err != nil {
				break
			}
			parts++
			deep := newCursor(t, doc, l)
			for deep.Offset() < start {
				if _, err := deep.Next(); err != nil {
					t.Fatal(err)
				}
			}
			for deep.Offset() < c.Offset() {
				if r.IntN(10) == 0 {
					_, _ = deep.Next()
					if err := sub.Sub(&subOfSub); err != nil {
						t.Fatal(err)
					}
					first, err := subOfSub.Next()
					if err != nil || subOfSub.Depth() != deep.Depth() || subOfSub.Path() != deep.Path() || subOfSub.Offset() != deep.Offset() {
						t.Fatalf("%x: a cursor over a part of a part at %d: %v, %v", doc, deep.Offset(), first, err)
					}
					for deep.Offset() < sub.Offset() {
						_, _ = deep.Next()
					}
					if _, err := drain(&subOfSub); err != nil || subOfSub.Offset() != sub.Offset() {
						t.Fatalf("%x: a part ends at %d, want %d: %v", doc, subOfSub.Offset(), sub.Offset(), err)
					}
					continue
				}
				want, _ := deep.Next()
				got, err := sub.Next()
				if err != nil || got.Offset != want.Offset || got.Kind != want.Kind || sub.Depth() != deep.Depth() || sub.Path() != deep.Path() {
					t.Fatalf("%x: a cursor over a part reads %v, %v, depth %d, path %s, want %v, depth %d, path %s",
						doc, got, err, sub.Depth(), sub.Path(), want, deep.Depth(), deep.Path())
				}
			}
			if _, err := sub.Next(); err != io.EOF {
				t.Fatalf("%x: at the end of a part: %v, want io.EOF", doc, err)
			}
			// Go on inside.
			if c, plain = deep, newCursor(t, doc, l); start == 0 {
				c = newCursor(t, doc, l)
				_, _ = c.Next()
				_, _ = plain.Next()
				continue
			}
			for plain.Offset() < c.Offset() {
				_, _ = plain.Next()
			}
		}
	}
	if refused < rounds/50 || parts < rounds {
		t.Errorf("%d documents refused, %d parts read: too few to tell", refused, parts)
	}
}

func bytesAreContainer(doc []byte, off int) bool {
	kind := KindOf(doc[off])
	return kind == Array || kind == Map
}

// TestLoopAllocations: loops, typed reads and cursors over parts allocate nothing.
func TestLoopAllocations(t *testing.T) {
	doc := hexdoc.Must("82 a161 93 01 cd0100 cb3ff8000000000000 a162 92 81 a163 a3616263 c0")
	var c, sub Cursor
	sum := 0
	n := testing.AllocsPerRun(100, func() {
		if err := c.Reset(doc, bounds.Limits{}); err != nil {
			t.Fatal(err)
		}
		for key, err := range c.Map() {
			if err != nil {
				t.Fatal(err)
			}
			switch string(key.Payload) {
			case "a":
				for _, err := range c.Array() {
					if err != nil {
						t.Fatal(err)
					}
					v, err := c.ReadFloat64()
					if err != nil {
						t.Fatal(err)
					}
					sum += int(v)
				}
			case "b":
				if err := c.Sub(&sub); err != nil {
					t.Fatal(err)
				}
				for range sub.Array() {
					for key := range sub.Map() {
						s, _ := sub.ReadStr()
						sum += len(s) + len(key.Payload)
					}
					break
				}
			}
		}
	})
	if n != 0 || sum == 0 {
		t.Errorf("%v allocations (sum %d), want none", n, sum)
	}
}

// TestCursorInlineRuns proves that the shortcut reads the headers it is for, and none when
// it is off.
func TestCursorInlineRuns(t *testing.T) {
	doc := hexdoc.Must("98 01 a161 91c0 81a0c3 ff d90161 ca3f800000 cd0100")
	for on, want := range map[bool]int64{true: 7, false: 0} { // not those that close a container
		restore := tier.Set(tier.CursorInline, on)
		var c Cursor
		n := tier.Counted(tier.CursorInline, func() {
			for range 2 {
				if err := c.Reset(doc, bounds.Limits{}); err != nil {
					t.Error(err)
				}
				if _, err := drain(&c); err != nil {
					t.Error(err)
				}
			}
		})
		// What a cursor read that did not come to the end counts, too; what Raw reads is the
		// walk's.
		part := tier.Counted(tier.CursorInline, func() {
			_ = c.Reset(doc, bounds.Limits{})
			_, _ = c.ReadArrayLen()
			_, _ = c.ReadInt8()
			_, _ = c.ReadRawStr()
			_ = c.Skip()
			_ = c.Reset(nil, bounds.Limits{})
		})
		restore()
		if n != 2*want || part != min(want, 2) {
			t.Errorf("inline %v: the shortcut read %d headers twice and %d, want %d and %d", on, n, part, 2*want, min(want, 2))
		}
	}
}
