package decode

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/samples"
)

type (
	pointsToItself *pointsToItself
	ownSlice       []ownSlice
	ownMap         map[string]ownMap
	ownPointer     struct {
		Next *ownPointer `msgpack:"next"`
	}
	pair2[A, B any] struct {
		First  A             `msgpack:"first"`
		Second B             `msgpack:"second"`
		Rest   []pair2[A, B] `msgpack:"rest"`
	}
)

// TestUnsupportedTargets: what cannot be decoded into is found when the plan is made, with
// the path of the field.
func TestUnsupportedTargets(t *testing.T) {
	for _, c := range []struct {
		into any
		text string
	}{
		{new(pointsToItself), "decode.pointsToItself: decode.pointsToItself points to nothing but itself"},
		{new(chan int), "chan int: unsupported type chan int"},
		{new(func()), "func(): unsupported type func()"},
		{new(complex128), "complex128: unsupported type complex128"},
		{new(uintptr), "uintptr: unsupported type uintptr"},
		{new([]chan int), "[]chan int[]: unsupported type chan int"},
		{new(map[[2]int]string), "map[[2]int]string (key): unsupported type [2]int"},
		{new(map[error]string), "map[error]string (key): unsupported type error"},
		{new(map[*int]string), "map[*int]string (key): unsupported type *int"},
		{new(struct{ A struct{ B []func() } }), ".A.B[]: unsupported type func()"},
		{new(struct {
			A int `msgpack:"a,bogus"`
		}), `.A: option "bogus" of tag "msgpack" is not understood`},
		{new(struct {
			A int `msgpack:"a,inline"`
		}), ".A: inline wants a struct, not int"},
		{new(struct {
			A inner `msgpack:"a,inline,noinline"`
		}), `.A: tag "msgpack" says both inline and noinline`},
		{new(struct {
			A []int `msgpack:"a,limit=x"`
		}), `.A: limit "x" of tag "msgpack" is no number`},
		{new(struct {
			A []int `msgpack:"a,limit=-1"`
		}), `.A: limit "-1" of tag "msgpack" is no number`},
		{new(struct {
			A int `msgpack:"a,limit=3"`
		}), ".A: limit wants a slice, map, string, []byte, RawMessage, interface or a type that decodes itself, not int"},
		{new(struct {
			A int `msgpack:"a,as_array"`
		}), ".A: as_array belongs to a field _msgpack"},
		{new(struct {
			A int `msgpack:"a,alias:b"`
			B int `msgpack:"b"`
		}), `alias "b" of field "a" is a field too`},
		{new(struct {
			*inner
		}), ".inner: cannot set an embedded pointer to an unexported struct"},
	} {
		for range 2 { // the second time nothing wrong must have been kept
			err := Unmarshal([]byte{0x80}, c.into)
			if !errors.Is(err, ErrTarget) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("into %T: %v, want ErrTarget with %q", c.into, err, c.text)
			}
		}
	}
}

// TestRecursiveTargets: types that are their own slice, map and pointer.
func TestRecursiveTargets(t *testing.T) {
	if v, err := To[ownSlice](hexdoc.Must("92 90 91 90")); err != nil || !reflect.DeepEqual(v, ownSlice{{}, {{}}}) {
		t.Errorf("own slice: %v, %v", v, err)
	}
	if v, err := To[ownMap](hexdoc.Must("81a161 81a16280")); err != nil || !reflect.DeepEqual(v, ownMap{"a": {"b": {}}}) {
		t.Errorf("own map: %v, %v", v, err)
	}
	v, err := To[ownPointer](hexdoc.Must("81a46e657874 81a46e657874 c0"))
	if err != nil || v.Next == nil || v.Next.Next != nil {
		t.Errorf("own pointer: %v, %v", v, err)
	}
	g, err := To[pair2[int, string]](hexdoc.Must("83a5666972737401a67365636f6e64a162a472657374 91 81a5666972737402"))
	if err != nil || g.First != 1 || g.Second != "b" || len(g.Rest) != 1 || g.Rest[0].First != 2 {
		t.Errorf("generic: %+v, %v", g, err)
	}
	deep, err := To[ownSlice](hexdoc.Must("91*1023 90"))
	levels := 0
	for ; len(deep) == 1; deep = deep[0] {
		levels++
	}
	if err != nil || levels != 1023 {
		t.Errorf("1,024 levels: %d, %v", levels, err)
	}
}

// TestFieldRules: of the fields of one name a document means the one that encoding/json
// would: the least deep, then the one with a tag, else none.
func TestFieldRules(t *testing.T) {
	type L2 struct {
		A int `msgpack:"a"`
		D int `msgpack:"d"`
	}
	type L1 struct {
		L2
		A int `msgpack:"a"`
		B int
		C int `msgpack:"c"`
	}
	type Other struct {
		B int `msgpack:"B"` // named: wins over L1's
		C int `msgpack:"c"` // both named: neither
	}
	type hidden struct {
		E int `msgpack:"e"`
		f int
	}
	type root struct {
		L1
		Other
		hidden
		Skipped int `msgpack:"-"`
		Dash    int `msgpack:"-,omitempty"`
		own     int
		Named   L2 `msgpack:"named"`
		Plain   int
	}
	var v root
	names := []string{"a", "B", "c", "d", "e", "Skipped", "-", "own", "named", "Plain", "f", "L1", "L2", "Other", "hidden"}
	var doc []byte
	doc = samples.AppendMap(doc, len(names))
	for i, name := range names {
		doc = samples.AppendStr(doc, name)
		if name == "named" {
			doc = append(doc, 0x81, 0xa1, 'a', 0x63)
		} else {
			doc = append(doc, byte(10+i))
		}
	}
	if err := Unmarshal(doc, &v); err != nil {
		t.Fatal(err)
	}
	want := root{
		L1: L1{A: 10, L2: L2{D: 13}}, Other: Other{B: 11}, hidden: hidden{E: 14}, Named: L2{A: 99}, Plain: 19,
	}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("%+v\nwant %+v", v, want)
	}
	_ = v.own + v.f
}

func TestInline(t *testing.T) {
	type part struct {
		X int `msgpack:"x"`
	}
	type whole struct {
		P part   `msgpack:",inline"`
		Q *part2 `msgpack:",inline"`
	}
	type apart struct {
		part2 `msgpack:",noinline"`
	}
	type Exported struct {
		Part2 `msgpack:",noinline"`
	}
	v, err := To[whole](hexdoc.Must("82a17801a17902"))
	if err != nil || v.P.X != 1 || v.Q == nil || v.Q.Y != 2 {
		t.Errorf("inline: %+v, %v", v, err)
	}
	e, err := To[Exported](hexdoc.Must("82a17901a55061727432 81a17902"))
	if err != nil || e.Y != 2 {
		t.Errorf("noinline: %+v, %v", e, err)
	}
	if a, err := To[apart](hexdoc.Must("81a17901")); err != nil || a.Y != 0 {
		t.Errorf("noinline of an unexported struct: %+v, %v", a, err)
	}
}

type (
	part2 struct {
		Y int `msgpack:"y"`
	}
	Part2 part2
)

// TestTags: the first of the tags that a field has counts.
func TestTags(t *testing.T) {
	type both struct {
		A int `msgpack:"m" json:"j"`
		B int `json:"b,omitempty"`
		C int `json:"-"`
		D int
	}
	doc := hexdoc.Must("84 a16d01 a16a02 a16203 a14404")
	if v, err := To[both](doc); err != nil || v != (both{A: 1, D: 4}) {
		t.Errorf("default tags: %+v, %v", v, err)
	}
	if v, err := As[both](Options{Tags: []string{"msgpack", "json"}}.Must(), doc); err != nil || v != (both{A: 1, B: 3, D: 4}) {
		t.Errorf("msgpack, then json: %+v, %v", v, err)
	}
	if v, err := As[both](Options{Tags: []string{"json", "msgpack"}}.Must(), doc); err != nil || v != (both{A: 2, B: 3, D: 4}) {
		t.Errorf("json, then msgpack: %+v, %v", v, err)
	}
}

// TestManyFields: a struct of 1,000 fields, in order, shuffled, and twice.
func TestManyFields(t *testing.T) {
	const n = 1000
	fields := make([]reflect.StructField, n)
	for i := range fields {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("F%03d", i), Type: reflect.TypeFor[int](), Tag: reflect.StructTag(fmt.Sprintf(`msgpack:"f%03d"`, i)),
		}
	}
	typ := reflect.StructOf(fields)
	for _, step := range []int{1, 7, 999} {
		doc := []byte{0xde, n >> 8, n & 0xff}
		for i := range n {
			at := i * step % n
			doc = samples.AppendStr(doc, fmt.Sprintf("f%03d", at))
			doc = samples.AppendInt(doc, int64(at))
		}
		v := reflect.New(typ)
		if err := Unmarshal(doc, v.Interface()); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if v.Elem().Field(i).Int() != int64(i) {
				t.Fatalf("step %d: field %d is %d", step, i, v.Elem().Field(i).Int())
			}
		}
		// The last key again.
		twice := append([]byte{0xde, (n + 1) >> 8, (n + 1) & 0xff}, doc[3:]...)
		last := len(twice)
		twice = samples.AppendStr(twice, "f070")
		twice = samples.AppendInt(twice, 1)
		err := Unmarshal(twice, v.Interface())
		if off, _ := OffsetOf(err); !errors.Is(err, ErrDuplicateKey) || off != int64(last) {
			t.Errorf("step %d: %v, want ErrDuplicateKey at %d", step, err, last)
		}
	}
}

// TestReuse: what is left of an old target, and what is not.
func TestReuse(t *testing.T) {
	t.Run("slice elements are zeroed", func(t *testing.T) {
		var v []simple
		if err := Unmarshal(hexdoc.Must("9182a16101a162a6736563726574"), &v); err != nil {
			t.Fatal(err)
		}
		first := &v[0]
		if err := Unmarshal(hexdoc.Must("9181a16102"), &v); err != nil || len(v) != 1 || v[0] != (simple{A: 2}) {
			t.Errorf("%+v, %v", v, err)
		}
		if first != &v[0] {
			t.Error("the backing array is another")
		}
	})
	t.Run("a shorter slice leaves nothing behind", func(t *testing.T) {
		v := []string{"a", "b", "secret"}
		if err := Unmarshal(hexdoc.Must("91a178"), &v); err != nil || len(v) != 1 || v[0] != "x" {
			t.Fatalf("%v, %v", v, err)
		}
		if all := v[:3]; all[1] != "" || all[2] != "" {
			t.Errorf("behind the slice: %q", all)
		}
	})
	t.Run("a longer slice is a new one without room", func(t *testing.T) {
		old := []int{1, 2}
		v := old
		if err := Unmarshal(hexdoc.Must("95 0102030405"), &v); err != nil || len(v) != 5 || cap(v) != 5 || old[0] != 1 {
			t.Errorf("%v of capacity %d, old %v, %v", v, cap(v), old, err)
		}
	})
	t.Run("a root pointer is used, others are replaced", func(t *testing.T) {
		s := &simple{B: "kept"}
		p := s
		if err := Unmarshal(hexdoc.Must("81a16101"), &p); err != nil || p != s || *s != (simple{1, "kept"}) {
			t.Errorf("root: %+v, %v", p, err)
		}
		in := struct {
			P *simple `msgpack:"p"`
		}{s}
		if err := Unmarshal(hexdoc.Must("81a17081a16102"), &in); err != nil || in.P == s || *in.P != (simple{A: 2}) || *s != (simple{1, "kept"}) {
			t.Errorf("field: %+v, %v, the old %+v", in.P, err, s)
		}
	})
	t.Run("the old map is untouched", func(t *testing.T) {
		old := map[string]int{"z": 9}
		v := old
		if err := Unmarshal(hexdoc.Must("81a16102"), &v); err != nil || !reflect.DeepEqual(v, map[string]int{"a": 2}) || !reflect.DeepEqual(old, map[string]int{"z": 9}) {
			t.Errorf("%v, old %v, %v", v, old, err)
		}
	})
	t.Run("elements of a map start at zero", func(t *testing.T) {
		v, err := To[map[string]simple](hexdoc.Must("82a16182a16101a162a162 a16281a16103"))
		if err != nil || v["b"] != (simple{A: 3}) {
			t.Errorf("%+v, %v", v, err)
		}
	})
	t.Run("an array is zeroed first", func(t *testing.T) {
		v := [2]simple{{1, "x"}, {2, "y"}}
		if err := Unmarshal(hexdoc.Must("92 81a16105 80"), &v); err != nil || v != [2]simple{{5, ""}, {}} {
			t.Errorf("%+v, %v", v, err)
		}
	})
	t.Run("what an embedded pointer held is copied, not written to", func(t *testing.T) {
		type twoFields struct {
			X int `msgpack:"x"`
			Y int `msgpack:"y"`
		}
		type Shared twoFields
		type holder struct {
			*Shared
			Z int `msgpack:"z"`
		}
		shared := &Shared{9, 8}
		v := holder{Shared: shared}
		if err := Unmarshal(hexdoc.Must("82a17801a17a02"), &v); err != nil || *v.Shared != (Shared{1, 8}) || *shared != (Shared{9, 8}) || v.Z != 2 {
			t.Errorf("%+v, the old %+v, %v", *v.Shared, *shared, err)
		}
		if err := Unmarshal(hexdoc.Must("82a17801a17902"), &v); err != nil || *v.Shared != (Shared{1, 2}) {
			t.Errorf("two of its fields: %+v, %v", *v.Shared, err)
		}
	})
	t.Run("new slices have no room", func(t *testing.T) {
		v, err := To[[]int16](hexdoc.Must("93010203"))
		if err != nil || cap(v) != 3 {
			t.Errorf("capacity %d, %v", cap(v), err)
		}
		raw, err := As[struct {
			R RawMessage `msgpack:"r"`
		}](Options{AliasInput: true}.Must(), hexdoc.Must("82a17205a17306"))
		if err != nil || cap(raw.R) != 1 {
			t.Errorf("raw: capacity %d, %v", cap(raw.R), err)
		}
	})
	t.Run("an any is overwritten", func(t *testing.T) {
		s := &simple{B: "kept"}
		v := struct {
			A any `msgpack:"a"`
		}{s}
		if err := Unmarshal(hexdoc.Must("81a16181a16101"), &v); err != nil || !reflect.DeepEqual(v.A, map[string]any{"a": int64(1)}) || s.A != 0 {
			t.Errorf("%+v, %v", v, err)
		}
	})
	t.Run("To gives the zero value on a refusal", func(t *testing.T) {
		if v, err := To[simple](hexdoc.Must("82a16101a16207")); !errors.Is(err, ErrType) || v != (simple{}) {
			t.Errorf("%+v, %v", v, err)
		}
	})
}

// TestMarkersTyped: a marker's value goes into the typed targets it is assignable to.
func TestMarkersTyped(t *testing.T) {
	d := Options{Markers: append(temporals(true), Marker{
		Key: "simple", Go: reflect.TypeFor[simple](), Value: func(m map[string]any) (any, bool, error) { return simple{A: 42}, true, nil },
	})}.Must()
	date := "82a85f5f646174655f5fc3a576616c7565aa323032352d31312d3134"
	day := time.Date(2025, 11, 14, 0, 0, 0, 0, time.UTC)
	if v, err := As[time.Time](d, hexdoc.Must(date)); err != nil || v != day {
		t.Errorf("into time.Time: %v, %v", v, err)
	}
	if v, err := As[[]*time.Time](d, hexdoc.Must("92"+date+"c0")); err != nil || len(v) != 2 || *v[0] != day || v[1] != nil {
		t.Errorf("into []*time.Time: %v, %v", v, err)
	}
	if v, err := As[map[string]any](d, hexdoc.Must("81a161"+date)); err != nil || v["a"] != day {
		t.Errorf("into any: %v, %v", v, err)
	}
	if v, err := As[simple](d, hexdoc.Must("82a673696d706c65c3a16101")); err != nil || v.A != 42 {
		t.Errorf("a struct that a marker makes: %v, %v", v, err)
	}
	if v, err := As[map[string]bool](d, hexdoc.Must("81a673696d706c65c3")); err != nil || !reflect.DeepEqual(v, map[string]bool{"simple": true}) {
		t.Errorf("a map that the marker's value does not fit: %v, %v", v, err)
	}
	if v, err := As[struct {
		P *simple `msgpack:"p"`
	}](d, hexdoc.Must("81a17081a673696d706c65c3")); err != nil || v.P.A != 42 {
		t.Errorf("behind a pointer: %v, %v", v, err)
	}
	if _, err := As[simple](d, hexdoc.Must("81a16101")); !errors.Is(err, ErrType) {
		t.Errorf("a map of fields into a type that a marker makes: %v, want ErrType", err)
	}
	pointers := Options{
		Markers: []Marker{MarkerOf[*simple](Marker{Key: "k", Value: func(map[string]any) (any, bool, error) { return &simple{A: 7}, true, nil }})},
		Exts:    []ExtType{{Type: 5, Go: reflect.TypeFor[*level](), Decode: func([]byte) (any, error) { l := level(3); return &l, nil }}, TimestampExt()},
	}.Must()
	p, err := As[struct {
		S *simple   `msgpack:"s"`
		L *level    `msgpack:"l"`
		T time.Time `msgpack:"t"`
		U Timestamp `msgpack:"u"`
	}](pointers, hexdoc.Must("84 a173 81a16b01 a16c d40500 a174 d6ff00000001 a175 d6ff00000002"))
	if err != nil || p.S.A != 7 || *p.L != 3 || p.T != time.Unix(1, 0).UTC() || p.U.Seconds != 2 {
		t.Errorf("values that are pointers: %+v, %v", p, err)
	}
	if _, err := As[string](d, hexdoc.Must(date)); !errors.Is(err, ErrType) {
		t.Errorf("into string: %v, want ErrType", err)
	}
	_, err = As[time.Time](d, hexdoc.Must("81a85f5f646174655f5fc3"))
	if off, _ := OffsetOf(err); !errors.Is(err, ErrHook) || !errors.Is(err, errNoValue) || off != 0 {
		t.Errorf("a marker's refusal: %v", err)
	}
	if _, err := As[time.Time](d, hexdoc.Must("82a16101a16202")); !errors.Is(err, ErrType) {
		t.Errorf("a map into time.Time: %v, want ErrType", err)
	}
}

// TestPlansConcurrently makes the plan of one type by many at once.
func TestPlansConcurrently(t *testing.T) {
	type a struct {
		Next *a             `msgpack:"next"`
		M    map[string][]a `msgpack:"m"`
		N    int            `msgpack:"n"`
	}
	d := Options{Tags: []string{"msgpack"}}.Must() // plans of its own
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			v, err := As[a](d, hexdoc.Must("82 a46e657874 81a16e01 a16d 81a16b91 81a16e02"))
			if err != nil || v.Next.N != 1 || v.M["k"][0].N != 2 {
				t.Errorf("%+v, %v", v, err)
			}
		})
	}
	wg.Wait()
}
