package decode

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
)

// collect returns what seq yields, an error as its text.
func collect[T any](seq func(func(T, error) bool)) (all []any) {
	for v, err := range seq {
		if err != nil {
			all = append(all, err.Error())
		} else {
			all = append(all, v)
		}
	}
	return all
}

func TestDocuments(t *testing.T) {
	for _, c := range []struct {
		hex  string
		want []any
	}{
		{"", nil},
		{"01 02", []any{int8(1), int8(2)}},
		{"01 cd0100 a161 02", []any{
			int8(1), "msgpack document holds a number outside the range of its target: int into int8 (at byte 0)",
			"msgpack document holds a value of another type than its target: str into int8 (at byte 0)", int8(2),
		}},
		{"01 c1 02", []any{int8(1), "msgpack document contains the reserved marker 0xc1 (at byte 0)"}},
		{"01 d0", []any{int8(1), "msgpack document declares more bytes than the input holds (at byte 0)"}},
	} {
		everyArrival(t, standard, hexdoc.Must(c.hex), func(t *testing.T, how string, r *Reader) {
			if got := collect(Documents[int8](r)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s, %s: %q, want %q", c.hex, how, got, c.want)
			}
		})
	}
	r := NewReader(strings.NewReader("\x01\x02\x03"))
	for range Documents[int](r) {
		break
	}
	if got := collect(Documents[any](r)); !reflect.DeepEqual(got, []any{int64(2), int64(3)}) {
		t.Errorf("after break: %v", got)
	}
	// A target of no use ends it, and so does an error of the stream that lasts.
	if got := collect(Documents[chan int](NewReader(strings.NewReader("\x01\x02")))); len(got) != 1 {
		t.Errorf("into a channel: %v", got)
	}
	broken := errors.New("broken")
	got := collect(Documents[int](NewReader(&script{gives("\x01", nil), gives("", temporary{broken}), gives("\x02", nil), gives("", broken), gives("\x03", nil)})))
	if want := []any{1, "broken", 2, "broken"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestElements(t *testing.T) {
	type row struct {
		A int8 `msgpack:"a"`
	}
	for _, c := range []struct {
		hex    string
		limits Limits
		want   []any
	}{
		{"92 81a16101 81a16102", Limits{}, []any{row{1}, row{2}}},
		{"dc0001 81a16101", Limits{}, []any{row{1}}},
		{"dd00000001 81a16101", Limits{}, []any{row{1}}},
		{"90", Limits{}, nil},
		{"c0", Limits{}, nil},
		{"", Limits{}, []any{"EOF"}},
		{"93 81a16101 81a161cd0100 81a16102", Limits{}, []any{
			row{1}, "element 1: msgpack document holds a number outside the range of its target: int into int8 (at byte 3, path a)", row{2},
		}},
		{"93 81a16101 c1 80", Limits{}, []any{row{1}, "element 1: msgpack document contains the reserved marker 0xc1 (at byte 0)"}},
		{"93 81a16101", Limits{}, []any{row{1}, "element 1: msgpack document ends before the document is complete (at byte 0)"}},
		{"93 81a16101 81a1", Limits{}, []any{row{1}, "element 1: msgpack document declares more elements than the input can back (at byte 0)"}},
		{"dc00", Limits{}, []any{"msgpack document ends inside a length prefix (at byte 0)"}},
		{"dd", Limits{}, []any{"msgpack document ends inside a length prefix (at byte 0)"}},
		{"c1", Limits{}, []any{"msgpack document contains the reserved marker 0xc1 (at byte 0)"}},
		{"81a16101", Limits{}, []any{"msgpack document holds a value of another type than its target: map into []decode.row (at byte 0)"}},
		{"05", Limits{}, []any{"msgpack document holds a value of another type than its target: int into []decode.row (at byte 0)"}},
		// Limits are of an element.
		{"93 81a16101 81a16102 80", Limits{MaxItems: 3, MaxBytes: 4, MaxDepth: 1}, []any{row{1}, row{2}, row{}}},
		{"93 81a16101 82a16102", Limits{MaxItems: 3}, []any{row{1}, "element 1: msgpack document holds more than 3 items (at byte 0)"}},
		{"93 81a16101 81a26102", Limits{MaxBytes: 4}, []any{row{1}, "element 1: msgpack document is longer than 4 bytes (at byte 1)"}},
		{"92 80 81a161 91 00", Limits{MaxDepth: 1}, []any{row{}, "element 1: msgpack document nests deeper than 1 levels (at byte 3)"}},
	} {
		everyArrival(t, Options{Limits: c.limits}.Must(), hexdoc.Must(c.hex), func(t *testing.T, how string, r *Reader) {
			if got := collect(Elements[row](r)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s, %s:\n got %q\nwant %q", c.hex, how, got, c.want)
			}
		})
	}
}

func TestPairs(t *testing.T) {
	type pair = Pair[string, int8]
	for _, c := range []struct {
		hex  string
		want []any
	}{
		{"82 a161 01 a162 02", []any{pair{"a", 1}, pair{"b", 2}}},
		{"de0002 a161 01 a161 02", []any{pair{"a", 1}, pair{"a", 2}}},
		{"df00000001 a0 01", []any{pair{"", 1}}},
		{"80", nil},
		{"c0", nil},
		{"83 a161 01 07 02 a163 03", []any{
			pair{"a", 1}, "key of pair 1: msgpack document holds a value of another type than its target: int into string (at byte 0)", pair{"c", 3},
		}},
		{"83 a161 01 a162 a162 a163 03", []any{
			pair{"a", 1}, "value of pair 1: msgpack document holds a value of another type than its target: str into int8 (at byte 0)", pair{"c", 3},
		}},
		{"82 a161 01 a162 c1", []any{pair{"a", 1}, "value of pair 1: msgpack document contains the reserved marker 0xc1 (at byte 0)"}},
		{"82 a161 01 c1", []any{pair{"a", 1}, "key of pair 1: msgpack document contains the reserved marker 0xc1 (at byte 0)"}},
		{"82 a161 01 a162", []any{pair{"a", 1}, "value of pair 1: msgpack document ends before the document is complete (at byte 0)"}},
		{"82 a161 01 a2", []any{pair{"a", 1}, "key of pair 1: msgpack document declares more bytes than the input holds (at byte 0)"}},
		{"92 01 02", []any{"msgpack document holds a value of another type than its target (at byte 0)"}},
	} {
		everyArrival(t, standard, hexdoc.Must(c.hex), func(t *testing.T, how string, r *Reader) {
			if got := collect(Pairs[string, int8](r)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s, %s:\n got %q\nwant %q", c.hex, how, got, c.want)
			}
		})
	}
}

// TestPairsStart: where in the stream the key or the value stands that was refused.
func TestPairsStart(t *testing.T) {
	for _, c := range []struct {
		hex         string
		reason      error
		start, next int64
	}{
		{"05 82 a161 01 c1 02", ErrReserved, 5, 5},
		{"05 82 a161 01 a162 c1", ErrReserved, 7, 5},
		{"05 82 a161 01 a162 a2", ErrShort, 7, 5},
		{"05 82 a161 01 07 02", ErrType, 5, 7},
		{"05 82 a161 01 a162 a0", ErrType, 7, 8},
	} {
		everyArrival(t, standard, hexdoc.Must(c.hex), func(t *testing.T, how string, r *Reader) {
			if err := r.Decode(new(int)); err != nil {
				t.Fatal(err)
			}
			var last error
			for _, err := range Pairs[string, int](r) {
				last = err
			}
			if !errors.Is(last, c.reason) || r.Start() != c.start || r.Offset() != c.next {
				t.Errorf("%s, %s: %v, at %d, then %d, want %v, %d, %d", c.hex, how, last, r.Start(), r.Offset(), c.reason, c.start, c.next)
			}
		})
	}
}

// TestElementsInAStream: where the Reader stands before, in and after elements.
func TestElementsInAStream(t *testing.T) {
	everyArrival(t, standard, hexdoc.Must("05 93 01 a161 03 82 a161 01 a162 02 91 07 04 91 08"), func(t *testing.T, how string, r *Reader) {
		fail := func(v ...any) {
			t.Helper()
			t.Errorf("%s: %v", how, v)
		}
		var n int
		if err := r.Decode(&n); err != nil || n != 5 {
			fail(n, err)
		}
		var e *ElementError
		for v, err := range Elements[int8](r) {
			if err != nil {
				var of *Error
				if !errors.As(err, &e) || e.Index != 1 || e.Part != "element" || !errors.As(err, &of) || !errors.Is(err, ErrType) || r.Start() != 3 || r.Offset() != 5 {
					fail(v, err, r.Start(), r.Offset())
				}
				break
			}
			if v != 1 {
				fail(v)
			}
		}
		// Another loop goes on, and then the array is done.
		if got := collect(Elements[int8](r)); !reflect.DeepEqual(got, []any{int8(3)}) || r.Offset() != 6 {
			fail(got, r.Offset())
		}
		for v, err := range Pairs[string, int](r) {
			if v.Key != "a" || v.Value != 1 || err != nil {
				fail(v, err)
			}
			break
		}
		// Elements of the next array, past what is left of the map.
		if got := collect(Elements[int8](r)); !reflect.DeepEqual(got, []any{int8(7)}) {
			fail(got)
		}
		// What is no array is read to its end.
		if got := collect(Elements[int8](r)); len(got) != 1 || r.Start() != 15 || r.Offset() != 16 {
			fail(got, r.Start(), r.Offset())
		}
		for range Elements[any](r) {
			break
		}
		if raw, err := r.Raw(); err != io.EOF {
			fail(raw, err)
		}
	})
	// Nil is an array, or a map, without items, and is behind the Reader.
	everyArrival(t, standard, hexdoc.Must("c0 c0 91 05 07"), func(t *testing.T, how string, r *Reader) {
		if got := append(collect(Elements[int](r)), collect(Pairs[int, int](r))...); got != nil || r.Offset() != 2 {
			t.Errorf("%s: %v, Offset %d", how, got, r.Offset())
		}
		if got := append(collect(Elements[int](r)), collect(Documents[int](r))...); !reflect.DeepEqual(got, []any{5, 7}) {
			t.Errorf("%s: %v", how, got)
		}
	})
	// Decode and Raw read past what is left.
	everyArrival(t, standard, hexdoc.Must("93 01 02 03 05"), func(t *testing.T, how string, r *Reader) {
		for range Elements[int](r) {
			break
		}
		var n int
		if err := r.Decode(&n); err != nil || n != 5 {
			t.Errorf("%s: %d, %v", how, n, err)
		}
	})
}

// TestElementsResume loses nothing when the stream stops in the middle of a pair or of
// a header.
func TestElementsResume(t *testing.T) {
	stream := hexdoc.Must("de0002 a161 01 a3626364 d005 92 c0 07")
	var s script
	stop := temporary{errors.New("stop")}
	for _, b := range stream {
		s = append(s, gives("", stop), gives(string([]byte{b}), nil))
	}
	r := NewReader(&s)
	var got []any
	stops := 0
	for len(got) < 3 {
		for p, err := range Pairs[string, int](r) {
			if err == stop {
				stops++
				if stops%2 == 0 {
					break // and start again
				}
				continue
			}
			got = append(got, fmt.Sprint(p, err))
			if len(got) == 2 {
				break
			}
		}
		if len(got) == 2 {
			for v, err := range Elements[any](r) {
				if err == stop {
					stops++
					continue
				}
				got = append(got, fmt.Sprint(v, err))
			}
			for len(got) < 4 {
				for v, err := range Elements[any](r) {
					if err != stop {
						got = append(got, fmt.Sprint(v, err))
					}
				}
			}
		}
	}
	if want := []any{"{a 1} <nil>", "{bcd 5} <nil>", "<nil> <nil>", "7 <nil>"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q after %d stops, want %q", got, stops, want)
	}
}

// TestElementsOfAHugeClaim: a root of 4,294,967,295 items is read as far as they come.
func TestElementsOfAHugeClaim(t *testing.T) {
	n := 0
	var last error
	for v, err := range Elements[int](NewReader(strings.NewReader("\xdd\xff\xff\xff\xff" + strings.Repeat("\x07", 1000)))) {
		if err != nil {
			last = err
			continue
		}
		n += v
	}
	var e *ElementError
	if bounds.CeilingMaxItems < 1<<32 { // which cannot count them
		if n != 0 || !errors.Is(last, ErrMaxBytes) || errors.As(last, &e) {
			t.Errorf("%d, %v", n, last)
		}
		return
	}
	if n != 7000 || !errors.As(last, &e) || e.Index != 1000 || !errors.Is(last, io.ErrUnexpectedEOF) || !errors.Is(last, ErrEmpty) {
		t.Errorf("%d, %v", n, last)
	}
}
