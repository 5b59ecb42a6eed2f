package decode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/samples"
)

// charged returns what decoding doc is charged: the least MaxMemory that accepts it.
func charged(t testing.TB, o Options, doc []byte) uint64 {
	t.Helper()
	d := o.Must()
	var s state
	s.begin(d, doc)
	s.budget, s.memory = 1<<40, 1<<40
	_, err := s.any()
	need := uint64(s.budget - s.memory)
	s.end()
	if err != nil {
		t.Fatalf("%.40x: %v", doc, err)
	}
	return need
}

// array returns an array of n times item.
func array(n int, item string) []byte {
	head := binary.BigEndian.AppendUint32([]byte{0xdd}, uint32(n))
	return append(head, bytes.Repeat(hexdoc.Must(item), n)...)
}

// slack is what the bytes allocated may exceed the charge by. The race detector drops
// pooled tables at random.
var slack = func() uint64 {
	if probe.Race {
		return 64 << 10
	}
	return 16 << 10
}()

// kinds are items of every kind and price, with how many bytes of keys each map gets.
var kinds = map[string]string{
	"nil": "c0", "true": "c3", "fixint": "05", "negative fixint": "e0", "uint8": "cc80", "int8": "d080", "uint16": "cd0100",
	"uint64": "cfffffffffffffffff", "float32": "ca3fc00000", "float64": "cb3ff8000000000000", "float 0": "cb0000000000000000",
	"float -0": "cb8000000000000000", "denormal": "cb0000000000000001",
	"empty str": "a0", "str 1": "a161", "str 2": "a26162", "str 8": "a8 61*8", "str 9": "a9 61*9", "str 15": "af 61*15", "str 16": "b0 61*16",
	"str 17": "b1 61*17", "str 33": "d921 61*33", "str 129": "d981 61*129", "str 512": "da0200 61*512", "str 513": "da0201 61*513", "str 4097": "da1001 61*4097",
	"é": "a2c3a9", "empty bin": "c400", "bin 1": "c40161", "bin 2": "c4026162", "bin 15": "c40f 61*15", "bin 33": "c421 61*33",
	"bin 512": "c50200 61*512", "bin 513": "c50201 61*513",
	"empty array": "90", "[nil]": "91c0", "[nil nil]": "92c0c0", "[7 nil]": "97 c0*7", "[8 nil]": "98 c0*8", "[9 nil]": "99 c0*9", "[[nil]]": "9191c0", "[16 nil]": "dc0010 c0*16",
	"[nil, []]": "92c090", "[nil, {}]": "92c080", "[[] []]": "929090",
	"empty map": "80", "map 1": "81a161c0", "map 1 empty key": "81a0c0", "map of maps": "81a161 81a162c0",
	"map 9": "89 a161c0 a162c0 a163c0 a164c0 a165c0 a166c0 a167c0 a168c0 a169c0",
	"ext 0": "c70005", "ext 1": "d40500", "ext 16": "d805 00*16", "time 4": "d6ff00000001", "time 8": "d7ff0000000000000001", "time 12": "c70cff 00*4 00*8",
}

// TestChargeCoversReal decodes arrays of every kind and many counts and compares the
// bytes that were allocated with the charge.
func TestChargeCoversReal(t *testing.T) {
	var counts []int
	for n := 0; n <= 4096; n += 1 + n/12 {
		counts = append(counts, n)
	}
	counts = append(counts, 63, 65, 127, 129, 255, 257, 511, 513, 1023, 1025, 2047, 2049, 4095, 4096)
	if testing.Short() || probe.Race {
		counts = []int{0, 1, 8, 9, 64, 1025}
	}
	d := Options{Limits: Limits{MaxMemory: 1 << 40}}.Must()
	for name, item := range kinds {
		for _, n := range counts {
			doc := array(n, item)
			charge := charged(t, Options{}, doc)
			var v any
			real, _ := probe.Warm(func() { v, _ = d.Any(doc) })
			runtime.KeepAlive(v)
			if real > charge+slack {
				t.Errorf("%d x %s takes %d bytes, charged %d", n, name, real, charge)
			}
		}
	}
}

// TestChargeOfMaps does the same for one map of n pairs, n beyond every step of Go's maps.
func TestChargeOfMaps(t *testing.T) {
	for n := 0; n <= 4096; n = n*9/8 + 1 {
		doc := make([]byte, 0, 8*n+5)
		doc = binary.BigEndian.AppendUint32(append(doc, 0xdf), uint32(n))
		for i := range n {
			doc = append(doc, 0xa4)
			doc = append(doc, fmt.Sprintf("%04d", i)...)
			doc = append(doc, 0xc0)
		}
		for _, o := range []Options{{}, {MapKeys: AnyKeys}} {
			charge := charged(t, o, doc)
			d := o.Must()
			var v any
			real, _ := probe.Warm(func() { v, _ = d.Any(doc) })
			if v == nil {
				t.Fatalf("a map of %d is refused", n)
			}
			if real > charge+slack {
				t.Errorf("a map of %d takes %d bytes, charged %d", n, real, charge)
			}
			if n >= 8 && float64(charge) > 1.5*float64(real) {
				t.Errorf("a map of %d is charged %d bytes, takes %d", n, charge, real)
			}
		}
	}
}

// TestChargeIsClose: with all contents different, so that nothing is shared, a container
// of many is charged at most 1.25 times what it takes.
func TestChargeIsClose(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	text := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('a' + r.IntN(26))
		}
		return b
	}
	for name, item := range map[string]func(i int) []byte{
		"int":      func(i int) []byte { return binary.BigEndian.AppendUint32([]byte{0xce}, uint32(i)+1000) },
		"float":    func(i int) []byte { return binary.BigEndian.AppendUint64([]byte{0xcb}, uint64(i)+1<<60) },
		"str 5":    func(int) []byte { return append([]byte{0xa5}, text(5)...) },
		"str 20":   func(int) []byte { return append([]byte{0xb4}, text(20)...) },
		"str 200":  func(int) []byte { return append([]byte{0xd9, 200}, text(200)...) },
		"str 2000": func(int) []byte { return append([]byte{0xda, 0x07, 0xd0}, text(2000)...) },
		"bin 20":   func(int) []byte { return append([]byte{0xc4, 20}, text(20)...) },
		"array 3":  func(int) []byte { return []byte{0x93, 1, 2, 3} },
		"array 8":  func(int) []byte { return []byte{0x98, 1, 2, 3, 4, 5, 6, 7, 8} },
		"array 20": func(int) []byte { return append([]byte{0xdc, 0, 20}, make([]byte, 20)...) },
		"map 1":    func(int) []byte { return []byte{0x81, 0xa1, 'k', 1} },
		"ext":      func(int) []byte { return append([]byte{0xd8, 5}, text(16)...) },
		"time":     func(i int) []byte { return binary.BigEndian.AppendUint32([]byte{0xd6, 0xff}, uint32(i)) },
	} {
		const n = 3000
		doc := binary.BigEndian.AppendUint32([]byte{0xdd}, n)
		for i := range n {
			doc = append(doc, item(i)...)
		}
		charge := charged(t, Options{}, doc)
		var v any
		real, _ := probe.Warm(func() { v, _ = Any(doc) })
		if v == nil {
			t.Fatalf("%s: refused", name)
		}
		if ratio := float64(charge) / float64(real); ratio > 1.25 || real > charge+slack {
			t.Errorf("%d x %s: charged %d, takes %d: ratio %.3f", n, name, charge, real, ratio)
		}
	}
}

// TestChargeMixed compares charge and real for random mixtures of all kinds, and for the
// samples.
func TestChargeMixed(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var names []string
	for name := range kinds {
		names = append(names, name)
	}
	docs := [][]byte{samples.Users(100), samples.Dates(200), samples.Formats(), samples.Deep(100), samples.TwitterLike(), samples.CitmLike(), samples.CanadaLike()}
	rounds := 300
	if testing.Short() || probe.Race {
		rounds = 20
	}
	for range rounds {
		var mix func(depth int) []byte
		mix = func(depth int) []byte {
			if depth > 0 && r.IntN(3) == 0 {
				n := r.IntN(12)
				b := []byte{0x90 | byte(n)}
				for range n {
					b = append(b, mix(depth-1)...)
				}
				return b
			}
			return hexdoc.Must(kinds[names[r.IntN(len(names))]])
		}
		n := r.IntN(500)
		doc := binary.BigEndian.AppendUint32([]byte{0xdd}, uint32(n))
		for range n {
			doc = append(doc, mix(4)...)
		}
		docs = append(docs, doc)
	}
	d := Options{Limits: Limits{MaxMemory: 1 << 40}}.Must()
	for i, doc := range docs {
		charge := charged(t, Options{}, doc)
		var v any
		real, _ := probe.Warm(func() { v, _ = d.Any(doc) })
		if v == nil || real > charge+slack {
			t.Errorf("document %d of %d bytes takes %d bytes, charged %d", i, len(doc), real, charge)
		}
	}
	// The positive control: the probe sees an allocation beside the charge.
	doc := samples.Users(1)
	if real, _ := probe.Warm(func() { _, _ = d.Any(doc); sink = make([]byte, 128<<10) }); real < charged(t, Options{}, doc)+slack {
		t.Errorf("128 KiB beside the value are not seen: %d bytes", real)
	}
}

var sink []byte

// TestMaxMemoryExact: the charge is the least MaxMemory that accepts a document, on a
// cold decoder as on a warm one; one byte less is refused at a header, as a limit.
func TestMaxMemoryExact(t *testing.T) {
	for _, doc := range [][]byte{
		samples.Users(3), samples.Formats(), samples.Deep(60), hexdoc.Must("91*40 c0"), array(100, "81a161cd0100"), hexdoc.Must("a3616263"),
		hexdoc.Must("93 a3616263 a3616263 a3616263"), array(9, "98 c0*8"),
	} {
		need := charged(t, Options{}, doc)
		if need == 0 {
			t.Fatalf("%.20x costs nothing", doc)
		}
		for range 3 {
			d := Options{Limits: Limits{MaxMemory: int64(need)}}.Must()
			if _, err := d.Any(doc); err != nil {
				t.Errorf("%.20x under its charge of %d: %v", doc, need, err)
			}
			if need == 1 {
				continue
			}
			d = Options{Limits: Limits{MaxMemory: int64(need) - 1}}.Must()
			v, err := d.Any(doc)
			var e *Error
			var limit *bounds.Error
			if v != nil || !errors.Is(err, ErrMaxMemory) || !errors.Is(err, ErrLimit) || !errors.As(err, &e) || !errors.As(err, &limit) {
				t.Fatalf("%.20x under %d: %v, %v, want ErrMaxMemory", doc, need-1, v, err)
			}
			if limit.Limit != need-1 || limit.Need < need || e.Offset != limit.Offset {
				t.Errorf("%.20x: %#v around %#v", doc, e, limit)
			}
			if text := fmt.Sprintf("msgpack document produces more than %d bytes of memory (at byte %d", need-1, e.Offset); !strings.HasPrefix(err.Error(), text) {
				t.Errorf("text %q, want %q", err, text)
			}
			runtime.GC()
			runtime.GC()
		}
	}
}

// TestMaxMemoryOrder: at one header memory comes after the items and before meaning; the
// walk outranks it.
func TestMaxMemoryOrder(t *testing.T) {
	// An array of two, one of them a str of three bytes.
	arrayPrice := price.Slice + price.Elements(2) + price.String + price.Content(3)
	for _, c := range []struct {
		hex    string
		limits Limits
		reason error
		offset int64
	}{
		{"a3ffffff", Limits{MaxMemory: 1}, ErrMaxMemory, 0},
		{"93010203", Limits{MaxMemory: 1, MaxItems: 3}, ErrMaxItems, 0},
		{"92 a3616263 c1", Limits{MaxMemory: 50}, ErrReserved, 5},
		{"92 a3616263 a3ffffff", Limits{MaxMemory: arrayPrice}, ErrMaxMemory, 5},
		{"82 a16101 a161 a3616263", Limits{MaxMemory: smallMapPrice + 9}, ErrDuplicateKey, 4},
		{"82 a16101 a162 a3616263", Limits{MaxMemory: smallMapPrice + 9}, ErrMaxMemory, 6},
		{"d7ffee6b280000000001", Limits{MaxMemory: 1}, ErrMaxMemory, 0},
	} {
		_, err := Options{Limits: c.limits}.Must().Any(hexdoc.Must(c.hex))
		if off, _ := OffsetOf(err); !errors.Is(err, c.reason) || off != c.offset {
			t.Errorf("%s with %+v: %v, want %v at %d", c.hex, c.limits, err, c.reason, c.offset)
		}
	}
}

// TestDefaultMemory: 64 KiB of input never costs more than 16 MiB unless asked for.
func TestDefaultMemory(t *testing.T) {
	// Nested maps are the dearest there is.
	doc := append(bytes.Repeat([]byte{0x81, 0xa0}, 32<<10-1), 0xc0)
	d := Options{Limits: Limits{MaxDepth: bounds.CeilingMaxDepth}}.Must()
	_, err := d.Any(doc)
	var limit *bounds.Error
	if err != nil && (!errors.As(err, &limit) || limit.Limit != uint64(4<<20+192*len(doc))) {
		t.Errorf("64 KiB of nested maps: %v", err)
	}
	// Any default depth takes all that 64 KiB can hold.
	doc = array(21000, "81a0c0")
	if _, err := Any(doc); err != nil {
		t.Errorf("%d bytes of small maps by default: %v", len(doc), err)
	}
}

// TestAmplification refuses documents of many small things under several limits: in
// time, and with a heap that stays within the limit, the input and 1 MiB.
func TestAmplification(t *testing.T) {
	if probe.Race {
		t.Skip("-race: the race detector's own memory counts")
	}
	debug.SetGCPercent(10)
	defer debug.SetGCPercent(100)
	for name, item := range map[string]string{
		"empty maps": "80", "empty arrays": "90", "one-byte strs": "a161", "two-byte strs": "a26162", "one-pair maps": "81a0c0", "one-nil arrays": "91c0",
	} {
		for _, limit := range []int64{1 << 20, 16 << 20, 64 << 20} {
			if testing.Short() && limit > 16<<20 {
				continue
			}
			n := int(2 * limit / 16)
			if name == "one-pair maps" || name == "empty maps" {
				n = int(2 * limit / 48)
			}
			doc := array(n, item)
			d := Options{Limits: Limits{MaxMemory: limit, MaxItems: 1 << 30}}.Must()
			peak, v, err := peakHeap(func() (any, error) { return d.Any(doc) })
			if v != nil || !errors.Is(err, ErrMaxMemory) {
				t.Errorf("%d %s under %d: %v", n, name, limit, err)
			}
			if peak > uint64(limit)+1<<20 {
				t.Errorf("%d %s under %d: the heap grew by %d bytes", n, name, limit, peak)
			}
		}
	}
}

// peakHeap returns by how much the heap grew at most while f ran.
func peakHeap(f func() (any, error)) (peak uint64, v any, err error) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	base, stop, done := m.HeapAlloc, make(chan struct{}), make(chan uint64)
	go func() {
		var peak uint64
		for {
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
			select {
			case <-stop:
				done <- peak
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	v, err = f()
	close(stop)
	if p := <-done; p > base {
		peak = p - base
	}
	return peak, v, err
}

// TestAllocations pins how many allocations documents of the usual shape take.
func TestAllocations(t *testing.T) {
	if probe.Race {
		t.Skip("-race: the pool drops states at random")
	}
	for name, c := range map[string]struct {
		doc  []byte
		most float64
	}{
		"an int": {hexdoc.Must("05"), 0}, "nil": {hexdoc.Must("c0"), 0}, "an empty array": {hexdoc.Must("90"), 0}, "a 1-byte str": {hexdoc.Must("a161"), 0},
		"a str": {hexdoc.Must("a3616263"), 2}, "a float": {hexdoc.Must("cb3ff8000000000000"), 1}, "a small map": {hexdoc.Must("82a16101a162c3"), 2},
		"4 users": {samples.Users(4), 20}, "100 users": {samples.Users(100), 250}, "1000 users": {samples.Users(1000), 2350},
	} {
		n := testing.AllocsPerRun(20, func() { _, _ = Any(c.doc) })
		if n > c.most {
			t.Errorf("%s takes %v allocations, want at most %v", name, n, c.most)
		}
		if os.Getenv("BOUNDPACK_SHOW") != "" {
			t.Logf("%s: %v allocations", name, n)
		}
	}
}
