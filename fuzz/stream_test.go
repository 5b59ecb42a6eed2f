package fuzz

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/walk"
)

// FuzzStream feeds Progress at every split point of the input, and gives the input to
// Readers in parts: a stream accepts what Check accepts, and refuses what Check refuses
// for its reason at its offset, or earlier in time with ErrMaxBytes or ErrMaxItems at an
// offset not before Check's. However it is split, it says the same.
func FuzzStream(f *testing.F) {
	for i, doc := range seeds(f) {
		f.Add(doc, uint16(0), uint16(0), uint16(0))
		f.Add(append(doc[:len(doc):len(doc)], doc...), uint16(i%12), uint16(i%600), uint16(i%30))
	}
	f.Fuzz(func(t *testing.T, data []byte, depth, size, items uint16) {
		if len(data) > 2<<10 {
			return
		}
		limits := bounds.Limits{MaxDepth: int(depth), MaxBytes: int(size), MaxItems: int(items)}
		p, err := walk.NewProgress(limits)
		if err != nil {
			t.Fatal(err)
		}
		end, verdict := fed(t, p, limits, data, nil)
		held(t, data, limits, end, verdict)
		for i := 0; i < len(data); i += 1 + len(data)/300 { // at every byte of what is short
			if n, err := fed(t, p, limits, data[:i], data[i:]); n != end || !same(err, verdict) {
				t.Fatalf("whole: %d, %v; split at %d: %d, %v", end, verdict, i, n, err)
			}
		}
		d, err := decode.Options{Limits: limits, DuplicateKeys: decode.LastWins, MapKeys: decode.AnyKeys}.New()
		if err != nil {
			t.Fatal(err)
		}
		parts := []int{1, 2, 7, len(data) + 1}
		if len(data) > 300 {
			parts = []int{2 + int(derived(data)%97), len(data) + 1}
		}
		for _, part := range parts {
			for _, ahead := range []bool{false, true} {
				r := d.NewReader(&inParts{data: data, part: part})
				if ahead {
					r.ReadAhead()
				}
				read(t, d, r, data, limits, fmt.Sprintf("%d bytes at a time, ahead %v", part, ahead))
			}
		}
	})
}

// inParts gives part bytes at a time, and the end with the last of them now and then.
type inParts struct {
	data []byte
	part int
}

func (p *inParts) Read(b []byte) (int, error) {
	n := copy(b[:min(len(b), p.part)], p.data)
	p.data = p.data[n:]
	if len(p.data) == 0 && (n == 0 || p.part == 2) {
		return n, io.EOF
	}
	return n, nil
}

// fed returns what a stream of first and second, and its end, says.
func fed(t *testing.T, p *walk.Progress, limits bounds.Limits, first, second []byte) (int, error) {
	if err := p.Reset(limits); err != nil {
		t.Fatal(err)
	}
	for _, part := range [][]byte{first, second} {
		if n, err := p.Feed(part); err != nil {
			return 0, err
		} else if n < len(part) && p.Need() > 0 {
			t.Fatalf("Feed took %d of %d bytes and needs %d", n, len(part), p.Need())
		}
	}
	if p.Need() == 0 {
		return int(p.Fed()), nil
	}
	return walk.Len(append(first[:len(first):len(first)], second...), limits)
}

func same(a, b error) bool {
	x, ok1 := errors.AsType[*bounds.Error](a)
	y, ok2 := errors.AsType[*bounds.Error](b)
	return ok1 == ok2 && (!ok1 || *x == *y)
}

// held holds what a stream says of data to the law.
func held(t *testing.T, data []byte, limits bounds.Limits, end int, err error) {
	t.Helper()
	n, check := walk.Len(data, limits)
	if n == end && same(err, check) {
		return
	}
	got, ok1 := errors.AsType[*bounds.Error](err)
	want, ok2 := errors.AsType[*bounds.Error](check)
	if ok1 && ok2 && (got.Reason == bounds.ErrMaxBytes || got.Reason == bounds.ErrMaxItems) && got.Offset >= want.Offset {
		switch want.Reason {
		case bounds.ErrPrefix, bounds.ErrShort, bounds.ErrOwed:
			return
		}
	}
	t.Fatalf("the stream says %d, %v, Check %d, %v", end, err, n, check)
}

// read holds r, which reads data, to what slices of it decode to.
func read(t *testing.T, d *decode.Decoder, r *decode.Reader, data []byte, limits bounds.Limits, how string) {
	t.Helper()
	for rest := data; ; {
		var got, want any
		start := int64(len(data) - len(rest))
		err := r.Decode(&got)
		if r.Start() != start {
			t.Fatalf("%s: a document at %d, want %d", how, r.Start(), start)
		}
		n, structure := walk.Len(rest, limits)
		switch {
		case len(rest) == 0:
			if err != io.EOF {
				t.Fatalf("%s: %v at the end", how, err)
			}
			return
		case structure != nil:
			if r.Resumable(err) || r.Offset() != start || !bytes.HasPrefix(rest, r.Buffered()) {
				t.Fatalf("%s: resumable %v, Offset %d, want %d", how, r.Resumable(err), r.Offset(), start)
			}
			held(t, rest, limits, 0, err)
			return
		}
		_, plain := d.UnmarshalFirst(rest[:n], &want)
		if fmt.Sprint(err) != fmt.Sprint(plain) || fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) && !reflect.DeepEqual(got, want) {
			t.Fatalf("%s, document at %d: %v, %v, want %v, %v", how, start, got, err, want, plain)
		}
		rest = rest[n:]
		if r.Offset() != int64(len(data)-len(rest)) || r.Resumable(err) != (err != nil) {
			t.Fatalf("%s: Offset %d, want %d", how, r.Offset(), len(data)-len(rest))
		}
	}
}
