package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

func resolve(t *testing.T, limits bounds.Limits) bounds.Limits {
	t.Helper()
	limits, err := limits.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return limits
}

// readers are ways for the same bytes to arrive.
var readers = []struct {
	name string
	of   func([]byte) io.Reader
}{
	{"at once", func(b []byte) io.Reader { return bytes.NewReader(b) }},
	{"a byte at a time", func(b []byte) io.Reader { return &drops{r: bytes.NewReader(b)} }},
	{"half at a time", func(b []byte) io.Reader { return iotest.HalfReader(bytes.NewReader(b)) }},
	{"with the end", func(b []byte) io.Reader { return iotest.DataErrReader(bytes.NewReader(b)) }},
}

// randomInput returns documents in a row, most of them whole.
func randomInput(r *random) []byte {
	var input []byte
	for range r.IntN(4) {
		input = append(input, r.document(1+r.IntN(40))...)
	}
	if len(input) > 0 && r.IntN(2) == 0 {
		input[r.IntN(len(input))] = [...]byte{0xc1, 0xdd, byte(r.Uint32()), byte(r.Uint32())}[r.IntN(4)]
	}
	if len(input) > 0 && r.IntN(3) == 0 {
		input = input[:r.IntN(len(input))]
	}
	return input
}

// expected is what a source says of a document that input is, when it looks at no
// more than MaxBytes and a length field.
func expected(input []byte, limits bounds.Limits) error {
	reach := limits.MaxBytes + 4
	err := walk.Valid(input[:min(len(input), reach)], limits)
	e, ok := errors.AsType[*bounds.Error](err)
	if ok && len(input) >= reach && (e.Reason == bounds.ErrShort || e.Reason == bounds.ErrOwed) {
		return &bounds.Error{Reason: bounds.ErrMaxBytes, Offset: e.Offset, Limit: uint64(limits.MaxBytes), Need: e.Need}
	}
	return err
}

// expectedNext is what a source says of a document that a stream starts with, of which
// no more than rest comes.
func expectedNext(rest []byte, limits bounds.Limits) error {
	if err := claimsTooMuch(rest, limits); err != nil {
		return err
	}
	return walk.Valid(rest, limits)
}

// claimsTooMuch returns the refusal of a header of doc that claims more than MaxBytes
// or MaxItems, wherever doc ends behind it: what the walk says if zeros, which are
// items that claim nothing, come to fill all claims.
func claimsTooMuch(doc []byte, limits bounds.Limits) error {
	zeros := make([]byte, limits.MaxBytes+8)
	err := walk.Valid(append(doc[:len(doc):len(doc)], zeros...), limits)
	e, ok := errors.AsType[*bounds.Error](err)
	if !ok || int(e.Offset) >= len(doc) || int(e.Offset)+headerLen(doc[e.Offset]) > len(doc) {
		return nil
	}
	switch e.Reason {
	case bounds.ErrShort, bounds.ErrOwed, bounds.ErrMaxBytes: // of so many zeros
		return &bounds.Error{Reason: bounds.ErrMaxBytes, Offset: e.Offset, Limit: uint64(limits.MaxBytes), Need: e.Need}
	case bounds.ErrMaxItems:
		return e
	}
	return nil
}

// headerLen is the length of a header with the given marker.
func headerLen(marker byte) int {
	switch marker {
	case 0xc4, 0xc7, 0xd9:
		return 2
	case 0xc5, 0xc8, 0xda, 0xdc, 0xde:
		return 3
	case 0xc6, 0xc9, 0xdb, 0xdd, 0xdf:
		return 5
	}
	return 1
}

// enough is the number of bytes of input that decide the verdict on a document, as all
// of the input or as the first of a stream.
func enough(input []byte, limits bounds.Limits, stream bool) int {
	for k := range len(input) {
		err := walk.Valid(input[:k], limits)
		e, ok := errors.AsType[*bounds.Error](err)
		switch {
		case !ok && stream, ok && !cut(e):
			return k
		case stream && claimsTooMuch(input[:k], limits) != nil:
			return k
		case !stream && k == limits.MaxBytes+4:
			return k
		}
	}
	return len(input)
}

// drops counts the bytes it yields, one at a time.
type drops struct {
	r io.Reader
	n int
}

func (d *drops) Read(p []byte) (int, error) {
	n, err := d.r.Read(p[:min(1, len(p))])
	d.n += n
	return n, err
}

func sameError(a, b error) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, ok1 := errors.AsType[*bounds.Error](a)
	y, ok2 := errors.AsType[*bounds.Error](b)
	return ok1 && ok2 && *x == *y
}

func randomLimits(t *testing.T, r *random) bounds.Limits {
	l := bounds.Limits{MaxDepth: r.IntN(5), MaxBytes: 1 + r.IntN(80), MaxItems: r.IntN(30)}
	if r.IntN(20) == 0 {
		l.MaxBytes = 4096
	}
	return resolve(t, l)
}

// reasons counts why documents were refused; nil counts those that were not.
type reasons map[error]int

func (r reasons) add(err error) {
	if e, ok := errors.AsType[*bounds.Error](err); ok {
		err = e.Reason
	}
	r[err]++
}

// always are the verdicts that a source gives in either mode.
var always = []error{
	nil, bounds.ErrReserved, bounds.ErrPrefix, bounds.ErrShort, bounds.ErrOwed,
	bounds.ErrMaxDepth, bounds.ErrMaxBytes, bounds.ErrMaxItems, bounds.ErrUTF8,
}

func (r reasons) want(t *testing.T, all ...error) {
	t.Helper()
	for _, reason := range all {
		if r[reason] < 4 {
			t.Errorf("saw only %d documents with the verdict %v", r[reason], reason)
		}
	}
}

// TestWhole compares the verdict with the walk's on all of the input.
func TestWhole(t *testing.T) {
	r := &random{Rand: rand.New(rand.NewPCG(11, 12))}
	var s source
	seen := reasons{}
	for range 4000 {
		input := randomInput(r)
		limits := randomLimits(t, r)
		for _, way := range readers {
			in := way.of(input)
			s.Reset(in, limits)
			_, err := s.Whole()
			seen.add(err)
			if want := expected(input, limits); !sameError(err, want) {
				t.Fatalf("%x within %+v, %s: got %v, want %v", input, limits, way.name, err, want)
			}
			if d, ok := in.(*drops); ok && d.n != enough(input, limits, false) {
				t.Fatalf("%x within %+v: read %d bytes to say %v, which %d decide", input, limits, d.n, err, enough(input, limits, false))
			}
			// The walk would say the same of all bytes, but for what it knows
			// of those that the source does not look at.
			all := walk.Valid(input, limits)
			if !sameError(err, all) && !(errors.Is(err, bounds.ErrMaxBytes) && (errors.Is(all, bounds.ErrShort) || errors.Is(all, bounds.ErrOwed))) {
				t.Fatalf("%x within %+v, %s: got %v, the walk says %v", input, limits, way.name, err, all)
			}
		}
	}
	seen.want(t, append(always, bounds.ErrEmpty, bounds.ErrTrailing)...)
}

// TestNext wants the same documents and the same verdict however they arrive, those
// that the walk finds, and none later than it is known.
func TestNext(t *testing.T) {
	r := &random{Rand: rand.New(rand.NewPCG(13, 14))}
	var s source
	seen := reasons{}
	for range 4000 {
		input := randomInput(r)
		limits := randomLimits(t, r)
		for _, way := range readers {
			in := way.of(input)
			s.Reset(in, limits)
			rest, count := input, int64(0)
			for {
				doc, err := s.Next()
				if errors.Is(err, io.EOF) {
					if len(rest) > 0 {
						t.Fatalf("%x within %+v, %s: ends before %x", input, limits, way.name, rest)
					}
					break
				}
				count++
				seen.add(err)
				start := len(input) - len(rest)
				if s.start != int64(start) || s.count != count {
					t.Fatalf("%x within %+v, %s: document %d at %d, want %d at %d", input, limits, way.name, s.count, s.start, count, start)
				}
				want := expectedNext(rest, limits)
				size := len(rest)
				if e, ok := errors.AsType[*bounds.Error](want); ok && errors.Is(e, bounds.ErrTrailing) {
					size, want = int(e.Offset), nil
				}
				if !sameError(err, want) || err == nil && !bytes.Equal(doc, rest[:size]) {
					t.Fatalf("%x within %+v, %s: at %x got %x (%v), want %v", input, limits, way.name, rest, doc, err, want)
				}
				lawOfStreams(t, rest, limits, err)
				if d, ok := in.(*drops); ok && d.n-start != enough(rest, limits, true) {
					t.Fatalf("%x within %+v: read %d bytes to say %v, which %d decide", rest, limits, d.n-start, err, enough(rest, limits, true))
				}
				if err != nil {
					break
				}
				rest = rest[size:]
			}
		}
	}
	seen.want(t, always...)
}

// lawOfStreams: a stream accepts what Check accepts, and refuses what Check refuses
// with its reason and offset, or earlier in time by MaxBytes or MaxItems at an offset
// not before it. It is [walk.Valid] that is compared, for UTF-8.
func lawOfStreams(t *testing.T, rest []byte, limits bounds.Limits, err error) {
	t.Helper()
	check := walk.Valid(rest, limits)
	if errors.Is(check, bounds.ErrTrailing) {
		check = nil
	}
	got, ok := errors.AsType[*bounds.Error](err)
	want, refused := errors.AsType[*bounds.Error](check)
	switch {
	case ok != refused:
	case !ok || got.Reason == want.Reason && got.Offset == want.Offset:
		return
	case (got.Reason == bounds.ErrMaxBytes || got.Reason == bounds.ErrMaxItems) && got.Offset >= want.Offset && cut(want):
		return
	}
	t.Fatalf("%x within %+v: the stream says %v, Check %v", rest, limits, err, check)
}

// TestNextLarge reads documents beyond the length where walks are put off, and
// holds no more than it must.
func TestNextLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: reads 40 MiB byte by byte or half by half")
	}
	large := append([]byte{0xdd, 0, 4, 0, 0}, bytes.Repeat([]byte("\xa5hello"), 4<<16)...) // 1.5 MiB
	input := append(bytes.Repeat(append([]byte{7}, large...), 4), 8)
	limits := resolve(t, bounds.Limits{MaxBytes: 3 * len(large)})
	for _, way := range readers {
		var s source
		s.Reset(way.of(input), limits)
		var sizes []int
		for {
			doc, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			sizes = append(sizes, len(doc))
		}
		n := len(large)
		if got, want := fmt.Sprint(sizes), fmt.Sprint([]int{1, n, 1, n, 1, n, 1, n, 1}); got != want {
			t.Errorf("%s: documents of %s bytes, want %s", way.name, got, want)
		}
		if cap(s.buf) != limits.MaxBytes+4 {
			t.Errorf("%s: a buffer of %d bytes, want one that holds any document within %d", way.name, cap(s.buf), limits.MaxBytes)
		}
	}
}

// endless yields the same byte for ever and counts.
type endless struct {
	b    byte
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.b
	}
	e.read += len(p)
	return len(p), nil
}

// TestSourceIsBounded gives endless input.
func TestSourceIsBounded(t *testing.T) {
	limits := resolve(t, bounds.Limits{MaxBytes: 1 << 20})
	for _, test := range []struct {
		head string
		fill byte
		want error
		most int // bytes that are read
	}{
		{"\xc6\xff\xff\xff\xff", 0, bounds.ErrMaxBytes, limits.MaxBytes + chunk},
		{"\xdd\xff\xff\xff\xff", 0, bounds.ErrMaxBytes, limits.MaxBytes + chunk},
		{"\xdf\x00\x40\x00\x00", 0, bounds.ErrMaxBytes, limits.MaxBytes + chunk},
		{"\xc6\x00\x08\x00\x00", 0, bounds.ErrTrailing, limits.MaxBytes + chunk},
		{"\xc1", 0, bounds.ErrReserved, chunk},
		{"\x93\xc1", 0, bounds.ErrReserved, chunk},
		{"", 0x91, bounds.ErrMaxDepth, chunk},
		{"\x07", 0, bounds.ErrTrailing, chunk},
		{"\xa1\xff", 0, bounds.ErrUTF8, chunk},
	} {
		tail := &endless{b: test.fill}
		var s source
		s.Reset(io.MultiReader(strings.NewReader(test.head), tail), limits)
		if _, err := s.Whole(); !errors.Is(err, test.want) {
			t.Errorf("%q: got %v, want %v", test.head, err, test.want)
		}
		if cap(s.buf) > limits.MaxBytes+chunk || tail.read > test.most {
			t.Errorf("%q: read %d bytes into a buffer of %d", test.head, tail.read, cap(s.buf))
		}
	}
	// What is claimed is not allocated.
	var s source
	s.Reset(strings.NewReader("\xc6\x00\x0f\xff\xf0"), limits)
	if _, err := s.Next(); !errors.Is(err, bounds.ErrShort) || cap(s.buf) > chunk {
		t.Errorf("got %v and a buffer of %d bytes", err, cap(s.buf))
	}
	// A stream of any length takes one buffer.
	small := func(most int) {
		t.Helper()
		s.r, s.done = io.LimitReader(&endless{b: 7}, 1<<20), nil
		from, used := s.count, 0
		for {
			if _, err := s.Next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			used = max(used, len(s.buf))
		}
		if s.count-from != 1<<20 || used > most {
			t.Errorf("%d documents of a byte, %d bytes of the buffer", s.count-from, used)
		}
	}
	s.Reset(nil, limits)
	small(chunk)
	if cap(s.buf) > chunk {
		t.Errorf("a buffer of %d bytes for documents of one", cap(s.buf))
	}
	// And goes back to the front of it after a large document.
	s.Reset(strings.NewReader("\xc6\x00\x0f\xff\xf0"+strings.Repeat("a", 1<<20-16)), limits)
	if _, err := s.Next(); err != nil || cap(s.buf) < 1<<20 {
		t.Fatalf("a document of 1 MiB: %v, a buffer of %d bytes", err, cap(s.buf))
	}
	s.buf, s.next = s.buf[:0], 0
	small(3 * chunk)
}

func TestLarger(t *testing.T) {
	const far = 1 << 40
	want := "65536 1073741828 2147483656 4294967312"
	if math.MaxInt == math.MaxInt32 {
		want = "65536 536870916 1073741832 2147483664"
	}
	var got []int64
	for room := int64(0); len(got) < 4; got = append(got, room) {
		room = larger(room, far)
	}
	if text := strings.Trim(fmt.Sprint(got), "[]"); text != want {
		t.Errorf("buffers grow to %s, want %s", text, want)
	}
	for _, reach := range []int64{chunk + 1, 1 << 20, reserve - 1, reserve, reserve + 1, 2*reserve - 4, 2 * reserve, 5 * reserve} {
		steps := 0
		for room := int64(1); room < reach; room = larger(room, reach) {
			if steps++; steps > 6 {
				t.Fatalf("reach %d: still %d after %d steps", reach, room, steps)
			}
			if larger(room, reach) > max(reach, chunk) {
				t.Errorf("reach %d: from %d to %d", reach, room, larger(room, reach))
			}
		}
		if reach <= reserve && steps != 2 {
			t.Errorf("reach %d is reserved in %d steps, want a chunk and then all of it", reach, steps)
		}
	}
}

// TestReadError passes on what a reader says, unless the verdict was known before.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	limits := resolve(t, bounds.Limits{})
	for _, input := range []io.Reader{
		io.MultiReader(strings.NewReader("\x07\x92\x01"), iotest.ErrReader(broken)),
		&failing{"\x07\x92\x01", broken},
	} {
		var s source
		s.Reset(input, limits)
		if doc, err := s.Next(); string(doc) != "\x07" || err != nil {
			t.Errorf("Next: got %q, %v", doc, err)
		}
		for range 2 {
			if _, err := s.Next(); !errors.Is(err, broken) {
				t.Errorf("Next: got %v", err)
			}
		}
	}
	for text, want := range map[string]error{"\x92\x01": broken, "\x07": broken, "\x07\x01": bounds.ErrTrailing, "\xc1": bounds.ErrReserved, "\x92\xc1": broken} {
		for _, input := range []io.Reader{io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), &failing{text, broken}} {
			var s source
			s.Reset(input, limits)
			if _, err := s.Whole(); !errors.Is(err, want) {
				t.Errorf("Whole of %q: got %v, want %v", text, err, want)
			}
		}
	}
}

// failing gives its error together with all of its text.
type failing struct {
	text string
	err  error
}

func (f *failing) Read(p []byte) (int, error) { return copy(p, f.text), f.err }
