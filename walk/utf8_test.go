package walk

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// validPrefix is ValidPrefix written out rune by rune.
func validPrefix(s []byte) int {
	for n := 0; n < len(s); {
		r, size := utf8.DecodeRune(s[n:])
		if r == utf8.RuneError && size == 1 {
			return n
		}
		n += size
	}
	return len(s)
}

// TestValidPrefix tries every sequence of one and two bytes, and sequences of three to
// six bytes from the edges of what is valid, behind and before text of several lengths.
func TestValidPrefix(t *testing.T) {
	edges := []byte{0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff}
	check := func(s []byte) {
		t.Helper()
		if got, want := ValidPrefix(s), validPrefix(s); got != want {
			t.Fatalf("ValidPrefix(%x) = %d, want %d", s, got, want)
		}
		if (ValidPrefix(s) == len(s)) != utf8.Valid(s) {
			t.Fatalf("ValidPrefix(%x) and utf8.Valid differ", s)
		}
	}
	for i := range 1 << 16 {
		check([]byte{byte(i >> 8)})
		check([]byte{byte(i >> 8), byte(i)})
	}
	for _, a := range edges {
		for _, b := range edges {
			for _, c := range edges {
				check([]byte{a, b, c})
				for _, d := range edges {
					check([]byte{a, b, c, d})
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(11, 12))
	for range 20000 {
		s := []byte("aé漢\ufffd😀")[:r.IntN(14)]
		s = append([]byte(nil), s...)
		for range r.IntN(7) {
			s = append(s, edges[r.IntN(len(edges))])
		}
		check(append(s, "text"[:r.IntN(5)]...))
	}
}
