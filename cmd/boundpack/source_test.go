package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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
	{"a byte at a time", func(b []byte) io.Reader { return iotest.OneByteReader(bytes.NewReader(b)) }},
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
		input[r.IntN(len(input))] = byte(r.Uint32())
	}
	if len(input) > 0 && r.IntN(3) == 0 {
		input = input[:r.IntN(len(input))]
	}
	return input
}

// expected is what a source says of a document that input starts with, when it
// looks at no more than MaxBytes and a length field.
func expected(input []byte, limits bounds.Limits) error {
	reach := limits.MaxBytes + 4
	err := walk.Valid(input[:min(len(input), reach)], limits)
	e, ok := errors.AsType[*bounds.Error](err)
	if ok && len(input) >= reach && (e.Reason == bounds.ErrShort || e.Reason == bounds.ErrOwed) {
		return &bounds.Error{Reason: bounds.ErrMaxBytes, Offset: e.Offset, Limit: uint64(limits.MaxBytes), Need: e.Need}
	}
	return err
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
	return resolve(t, bounds.Limits{MaxDepth: r.IntN(5), MaxBytes: r.IntN(80), MaxItems: r.IntN(30)})
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
			s.Reset(way.of(input), limits)
			_, err := s.Whole()
			seen.add(err)
			if want := expected(input, limits); !sameError(err, want) {
				t.Fatalf("%x within %+v, %s: got %v, want %v", input, limits, way.name, err, want)
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

// TestNext wants the same documents and the same verdict however they arrive, and
// those that the walk finds.
func TestNext(t *testing.T) {
	r := &random{Rand: rand.New(rand.NewPCG(13, 14))}
	var s source
	seen := reasons{}
	for range 4000 {
		input := randomInput(r)
		limits := randomLimits(t, r)
		for _, way := range readers {
			s.Reset(way.of(input), limits)
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
				if start := int64(len(input) - len(rest)); s.start != start || s.count != count {
					t.Fatalf("%x within %+v, %s: document %d at %d, want %d at %d", input, limits, way.name, s.count, s.start, count, start)
				}
				want := expected(rest, limits)
				size := len(rest)
				if e, ok := errors.AsType[*bounds.Error](want); ok && errors.Is(e, bounds.ErrTrailing) {
					size, want = int(e.Offset), nil
				}
				if !sameError(err, want) || err == nil && !bytes.Equal(doc, rest[:size]) {
					t.Fatalf("%x within %+v, %s: at %x got %x (%v), want %v", input, limits, way.name, rest, doc, err, want)
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

// TestNextLarge reads documents beyond the length where walks are put off, and
// holds no more than it must.
func TestNextLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: reads 40 MiB byte by byte or half by half")
	}
	large := append([]byte{0xdd, 0, 4, 0, 0}, bytes.Repeat([]byte("\xa5hello"), 4<<16)...) // 1.5 MiB
	input := append(bytes.Repeat(append([]byte{7}, large...), 4), 8)
	for _, way := range readers {
		var s source
		s.Reset(way.of(input), resolve(t, bounds.Limits{}))
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
		if cap(s.buf) > 3*n {
			t.Errorf("%s: a buffer of %d bytes for documents of %d", way.name, cap(s.buf), n)
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
	}{
		{"\xc6\xff\xff\xff\xff", 0, bounds.ErrMaxBytes},
		{"\xdd\xff\xff\xff\xff", 0, bounds.ErrMaxBytes},
		{"\xdf\x00\x40\x00\x00", 0, bounds.ErrMaxBytes},
		{"\xc1", 0, bounds.ErrReserved},
		{"", 0x91, bounds.ErrMaxDepth},
		{"\x07", 0, bounds.ErrTrailing},
	} {
		tail := &endless{b: test.fill}
		var s source
		s.Reset(io.MultiReader(strings.NewReader(test.head), tail), limits)
		if _, err := s.Whole(); !errors.Is(err, test.want) {
			t.Errorf("%q: got %v, want %v", test.head, err, test.want)
		}
		if cap(s.buf) > limits.MaxBytes+chunk || tail.read > limits.MaxBytes+chunk {
			t.Errorf("%q: read %d bytes into a buffer of %d", test.head, tail.read, cap(s.buf))
		}
	}
	// What is claimed is not allocated.
	var s source
	s.Reset(strings.NewReader("\xc6\x00\x0f\xff\xff"), limits)
	if _, err := s.Next(); !errors.Is(err, bounds.ErrShort) || cap(s.buf) > chunk {
		t.Errorf("got %v and a buffer of %d bytes", err, cap(s.buf))
	}
	// A stream of any length takes one buffer.
	s.Reset(io.LimitReader(&endless{b: 7}, 1<<20), limits)
	for {
		if _, err := s.Next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if s.count != 1<<20 || cap(s.buf) > chunk {
		t.Errorf("%d documents, a buffer of %d bytes", s.count, cap(s.buf))
	}
}

// TestReadError passes on what a reader says.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	limits := resolve(t, bounds.Limits{})
	var s source
	s.Reset(io.MultiReader(strings.NewReader("\x07\x92\x01"), iotest.ErrReader(broken)), limits)
	if _, err := s.Whole(); !errors.Is(err, broken) {
		t.Errorf("Whole: got %v", err)
	}
	s.Reset(io.MultiReader(strings.NewReader("\x07\x92\x01"), iotest.ErrReader(broken)), limits)
	if doc, err := s.Next(); string(doc) != "\x07" || err != nil {
		t.Errorf("Next: got %q, %v", doc, err)
	}
	if _, err := s.Next(); !errors.Is(err, broken) {
		t.Errorf("Next: got %v", err)
	}
}
