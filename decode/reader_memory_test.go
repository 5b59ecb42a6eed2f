package decode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/samples"
)

// TestReaderClaims: a claim costs what arrives of it.
func TestReaderClaims(t *testing.T) {
	if probe.Race {
		t.Skip("-race: the race detector's own memory counts")
	}
	for _, hex := range []string{"c6 03fffff0 0102030405", "dd 003ffff0 0102030405", "df 001ffff0 0102030405", "92 c9 03fffff0 01020304"} {
		stream := hexdoc.Must(hex)
		for _, ahead := range []bool{false, true} {
			var err error
			size, _ := probe.Cold(func() {
				r := NewReader(bytes.NewReader(stream))
				r.ahead = ahead
				err = r.Decode(new(any))
			})
			if !errors.Is(err, io.ErrUnexpectedEOF) || size >= 64<<10 {
				t.Errorf("%s, ahead %v: %v for %d bytes of memory, want less than 64 KiB", hex, ahead, err, size)
			}
		}
		var err error
		if size, _ := probe.Cold(func() { err = UnmarshalRead(bytes.NewReader(stream), new(any)) }); !errors.Is(err, io.ErrUnexpectedEOF) || size >= 4<<10 {
			t.Errorf("%s, UnmarshalRead: %v for %d bytes of memory", hex, err, size)
		}
	}
	// The positive control, and the most that a document costs while it arrives.
	doc := samples.AppendBin(nil, make([]byte, 1<<20))
	var raw []byte
	size, _ := probe.Cold(func() { raw, _ = NewReader(halfOf(doc)).Raw() })
	if len(raw) != len(doc) || size < uint64(len(doc)) || size > uint64(4*len(doc)+1<<10) { // the Reader too
		t.Errorf("a document of %d bytes: %d received for %d bytes of memory", len(doc), len(raw), size)
	}
}

// halfOf gives a part of what it is asked for.
func halfOf(b []byte) io.Reader {
	src := bytes.NewReader(b)
	return readerFunc(func(p []byte) (int, error) { return src.Read(p[:(len(p)+1)/2]) })
}

// TestReaderGrowth: what moves in the buffer is in proportion to what arrives, whatever
// the lengths of the documents, and a large buffer is let go.
func TestReaderGrowth(t *testing.T) {
	small, large := samples.AppendBin(nil, make([]byte, 40)), samples.AppendBin(nil, make([]byte, 300<<10))
	for _, size := range []int{1, 1000, 20 << 10, 31 << 10, 33 << 10, 70 << 10} {
		doc := samples.AppendBin(nil, make([]byte, size))
		stream := bytes.Repeat(append(append(bytes.Clone(doc), small...), large...), 3)
		for _, ahead := range []bool{false, true} {
			r := NewReader(halfOf(stream))
			r.ahead = ahead
			for i := 0; ; i++ {
				raw, err := r.Raw()
				if err == io.EOF {
					break
				}
				if want := [][]byte{doc, small, large}[i%3]; err != nil || !bytes.Equal(raw, want) {
					t.Fatalf("size %d, ahead %v, document %d: %d bytes, %v, want %d", size, ahead, i, len(raw), err, len(want))
				}
				if cap(r.buf) >= mostKept || !ahead && len(r.Buffered()) != 0 || len(r.Buffered()) > readAhead {
					t.Fatalf("size %d, ahead %v, document %d: keeps a buffer of %d bytes with %d", size, ahead, i, cap(r.buf), len(r.Buffered()))
				}
			}
			if r.Offset() != int64(len(stream)) {
				t.Errorf("size %d, ahead %v: Offset %d, want %d", size, ahead, r.Offset(), len(stream))
			}
		}
	}
	// No buffer has more room than a document is looked at.
	limited := Options{Limits: Limits{MaxBytes: 100_000}}.Must()
	r := limited.NewReader(bytes.NewReader(samples.AppendBin(nil, make([]byte, 99_990)))) // and a header of 5
	most := 0
	for {
		_, err := r.document()
		most = max(most, cap(r.buf))
		if err != nil || r.progress.Need() == 0 {
			break
		}
	}
	if most > 100_000+longestField {
		t.Errorf("a buffer of %d bytes for a document within 100,000", most)
	}
	// Which is as far as a length field goes that begins within MaxBytes.
	limited = Options{Limits: Limits{MaxBytes: 2048}}.Must()
	for at := 2036; at < 2048; at++ {
		stream := hexdoc.Must(fmt.Sprintf("92 da%04x 61*%d dd 00000001", at-4, at-4))
		for _, ahead := range []bool{false, true} {
			r := limited.NewReader(halfOf(stream))
			r.ahead = ahead
			err := r.Decode(new(any))
			want := ErrMaxBytes
			if at+6 <= 2048 {
				want = ErrOwed // at the end
			}
			if off, _ := OffsetOf(err); !errors.Is(err, want) || off != int64(at) {
				t.Errorf("a header at %d, ahead %v: %v, want %v there", at, ahead, err, want)
			}
		}
	}
}

// TestReaderAllocations: a Reader allocates what the values need, and nothing of its own.
func TestReaderAllocations(t *testing.T) {
	if probe.Race {
		t.Skip("-race: pools drop things at random")
	}
	type user struct {
		ID    int64   `msgpack:"id"`
		Score float64 `msgpack:"score"`
	}
	doc := hexdoc.Must("82 a26964 05 a573636f7265 cb 3ff0000000000000")
	for _, ahead := range []bool{false, true} {
		r := NewReader(&repeating{item: doc, n: 1 << 30})
		r.ahead = ahead
		var u user
		if n := testing.AllocsPerRun(1000, func() {
			if err := r.Decode(&u); err != nil || u.ID != 5 {
				t.Fatal(u, err)
			}
		}); n != 0 {
			t.Errorf("ahead %v: %v allocations for a document", ahead, n)
		}
	}
}

// repeating is a stream of n times item behind a head.
type repeating struct {
	head, item []byte
	n          int
	rest       []byte
	asked      int // reads
}

func (s *repeating) Read(p []byte) (n int, err error) {
	s.asked++
	for n < len(p) {
		if len(s.rest) == 0 {
			switch {
			case len(s.head) > 0:
				s.rest, s.head = s.head, nil
			case s.n > 0:
				s.rest = s.item
				s.n--
			case n == 0:
				return 0, io.EOF
			default:
				return n, nil
			}
		}
		c := copy(p[n:], s.rest)
		n += c
		s.rest = s.rest[c:]
	}
	return n, nil
}

// huge returns how much of a huge stream a test reads, in bytes.
func huge(t *testing.T) int {
	if testing.Short() {
		t.Log("-short: 32 MiB in place of 1 GiB")
		return 32 << 20
	}
	if probe.Race {
		t.Log("-race: 32 MiB in place of 1 GiB")
		return 32 << 20
	}
	return 1 << 30
}

// flat runs f and fails if what is live ever grows by more than most meanwhile, or the heap
// with its garbage by more than 16 MiB. f calls look now and then.
func flat(t *testing.T, most uint64, f func(look func())) {
	t.Helper()
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before, peak, garbage, looks := m.HeapAlloc, uint64(0), uint64(0), 0
	f(func() {
		looks++
		runtime.ReadMemStats(&m)
		garbage = max(garbage, m.HeapAlloc)
		runtime.GC()
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc)
	})
	t.Logf("%d bytes live at first, at most %d in %d looks, %d with garbage", before, peak, looks, garbage)
	if garbage > before+16<<20 {
		t.Errorf("the heap grew from %d to %d bytes with garbage", before, garbage)
	}
	if looks < 8 || peak > before+most {
		t.Errorf("what is live grew from %d to %d bytes, want at most %d more, in %d looks", before, peak, most, looks)
	}
}

// TestReaderHugeStream reads 1 GiB of documents in flat memory.
func TestReaderHugeStream(t *testing.T) {
	item := samples.Users(4)
	n := huge(t) / len(item)
	flat(t, 256<<10, func(look func()) {
		r := NewReader(&repeating{item: item, n: n}).ReadAhead()
		count := 0
		for raw, err := range Documents[RawMessage](r) {
			if err != nil || len(raw) != len(item) {
				t.Fatalf("document %d: %d bytes, %v", count, len(raw), err)
			}
			if count++; count%(n/16) == 0 {
				look()
			}
		}
		if count != n || r.Offset() != int64(n*len(item)) {
			t.Errorf("%d documents in %d bytes, want %d in %d", count, r.Offset(), n, n*len(item))
		}
	})
}

// TestReaderHugeArray reads an array of 1 GiB, and a map, by its items in flat memory.
func TestReaderHugeArray(t *testing.T) {
	type row struct {
		ID   int64  `msgpack:"id"`
		Name string `msgpack:"name"`
	}
	item := append(hexdoc.Must("82 a26964 ce 00010000 a46e616d65 d9c8"), strings.Repeat("x", 200)...)
	n := huge(t) / len(item)
	head := binary.BigEndian.AppendUint32([]byte{0xdd}, uint32(n))
	flat(t, 256<<10, func(look func()) {
		r := NewReader(&repeating{head: head, item: item, n: n}).ReadAhead()
		count := 0
		for v, err := range Elements[row](r) {
			if err != nil || v.ID != 0x10000 || len(v.Name) != 200 {
				t.Fatalf("element %d: %+v, %v", count, v, err)
			}
			if count++; count%(n/16) == 0 {
				look()
			}
		}
		if count != n || r.Offset() != int64(n)*int64(len(item))+5 {
			t.Errorf("%d elements in %d bytes", count, r.Offset())
		}
	})
	n /= 8
	head = binary.BigEndian.AppendUint32([]byte{0xdf}, uint32(n))
	item = append(hexdoc.Must("a16b"), item...)
	flat(t, 256<<10, func(look func()) {
		r := NewReader(&repeating{head: head, item: item, n: n}).ReadAhead()
		count := 0
		for p, err := range Pairs[string, row](r) {
			if err != nil || p.Key != "k" || p.Value.ID != 0x10000 {
				t.Fatalf("pair %d: %+v, %v", count, p, err)
			}
			if count++; count%(n/16) == 0 {
				look()
			}
		}
		if count != n {
			t.Errorf("%d pairs, want %d", count, n)
		}
	})
}

// TestReaderHugeDocument: a document beyond MaxBytes is refused at its header, and one
// within is no dearer than the slice.
func TestReaderHugeDocument(t *testing.T) {
	src := &repeating{head: hexdoc.Must("dd 40000000"), item: []byte{0}, n: 1 << 30}
	err := NewReader(src).Decode(new(any))
	if off, _ := OffsetOf(err); !errors.Is(err, ErrMaxBytes) || off != 0 || src.n < 1<<30-readAhead {
		t.Errorf("%v after %d bytes", err, 1<<30-src.n)
	}
}

// TestIdleReaders: 10,000 readers that wait for the next document after one of 1 MiB hold
// under 64 KiB each.
func TestIdleReaders(t *testing.T) {
	if probe.Race {
		t.Skip("-race: the race detector's own memory counts")
	}
	n := 10_000
	if testing.Short() {
		n = 500
		t.Log("-short: 500 readers in place of 10,000")
	}
	doc := samples.AppendBin(nil, make([]byte, 1<<20))
	deep := append(bytes.Repeat([]byte{0x91}, 1000), 0xc0)
	for _, ahead := range []bool{false, true} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		readers := make([]*Reader, n)
		for i := range readers {
			r := NewReader(io.MultiReader(bytes.NewReader(doc), bytes.NewReader(deep), strings.NewReader("\x07\x92")))
			r.ahead = ahead
			for _, want := range []int{len(doc), len(deep), 1} {
				if raw, err := r.Raw(); err != nil || len(raw) != want {
					t.Fatal(len(raw), err)
				}
			}
			readers[i] = r
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		each := (after.HeapAlloc - before.HeapAlloc) / uint64(n)
		t.Logf("ahead %v: %d bytes each", ahead, each)
		if each >= 64<<10 || each < 500 {
			t.Errorf("ahead %v: an idle reader holds %d bytes, want less than 64 KiB", ahead, each)
		}
		runtime.KeepAlive(readers)
	}
}

// TestReaderAlias overwrites all memory of the Reader after each document: values that are
// parts of their document do not change.
func TestReaderAlias(t *testing.T) {
	long := strings.Repeat("long", 50_000)
	docs := [][]byte{
		samples.Users(3), samples.AppendStr(nil, "short"), samples.AppendStr(nil, long), samples.AppendBin(nil, []byte(long)),
		samples.Users(400), samples.Formats(), samples.AppendStr(nil, "the last"),
	}
	stream := bytes.Join(docs, nil)
	d := Options{AliasInput: true}.Must()
	for _, ahead := range []bool{false, true} {
		r := d.NewReader(halfOf(stream))
		r.ahead = ahead
		var values []any
		for range docs {
			var v any
			if err := r.Decode(&v); err != nil {
				t.Fatal(err)
			}
			values = append(values, v)
			// What is unread must stay; all else may be written over.
			all := r.buf[:cap(r.buf)]
			for i := range all {
				if i < r.next || i >= len(r.buf) {
					all[i] = 0xc1
				}
			}
		}
		for i, v := range values {
			var want any
			if err := Unmarshal(docs[i], &want); err != nil || !reflect.DeepEqual(v, want) {
				t.Errorf("ahead %v: document %d changed (%v)", ahead, i, err)
			}
		}
		// And elements and pairs.
		r = d.NewReader(halfOf(hexdoc.Must("92 a3616263 a3646566 82 a3616263 a3646566 a3676869 c4036a6b6c")))
		r.ahead = ahead
		var got []any
		for v, err := range Elements[string](r) {
			got = append(got, v, err)
		}
		for p, err := range Pairs[string, any](r) {
			got = append(got, p.Key, p.Value, err)
		}
		for i := range r.buf[:cap(r.buf)] {
			r.buf[:cap(r.buf)][i] = 0xc1
		}
		if want := []any{"abc", nil, "def", nil, "abc", "def", nil, "ghi", []byte("jkl"), nil}; !reflect.DeepEqual(got, want) {
			t.Errorf("ahead %v: %q, want %q", ahead, got, want)
		}
	}
	// The values do stand in their document: else the test would show nothing.
	doc := samples.AppendStr(nil, long)
	plain, _ := probe.Warm(func() { decodeOne(t, NewReader(bytes.NewReader(doc))) })
	alias, _ := probe.Warm(func() { decodeOne(t, d.NewReader(bytes.NewReader(doc))) })
	if !probe.Race && alias+uint64(len(long)) > plain {
		t.Errorf("%d bytes allocated with AliasInput, %d without", alias, plain)
	}
}

func decodeOne(t *testing.T, r *Reader) {
	t.Helper()
	var s string
	if err := r.Decode(&s); err != nil {
		t.Fatal(err)
	}
}

// TestReaderReads: reading ahead takes few reads, and without it there is one for each
// time that more of the document becomes known.
func TestReaderReads(t *testing.T) {
	item := samples.Users(4)
	for _, c := range []struct {
		ahead       bool
		least, most int
	}{{false, 1000, 37_000}, {true, 20, 40}} {
		src := &repeating{item: item, n: 1000}
		r := NewReader(src)
		r.ahead = c.ahead
		n := 0
		for _, err := range Documents[RawMessage](r) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		t.Logf("ahead %v: %d reads for %d documents of %d bytes", c.ahead, src.asked, n, len(item))
		if n != 1000 || src.asked < c.least || src.asked > c.most {
			t.Errorf("ahead %v: %d reads for %d documents, want %d to %d", c.ahead, src.asked, n, c.least, c.most)
		}
	}
}
