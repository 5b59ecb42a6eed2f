package price

import (
	"fmt"
	"math/bits"
	"reflect"
	"testing"
	"time"
	"unsafe"

	"github.com/boundpack/boundpack/internal/probe"
)

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	size, _ := probe.Warm(f)
	return size
}

// TestClasses notices a Go release with other size classes: append rounds a capacity
// up to the block.
func TestClasses(t *testing.T) {
	for n := 1; n <= 32768; n++ {
		if got, want := Block(uint64(n), false), uint64(cap(append([]byte(nil), make([]byte, n)...))); got != want {
			t.Fatalf("a block for %d bytes has %d, want %d", n, got, want)
		}
	}
	for n := 32769; n < 300000; n += 1777 {
		if got, want := Block(uint64(n), false), uint64(cap(append([]byte(nil), make([]byte, n)...))); got != want {
			t.Fatalf("a block for %d bytes has %d, want %d", n, got, want)
		}
	}
}

var (
	keepPointers []*byte
	keepAnys     []any
	keepMap      any
)

func TestPointerBlocks(t *testing.T) {
	step := 1
	if testing.Short() || probe.Race {
		step = 37
	}
	for n := 0; n <= 4100; n += step {
		if got, want := allocated(func() { keepAnys = make([]any, n) }), Block(slot*uint64(n), true); got != want {
			t.Errorf("[]any of %d takes %d bytes, priced %d", n, got, want)
		}
		if got, want := allocated(func() { keepPointers = make([]*byte, n) }), Block(ptr*uint64(n), true); got != want {
			t.Errorf("[]*byte of %d takes %d bytes, priced %d", n, got, want)
		}
	}
}

func typeOf(t reflect.Type) Type {
	scan := true
	switch t.Kind() {
	case reflect.Int64, reflect.Uint8, reflect.Bool:
		scan = false
	case reflect.Struct:
		scan = t.NumField() > 0 && typeOf(t.Field(0).Type).Scan
	case reflect.Array:
		scan = t.Len() > 0 && typeOf(t.Elem()).Scan
	}
	return Type{uint64(t.Size()), uint64(t.Align()), scan}
}

// TestMaps notices a Go release with another map layout: maps made with the planned
// hint and filled take what the plan says, to the byte.
func TestMaps(t *testing.T) {
	for _, m := range []any{
		map[string]any{},
		map[any]any{},
		map[int64]any{},
		map[string]int64{},
		map[int64]int64{},
		map[string][]byte{},
		map[string]bool{},
		map[string]struct{}{},
		map[int64]struct{}{},
		map[uint8]uint8{},
		map[string][4]int64{},
		map[string][16]string{},
		map[string][17]int64{},
		map[[17]int64]string{},
		map[string]string{},
	} {
		typ := reflect.TypeOf(m)
		shape := MapOf(typeOf(typ.Key()), typeOf(typ.Elem()))
		counts := []int{0, 1, 7, 8, 9, 14, 15, 28, 29, 56, 57, 112, 113, 224, 225, 448, 449, 895, 896, 897, 1360, 1361, 1400, 2720, 2721}
		if testing.Short() || probe.Race {
			counts = counts[:15]
		}
		for _, n := range counts {
			if typ.Key().Kind() == reflect.Uint8 && n > 256 {
				continue
			}
			keys := make([]reflect.Value, n)
			for i := range keys {
				k := reflect.New(typ.Key()).Elem()
				switch k.Kind() {
				case reflect.String:
					k.SetString(fmt.Sprint("key", i))
				case reflect.Int64:
					k.SetInt(int64(i))
				case reflect.Uint8:
					k.SetUint(uint64(i))
				case reflect.Array:
					k.Index(0).SetInt(int64(i))
				case reflect.Interface:
					k.Set(reflect.ValueOf(fmt.Sprint("key", i)))
				}
				keys[i] = k
			}
			elem := reflect.New(typ.Elem()).Elem()
			hint, cost := shape.Plan(uint64(n))
			cost += uint64(n) * (shape.Key + shape.Elem)
			measure := func() uint64 {
				return allocated(func() {
					v := reflect.MakeMapWithSize(typ, int(hint))
					for _, k := range keys {
						v.SetMapIndex(k, elem)
					}
					keepMap = v.Interface()
				})
			}
			got := measure()
			if got != cost {
				got = min(got, measure()) // a stray allocation of the runtime
			}
			if got != cost {
				t.Errorf("%v of %d takes %d bytes, priced %d", typ, n, got, cost)
			}
		}
	}
}

// TestHeaders holds the constants to the sizes they stand for.
func TestHeaders(t *testing.T) {
	// As decode.Ext is laid out.
	ext := uint64(unsafe.Sizeof(struct {
		_ int8
		_ []byte
	}{}))
	for name, c := range map[string]struct{ got, want uint64 }{
		"an any":           {slot, uint64(unsafe.Sizeof(any(nil)))},
		"a string header":  {String, uint64(unsafe.Sizeof(""))},
		"a slice header":   {Slice, Block(uint64(unsafe.Sizeof([]any(nil))), true)},
		"an ext":           {Ext, ext},
		"a number":         {Number, uint64(unsafe.Sizeof(int64(0)))},
		"a pointer's bits": {8 * ptr, bits.UintSize},
	} {
		if c.got != c.want {
			t.Errorf("%s is priced %d, want %d", name, c.got, c.want)
		}
	}
	size := uint64(unsafe.Sizeof(time.Time{}))
	if k := uint64(Fit(22, size, Time, true)); k < 20 || Block(k*size, true) > k*Time {
		t.Errorf("times of %d bytes, priced %d, fit a slab of %d", size, Time, k)
	}
}

func TestContent(t *testing.T) {
	for n, want := range map[int]int64{0: 0, 1: 2, 6: 7, 7: 8, 8: 10, 512: 586, 513: 576, 1000: 1024, 40000: 40960} {
		if got := Content(n); got != want {
			t.Errorf("%d bytes of content are priced %d, want %d", n, got, want)
		}
	}
	// A chunk is left when what comes next does not fit: at least 3,585 of its
	// bytes are used, and their price pays for it.
	if used := int64(ChunkSize - MaxInChunks + 1); Content(MaxInChunks) < MaxInChunks || used*8 < 7*ChunkSize {
		t.Errorf("a chunk of %d bytes with %d used is not paid", ChunkSize, used)
	}
	for n := 0; n <= 8; n++ {
		own := int64(Block(slot*uint64(n), true))
		if Elements(n) < own {
			t.Errorf("%d elements are priced %d, but take %d in a block of their own", n, Elements(n), own)
		}
	}
	if used := int64(63 - SmallArray + 1); smallSlots*used < int64(Block(63*slot, true)) {
		t.Errorf("a slab of elements with %d used is not paid", used)
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		most       int
		size, unit uint64
		scan       bool
	}{{64, 8, Number, false}, {32, 2 * ptr, String, true}, {20, 3 * ptr, Slice, true}, {16, Ext, Ext, true}} {
		for most := 1; most <= c.most; most++ {
			k := Fit(most, c.size, c.unit, c.scan)
			if k < 1 || k > most {
				t.Fatalf("Fit(%d, %d) = %d", most, c.size, k)
			}
			if b := Block(uint64(k)*c.size, c.scan); k > 1 && b > uint64(k)*c.unit {
				t.Errorf("a slab of %d x %d bytes takes %d, more than %d each", k, c.size, b, c.unit)
			}
			if k < most/2 {
				t.Errorf("Fit(%d, %d) = %d: too few", most, c.size, k)
			}
		}
	}
}

// TestSplits: where a table may get more pairs than it holds, the plan pays for splits: two
// new tables for each, and a directory of twice the length.
func TestSplits(t *testing.T) {
	m := MapOf(Type{16, 8, true}, Type{8, 8, false})
	for _, c := range []struct {
		n              uint64
		tables, splits uint64
	}{
		{680 * 32, 32, 0},
		{680*32 + 1, 64, 0},
		{680 * 64, 64, 0},
		{680*64 + 1, 64, 6},
		{790 * 64, 64, 6},
		{790*64 + 1, 128, 0},
		{680*128 + 1, 128, 6},
		{790 * 1024, 1024, 10},
		{680 * 2048, 2048, 0},
	} {
		hint, cost := m.Plan(c.n)
		_, empty := m.Plan(0)
		want := empty + Block(c.tables*ptr, true) + (c.tables+2*c.splits)*m.table()
		if c.splits > 0 {
			want += Block(2*c.tables*ptr, true)
		}
		if hint != c.tables*896 || cost != want {
			t.Errorf("a map of %d is planned with a hint of %d for %d bytes, want %d for %d", c.n, hint, cost, c.tables*896, want)
		}
	}
}
