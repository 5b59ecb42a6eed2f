package walk

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/samples"
	"github.com/boundpack/boundpack/internal/tier"
)

// specStream is what a stream says of data and its end, by specWalk alone: the header
// that claims more than MaxBytes or MaxItems is the one which is refused if items that
// claim nothing come for ever.
func specStream(data []byte, l bounds.Limits) (end, at int, reason error) {
	_, at, reason = specWalk(append(slices.Clip(data), make([]byte, l.MaxBytes+8)...), l)
	if at < len(data) && at+headerSize(data[at]) <= len(data) {
		switch reason {
		case ErrShort, ErrOwed, ErrMaxBytes:
			return 0, at, ErrMaxBytes
		case ErrMaxItems:
			return 0, at, ErrMaxItems
		}
	}
	return specWalk(data, l)
}

// cutShort reports whether reason says no more than that bytes are missing.
func cutShort(reason error) bool {
	return reason == ErrEmpty || reason == ErrPrefix || reason == ErrShort || reason == ErrOwed
}

// parts cuts data at the offsets in at, which rise.
func parts(data []byte, at ...int) (all [][]byte) {
	from := 0
	for _, to := range append(at, len(data)) {
		all = append(all, data[from:to])
		from = to
	}
	return all
}

// streamed feeds all to p, which is before a document, and returns what a stream says of
// them and its end: the length of the document or the refusal.
func streamed(t testing.TB, p *Progress, l bounds.Limits, all [][]byte) (int, error) {
	t.Helper()
	if err := p.Reset(l); err != nil {
		t.Fatal(err)
	}
	var got []byte
	for _, part := range all {
		before, need := int(p.Fed()), p.Need()
		n, err := p.Feed(part)
		got = append(got, part...)
		if err != nil {
			if _, again := p.Feed([]byte{0}); n != 0 || again != err {
				t.Fatalf("%x within %+v: %d, %v, then %v", got, l, n, err, again)
			}
			return 0, err
		}
		if int(p.Fed()) != before+n || n < len(part) && p.Need() != 0 || n < min(need, len(part)) {
			t.Fatalf("%x within %+v: took %d of %d bytes, Fed %d, Need %d, before that %d and %d", got, l, n, len(part), p.Fed(), p.Need(), before, need)
		}
	}
	if p.Need() == 0 {
		return int(p.Fed()), nil
	}
	_, err := Len(got, l)
	if err == nil {
		t.Fatalf("%x within %+v: Check accepts it, and %d bytes more are needed", got, l, p.Need())
	}
	return 0, err
}

// lawOfStreams: a stream accepts what Check accepts, and refuses what Check refuses for
// its reason at its offset, or earlier in time with ErrMaxBytes or ErrMaxItems at an
// offset not before Check's.
func lawOfStreams(t testing.TB, data []byte, l bounds.Limits, end int, err error) {
	t.Helper()
	n, check := Len(data, l)
	if check == nil || err == nil {
		if (check == nil) != (err == nil) || n != end {
			t.Fatalf("%x within %+v: the stream says %d, %v, Check %d, %v", data, l, end, err, n, check)
		}
		return
	}
	got, want := err.(*bounds.Error), check.(*bounds.Error)
	if *got == *want {
		return
	}
	if got.Reason != ErrMaxBytes && got.Reason != ErrMaxItems || !cutShort(want.Reason) || got.Offset < want.Offset {
		t.Fatalf("%x within %+v: the stream says %v, Check %v", data, l, err, check)
	}
}

// everySplit feeds data at every split point, byte by byte and as it is asked for, and
// compares each with specStream. It returns the reason.
func everySplit(t testing.TB, data []byte, l bounds.Limits) error {
	t.Helper()
	l = resolved(t, l)
	end, at, reason := specStream(data, l)
	var p Progress
	say := func(how string, all [][]byte) {
		t.Helper()
		got, err := streamed(t, &p, l, all)
		if e, ok := err.(*bounds.Error); got != end || ok != (reason != nil) || ok && (e.Reason != reason || e.Offset != int64(at)) {
			t.Fatalf("%x within %+v, %s: %d, %v, want %d, %v at %d", data, l, how, got, err, end, reason, at)
		}
		lawOfStreams(t, data, l, got, err)
	}
	for _, on := range []bool{true, false} {
		restore := tier.Set(tier.WalkInline, on)
		for i := range len(data) + 1 {
			say(fmt.Sprintf("inline %v, split at %d", on, i), parts(data, i))
		}
		single := make([]int, len(data))
		for i := range single {
			single[i] = i
		}
		say(fmt.Sprintf("inline %v, byte by byte", on), parts(data, single...))
		restore()
	}
	asked(t, &p, data, l)
	return reason
}

// asked feeds p what it asks for: it is told nothing behind the document, and says what
// it says of the first bytes that decide it.
func asked(t testing.TB, p *Progress, data []byte, l bounds.Limits) {
	t.Helper()
	if err := p.Reset(l); err != nil {
		t.Fatal(err)
	}
	for off := range data {
		_, _, decided := specStream(data[:off], l)
		if need := p.Need(); cutShort(decided) != (need > 0) {
			t.Fatalf("%x within %+v: after %d bytes %d more are needed, and a stream says %v", data, l, off, need, decided)
		}
		if p.Need() == 0 {
			return
		}
		if _, err := p.Feed(data[off : off+1]); err != nil {
			// So many zeros, which claim nothing, make Check say the same; fewer do not.
			e := *err.(*bounds.Error)
			got := slices.Clip(data[:off+1])
			check := func(zeros int) error { return Check(append(got, make([]byte, zeros)...), l) }
			if need := p.Need(); need < 1<<20 {
				if same, ok := check(need).(*bounds.Error); !ok || *same != e {
					t.Fatalf("%x within %+v: %v, and after %d bytes more Check says %v", got, l, err, need, same)
				}
				if other := check(need - min(need, 1)).(*bounds.Error); need > 0 && *other == e {
					t.Fatalf("%x within %+v: %v, and Check says so after less than %d bytes more", got, l, err, need)
				}
			}
			return
		}
	}
	// As much as it asks for at a time.
	if err := p.Reset(l); err != nil {
		t.Fatal(err)
	}
	end, err := Len(data, l)
	if err != nil {
		return
	}
	for p.Need() > 0 {
		from := int(p.Fed())
		if from+p.Need() > end {
			t.Fatalf("%x within %+v: after %d bytes it asks for %d, beyond the end at %d", data, l, from, p.Need(), end)
		}
		if n, err := p.Feed(data[from : from+p.Need()]); err != nil || n == 0 {
			t.Fatalf("%x within %+v: %d, %v", data, l, n, err)
		}
	}
	if int(p.Fed()) != end {
		t.Fatalf("%x within %+v: complete after %d bytes, want %d", data, l, p.Fed(), end)
	}
}

func TestProgressAgainstSpec(t *testing.T) {
	small := bounds.Limits{MaxBytes: 1 << 10}
	for _, c := range refusals {
		if doc := c.doc(); len(doc) < 3000 {
			l := c.limits
			if l.MaxBytes == 0 {
				l.MaxBytes = max(small.MaxBytes, len(doc)/2)
			}
			everySplit(t, doc, l)
		}
	}
	for _, s := range [][]byte{samples.Formats(), samples.Stream(), samples.Deep(20)} {
		everySplit(t, s, bounds.Limits{MaxBytes: 4096})
	}
	r := rand.New(rand.NewPCG(3, 4))
	rounds := 3000
	if testing.Short() {
		rounds = 500
	}
	reasons := map[error]int{}
	for range rounds {
		doc := randomDoc(r, nil, 1+r.IntN(40), 1+r.IntN(14))
		doc = doc[:min(len(doc), 300)]
		l := bounds.Limits{MaxBytes: 512}
		switch r.IntN(4) {
		case 0:
			l.MaxDepth = 1 + r.IntN(4)
		case 1:
			l.MaxBytes = 1 + r.IntN(len(doc)+2)
		case 2:
			l.MaxItems = 1 + r.IntN(30)
		}
		for edits := r.IntN(3); edits > 0; edits-- {
			switch i := r.IntN(len(doc)); r.IntN(4) {
			case 0:
				doc[i] = byte(r.Uint32())
			case 1:
				doc[i] = 0xc1
			case 2:
				doc = doc[:i+1]
			default:
				doc = append(doc, byte(r.Uint32()))
			}
		}
		reasons[everySplit(t, doc, l)]++
	}
	for _, reason := range []error{nil, ErrReserved, ErrPrefix, ErrShort, ErrOwed, ErrMaxDepth, ErrMaxBytes, ErrMaxItems} {
		if reasons[reason] < rounds/250 {
			t.Errorf("only %d of %d documents met %v", reasons[reason], rounds, reason)
		}
	}
}

// TestProgressRefusals: what is refused at once, what waits for the bytes owed before it,
// and what a stream never says.
func TestProgressRefusals(t *testing.T) {
	for _, c := range []struct {
		hex    string
		limits bounds.Limits
		reason error // nil: it waits
		offset int64
		need   int
		limit  uint64
		claims uint64
	}{
		{"", bounds.Limits{}, nil, 0, 1, 0, 0},
		{"dd", bounds.Limits{}, nil, 0, 4, 0, 0},
		{"dd00000003", bounds.Limits{}, nil, 0, 3, 0, 0},
		{"92dd", bounds.Limits{}, nil, 0, 5, 0, 0},
		{"c6 03fffffb", bounds.Limits{}, nil, 0, 64<<20 - 5, 0, 0},
		{"c6 03fffffc", bounds.Limits{}, ErrMaxBytes, 0, 64<<20 - 4, 64 << 20, 64<<20 + 1},
		{"dd 00400000", bounds.Limits{}, ErrMaxItems, 0, 1 << 22, 1 << 22, 1<<22 + 1},
		{"dd 003fffff", bounds.Limits{}, nil, 0, 1<<22 - 1, 0, 0},
		{"92 93", bounds.Limits{MaxItems: 5}, ErrMaxItems, 1, 4, 5, 6},
		{"92 93", bounds.Limits{MaxBytes: 5}, ErrMaxBytes, 1, 4, 5, 6},
		{"92 93", bounds.Limits{MaxBytes: 5, MaxItems: 5}, ErrMaxBytes, 1, 4, 5, 6},
		{"92 c1", bounds.Limits{}, nil, 0, 1, 0, 0},
		{"92 c1 c1", bounds.Limits{}, ErrReserved, 1, 0, 0, 0},
		{"92 91", bounds.Limits{MaxDepth: 1}, nil, 0, 1, 0, 0},
		{"92 91 00", bounds.Limits{MaxDepth: 1}, ErrMaxDepth, 1, 0, 1, 2},
		{"91 dc", bounds.Limits{MaxDepth: 1}, nil, 0, 2, 0, 0},
		{"91 dcffff", bounds.Limits{MaxDepth: 1, MaxItems: 2}, ErrMaxDepth, 1, 0, 1, 2},
		{"93 dd", bounds.Limits{MaxBytes: 4}, nil, 0, 6, 0, 0},
		{"93 dd00000000", bounds.Limits{MaxBytes: 4}, ErrMaxBytes, 1, 2, 4, 8},
	} {
		p, err := NewProgress(c.limits)
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Feed(hexdoc.Must(c.hex))
		want := bounds.Error{Reason: c.reason, Offset: c.offset, Limit: c.limit, Need: c.claims}
		if e, ok := err.(*bounds.Error); ok != (c.reason != nil) || ok && *e != want || p.Need() != c.need {
			t.Errorf("%s within %+v: %+v, needs %d, want %+v, %d", c.hex, c.limits, err, p.Need(), want, c.need)
		}
	}
	if _, err := NewProgress(bounds.Limits{MaxDepth: -1}); !errors.Is(err, ErrOptions) {
		t.Errorf("limits out of range: %v", err)
	}
	var p Progress
	if err := p.Reset(bounds.Limits{MaxItems: -1}); !errors.Is(err, ErrOptions) {
		t.Errorf("limits out of range: %v", err)
	}
	if n, err := p.Feed([]byte{0}); n != 0 || !errors.Is(err, ErrOptions) {
		t.Errorf("Feed after that: %d, %v", n, err)
	}
}

// TestProgressReads: asking for what is owed takes few reads.
func TestProgressReads(t *testing.T) {
	var p Progress
	for _, c := range []struct {
		name string
		doc  []byte
		most int
	}{
		{"an int", []byte{7}, 1},
		{"a str", hexdoc.Must("d920 61*32"), 3},
		{"an array of 1000 ints", hexdoc.Must("dc03e8 01*1000"), 3},
		{"100 users", samples.Users(100), 320},
		{"like twitter", samples.TwitterLike(), 3300},
	} {
		if err := p.Reset(bounds.Limits{}); err != nil {
			t.Fatal(err)
		}
		reads := 0
		for ; p.Need() > 0; reads++ {
			if _, err := p.Feed(c.doc[p.Fed():][:p.Need()]); err != nil {
				t.Fatal(err)
			}
		}
		if reads > c.most {
			t.Errorf("%s: %d reads for %d bytes, want at most %d", c.name, reads, len(c.doc), c.most)
		}
		t.Logf("%s: %d reads for %d bytes", c.name, reads, len(c.doc))
	}
}

// TestProgressAllocations: eight open levels cost nothing, however they arrive; more
// cost what they take, and are kept as long as they are few.
func TestProgressAllocations(t *testing.T) {
	var p Progress
	feed := func(doc []byte, size int) {
		if err := p.Reset(bounds.Limits{}); err != nil {
			t.Fatal(err)
		}
		for from := 0; from < len(doc); from += size {
			if _, err := p.Feed(doc[from:min(from+size, len(doc))]); err != nil {
				t.Fatal(err)
			}
		}
		if p.Need() != 0 {
			t.Fatalf("%x: needs %d", doc, p.Need())
		}
	}
	for _, size := range []int{1, 3, 1000} {
		doc := hexdoc.Must("dc0002 91*6 81 d90161 cb 00*8 91*7 80")
		if n := testing.AllocsPerRun(10, func() { feed(doc, size) }); n != 0 {
			t.Errorf("eight levels, %d bytes at a time: %v allocations", size, n)
		}
		p = Progress{}
		doc = hexdoc.Must("91*1000 c0") // 8, 16, 32 and so on levels
		if n, objects := probe.Cold(func() { feed(doc, size) }); objects != 8 || n > 2*8*1024 {
			t.Errorf("1000 levels, %d bytes at a time: %d bytes in %d blocks", size, n, objects)
		}
		feed([]byte{0}, 1)
		if room := p.walker.open.Room(); room != bounds.InlineLevels {
			t.Errorf("room for %d levels is kept", room)
		}
		doc = hexdoc.Must("91*100 c0")
		feed(doc, size)
		if n := testing.AllocsPerRun(10, func() { feed(doc, size) }); n != 0 {
			t.Errorf("100 levels again, %d bytes at a time: %v allocations", size, n)
		}
	}
	if size := unsafe.Sizeof(p); size > 512 {
		t.Errorf("a Progress takes %d bytes", size)
	}
}

// TestProgressTakesLinearTime feeds 65,535 levels and a million items byte by byte: by
// the headers that are read, not by time.
func TestProgressTakesLinearTime(t *testing.T) {
	deepest := bounds.Limits{MaxDepth: bounds.CeilingMaxDepth}
	var p Progress
	for _, doc := range [][]byte{
		append(bytes.Repeat([]byte{0x91}, bounds.CeilingMaxDepth), 0xc0),
		hexdoc.Must("dd000f4240 01*1000000"),
	} {
		taken := tier.Counted(tier.WalkInline, func() {
			if err := p.Reset(deepest); err != nil {
				t.Fatal(err)
			}
			for i := range doc {
				if _, err := p.Feed(doc[i : i+1]); err != nil {
					t.Fatal(err)
				}
			}
		})
		if p.Need() != 0 || taken > int64(len(doc)) || taken < int64(len(doc))*9/10 {
			t.Errorf("%d bytes one by one: %d headers inline, needs %d", len(doc), taken, p.Need())
		}
	}
	_, err := streamed(t, &p, deepest, parts(append(bytes.Repeat([]byte{0x91}, bounds.CeilingMaxDepth+1), 0xc0), 1000, 40000))
	if off, _ := bounds.OffsetOf(err); !errors.Is(err, ErrMaxDepth) || off != bounds.CeilingMaxDepth {
		t.Errorf("65,536 levels: %v", err)
	}
}

func FuzzProgress(f *testing.F) {
	for _, c := range refusals {
		f.Add(c.doc(), uint16(0), uint16(0), uint16(0))
	}
	f.Add([]byte{0x93, 1, 2, 3}, uint16(1), uint16(4), uint16(4))
	f.Fuzz(func(t *testing.T, data []byte, depth, size, items uint16) {
		if len(data) > 400 {
			return
		}
		everySplit(t, data, bounds.Limits{MaxDepth: int(depth), MaxBytes: 1 + int(size)%1024, MaxItems: int(items)})
	})
}
