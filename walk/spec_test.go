package walk

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/tier"
)

// specWalk is the structure walk written out plainly, one check after another in
// the order package bounds documents, as the reference for every faster form. It
// returns where the document ends, or why and where it is refused.
func specWalk(data []byte, l bounds.Limits) (end, at int, reason error) {
	pos, pending, claimed := uint64(0), uint64(1), uint64(1)
	size := uint64(len(data))
	var open []uint64
	for pending > 0 {
		for len(open) > 0 && open[len(open)-1] == 0 {
			open = open[:len(open)-1]
		}
		header := int(pos)
		if pos >= size {
			return 0, header, bounds.ErrEmpty
		}
		m := data[pos]
		pos++
		pending--
		if len(open) > 0 {
			open[len(open)-1]--
		}
		var prefix, payload, children uint64
		container := false
		switch {
		case m == 0xc1:
			return 0, header, bounds.ErrReserved
		case m >= 0x80 && m <= 0x8f:
			container, children = true, 2*uint64(m&15)
		case m >= 0x90 && m <= 0x9f:
			container, children = true, uint64(m&15)
		case m >= 0xa0 && m <= 0xbf:
			payload = uint64(m & 31)
		case m == 0xc4 || m == 0xd9 || m == 0xc7:
			prefix = 1
		case m == 0xc5 || m == 0xda || m == 0xc8 || m == 0xdc || m == 0xde:
			prefix = 2
		case m == 0xc6 || m == 0xdb || m == 0xc9 || m == 0xdd || m == 0xdf:
			prefix = 4
		case m == 0xca:
			payload = 4
		case m == 0xcb:
			payload = 8
		case m >= 0xcc && m <= 0xcf:
			payload = 1 << (m - 0xcc)
		case m >= 0xd0 && m <= 0xd3:
			payload = 1 << (m - 0xd0)
		case m >= 0xd4 && m <= 0xd8:
			payload = 1 + 1<<(m-0xd4)
		}
		if prefix > 0 {
			if size-pos < prefix {
				return 0, header, bounds.ErrPrefix
			}
			var n uint64
			for _, b := range data[pos : pos+prefix] {
				n = n<<8 | uint64(b)
			}
			switch m {
			case 0xdc, 0xdd:
				container, children = true, n
			case 0xde, 0xdf:
				container, children = true, 2*n
			case 0xc7, 0xc8, 0xc9:
				payload = n + 1
			default:
				payload = n
			}
		}
		if container && len(open) >= l.MaxDepth {
			return 0, header, bounds.ErrMaxDepth
		}
		pos += prefix
		left := size - pos
		if payload > left {
			return 0, header, bounds.ErrShort
		}
		pos += payload
		if children > 0 {
			open = append(open, children)
		}
		pending += children
		claimed += children
		if pending > left-payload {
			return 0, header, bounds.ErrOwed
		}
		if pos+pending > uint64(l.MaxBytes) {
			return 0, header, bounds.ErrMaxBytes
		}
		if claimed > uint64(l.MaxItems) {
			return 0, header, bounds.ErrMaxItems
		}
	}
	return int(pos), 0, nil
}

func resolved(t testing.TB, l bounds.Limits) bounds.Limits {
	t.Helper()
	r, err := l.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// withoutSome are the shortcuts of the walk that a test switches off together.
var withoutSome = [][]tier.Shortcut{
	nil, {tier.WalkInline}, {tier.WalkOneByteRun, tier.WalkStrideRun}, {tier.WalkInline, tier.WalkOneByteRun, tier.WalkStrideRun},
}

func both(f, g func()) func() { return func() { g(); f() } }

// agree fails unless Len with and without its shortcuts, by every set of kernels, and a Cursor read to its
// end, say of data what specWalk says.
func agree(t testing.TB, data []byte, l bounds.Limits) {
	t.Helper()
	end, at, reason := specWalk(data, resolved(t, l))
	verdict := func(name string, gotEnd int, err error) {
		t.Helper()
		if reason == nil {
			if err != nil || gotEnd != end {
				t.Fatalf("%s(%.60x, %+v) = %d, %v, want %d, nil", name, data, l, gotEnd, err, end)
			}
			return
		}
		off, ok := bounds.OffsetOf(err)
		if !errors.Is(err, reason) || !ok || off != int64(at) {
			t.Fatalf("%s(%.60x, %+v) = %d, %v, want %v at %d", name, data, l, gotEnd, err, reason, at)
		}
	}
	for _, off := range withoutSome {
		for _, set := range tier.Offered() {
			restore := tier.Use(set)
			for _, s := range off {
				restore = both(restore, tier.Set(s, false))
			}
			n, err := Len(data, l)
			restore()
			verdict(fmt.Sprintf("Len, on %v, without %v", set, off), n, err)
		}
	}
	c, err := NewCursor(data, l)
	if err != nil {
		t.Fatal(err)
	}
	n, err := drain(c)
	verdict("Cursor", n, err)
}

// randomDoc appends a random document of at most size items, mostly well-formed:
// its counts are those of what follows.
func randomDoc(r *rand.Rand, b []byte, size, depth int) []byte {
	content := func(n int) {
		for range n {
			b = append(b, byte(r.Uint32()))
		}
	}
	count := func(small, big byte, n int) {
		switch {
		case n < 16 && r.IntN(4) > 0:
			b = append(b, small|byte(n))
		case r.IntN(2) == 0:
			b = append(b, big, byte(n>>8), byte(n))
		default:
			b = append(b, big+1, 0, 0, byte(n>>8), byte(n))
		}
	}
	if size > 1 && depth > 0 && r.IntN(3) > 0 {
		n := r.IntN(min(size, 20))
		if r.IntN(2) == 0 {
			count(0x90, 0xdc, n)
		} else {
			count(0x80, 0xde, n)
			n *= 2
		}
		for range n {
			b = randomDoc(r, b, size/(n+1), depth-1)
		}
		return b
	}
	switch m := byte(r.Uint32()); {
	case m >= 0x80 && m < 0xa0, m == 0xc1, m >= 0xdc && m <= 0xdf:
		b = append(b, 0xc0)
	case formats[m].width > 0:
		b = append(b, m)
		b = append(b, make([]byte, formats[m].width-1)...)
		n := r.IntN(40)
		b = append(b, byte(n))
		content(n + int(formats[m].fixed))
	default:
		b = append(b, m)
		content(int(formats[m].fixed))
	}
	return b
}

func TestWalkAgainstSpec(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 20000
	if testing.Short() {
		rounds = 2000
	}
	accepted, reasons := 0, map[error]int{}
	for range rounds {
		doc := randomDoc(r, nil, 1+r.IntN(60), 1+r.IntN(14))
		l := bounds.Limits{}
		switch r.IntN(4) {
		case 0:
			l.MaxDepth = 1 + r.IntN(12)
		case 1:
			l.MaxBytes = 1 + r.IntN(len(doc)+2)
		case 2:
			l.MaxItems = 1 + r.IntN(30)
		}
		for edits := r.IntN(4); edits > 0; edits-- {
			switch i := r.IntN(len(doc)); r.IntN(3) {
			case 0:
				doc[i] = byte(r.Uint32())
			case 1:
				doc = doc[:i+1]
			default:
				doc = append(doc, byte(r.Uint32()))
			}
		}
		agree(t, doc, l)
		_, _, reason := specWalk(doc, resolved(t, l))
		if reason == nil {
			accepted++
		}
		reasons[reason]++
	}
	if accepted < rounds/5 || accepted > rounds*9/10 {
		t.Errorf("%d of %d documents accepted: the mix tests little", accepted, rounds)
	}
	for _, reason := range []error{ErrReserved, ErrPrefix, ErrShort, ErrOwed, ErrMaxDepth, ErrMaxBytes, ErrMaxItems} {
		if reasons[reason] == 0 {
			t.Errorf("no document was refused with %v", reason)
		}
	}
}

func FuzzWalkAgainstSpec(f *testing.F) {
	for _, c := range refusals {
		f.Add(c.doc(), 0, 0, 0)
	}
	f.Add([]byte{0x93, 1, 2, 3}, 1, 4, 4)
	f.Fuzz(func(t *testing.T, data []byte, depth, size, items int) {
		l := bounds.Limits{MaxDepth: depth, MaxBytes: size, MaxItems: items}
		if l.Validate() != nil {
			l = bounds.Limits{}
		}
		agree(t, data, l)
	})
}
