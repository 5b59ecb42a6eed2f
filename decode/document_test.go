package decode

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/samples"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

func mustParse(t testing.TB, o Options, hex string) *Document {
	t.Helper()
	doc, err := o.Must().Parse(hexdoc.Must(hex))
	if err != nil {
		t.Fatalf("%.60s: %v", hex, err)
	}
	return doc
}

// fails fails unless err is the reason at the offset, with the path of that.
func fails(t testing.TB, what string, err, reason error, offset int64, path string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || !errors.Is(err, reason) || e.Offset != offset || e.Path != path {
		t.Errorf("%s: %v, want %v at %d, path %q", what, err, reason, offset, path)
	}
}

// kinds of everything: a map of 16 pairs, so that it has no index.
const everything = "de0010 a16e c0 a162 c3 a169 07 a16a cfffffffffffffffff a166 cb3ff8000000000000 a173 a5 68656c6c6f a174 d6ff00000001" +
	" a165 d50567 68 a178 c4020102 a161 93 01 92 02 03 04 a16d 82 a16b 90 a16c 80 a167 ca3f000000 a16f ff a170 a0 a171 c400 a172 c2"

func TestNode(t *testing.T) {
	onAndOff := func(f func()) {
		for _, on := range []bool{true, false} {
			restore := tier.Set(tier.DocumentInline, on)
			f()
			restore()
		}
	}
	onAndOff(func() {
		doc := mustParse(t, Options{}, everything)
		root := doc.Root()
		get := func(v any, err error) any {
			t.Helper()
			if err != nil {
				t.Error(err)
			}
			return v
		}
		str := func(n Node) (any, error) { return n.Str() }
		for _, c := range []struct {
			got, want any
		}{
			{root.Kind(), walk.Map},
			{root.Len(), 16},
			{root.Get("n").IsNil(), true},
			{root.Get("b").IsNil(), false},
			{get(any2(root.Get("b").Bool())), true},
			{get(any2(root.Get("r").Bool())), false},
			{get(any2(root.Get("i").Int())), int64(7)},
			{get(any2(root.Get("o").Int())), int64(-1)},
			{get(any2(root.Get("i").Uint())), uint64(7)},
			{get(any2(root.Get("j").Uint())), uint64(math.MaxUint64)},
			{get(any2(root.Get("f").Float())), 1.5},
			{get(any2(root.Get("g").Float())), 0.5},
			{get(str(root.Get("s"))), "hello"},
			{get(str(root.Get("p"))), ""},
			{root.Get("s").Len(), 5},
			{get(any2(root.Get("t").Time())), time.Unix(1, 0).UTC()},
			{get(any2(root.Get("t").Ext())), Ext{-1, []byte{0, 0, 0, 1}}},
			{get(any2(root.Get("e").Ext())), Ext{5, []byte("gh")}},
			{root.Get("e").Len(), 2},
			{get(any2(root.Get("x").Bytes())), []byte{1, 2}},
			{get(any2(root.Get("q").Bytes())), []byte{}},
			{root.Get("x").Len(), 2},
			{root.Get("a").Len(), 3},
			{root.Get("a").Kind(), walk.Array},
			{get(any2(root.Get("a").Index(2).Int())), int64(4)},
			{get(any2(root.Get("a").Index(1).Index(1).Int())), int64(3)},
			{root.Get("a").Index(1).Index(1).Path(), "a[1][1]"},
			{root.Get("m").Get("k").Len(), 0},
			{root.Get("m").Get("l").Kind(), walk.Map},
			{root.Get("m").Len(), 2},
			{root.Get("i").Len(), 0},
			{get(any2(root.Get("a").Index(1).Raw())), []byte{0x92, 2, 3}},
			{get(any2(root.Get("a").Index(1).Any())), []any{int64(2), int64(3)}},
			{root.Get("n").Exists(), true},
			{root.Get("N").Exists(), false},
			{root.Get("n").Offset(), int64(5)},
			{root.Get("N").Offset(), int64(-1)},
			{root.Get("N").Path(), ""},
			{root.Get("N").Kind(), walk.Kind(0)},
			{root.Get("N").Len(), 0},
		} {
			if !reflect.DeepEqual(c.got, c.want) {
				t.Errorf("%#v, want %#v", c.got, c.want)
			}
		}
		if raw, err := root.Raw(); err != nil || !bytes.Equal(raw, hexdoc.Must(everything)) || cap(raw) != len(raw) {
			t.Errorf("the root's Raw is %x, %v", raw, err)
		}
		_, err := root.Get("j").Int()
		fails(t, "Int of a uint64", err, ErrOverflow, 14, "j")
		_, err = root.Get("o").Uint()
		fails(t, "Uint of -1", err, ErrOverflow, root.Get("o").Offset(), "o")
		_, err = root.Get("e").Time()
		fails(t, "Time of an ext", err, ErrType, root.Get("e").Offset(), "e")
		// Every read of every other kind.
		for key := range strings.SplitSeq("nbijfstexamgopqr", "") {
			n := root.Get(key)
			reads := map[string]error{}
			_, reads["Bool"] = n.Bool()
			_, reads["Int"] = n.Int()
			_, reads["Float"] = n.Float()
			_, reads["Str"] = n.Str()
			_, reads["Bytes"] = n.Bytes()
			_, reads["Ext"] = n.Ext()
			takes := map[walk.Kind]string{walk.Bool: "Bool", walk.Int: "Int", walk.Float: "Float", walk.Str: "Str", walk.Bin: "Bytes", walk.Ext: "Ext"}[n.Kind()]
			for name, err := range reads {
				if name == takes {
					if err != nil && key != "j" {
						t.Errorf("%s of %s: %v", name, key, err)
					}
					continue
				}
				fails(t, name+" of "+key, err, ErrType, n.Offset(), key)
			}
			_, keyErr := n.Get("k").Int()
			_, elementErr := n.Index(0).Any()
			if n.Kind() != walk.Map {
				fails(t, "a key of "+key, keyErr, ErrType, n.Offset(), key)
			}
			if n.Kind() != walk.Array {
				fails(t, "an element of "+key, elementErr, ErrType, n.Offset(), key)
			}
		}
	})
}

func any2[T any](v T, err error) (any, error) { return v, err }

// TestNodeMissing: what a chain of missing things says.
func TestNodeMissing(t *testing.T) {
	doc := mustParse(t, Options{}, "81 a57573657273 92 81 a46e616d65 a3416461 c0")
	root := doc.Root()
	for _, c := range []struct {
		n      Node
		reason error
		offset int64
		path   string
		text   string
	}{
		{root.Get("user"), ErrMissing, 0, "", `the map has no key "user" (at byte 0)`},
		{root.Get("user").Index(3).Get("name"), ErrMissing, 0, "", `the map has no key "user" (at byte 0)`},
		{root.Get("users").Index(2).Get("name"), ErrMissing, 7, "users", `the array of 2 has no element 2 (at byte 7, path users)`},
		{root.Get("users").Index(-1), ErrMissing, 7, "users", `the array of 2 has no element -1 (at byte 7, path users)`},
		{root.Get("users").Index(0).Get("nom"), ErrMissing, 8, "users[0]", `the map has no key "nom" (at byte 8, path users[0])`},
		{root.Get("users").Index(1).Get("name"), ErrType, 18, "users[1]", `key "name" of nil (at byte 18, path users[1])`},
		{root.Get("users").Get("name"), ErrType, 7, "users", `key "name" of array (at byte 7, path users)`},
		{root.Get("users").Index(0).Get("name").Index(4), ErrType, 14, "users[0].name", `element 4 of str (at byte 14, path users[0].name)`},
		{root.Get(strings.Repeat("long", 20)), ErrMissing, 0, "", `no key "longlonglonglonglonglonglonglong"... (at byte 0)`},
		{Node{}, ErrMissing, 0, "", "there is no document (at byte 0)"},
		{Node{}.Get("a").Index(1), ErrMissing, 0, "", "there is no document (at byte 0)"},
		{new(Document).Root(), ErrMissing, 0, "", "there is no document (at byte 0)"},
	} {
		if c.n.Exists() || c.n.Kind() != 0 || c.n.IsNil() {
			t.Errorf("%s: it exists", c.text)
		}
		reads := map[string]error{"Err": c.n.Err()}
		_, reads["Bool"] = c.n.Bool()
		_, reads["Int"] = c.n.Int()
		_, reads["Uint"] = c.n.Uint()
		_, reads["Float"] = c.n.Float()
		_, reads["Str"] = c.n.Str()
		_, reads["Bytes"] = c.n.Bytes()
		_, reads["Time"] = c.n.Time()
		_, reads["Ext"] = c.n.Ext()
		_, reads["Raw"] = c.n.Raw()
		_, reads["Any"] = c.n.Any()
		var v any
		reads["Decode"] = c.n.Decode(&v)
		for _, e := range c.n.Elements() {
			reads["Elements"] = e.Err()
		}
		for k, v := range c.n.Pairs() {
			reads["Pairs"], reads["keys of Pairs"] = v.Err(), k.Err()
		}
		if len(reads) != 15 {
			t.Errorf("%d reads", len(reads))
		}
		for name, err := range reads {
			fails(t, name+" of what "+c.text, err, c.reason, c.offset, c.path)
			if err == nil || !strings.HasSuffix(err.Error(), c.text) {
				t.Errorf("%s: %v, want %s", name, err, c.text)
			}
		}
	}
	for i, n := range root.Elements() {
		_, err := n.Int()
		fails(t, "an element of a map", err, ErrType, 0, "")
		if i != 0 {
			t.Error("more than one round")
		}
	}
	for _, n := range root.Get("users").Pairs() {
		_, err := n.Int()
		fails(t, "a pair of an array", err, ErrType, 7, "users")
	}
}

// TestNodeLoops: loops in wire order, over containers of every layout of the tape, and
// Index and Get of everything in them.
func TestNodeLoops(t *testing.T) {
	for n := range 70 {
		for _, item := range []string{"07", "92 07 90", "81 a0 c0"} {
			hex := fmt.Sprintf("93 dc%04x %s c3 dc%04x %s", n, strings.Repeat(item+" ", n), n, strings.Repeat(item+" ", n))
			doc := mustParse(t, Options{}, hex)
			for _, which := range []int{0, 2} {
				arr, count := doc.Root().Index(which), 0
				for i, e := range arr.Elements() {
					if i != count || e != arr.Index(i) || e.Path() != fmt.Sprintf("[%d][%d]", which, i) {
						t.Fatalf("%s: element %d is %d, path %s", hex, count, i, e.Path())
					}
					if raw, err := e.Raw(); err != nil || !bytes.Equal(raw, hexdoc.Must(item)) {
						t.Fatalf("%s: element %d is %x, %v", hex, i, raw, err)
					}
					count++
				}
				if count != n || arr.Len() != n || arr.Index(n).Exists() {
					t.Fatalf("%s: %d elements", hex, count)
				}
			}
			if b, err := doc.Root().Index(1).Bool(); !b || err != nil {
				t.Fatalf("%s: what follows is %v, %v", hex, b, err)
			}
			var pairs strings.Builder
			for i := range n {
				pairs.WriteString(fmt.Sprintf("a3%x %s ", fmt.Sprintf("k%02d", i), item))
			}
			doc = mustParse(t, Options{}, fmt.Sprintf("92 de%04x %s c3", n, pairs.String()))
			m, count := doc.Root().Index(0), 0
			for k, v := range m.Pairs() {
				key, err := k.Str()
				if err != nil || key != fmt.Sprintf("k%02d", count) || m.Get(key) != v {
					t.Fatalf("pair %d of %d: %s, %v", count, n, key, err)
				}
				if raw, err := v.Raw(); err != nil || !bytes.Equal(raw, hexdoc.Must(item)) {
					t.Fatalf("%d pairs of %s: value %d is %x, %v", n, item, count, raw, err)
				}
				count++
			}
			if b, err := doc.Root().Index(1).Bool(); count != n || m.Len() != n || m.Get("k").Exists() || !b || err != nil {
				t.Fatalf("%d of %d pairs, then %v, %v", count, n, b, err)
			}
		}
	}
	for _, e := range mustParse(t, Options{}, "93010203").Root().Elements() {
		if e.Offset() == 2 {
			break
		} else if e.Offset() > 2 {
			t.Error("a loop goes on after break")
		}
	}
	for k := range mustParse(t, Options{}, "82a16101a16202").Root().Pairs() {
		if k.Offset() > 1 {
			t.Error("a loop goes on after break")
		}
		break
	}
}

// TestDocumentInlineRuns proves that the shortcut reads the headers it is for, and none
// when it is off.
func TestDocumentInlineRuns(t *testing.T) {
	doc := hexdoc.Must("99 01 a161 91c0 81a0c3 ff d90161 ca3f800000 cd0100 c40200 00 00*8")
	doc = doc[:len(doc)-8]
	for on, want := range map[bool]int64{true: 9, false: 0} { // not bin, nor what stands at the end
		restore := tier.Set(tier.DocumentInline, on)
		n := tier.Counted(tier.DocumentInline, func() {
			if _, err := Parse(doc); err != nil {
				t.Error(err)
			}
		})
		restore()
		if n < want || !on && n != 0 {
			t.Errorf("inline %v: the shortcut read %d headers, want %d", on, n, want)
		}
	}
}

// TestDocumentText: an invalid byte at every place of keys and values of every short length.
func TestDocumentText(t *testing.T) {
	for n := 1; n < 70; n++ {
		for at := range n {
			text := bytes.Repeat([]byte("a"), n)
			text[at] = 0xff
			for head, item := range map[int][]byte{
				1: samples.AppendStr(nil, string(text)),
				2: append([]byte{0x81}, append(samples.AppendStr(nil, string(text)), 1)...),
			} {
				doc := append(append([]byte{0x92}, item...), hexdoc.Must("d910 78*16")...)
				off, path := int64(head+1+at), "[0]"
				if n > 31 {
					off++
				}
				if head == 2 {
					path = walk.PathAt(doc, 2)
				}
				_, err := Parse(doc)
				fails(t, fmt.Sprintf("%x", item), err, ErrUTF8, off, path)
				doc[off] = 'b'
				if _, err := Parse(doc); err != nil {
					t.Errorf("%x: %v", doc, err)
				}
			}
		}
	}
}

// TestDocumentTimes: timestamps that no time.Time holds are refused by the pass, unless
// they are the caller's.
func TestDocumentTimes(t *testing.T) {
	for _, hex := range []string{"c700ff", "d7ffee6b280000000001", "c70cff00000000 7ffffff1886e0900", "c70cff3b9aca00 0000000000000000"} {
		_, err := Parse(hexdoc.Must("92 c0" + hex))
		fails(t, hex, err, ErrTimestamp, 2, "[1]")
		doc := mustParse(t, Options{Exts: []ExtType{TimestampExt()}}, "92 c0"+hex)
		if _, err := doc.Root().Index(1).Ext(); err != nil {
			t.Error(err)
		}
		_, err = doc.Root().Index(1).Time()
		fails(t, hex, err, ErrTimestamp, 2, "[1]")
	}
	mustParse(t, Options{}, "c70cff00000000 7ffffff1886e08ff")
}

// TestDocumentDecode: a part is decoded as by itself, and refused with its place in the
// document.
func TestDocumentDecode(t *testing.T) {
	type user struct {
		Name string `msgpack:"name,limit=3"`
		Age  uint8  `msgpack:"age"`
	}
	doc := mustParse(t, Options{}, "81 a57573657273 93 82 a46e616d65 a3416461 a3616765 07 81 a46e616d65 a44164616d 81 a3616765 cd0100")
	users := doc.Root().Get("users")
	var u user
	if err := users.Index(0).Decode(&u); err != nil || u != (user{"Ada", 7}) {
		t.Errorf("%+v, %v", u, err)
	}
	err := users.Index(1).Decode(&u)
	fails(t, "a name of four bytes", err, ErrMaxBytes, 29, "users[1].name")
	var limit *bounds.Error
	if !errors.As(err, &limit) || limit.Offset != 29 || limit.Limit != 3 || limit.Need != 4 {
		t.Errorf("%#v", limit)
	}
	err = users.Index(2).Decode(&u)
	fails(t, "an age of 256", err, ErrOverflow, 39, "users[2].age")
	var all []user
	fails(t, "all", users.Decode(&all), ErrMaxBytes, 29, "users[1].name")
	if err := users.Index(0).Decode(u); !errors.Is(err, ErrTarget) {
		t.Errorf("into no pointer: %v", err)
	}
	// A part has MaxMemory to itself: what it takes, and a byte less.
	hex, part := "92 c0 91 81a16181a16201", hexdoc.Must("91 81a16181a16201")
	o := Options{Limits: Limits{MaxMemory: int64(charged(t, Options{}, part))}}
	if _, err := mustParse(t, o, hex).Root().Index(1).Any(); err != nil {
		t.Error(err)
	}
	o.Limits.MaxMemory--
	_, err = mustParse(t, o, hex).Root().Index(1).Any()
	fails(t, "too much memory", err, ErrMaxMemory, 6, "[1][0].a")
	if !errors.As(err, &limit) || limit.Offset != 6 || limit.Limit != uint64(o.Limits.MaxMemory) {
		t.Errorf("%#v", limit)
	}
	refusing := Options{Exts: []ExtType{{Type: 5, Decode: func([]byte) (any, error) { return nil, errors.New("no") }}}}
	_, err = mustParse(t, refusing, "92 c0 91 d40500").Root().Index(1).Any()
	fails(t, "a hook", err, ErrHook, 3, "[1][0]")
}

// TestDocumentConcurrent reads one Document from many goroutines.
func TestDocumentConcurrent(t *testing.T) {
	data := samples.Users(30)
	doc, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := Any(data)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i, u := range doc.Root().Get("users").Elements() {
				if id, err := u.Get("id").Int(); err != nil || id != int64(1000+i) {
					t.Errorf("user %d: %d, %v", i, id, err)
				}
				_ = u.Get("none").Err().Error()
			}
			if v, err := doc.Root().Any(); err != nil || !reflect.DeepEqual(v, want) {
				t.Errorf("other values, %v", err)
			}
		})
	}
	wg.Wait()
}
