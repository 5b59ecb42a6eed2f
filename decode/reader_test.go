package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/samples"
	"github.com/boundpack/boundpack/walk"
)

// arrivals are ways for the same bytes to arrive.
var arrivals = []struct {
	name string
	of   func([]byte) io.Reader
}{
	{"at once", func(b []byte) io.Reader { return bytes.NewReader(b) }},
	{"byte by byte", func(b []byte) io.Reader { return iotest.OneByteReader(bytes.NewReader(b)) }},
	{"half of what is asked", func(b []byte) io.Reader { return iotest.HalfReader(bytes.NewReader(b)) }},
	{"with the end", func(b []byte) io.Reader { return iotest.DataErrReader(bytes.NewReader(b)) }},
	{"with empty reads", func(b []byte) io.Reader { return &halting{src: bytes.NewReader(b)} }},
}

// halting gives nothing, then a temporary error, then a byte, and so on.
type halting struct {
	src   io.Reader
	calls int
}

func (h *halting) Read(p []byte) (int, error) {
	h.calls++
	if h.calls%3 == 1 {
		return 0, nil
	}
	return h.src.Read(p[:min(1, len(p))])
}

// everyArrival runs f on readers of stream, in every way of arriving.
func everyArrival(t *testing.T, d *Decoder, stream []byte, f func(t *testing.T, how string, r *Reader)) {
	t.Helper()
	for _, way := range arrivals {
		f(t, way.name, d.NewReader(way.of(stream)))
		f(t, way.name+", ahead", d.NewReader(way.of(stream)).ReadAhead())
	}
}

// said is what a Reader says of one document.
type said struct {
	value  any // of an accepted one
	reason error
	offset int64
	start  int64 // of the document
	next   int64 // Offset after the call
	goOn   bool  // Resumable
}

func (s said) String() string {
	return fmt.Sprintf("%v, %v at %d, document at %d, then %d, resumable %v", s.value, s.reason, s.offset, s.start, s.next, s.goOn)
}

func (s said) matches(v any, err error, r *Reader) bool {
	offset, _ := OffsetOf(err)
	return errors.Is(err, s.reason) && (err == nil) == (s.reason == nil) && reflect.DeepEqual(v, s.value) && offset == s.offset &&
		r.Start() == s.start && r.Offset() == s.next && r.Resumable(err) == s.goOn
}

func TestReaderVerdicts(t *testing.T) {
	for _, c := range []struct {
		hex    string
		limits Limits
		want   []said
	}{
		{"", Limits{}, []said{{nil, io.EOF, 0, 0, 0, false}}},
		{"07 a161 c0", Limits{}, []said{
			{int64(7), nil, 0, 0, 1, false}, {"a", nil, 0, 1, 3, false}, {nil, nil, 0, 3, 4, false}, {nil, io.EOF, 0, 4, 4, false},
		}},
		// The end inside a document is Check's answer.
		{"07 92 01", Limits{}, []said{{int64(7), nil, 0, 0, 1, false}, {nil, ErrOwed, 0, 1, 1, false}, {nil, ErrOwed, 0, 1, 1, false}}},
		{"07 da", Limits{}, []said{{int64(7), nil, 0, 0, 1, false}, {nil, ErrPrefix, 0, 1, 1, false}}},
		{"91 a5 61", Limits{}, []said{{nil, ErrShort, 1, 0, 0, false}}},
		{"92 c1", Limits{}, []said{{nil, ErrOwed, 0, 0, 0, false}}},
		// No document, and what follows is not looked at.
		{"07 92 c1 01 02", Limits{}, []said{{int64(7), nil, 0, 0, 1, false}, {nil, ErrReserved, 1, 1, 1, false}, {nil, ErrReserved, 1, 1, 1, false}}},
		{"01 91 91 91 c0 05", Limits{MaxDepth: 2}, []said{{int64(1), nil, 0, 0, 1, false}, {nil, ErrMaxDepth, 2, 1, 1, false}}},
		{"93 93", Limits{MaxItems: 5}, []said{{nil, ErrMaxItems, 1, 0, 0, false}}},
		{"01 c6 00000006", Limits{MaxBytes: 10}, []said{{int64(1), nil, 0, 0, 1, false}, {nil, ErrMaxBytes, 0, 1, 1, false}}},
		{"dd ffffffff", Limits{}, []said{{nil, ErrMaxBytes, 0, 0, 0, false}}},
		// Limits are of a document, not of the stream.
		{"93010203 93010203 93010203", Limits{MaxItems: 4, MaxBytes: 4}, []said{
			{[]any{int64(1), int64(2), int64(3)}, nil, 0, 0, 4, false},
			{[]any{int64(1), int64(2), int64(3)}, nil, 0, 4, 8, false},
			{[]any{int64(1), int64(2), int64(3)}, nil, 0, 8, 12, false},
			{nil, io.EOF, 0, 12, 12, false},
		}},
		// What a value means: the next document is read.
		{"01 92 a1ff c0 82 a161 01 a161 02 81 01 02 d4ff00 05", Limits{}, []said{
			{int64(1), nil, 0, 0, 1, false},
			{nil, ErrUTF8, 2, 1, 5, true},
			{nil, ErrDuplicateKey, 4, 5, 12, true},
			{nil, ErrKeyType, 1, 12, 15, true},
			{nil, ErrTimestamp, 0, 15, 18, true},
			{int64(5), nil, 0, 18, 19, false},
			{nil, io.EOF, 0, 19, 19, false},
		}},
		// MaxMemory is of the document that was received whole.
		{"9f 80*15 05", Limits{MaxMemory: 100}, []said{{nil, ErrMaxMemory, 0, 0, 16, true}, {int64(5), nil, 0, 16, 17, false}}},
		{"92 a1ff c1 05", Limits{}, []said{{nil, ErrReserved, 3, 0, 0, false}}},
	} {
		d := Options{Limits: c.limits}.Must()
		everyArrival(t, d, hexdoc.Must(c.hex), func(t *testing.T, how string, r *Reader) {
			for i, want := range c.want {
				var v any
				err := r.Decode(&v)
				if !want.matches(v, err, r) {
					t.Errorf("%s, %s, call %d: %v, %v, document at %d, then %d, resumable %v, want %v", c.hex, how, i, v, err, r.Start(), r.Offset(), r.Resumable(err), want)
				}
				if err == nil || errors.Is(err, io.EOF) || r.Resumable(err) {
					continue
				}
				// The bytes of what was refused are there, and name its place.
				offset, _ := OffsetOf(err)
				if got := r.Buffered(); int64(len(got)) <= offset || !bytes.HasPrefix(hexdoc.Must(c.hex)[r.Start():], got[:offset+1]) {
					t.Errorf("%s, %s, call %d: %x is buffered after %v", c.hex, how, i, got, err)
				}
				// io.ErrUnexpectedEOF where the bytes ran out, and nowhere else.
				cut := errors.Is(err, ErrOwed) || errors.Is(err, ErrPrefix) || errors.Is(err, ErrShort)
				if errors.Is(err, io.ErrUnexpectedEOF) != cut {
					t.Errorf("%s, %s: %v, io.ErrUnexpectedEOF is %v", c.hex, how, err, !cut)
				}
			}
		})
	}
}

// TestReaderAgainstUnmarshal reads streams of every kind of document, cut at every
// byte, and compares with what a slice of the same bytes gives.
func TestReaderAgainstUnmarshal(t *testing.T) {
	var streams [][]byte
	for _, s := range samples.Files() {
		if b := s.Make(); len(b) < 3000 {
			streams = append(streams, b)
		}
	}
	streams = append(streams, samples.Stream(), append(samples.Formats(), samples.Users(2)...),
		hexdoc.Must("81 a161 92 c0 a1ff 07 c7030a 000102 d6ff00000001 80 90 a0 c400 92 91 c1 07"))
	d := Options{Limits: Limits{MaxDepth: 40, MaxItems: 5000}}.Must()
	refused, accepted := 0, 0
	for _, stream := range streams {
		step := 1 + len(stream)/60
		for end := len(stream); end >= 0; end -= step {
			everyArrival(t, d, stream[:end], func(t *testing.T, how string, r *Reader) {
				rest := stream[:end]
				for {
					var got, want any
					err := r.Decode(&got)
					after, check := d.UnmarshalFirst(rest, &want)
					switch {
					case len(rest) == 0:
						if err != io.EOF {
							t.Fatalf("%x, %s: %v at the end", stream[:end], how, err)
						}
						return
					case err != nil && check != nil && (err.Error() == check.Error() || earlier(err, check)):
						refused++
					case err != nil || check != nil || !reflect.DeepEqual(got, want):
						t.Fatalf("%x, %s, at %d: %v, %v, want %v, %v", stream[:end], how, r.Start(), got, err, want, check)
					default:
						accepted++
					}
					if err != nil {
						n, structure := walk.Len(rest, d.limits)
						if (structure == nil) != r.Resumable(err) {
							t.Fatalf("%x, %s: resumable %v after %v", stream[:end], how, r.Resumable(err), err)
						}
						if structure != nil {
							return
						}
						after = rest[n:]
					}
					rest = after
					if r.Offset() != int64(end-len(rest)) {
						t.Fatalf("%x, %s: Offset %d, want %d", stream[:end], how, r.Offset(), end-len(rest))
					}
				}
			})
		}
	}
	if accepted < 1000 || refused < 1000 {
		t.Errorf("%d documents accepted, %d refused", accepted, refused)
	}
}

// earlier reports whether err is what a stream says before it knows check: that a header
// claims too much, which stands not before the one that check is about.
func earlier(err, check error) bool {
	got, ok1 := err.(*bounds.Error)
	want, ok2 := check.(*bounds.Error)
	return ok1 && ok2 && (got.Reason == ErrMaxBytes || got.Reason == ErrMaxItems) && got.Offset >= want.Offset &&
		(want.Reason == ErrOwed || want.Reason == ErrShort || want.Reason == ErrPrefix)
}

// TestReaderReadsNoByteMore sends other traffic behind each document on a connection, and
// finds all of it.
func TestReaderReadsNoByteMore(t *testing.T) {
	docs := [][]byte{{7}, samples.Users(4), samples.Formats(), samples.Deep(100), samples.Dates(3), hexdoc.Must("c6 00030000 61*196608"), {0xc0}}
	const traffic = "GET / HTTP/1.1\r\n"
	ours, theirs := net.Pipe()
	defer ours.Close()
	go func() {
		for _, doc := range docs {
			theirs.Write(append(bytes.Clone(doc), traffic...))
		}
		theirs.Close()
	}()
	r := NewReader(ours)
	for i, doc := range docs {
		var got, want any
		if err := r.Decode(&got); err != nil {
			t.Fatalf("document %d: %v", i, err)
		}
		if err := Unmarshal(doc, &want); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("document %d is not what was sent (%v)", i, err)
		}
		if left := r.Buffered(); len(left) != 0 {
			t.Errorf("document %d: %q was read behind it", i, left)
		}
		other := make([]byte, len(traffic))
		if _, err := io.ReadFull(ours, other); err != nil || string(other) != traffic {
			t.Fatalf("behind document %d: %q, %v", i, other, err)
		}
	}
	if err := r.Decode(new(any)); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// TestReaderDeadline goes on in the middle of a document after a deadline passed.
func TestReaderDeadline(t *testing.T) {
	ours, theirs := net.Pipe()
	defer ours.Close()
	defer theirs.Close()
	r := NewReader(ours)
	send := func(hex string) {
		go theirs.Write(hexdoc.Must(hex))
	}
	expect := func() {
		t.Helper()
		ours.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		err := r.Decode(new(any))
		if !errors.Is(err, os.ErrDeadlineExceeded) || !r.Resumable(err) {
			t.Fatalf("%v, resumable %v", err, r.Resumable(err))
		}
		ours.SetReadDeadline(time.Time{})
	}
	expect()
	send("93 01 da")
	expect()
	if got := r.Buffered(); !bytes.Equal(got, hexdoc.Must("93 01 da")) || r.Offset() != 0 {
		t.Errorf("%x is buffered, Offset %d", got, r.Offset())
	}
	send("0003 61")
	expect()
	send("6263 c0")
	var v []any
	if err := r.Decode(&v); err != nil || !reflect.DeepEqual(v, []any{int64(1), "abc", nil}) {
		t.Errorf("%v, %v", v, err)
	}
}

// script is a stream that gives one of its answers for each Read.
type script []func(p []byte) (int, error)

func (s *script) Read(p []byte) (int, error) {
	if len(*s) == 0 {
		return 0, io.EOF
	}
	f := (*s)[0]
	*s = (*s)[1:]
	return f(p)
}

func gives(text string, err error) func([]byte) (int, error) {
	return func(p []byte) (int, error) { return copy(p, text), err }
}

// lasting has the methods of an error that may pass, and does not.
type lasting struct{ error }

func (lasting) Timeout() bool   { return false }
func (lasting) Temporary() bool { return false }

type temporary struct{ error }

func (temporary) Temporary() bool { return true }

// TestReaderErrorsOfTheStream are passed on as they are, after what was read with them;
// the next call reads on.
func TestReaderErrorsOfTheStream(t *testing.T) {
	broken, busy := lasting{errors.New("broken")}, temporary{errors.New("busy")}
	for _, ahead := range []bool{false, true} {
		r := NewReader(&script{gives("\x92", nil), gives("", busy), gives("\x01", broken), gives("\x02", broken), gives("\x03", io.EOF)})
		r.ahead = ahead
		for i, want := range []struct {
			value any
			err   error
			goOn  bool
		}{
			{nil, busy, true},
			{nil, broken, false},
			{[]any{int64(1), int64(2)}, nil, false},
			{nil, broken, false}, // given with the last byte of the document
			{int64(3), nil, false},
			{nil, io.EOF, false},
			{nil, io.EOF, false},
		} {
			var v any
			if err := r.Decode(&v); err != want.err || !reflect.DeepEqual(v, want.value) || r.Resumable(err) != want.goOn {
				t.Errorf("ahead %v, call %d: %v, %v, resumable %v, want %+v", ahead, i, v, err, r.Resumable(err), want)
			}
		}
	}
	// Nothing, a hundred times.
	reads := 0
	nothing := readerFunc(func([]byte) (int, error) { reads++; return 0, nil })
	r := NewReader(nothing)
	if err := r.Decode(new(any)); err != io.ErrNoProgress || reads != 100 || r.Resumable(err) {
		t.Errorf("%v after %d reads, want io.ErrNoProgress after 100", err, reads)
	}
	if err := UnmarshalRead(nothing, new(any)); err != io.ErrNoProgress || reads != 200 {
		t.Errorf("UnmarshalRead: %v after %d reads", err, reads)
	}
	// A count that cannot be.
	for _, n := range []int{-1, 1 << 20} {
		r := NewReader(readerFunc(func([]byte) (int, error) { return n, nil }))
		for range 2 {
			if err := r.Decode(new(any)); err != errCount || r.Resumable(err) {
				t.Errorf("Read returned %d: %v", n, err)
			}
		}
	}
}

// TestReaderStuck: after bytes that are no document there is no going on, until Reset,
// which keeps no large buffer.
func TestReaderStuck(t *testing.T) {
	r := NewReader(io.MultiReader(bytes.NewReader(hexdoc.Must("a1ff c6 00200000")), bytes.NewReader(make([]byte, 1<<20))))
	meaning := r.Decode(new(any))
	if !errors.Is(meaning, ErrUTF8) || !r.Resumable(meaning) {
		t.Errorf("%v, resumable %v", meaning, r.Resumable(meaning))
	}
	err := r.Decode(new(any))
	if !errors.Is(err, ErrShort) || r.Resumable(err) || r.Resumable(meaning) || len(r.Buffered()) != 5+1<<20 {
		t.Errorf("%v, resumable %v, %d bytes are buffered", err, r.Resumable(err), len(r.Buffered()))
	}
	if _, again := r.Raw(); again != err {
		t.Errorf("Raw: %v, want %v", again, err)
	}
	for _, again := range Elements[any](r) {
		if again != err {
			t.Errorf("Elements: %v, want %v", again, err)
		}
	}
	r.Reset(strings.NewReader("\x07"))
	if cap(r.buf) != 0 || r.Resumable(err) {
		t.Errorf("after Reset a buffer of %d bytes, resumable %v", cap(r.buf), r.Resumable(err))
	}
	var v any
	if err := r.Decode(&v); err != nil || v != int64(7) || r.Start() != 0 {
		t.Errorf("after Reset: %v, %v", v, err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestReaderTarget: a target that is of no use costs no document.
func TestReaderTarget(t *testing.T) {
	everyArrival(t, standard, hexdoc.Must("07 08"), func(t *testing.T, how string, r *Reader) {
		for _, dst := range []any{nil, 7, (*int)(nil), new(chan int), new(func())} {
			if err := r.Decode(dst); !errors.Is(err, ErrTarget) || r.Resumable(err) || r.Offset() != 0 {
				t.Errorf("%s, into %T: %v, resumable %v, Offset %d", how, dst, err, r.Resumable(err), r.Offset())
			}
		}
		var n int8
		if err := r.Decode(&n); err != nil || n != 7 {
			t.Errorf("%s: %d, %v", how, n, err)
		}
		if raw, err := r.Raw(); err != nil || string(raw) != "\x08" || r.Offset() != 2 || r.Start() != 1 {
			t.Errorf("%s: %x, %v, at %d, then %d", how, raw, err, r.Start(), r.Offset())
		}
		if _, err := r.Raw(); err != io.EOF {
			t.Errorf("%s: %v", how, err)
		}
		r.Reset(strings.NewReader("\x09"))
		if err := r.Decode(&n); err != nil || n != 9 || r.Offset() != 1 {
			t.Errorf("%s, after Reset: %d, %v, Offset %d", how, n, err, r.Offset())
		}
	})
}

// TestReaderAfterPanic: a document whose decoding panics is behind the Reader.
func TestReaderAfterPanic(t *testing.T) {
	d := Options{Exts: []ExtType{{Type: 1, Decode: func([]byte) (any, error) { panic("no") }}}}.Must()
	everyArrival(t, d, hexdoc.Must("07 d40100 08"), func(t *testing.T, how string, r *Reader) {
		next := func() (v any) {
			defer func() {
				if p := recover(); p != nil {
					v = p
				}
			}()
			if err := r.Decode(&v); err != nil {
				t.Error(err)
			}
			return v
		}
		if a, b, c := next(), next(), next(); a != int64(7) || b != "no" || c != int64(8) {
			t.Errorf("%s: %v, %v, %v", how, a, b, c)
		}
	})
}

func TestUnmarshalRead(t *testing.T) {
	big := hexdoc.Must("c6 00030000 61*196608")
	for _, c := range []struct {
		stream []byte
		limits Limits
		value  any
		reason error
		offset int64
	}{
		{hexdoc.Must("07"), Limits{}, int64(7), nil, 0},
		{hexdoc.Must("92 01 a161"), Limits{}, []any{int64(1), "a"}, nil, 0},
		{big, Limits{}, big[5:], nil, 0},
		{nil, Limits{}, nil, ErrEmpty, 0},
		{hexdoc.Must("92 01"), Limits{}, nil, ErrOwed, 0},
		{hexdoc.Must("07 08"), Limits{}, nil, ErrTrailing, 1},
		{append(bytes.Clone(big), 8), Limits{}, nil, ErrTrailing, int64(len(big))},
		{hexdoc.Must("91 a1ff 08"), Limits{}, nil, ErrUTF8, 2}, // the lowest offset
		{hexdoc.Must("91 c1 08"), Limits{}, nil, ErrReserved, 1},
		{hexdoc.Must("92 01 02 08"), Limits{MaxItems: 2}, nil, ErrMaxItems, 0},
		{hexdoc.Must("a3616263"), Limits{MaxBytes: 3}, nil, ErrMaxBytes, 0},
	} {
		d := Options{Limits: c.limits}.Must()
		for _, way := range arrivals {
			var v any
			err := d.UnmarshalRead(way.of(c.stream), &v)
			if off, _ := OffsetOf(err); !errors.Is(err, c.reason) || (err == nil) != (c.reason == nil) || off != c.offset || !reflect.DeepEqual(v, c.value) {
				t.Errorf("%.20x, %s: %.40v, %v, want %v at %d", c.stream, way.name, v, err, c.reason, c.offset)
			}
			var same any
			if plain := d.Unmarshal(c.stream, &same); c.reason != ErrMaxBytes && fmt.Sprint(plain) != fmt.Sprint(err) {
				t.Errorf("%.20x, %s: %v, and of the slice %v", c.stream, way.name, err, plain)
			}
		}
	}
	broken := errors.New("broken")
	v := any("before")
	for _, stream := range []io.Reader{
		&script{gives("\x92\x01", broken)}, &script{gives("\x07", broken)}, &script{gives("\x07", nil), gives("", broken)},
	} {
		if err := UnmarshalRead(stream, &v); err != broken || v != "before" {
			t.Errorf("%v, %v", v, err)
		}
	}
	// A byte behind the document leaves an any as it was.
	if err := UnmarshalRead(strings.NewReader("\x07\x08"), &v); !errors.Is(err, ErrTrailing) || v != "before" {
		t.Errorf("%v, %v", v, err)
	}
	var n uint8
	if err := UnmarshalRead(strings.NewReader("\x07"), &n); err != nil || n != 7 {
		t.Errorf("%d, %v", n, err)
	}
	if err := UnmarshalRead(strings.NewReader("\x07"), 7); !errors.Is(err, ErrTarget) {
		t.Errorf("%v", err)
	}
	// What is beyond the limits is refused while there is more to come.
	endless := &script{gives("\xdd\xff\xff\xff\xff", nil), func([]byte) (int, error) { t.Error("it reads on"); return 0, io.EOF }}
	var e *bounds.Error
	if err := UnmarshalRead(endless, &v); !errors.As(err, &e) || e.Reason != ErrMaxBytes {
		t.Errorf("%v", err)
	}
}
