package decode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"time"
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/samples"
)

// chargedInto returns what decoding doc into a new value of typ is charged.
func chargedInto(t testing.TB, o Options, doc []byte, typ reflect.Type) uint64 {
	t.Helper()
	d := o.Must()
	p, err := d.plans.of(typ)
	if err != nil {
		t.Fatal(err)
	}
	var s state
	s.begin(d, doc)
	s.budget, s.memory = 1<<40, 1<<40
	err = s.typed(target{p, reflect.New(typ).UnsafePointer(), -1})
	need := uint64(s.budget - s.memory)
	s.end()
	if err != nil {
		t.Fatalf("%.40x into %v: %v", doc, typ, err)
	}
	return need
}

type (
	wide struct { // an element of 129 bytes and more stands outside a map's slots
		A [17]int64 `msgpack:"a"`
		B string    `msgpack:"b"`
	}
	page struct {
		Users []user `msgpack:"users"`
		Total int64  `msgpack:"total"`
		Page  int64  `msgpack:"page"`
		Next  string `msgpack:"next"`
	}
	user struct {
		ID       int64    `msgpack:"id"`
		Name     string   `msgpack:"name"`
		Email    string   `msgpack:"email"`
		Address  string   `msgpack:"address"`
		Tags     []string `msgpack:"tags"`
		Active   bool     `msgpack:"active"`
		Verified bool     `msgpack:"verified"`
		Score    float64  `msgpack:"score"`
	}
)

// TestTypedChargeCoversReal decodes many of each item into many types and compares the
// bytes that were allocated with the charge.
func TestTypedChargeCoversReal(t *testing.T) {
	counts := []int{0, 1, 2, 7, 8, 9, 33, 64, 129, 513, 1025, 4096}
	if testing.Short() || probe.Race {
		counts = []int{0, 1, 9, 129}
	}
	for _, c := range []struct {
		into any
		item string
	}{
		{[]int8{}, "05"},
		{[]int64{}, "cd0100"},
		{[]bool{}, "c3"},
		{[]float32{}, "ca3f800000"},
		{[]string{}, "a0"},
		{[]string{}, "a26162"},
		{[]string{}, "d9c8 61*200"},
		{[][]byte{}, "c40161"},
		{[][]byte{}, "c40f 61*15"},
		{[][]byte{}, "c502bc 61*700"},
		{[][3]byte{}, "c403616263"},
		{[]struct{}{}, "80"},
		{[]simple{}, "82a16101a162a163"},
		{[]*simple{}, "82a16101a162a163"},
		{[]*bool{}, "c3"},
		{[]*int64{}, "cd0100"},
		{[]**int8{}, "01"},
		{[]*string{}, "a161"},
		{[][]int{}, "90"},
		{[][]int{}, "9101"},
		{[][]int{}, "98 01*8"},
		{[][]string{}, "93a161a162a163"},
		{[][]bool{}, "91c3"},
		{[][]int16{}, "93010203"},
		{[][4]string{}, "94a161a162a163a164"},
		{[]any{}, "a161"},
		{[]any{}, "92c0c0"},
		{[]any{}, "81a161c0"},
		{[]any{}, "cd0100"},
		{[]map[string]int{}, "80"},
		{[]map[string]int{}, "81a16101"},
		{[]map[int]bool{}, "8201c302c2"},
		{[]map[string]wide{}, "81a16180"},
		{[]map[any]any{}, "81a161c0"},
		{[]map[string]map[string]string{}, "81a16181a162a163"},
		{[]map[string][]int{}, "81a16192c0c0"},
		{[]time.Time{}, "d6ff00000001"},
		{[]Timestamp{}, "d6ff00000001"},
		{[]Ext{}, "d40500"},
		{[]RawMessage{}, "93a161a162c0"},
		{[]time.Duration{}, "cd0100"},
		{[]wide{}, "81a161dc0011 01*17"},
		{[]embedsPointer{}, "81a17801"},
		{[]ownPointer{}, "81a46e657874 80"},
		{[]node{}, "81a163 91 81a163 90"},
	} {
		typ := reflect.TypeOf(c.into)
		for _, n := range counts {
			doc := array(n, c.item)
			charge := chargedInto(t, Options{}, doc, typ)
			d := Options{Limits: Limits{MaxMemory: 1 << 40}}.Must()
			dst := reflect.New(typ)
			real, _ := probe.Warm(func() {
				dst.Elem().SetZero()
				if err := d.Unmarshal(doc, dst.Interface()); err != nil {
					t.Error(err)
				}
			})
			runtime.KeepAlive(dst)
			if real > charge+slack {
				t.Errorf("%d x %s into %v takes %d bytes, charged %d", n, c.item, typ, real, charge)
			}
		}
	}
}

// TestTypedChargeOfMaps does the same for one map of many types and n pairs, whose large
// elements are charged for each new key only.
func TestTypedChargeOfMaps(t *testing.T) {
	for _, into := range []any{map[string]int{}, map[string]string{}, map[string]wide{}, map[string]any{}, map[any]int{}, map[string]struct{}{}, map[string][]int{}} {
		typ := reflect.TypeOf(into)
		value := map[reflect.Kind]byte{reflect.Int: 0x01, reflect.String: 0xa0, reflect.Struct: 0x80, reflect.Interface: 0xc0, reflect.Slice: 0x90}[typ.Elem().Kind()]
		for _, n := range []int{0, 1, 8, 9, 14, 15, 100, 896, 897, 2000} {
			doc := binary.BigEndian.AppendUint32([]byte{0xdf}, uint32(n))
			for i := range n {
				doc = append(append(append(doc, 0xa4), fmt.Sprintf("%04d", i)...), value)
			}
			charge := chargedInto(t, Options{}, doc, typ)
			dst := reflect.New(typ)
			real, _ := probe.Warm(func() {
				if err := (Options{Limits: Limits{MaxMemory: 1 << 40}}).Must().Unmarshal(doc, dst.Interface()); err != nil {
					t.Error(err)
				}
			})
			if real > charge+slack {
				t.Errorf("%v of %d takes %d bytes, charged %d", typ, n, real, charge)
			}
			if n >= 8 && float64(charge) > 1.5*float64(real) {
				t.Errorf("%v of %d is charged %d bytes, takes %d", typ, n, charge, real)
			}
		}
	}
	// One key again and again: its element is paid for once.
	doc := append([]byte{0xdc + 2, 0x03, 0xe8}, repeat("a16180", 1000)...)
	o := Options{DuplicateKeys: LastWins}
	once := chargedInto(t, Options{}, hexdoc.Must("81a16180"), reflect.TypeFor[map[string]wide]())
	many := chargedInto(t, o, doc, reflect.TypeFor[map[string]wide]())
	planned := chargedInto(t, o, append([]byte{0xdc + 2, 0x03, 0xe8}, repeat("a16180", 1000)...), reflect.TypeFor[map[string]struct{}]())
	if many > planned+once+1<<20 {
		t.Errorf("a thousand times one key is charged %d bytes", many)
	}
}

func repeat(hex string, n int) []byte { return hexdoc.Must(fmt.Sprintf("%s*%d", hex, n)) }

// TestTypedMaxMemoryExact: one byte less than the charge is refused.
func TestTypedMaxMemoryExact(t *testing.T) {
	for _, c := range []struct {
		into any
		doc  []byte
	}{
		{struct{ P page }{}, append([]byte("\x81\xa1P"), samples.Users(3)...)},
		{[]simple{}, array(100, "82a16101a162a26364")},
		{map[string]wide{}, hexdoc.Must("82a16180a16280")},
		{ownSlice{}, hexdoc.Must("91*60 90")},
		{map[string]any{}, samples.Users(2)},
		{[]*int{}, array(50, "05")},
		{RawMessage{}, samples.Users(1)},
	} {
		typ := reflect.TypeOf(c.into)
		need := chargedInto(t, Options{}, c.doc, typ)
		dst := reflect.New(typ)
		if err := (Options{Limits: Limits{MaxMemory: int64(need)}}).Must().Unmarshal(c.doc, dst.Interface()); err != nil {
			t.Errorf("%v under its charge of %d: %v", typ, need, err)
		}
		err := Options{Limits: Limits{MaxMemory: int64(need) - 1}}.Must().Unmarshal(c.doc, dst.Interface())
		var limit *bounds.Error
		var e *Error
		if !errors.Is(err, ErrMaxMemory) || !errors.As(err, &limit) || limit.Limit != need-1 || !errors.As(err, &e) {
			t.Errorf("%v under %d: %v, want ErrMaxMemory", typ, need-1, err)
		} else if e.GoType == nil && typ != reflect.TypeFor[map[string]any]() {
			t.Errorf("%v under %d: %#v has no Go type", typ, need-1, e)
		}
	}
}

// TestBigElements: what the default limit is for.
func TestBigElements(t *testing.T) {
	doc := append([]byte{0xdc, 0xff, 0xff}, make([]byte, 65535)...)
	for i := range doc[3:] {
		doc[3+i] = 0xc0
	}
	var v []big
	real, _ := probe.Warm(func() {
		if err := Unmarshal(doc, &v); !errors.Is(err, ErrMaxMemory) {
			t.Errorf("64 KiB into 4 KiB elements: %v", err)
		}
	})
	if real > 4096 && !probe.Race {
		t.Errorf("refusing it takes %d bytes", real)
	}
	if _, err := To[[]big](doc[:3+1000]); err == nil {
		t.Error("a cut array is accepted")
	}
	small := append([]byte{0xdc, 0x03, 0xe8}, doc[3:1003]...)
	if v, err := To[[]big](small); err != nil || len(v) != 1000 {
		t.Errorf("1,000 elements of 4 KiB: %v", err)
	}
}

// TestTypedAllocations pins how many allocations the usual shapes take.
func TestTypedAllocations(t *testing.T) {
	if probe.Race {
		t.Skip("-race: the pool drops tables at random")
	}
	four, doc, thousand := samples.Users(4), samples.Users(100), samples.Users(1000)
	var reused page
	aStruct, ints, five, bools := []byte("\x82\xa1a\x01\xa1b\xa2xy"), []byte("\x93\x01\x02\x03"), []byte{5}, []byte("\x81\xa1a\xc3")
	// Slabs of 32 bit hold fewer strings, as they have a quarter of the bytes.
	users, thousands := 17.0, 150.0
	if unsafe.Sizeof(uintptr(0)) == 4 {
		users, thousands = 28, 250
	}
	for name, c := range map[string]struct {
		f    func() error
		most float64
	}{
		"4 users":           {func() error { var p page; return Unmarshal(four, &p) }, 4},
		"100 users":         {func() error { var p page; return Unmarshal(doc, &p) }, users},
		"100 users, reused": {func() error { return Unmarshal(doc, &reused) }, users - 2},
		"1000 users":        {func() error { var p page; return Unmarshal(thousand, &p) }, thousands},
		"a small struct":    {func() error { var v simple; return Unmarshal(aStruct, &v) }, 2},
		"ints":              {func() error { var v []int; return Unmarshal(ints, &v) }, 2},
		"an int":            {func() error { var v int; return Unmarshal(five, &v) }, 1},
		"a bool map":        {func() error { var v map[string]bool; return Unmarshal(bools, &v) }, 4},
		"To an int":         {func() error { _, err := To[int](five); return err }, 1},
	} {
		n := testing.AllocsPerRun(20, func() {
			if err := c.f(); err != nil {
				t.Fatal(err)
			}
		})
		if n > c.most {
			t.Errorf("%s takes %v allocations, want at most %v", name, n, c.most)
		}
		t.Logf("%s: %v allocations", name, n)
	}
}

// TestDuplicatesCostNothing: a key that comes again and again allocates nothing that is not
// charged, whatever becomes of its values and however large the elements are.
func TestDuplicatesCostNothing(t *testing.T) {
	doc := append([]byte{0xde, 0x10, 0x00}, repeat("a0c0", 4096)...)
	for _, policy := range []DuplicateKeys{LastWins, FirstWins} {
		const limit = 1 << 20
		d := Options{DuplicateKeys: policy, Limits: Limits{MaxMemory: limit}}.Must()
		var m map[string][4096]byte
		var small map[string][64]byte
		for _, dst := range []any{&m, &small} {
			real, _ := probe.Warm(func() { _ = d.Unmarshal(doc, dst) })
			if real > limit+slack {
				t.Errorf("policy %d, %T: %d bytes allocated within %d", policy, dst, real, limit)
			}
		}
	}
}

// TestMarkersAreTriedOnce: maps in each other that name a marker are read once, whatever the
// markers do, and everything is charged.
func TestMarkersAreTriedOnce(t *testing.T) {
	type chain struct {
		X *chain `msgpack:"x"`
		V []int  `msgpack:"v"`
		D any    `msgpack:"__date__"`
	}
	calls := 0
	markers := temporals(false)
	for i := range markers {
		value := markers[i].Value
		markers[i].Value = func(m map[string]any) (any, bool, error) { calls++; return value(m) }
	}
	d := Options{Markers: markers}.Must()
	const depth = 500
	doc := repeat("82 a85f5f646174655f5f c2 a178", 1)
	for range depth - 1 {
		doc = append(doc, repeat("82 a85f5f646174655f5f c2 a178", 1)...)
	}
	doc = append(doc, hexdoc.Must("81 a176 dc1000 00*4096")...)
	typ := reflect.TypeFor[chain]()
	charge := chargedInto(t, Options{Markers: markers}, doc, typ)
	calls = 0
	var v chain
	real, _ := probe.Warm(func() {
		if err := d.Unmarshal(doc, &v); err != nil {
			t.Error(err)
		}
	})
	if calls != 0 || real > charge+slack {
		t.Errorf("%d calls, %d bytes allocated, charged %d", calls, real, charge)
	}
}
