package asm

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/boundpack/boundpack/internal/guard"
	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/tier"
)

// plainPrefix is UTF8Prefix written out rune by rune.
func plainPrefix(p []byte) int {
	for n := 0; n < len(p); {
		r, size := utf8.DecodeRune(p[n:])
		if r == utf8.RuneError && size == 1 {
			return n
		}
		n += size
	}
	return len(p)
}

func checkUTF8(t *testing.T, p []byte, want int) {
	t.Helper()
	if got := UTF8Prefix(p); got != want {
		t.Fatalf("UTF8Prefix of %d bytes, %.200x, is %d, want %d", len(p), p, got, want)
	}
}

// texts are characters of one length each, and of all.
var texts = map[string]string{
	"ascii": "text ", "two": "Привет", "three": "日本語", "four": "😀😃", "mixed": "aé漢😀 \ufffd",
}

// filled returns at least n bytes of the text that are whole characters.
func filled(text string, n int) []byte {
	return []byte(strings.Repeat(text, n/len(text)+1))
}

// invalid has a sequence of each class that is not UTF-8. In front of a lead or ASCII, the
// prefix ends at their first byte.
var invalid = []string{
	"\x80", "\xbf", // a continuation alone
	"\xc0\x80", "\xc0\xaf", "\xc1\xbf", // two bytes for ASCII
	"\xe0\x80\x80", "\xe0\x9f\xbf", // three for fewer
	"\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf", // four for fewer
	"\xed\xa0\x80", "\xed\xbf\xbf", // surrogates
	"\xf4\x90\x80\x80", "\xf4\xbf\xbf\xbf", "\xf5\x80\x80\x80", "\xf7\xbf\xbf\xbf", // too large
	"\xf8\x88\x80\x80\x80", "\xfe", "\xff", // no lead
	"\xc2", "\xdf", "\xe1\x80", "\xe1", "\xef\xbf", "\xf1\x80\x80", "\xf1\x80", "\xf1", "\xf4\x8f\xbf", // cut
	"\xe1\x80\xc3", "\xf1\x80\x80\xe1", "\xf1\x80\xf1",
}

// TestUTF8Classes puts every class of what is not UTF-8 at every place around the edges of
// blocks, before and after text of every length of character, at the end of a page.
func TestUTF8Classes(t *testing.T) {
	mem := guard.Pages(t, 1<<16)
	onEach(t, func(t *testing.T) {
		for name, text := range texts {
			body := filled(text, 400)
			for _, wrong := range invalid {
				for at := 0; at < 5*widest; at += step() {
					at := at
					for !utf8.RuneStart(body[at]) {
						at--
					}
					for _, rest := range []int{0, 1, 2, 3, 20, 64} {
						doc := append(append(append([]byte(nil), body[:at]...), wrong...), filled("ab", rest)[:rest]...)
						p := mem[len(mem)-len(doc):]
						copy(p, doc)
						if got := UTF8Prefix(p); got != at {
							t.Fatalf("%x after %d bytes of %s, before %d: %d", wrong, at, name, rest, got)
						}
					}
				}
			}
		}
	})
}

// TestUTF8OpenBeforeASCII ends text in a sequence that is not complete, and puts much ASCII
// behind it, which kernels take faster.
func TestUTF8OpenBeforeASCII(t *testing.T) {
	rest := filled("a", 5*widest)
	onEach(t, func(t *testing.T) {
		for _, open := range []string{"\xc3", "\xe2", "\xe2\x82", "\xf1", "\xf1\x80", "\xf1\x80\x80", "é"} {
			for n := range 10 * widest {
				p := append(append(append(filled("a", n%2)[:n%2], filled("é", n)[:n/2*2]...), open...), rest...)
				want := n
				if open == "é" {
					want = len(p)
				}
				checkUTF8(t, p, want)
			}
		}
	})
}

// TestUTF8Lengths cuts text everywhere: inside a character the prefix ends before it.
func TestUTF8Lengths(t *testing.T) {
	mem := guard.Pages(t, 1<<16)
	onEach(t, func(t *testing.T) {
		for _, text := range texts {
			body := filled(text, 6*widest)
			want := 0
			for n := range 6 * widest {
				if utf8.RuneStart(body[n]) {
					want = n
				}
				at := want
				if plainPrefix(body[:n]) == n {
					at = n
				}
				for _, p := range [][]byte{mem[:n:n], mem[len(mem)-n:]} {
					copy(p, body)
					checkUTF8(t, p, at)
				}
			}
		}
	})
}

// TestUTF8Sequences tries every sequence of one, two and three bytes, and those of four
// from the edges of what is valid, across the edge of a block and in a short text.
func TestUTF8Sequences(t *testing.T) {
	edges := []byte{0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff}
	places := []struct{ before, length int }{{2, 12}, {30, 63}, {62, 130}} // of one, of some and of many blocks
	onEach(t, func(t *testing.T) {
		for _, place := range places {
			p := filled("é", place.length)
			p = p[:place.length/2*2]
			head := place.before / 2 * 2
			try := func(seq ...byte) {
				rest := p[head : head+6]
				copy(rest, "......")
				copy(rest, seq)
				want := len(p)
				if n := plainPrefix(rest); n < len(rest) {
					want = head + n
				}
				checkUTF8(t, p, want)
			}
			every := func(yield func(b byte) bool) {
				if step() > 1 || tier.InUse() == tier.Go {
					for _, b := range edges {
						if !yield(b) {
							return
						}
					}
					return
				}
				for b := range 256 {
					if !yield(byte(b)) {
						return
					}
				}
			}
			for a := range 256 {
				try(byte(a))
				for b := range 256 {
					try(byte(a), byte(b))
				}
			}
			for a := range every {
				if a < utf8.RuneSelf {
					continue // then these are the sequences of two, after ASCII
				}
				for b := range every {
					for c := range every {
						try(a, b, c)
					}
				}
			}
			for i, a := range edges {
				for _, b := range edges {
					if probe.Race && i%3 > 0 {
						continue
					}
					for _, c := range edges {
						for _, d := range edges {
							try(a, b, c, d)
						}
					}
				}
			}
		}
	})
}

// TestUTF8Calls puts characters and faults across the end of one call of a kernel.
func TestUTF8Calls(t *testing.T) {
	onEach(t, func(t *testing.T) {
		for shift := range 5 {
			p := append(bytes.Repeat([]byte("a"), shift), filled("漢😀é", 2*maxCall+100)...)
			want := plainPrefix(p)
			if want != len(p) {
				t.Fatal("the text is not valid")
			}
			checkUTF8(t, p, want)
			for at := maxCall - 8; at < maxCall+8; at++ {
				was := p[at]
				p[at] = 0xff
				checkUTF8(t, p, plainPrefix(p))
				p[at] = was
			}
		}
	})
}

// TestUTF8Random mixes text of all kinds with a fault now and then.
func TestUTF8Random(t *testing.T) {
	rounds := 100000
	if step() > 1 {
		rounds = 10000
	}
	onEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		faults := 0
		for range rounds {
			n := r.IntN(700)
			if r.IntN(2) == 0 {
				n = r.IntN(70)
			}
			var p []byte
			for len(p) < n {
				switch r.IntN(20) {
				case 0, 1, 2, 3, 4:
					p = append(p, texts["mixed"]...)
				case 5, 6, 7, 8:
					p = append(p, filled("a", r.IntN(300))...)
				case 9:
					if r.IntN(4) == 0 {
						p = append(p, invalid[r.IntN(len(invalid))]...)
					}
				default:
					p = utf8.AppendRune(p, rune(r.IntN(0x110000)))
				}
			}
			p = p[:n]
			want := plainPrefix(p)
			if want < n {
				faults++
			}
			checkUTF8(t, p, want)
		}
		if faults < rounds/10 || faults > rounds*9/10 {
			t.Errorf("%d of %d texts have a fault: that tests little", faults, rounds)
		}
	})
}

// TestBlocksProve holds the kernels behind UTF8Prefix to what they say of themselves: that
// they come to the end of what is valid, or near the fault. UTF8Prefix would be right, but
// slow, without.
func TestBlocksProve(t *testing.T) {
	onEach(t, func(t *testing.T) {
		if has := utf8Proved(filled("a", 64)) > 0; !has || tier.InUse() == tier.Go {
			if has != (tier.InUse() != tier.Go) {
				t.Errorf("this set has a kernel for UTF-8: %v", has)
			}
			return
		}
		for name, text := range texts {
			for _, n := range []int{40, 64, 100, 200, 1000, 5000} {
				p := filled(text, n)
				if got := utf8Proved(p); got != len(p) && len(p)-got > 2 {
					t.Errorf("%d bytes of %s are proved to %d", len(p), name, got)
				}
				at := len(p) / 2
				p[at] = 0xff
				want := plainPrefix(p)
				if got := complete(p[:utf8Proved(p)]); got > want || got < want-2*widest {
					t.Errorf("%d bytes of %s, with a fault after %d, are proved to %d", len(p), name, want, got)
				}
			}
		}
	})
}

func ExampleUTF8Prefix() {
	fmt.Println(UTF8Prefix([]byte("caf\xe9 noir")))
	// Output: 3
}
