package envelope

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/internal/hexdoc"
)

var (
	intMarkers  = []byte{0, 0xcc, 0xcd, 0xce, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3}
	uintMarkers = intMarkers[:5]
)

// way builds one accepted layout of an envelope from random choices, or from the first of
// each but for one that is given.
type way struct {
	r          *rand.Rand
	step, only int // the choice that is made, and of which
	choice     int
	choices    []int // how many there were
}

// pick chooses one of n.
func (w *way) pick(n int) int {
	w.choices = append(w.choices, n)
	w.step++
	switch {
	case w.r != nil:
		return w.r.IntN(n)
	case w.step-1 == w.only:
		return w.choice % n
	}
	return 0
}

func pick[T any](w *way, from ...T) T { return from[w.pick(len(from))] }

func (w *way) array(s string) string {
	width := pick(w, 0, 2, 4)
	if width == 0 && len(s) > 15 || width == 2 && len(s) > 65535 {
		width = 4
	}
	return ints(width, pick(w, intMarkers...), s)
}

func (w *way) bin(s string) string { return bin(w.width(len(s), 1, 2, 4), s) }

func (w *way) str(s string) string {
	width := pick(w, 0, 1, 2, 4)
	if width == 0 && len(s) > 31 || width == 1 && len(s) > 255 || width == 2 && len(s) > 65535 {
		width = 4
	}
	return str(width, s)
}

func (w *way) width(n int, from ...int) int {
	if width := pick(w, from...); width == 4 || n < 1<<(8*width) {
		return width
	}
	return 4
}

func (w *way) number(v uint64) string {
	m := pick(w, intMarkers...)
	switch {
	case m == 0 && v > 127, m == 0xd0 && v > 127, (m == 0xcc) && v > 255, m == 0xcd && v > 65535, m == 0xd1 && v > 32767, m == 0xd2 && v > 1<<31-1:
		m = 0xce
	}
	return number(m, v)
}

// key names a field.
func (w *way) key(field int) string {
	switch w.pick(3) {
	case 0:
		return w.str(names[field])
	case 1:
		return w.bin(names[field])
	}
	return number(pick(w, uintMarkers...), uint64(field))
}

// unknown are pairs that are skipped.
var unknown = []string{
	"", "a1780a", "a0c0", "c400c0", "04c0", "cc0490", "cd0100c2", "cfffffffffffffffffc0", "a4626c6f6bc40100", "a9636865636b73756d00c0",
	"a1ff a1ff", "a178 91*99 c0", "a178 91*98 90", "a178 c70105 00", "a178 cb0000000000000000", "a178 d903616263", "c40f636f6d707265737365645f64617478 01", "a178 82 a178 93 010203 a179 80",
}

func (w *way) envelope(block, checksum string, size uint64, format string) string {
	values := make([]string, fields)
	values[fieldBlock] = pick(w, w.bin(block), w.array(block), w.str(block))
	values[fieldChecksum] = pick(w, w.array(checksum), w.bin(checksum), w.bin(checksum+"more"))
	values[fieldSize] = w.number(size)
	values[fieldFormat] = pick(w, w.str(format), w.bin(format))
	root := w.pick(6)
	if root < 3 {
		return header([]byte{0x90, 0xdc, 0xdd}[root], []int{0, 2, 4}[root], fields) + strings.Join(values, "")
	}
	var pairs []string
	for field, v := range values {
		pairs = append(pairs, w.key(field)+v)
	}
	for range w.pick(3) {
		if p := string(hexdoc.Must(unknown[w.pick(len(unknown))])); p != "" {
			pairs = append(pairs, p)
		}
	}
	if w.r != nil {
		w.r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	} else if w.pick(2) == 1 {
		slices.Reverse(pairs)
	}
	return header([]byte{0x80, 0xde, 0xdf}[root-3], []int{0, 2, 4}[root-3], len(pairs)) + strings.Join(pairs, "")
}

// samples are what envelopes are made of.
var samples = []struct{ block, payload, format string }{
	{"\x00", "", "msgpack"},
	{literals("hello, cachekit!"), "hello, cachekit!", "msgpack"},
	{"\x1f\x41\x01\x00\xff\xff\xff\xe9\x60\x41\x41\x41\x41\x41\x41", strings.Repeat("A", 1024), "json"},
	{literals("\x80\xff\x00"), "\x80\xff\x00", ""},
	{literals(strings.Repeat("\xfe0", 130)), strings.Repeat("\xfe0", 130), strings.Repeat("é", 20)},
	{literals(strings.Repeat("\x02\x90", 40000)), strings.Repeat("\x02\x90", 40000), "msgpack"},
}

// laidOut is an envelope with what it holds,
// without what follows it, which is trailing.
type laidOut struct{ env, trailing, payload, format string }

// layouts yields envelopes in every accepted layout, with what they hold.
func layouts(yield func(laidOut) bool) {
	r := rand.New(rand.NewPCG(1, 2))
	for i, s := range samples {
		build := func(w *way) bool {
			env := w.envelope(s.block, sum(s.payload), uint64(len(s.payload)), s.format)
			return yield(laidOut{env, pick(w, "", "\x00", "\xc1", "\xdd\xff\xff\xff\xff"), s.payload, s.format})
		}
		plain := &way{}
		plain.envelope(s.block, sum(s.payload), uint64(len(s.payload)), s.format)
		for step, n := range plain.choices {
			for choice := range n {
				if !build(&way{only: step, choice: choice}) {
					return
				}
			}
		}
		n := 3000
		if i == len(samples)-1 {
			n = 20
		}
		for range n {
			if !build(&way{r: r}) {
				return
			}
		}
	}
}

// TestLayouts opens every accepted layout.
func TestLayouts(t *testing.T) {
	each(t, func(t *testing.T) {
		n := 0
		for l := range layouts {
			got, format, err := Open([]byte(l.env + l.trailing))
			if err != nil || string(got) != l.payload || format != l.format {
				t.Fatalf("%.200x: %v, format %q, want %q and the payload", l.env, err, format, l.format)
			}
			if n++; len(l.payload) < 100 && n%7 == 0 {
				refusePrefixes(t, []byte(l.env))
			}
		}
		if n < 15000 {
			t.Errorf("only %d layouts", n)
		}
	})
}

// refusePrefixes wants every strict prefix of an envelope refused by the pre-scan.
func refusePrefixes(t *testing.T, env []byte) {
	t.Helper()
	for n := range env {
		_, _, err := Open(env[:n])
		is(t, fmt.Sprintf("the first %d bytes of %x", n, env), err, ErrScan)
	}
}

func TestPrefixes(t *testing.T) {
	for _, v := range vectors(t) {
		if v.reason == nil && len(v.env) < 1000 {
			each(t, func(t *testing.T) { refusePrefixes(t, v.env) })
		}
	}
}
