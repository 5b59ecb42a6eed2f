package walk

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/samples"
	"github.com/boundpack/boundpack/internal/tier"
)

// invalidByStep is InvalidUTF8 by the header step, rune by rune.
func invalidByStep(doc []byte) int {
	limits := bounds.Limits{MaxDepth: bounds.CeilingMaxDepth, MaxBytes: bounds.CeilingMaxBytes, MaxItems: bounds.CeilingMaxItems}
	a := bounds.Open(len(doc), &limits)
	for off := 0; a.Owed() > 0; {
		h, next, err := Step(doc, off, a, 0, &limits)
		if err != nil {
			return -1
		}
		a, off = next, off+h.Size
		if h.Kind == Str {
			if n := validPrefix(doc[off : off+h.Payload]); n < h.Payload {
				return off + n
			}
		}
		off += h.Payload
	}
	return -1
}

// TestInvalidUTF8 breaks one byte of documents, most often inside a str, and compares where
// that is seen.
func TestInvalidUTF8(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	var docs [][]byte
	for _, s := range samples.All() {
		if doc := s.Make(); len(doc) < 1<<15 {
			docs = append(docs, doc)
		}
	}
	for n := range 40 { // strs of every short length, first and last in the document
		var doc []byte
		for range 2 {
			if n < 32 {
				doc = append(doc, 0xa0|byte(n))
			} else {
				doc = append(doc, 0xd9, byte(n))
			}
			for range n {
				doc = append(doc, 'a')
			}
		}
		docs = append(docs, append([]byte{0x92}, doc...))
	}
	// Long arrays, which have runs: of strs of one length, and of those behind numbers.
	docs = append(
		docs, append([]byte{0xdc, 0, 40}, bytes.Repeat([]byte{0xa2, 'a', 'b'}, 40)...),
		append(append([]byte{0xdc, 0, 80}, bytes.Repeat([]byte{0xcd, 0xff, 0xff}, 40)...), bytes.Repeat([]byte{0xa2, 'a', 'b'}, 40)...),
		append(append([]byte{0xdd, 0, 0, 0, 80}, make([]byte, 40)...), bytes.Repeat([]byte{0xa4, 'a', 0xc3, 0xa9, 'b'}, 40)...),
	)
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	found, none := 0, 0
	for _, doc := range docs {
		if Check(doc, bounds.Limits{}) != nil {
			t.Fatalf("%.60x is no document", doc)
		}
		for range rounds {
			at := r.IntN(len(doc))
			was := doc[at]
			doc[at] = byte(r.Uint32())
			if end, err := Len(doc, bounds.Limits{}); err == nil {
				want := invalidByStep(doc[:end])
				if want >= 0 {
					found++
				} else {
					none++
				}
				for _, set := range tier.Offered() {
					restore := tier.Use(set)
					if got := InvalidUTF8(doc[:end:end]); got != want {
						t.Fatalf("on %v InvalidUTF8(%.200x) = %d, want %d", set, doc[:end], got, want)
					}
					restore()
				}
			}
			doc[at] = was
		}
	}
	if found < 100 || none < 100 {
		t.Errorf("%d documents had invalid text and %d had not: that tests little", found, none)
	}
}

// TestInvalidUTF8Unwalked: what was not walked may get any answer, but gets one.
func TestInvalidUTF8Unwalked(t *testing.T) {
	for b := range 256 {
		for _, rest := range []string{"", "\xff", "\xff\xff\xff", "\xff\xff\xff\xff", "\x80\x00\x00\x00\xff", "\x00\x00\x00\x00\xff"} {
			doc := append([]byte{byte(b)}, rest...)
			if at := InvalidUTF8(doc); at >= len(doc) {
				t.Errorf("InvalidUTF8(%x) = %d", doc, at)
			}
		}
	}
}
