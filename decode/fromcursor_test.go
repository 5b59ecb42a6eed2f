package decode

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// byFunc is asked with a Cursor, and does what the test wants.
type byFunc struct{ N int }

var onCursor func(*byFunc, *walk.Cursor) error

func (b *byFunc) UnmarshalCursor(c *walk.Cursor) error { return onCursor(b, c) }

// tree decodes itself through a Cursor: an array of trees.
type tree struct{ in []tree }

var treeDecoder = standard

func (r *tree) UnmarshalCursor(c *walk.Cursor) error {
	t, err := c.Next()
	if err != nil {
		return err
	}
	if t.Kind != walk.Array {
		return nil
	}
	r.in = make([]tree, t.N)
	for i := range r.in {
		if err := treeDecoder.FromCursor(c, &r.in[i]); err != nil {
			return err
		}
	}
	return nil
}

// TestCursorDuties: what a method does with its Cursor decides, not what it returns.
func TestCursorDuties(t *testing.T) {
	defer func() { onCursor = nil }()
	var kept *walk.Cursor
	next := func(c *walk.Cursor, n int) error {
		for range n {
			if _, err := c.Next(); err != nil {
				return err
			}
		}
		return nil
	}
	for _, c := range []struct {
		name   string
		doc    string
		f      func(*byFunc, *walk.Cursor) error
		reason error
		off    int
	}{
		{"reads all", "92 9201c3 05", func(_ *byFunc, c *walk.Cursor) error { return c.Skip() }, nil, 0},
		{"reads up to the end", "92 9201c3 05", func(_ *byFunc, c *walk.Cursor) error {
			err := c.Skip()
			if _, end := c.Next(); end != io.EOF {
				t.Errorf("behind the value: %v", end)
			}
			return err
		}, nil, 0},
		{"reads nothing", "92 9201c3 05", func(*byFunc, *walk.Cursor) error { return nil }, ErrHook, 1},
		{"reads half", "92 05 9201c3", func(_ *byFunc, c *walk.Cursor) error { return next(c, 1) }, ErrHook, 2},
		{"refuses when all is read", "92 05 9201c3", func(_ *byFunc, c *walk.Cursor) error { _ = c.Skip(); return errRefused }, errRefused, 1},
		{"swallows a refusal", "91 92 c0 92c3", func(_ *byFunc, c *walk.Cursor) error { _ = next(c, 9); return nil }, ErrOwed, 3},
		{"swallows a reserved marker", "92 92 c0c1 01", func(_ *byFunc, c *walk.Cursor) error { _ = next(c, 9); return nil }, ErrReserved, 3},
		{"swallows a wrong str", "91 92 c0a1ff", func(_ *byFunc, c *walk.Cursor) error { _ = next(c, 9); return nil }, ErrUTF8, 4},
		{"skips a wrong str", "91 92 c0a1ff", func(_ *byFunc, c *walk.Cursor) error { _ = c.Skip(); return nil }, ErrUTF8, 4},
		{"swallows a type", "91 92 c0a161", func(_ *byFunc, c *walk.Cursor) error {
			_ = next(c, 1)
			_ = FromCursor(c, new(int))
			if err := FromCursor(c, new(int)); !errors.Is(err, ErrType) {
				t.Errorf("%v", err)
			}
			_ = c.Skip()
			return errRefused
		}, ErrType, 3},
		{"resets it", "91 9201c3", func(_ *byFunc, c *walk.Cursor) error { kept = c; return c.Reset([]byte{1}, Limits{}) }, ErrHook, 1},
		{"resets and reads it", "91 9201c3", func(_ *byFunc, c *walk.Cursor) error { _ = c.Reset([]byte{1}, Limits{}); return c.Skip() }, ErrHook, 1},
		{"resets it to nothing", "91 9201c3", func(_ *byFunc, c *walk.Cursor) error { _ = c.Reset(nil, Limits{MaxDepth: -1}); return nil }, ErrHook, 1},
		{"wants nothing a document could be", "91 9201c3", func(_ *byFunc, c *walk.Cursor) error {
			if err := FromCursor(c, 5); !errors.Is(err, ErrTarget) {
				t.Errorf("%v", err)
			}
			if err := FromCursor(c, new(chan int)); !errors.Is(err, ErrTarget) {
				t.Errorf("%v", err)
			}
			return c.Skip()
		}, nil, 0},
	} {
		onCursor = c.f
		var v []byFunc
		err := Unmarshal(hexdoc.Must(c.doc), &v)
		if c.reason == nil {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if off, _ := offsetOf(err); off != c.off || !errors.Is(err, c.reason) || errors.Is(err, errRefused) && c.reason != errRefused ||
			errors.Is(err, ErrHook) && c.reason != ErrHook && c.reason != errRefused {
			t.Errorf("%s: %v, want %v at %d", c.name, err, c.reason, c.off)
		}
	}
	// A Cursor that was Reset is its borrower's.
	if token, err := kept.Next(); err != nil || token.Kind != walk.Int {
		t.Errorf("a Cursor that was reset: %v, %v", token, err)
	}
}

// TestCursorPlace: depth, offset and path are those of the document, and so are those of a
// refusal by FromCursor.
func TestCursorPlace(t *testing.T) {
	defer func() { onCursor = nil }()
	doc := hexdoc.Must("81 a161 92 c0 81 a162 93 05 a161 c3")
	onCursor = func(_ *byFunc, c *walk.Cursor) error {
		at := func(want string) {
			if got := fmt.Sprint(c.Path(), " ", c.Offset(), " ", c.Depth()); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
		at("a[1] 5 2")
		for _, want := range []string{"a[1] 6 2", "a[1].b 8 3", "a[1].b 9 3", "a[1].b[0] 10 4"} {
			if _, err := c.Next(); err != nil {
				return err
			}
			at(want)
		}
		var s string
		if err := FromCursor(c, &s); err != nil || s != "a" {
			t.Errorf("%q, %v", s, err)
		}
		at("a[1].b[1] 12 4")
		err := FromCursor(c, &s)
		var e *Error
		if !errors.As(err, &e) || e.Offset != 12 || e.Path != "" || e.GoType != reflect.TypeFor[string]() || !errors.Is(err, ErrType) {
			t.Errorf("%#v", err)
		}
		at("a[1].b[1] 12 4")
		if _, again := c.Next(); again != err {
			t.Errorf("%v after %v", again, err)
		}
		return fmt.Errorf("wrapped: %w", err)
	}
	var v map[string][]byFunc
	err := Unmarshal(doc, &v)
	if e, ok := err.(*Error); !ok || e.Offset != 12 || e.Path != "a[1].b[2]" || e.GoType != reflect.TypeFor[string]() || errors.Is(err, ErrHook) {
		t.Errorf("%#v", err)
	}
	// A duplicate key of a map that is open in FromCursor comes before what is wrong in its value.
	onCursor = func(_ *byFunc, c *walk.Cursor) error { return FromCursor(c, new(map[string][]int)) }
	err = Unmarshal(hexdoc.Must("91 82 a161 90 a161 91c3"), &[]byFunc{})
	if e, ok := err.(*Error); !ok || e.Offset != 5 || e.Err != ErrDuplicateKey || e.Path != "[0].a" {
		t.Errorf("%v", err)
	}
	// And one of a map that is open around.
	err = Unmarshal(hexdoc.Must("82 a161 80 a161 81a162c3"), new(map[string]byFunc))
	if e, ok := err.(*Error); !ok || e.Offset != 4 || e.Err != ErrDuplicateKey {
		t.Errorf("%v", err)
	}
}

// TestDeadCursors: once its call has returned a Cursor refuses everything and panics at nothing.
func TestDeadCursors(t *testing.T) {
	defer func() { onCursor = nil }()
	var kept []*walk.Cursor
	onCursor = func(_ *byFunc, c *walk.Cursor) error { kept = append(kept, c); return c.Skip() }
	if err := Unmarshal(hexdoc.Must("92 9201c3 05"), new([]byFunc)); err != nil {
		t.Fatal(err)
	}
	if kept[0] != kept[1] {
		t.Error("a Cursor for each element")
	}
	onCursor = func(_ *byFunc, c *walk.Cursor) error { kept = append(kept, c); return errRefused }
	if err := Unmarshal(hexdoc.Must("9201c3"), new(byFunc)); !errors.Is(err, errRefused) {
		t.Error(err)
	}
	if kept[2] == kept[0] {
		t.Error("a Cursor went from one call to another")
	}
	for _, c := range kept[1:] {
		_, err := c.Next()
		_, raw := c.Raw()
		for _, err := range []error{err, raw, c.Skip(), FromCursor(c, new(any))} {
			if !errors.Is(err, ErrHook) || !strings.Contains(err.Error(), "has returned") {
				t.Errorf("%v", err)
			}
		}
		if c.Path() != "" || c.Offset() != 0 {
			t.Errorf("%q %d %d", c.Path(), c.Depth(), c.Offset())
		}
		if err := c.Reset([]byte{5}, Limits{}); err != nil || c.Skip() != nil {
			t.Errorf("reset: %v", err)
		}
	}
	// In the midst of FromCursor it is not for others, and not after a panic there.
	var outer *walk.Cursor
	depth := 0
	onCursor = func(_ *byFunc, c *walk.Cursor) error {
		if depth++; depth == 1 {
			outer = c
			if _, err := c.Next(); err != nil {
				return err
			}
			return FromCursor(c, new(byFunc))
		}
		if _, err := outer.Next(); !errors.Is(err, ErrHook) || !strings.Contains(err.Error(), "in use") {
			t.Errorf("%v", err)
		}
		if err := FromCursor(outer, new(any)); !errors.Is(err, ErrHook) {
			t.Errorf("%v", err)
		}
		return c.Skip()
	}
	if err := Unmarshal(hexdoc.Must("91 9105"), new([]byFunc)); err != nil {
		t.Error(err)
	}
	depth = 0
	onCursor = func(_ *byFunc, c *walk.Cursor) error {
		if depth++; depth == 2 {
			return outer.Reset([]byte{1, 2}, Limits{})
		}
		outer = c
		_, _ = c.Next()
		defer func() { _ = recover() }()
		return FromCursor(c, new(byFunc))
	}
	if err := Unmarshal(hexdoc.Must("91 9105"), new([]byFunc)); !errors.Is(err, ErrHook) {
		t.Errorf("reset within: %v", err)
	}
	onCursor = func(_ *byFunc, c *walk.Cursor) error {
		_, _ = c.Next()
		defer func() { _ = recover(); _ = c.Skip() }()
		return FromCursor(c, new(panics))
	}
	err := Unmarshal(hexdoc.Must("91 91a161"), new([]byFunc))
	if off, _ := offsetOf(err); off != 1 || !errors.Is(err, ErrHook) {
		t.Errorf("a panic that the method recovered from: %v", err)
	}
}

// TestFromCursorBounds: depth, items and memory are the outer document's, to the unit, in
// one call and in calls inside calls.
func TestFromCursorBounds(t *testing.T) {
	for _, n := range []int{1, 2, 8, 9, 20} {
		// In a map of the outer document, so that neither base is 0.
		doc := append(hexdoc.Must("81 a16b"), hexdoc.Must(fmt.Sprintf("91*%d 90", n-1))...)
		var v map[string]tree
		decode := func(l Limits) error { return Options{Limits: l}.Must().Unmarshal(doc, &v) }
		if err := decode(Limits{MaxDepth: n + 1}); err != nil {
			t.Errorf("%d levels: %v", n+1, err)
		}
		err := decode(Limits{MaxDepth: n})
		var b *bounds.Error
		if !errors.As(err, &b) || b.Reason != ErrMaxDepth || b.Offset != int64(len(doc)-1) || b.Limit != uint64(n) || b.Need != uint64(n)+1 {
			t.Errorf("%d levels where %d are allowed: %v", n+1, n, err)
		}
		items := 1 + 2 + n - 1
		if err := decode(Limits{MaxItems: items}); err != nil {
			t.Errorf("%d items: %v", items, err)
		}
		if items > 3 {
			err = decode(Limits{MaxItems: items - 1})
			if off, _ := offsetOf(err); !errors.Is(err, ErrMaxItems) || off != len(doc)-2 {
				t.Errorf("%d items where one less is allowed: %v", items, err)
			}
		}
	}
	// The same through frames of ours inside, beyond the inline levels: typed, any and skipped.
	defer func() { onCursor = nil }()
	for _, into := range []func() any{func() any { return new(any) }, func() any { return new(ownSlice) }, func() any { return new(RawMessage) }} {
		onCursor = func(_ *byFunc, c *walk.Cursor) error {
			if _, err := c.Next(); err != nil {
				return err
			}
			return FromCursor(c, into())
		}
		for _, n := range []int{3, 9, 30} {
			doc := hexdoc.Must(fmt.Sprintf("91*%d 90", n-1))
			if err := (Options{Limits: Limits{MaxDepth: n}}).Must().Unmarshal(doc, new([]byFunc)); err != nil {
				t.Errorf("%T, %d levels: %v", into(), n, err)
			}
			err := Options{Limits: Limits{MaxDepth: n - 1}}.Must().Unmarshal(doc, new([]byFunc))
			if off, _ := offsetOf(err); !errors.Is(err, ErrMaxDepth) || off != n-1 {
				t.Errorf("%T, %d levels where one less is allowed: %v", into(), n, err)
			}
		}
	}
}

// TestCursorMemory: a Cursor costs its block once a call, each byte that is read from it, and
// its levels beyond eight; FromCursor takes from the same budget.
func TestCursorMemory(t *testing.T) {
	defer func() { onCursor = nil }()
	cursor := price.Lone(uint64(unsafe.Sizeof(walk.Cursor{})), true)
	all := func(_ *byFunc, c *walk.Cursor) error {
		for {
			if _, err := c.Next(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	}
	str := func(_ *byFunc, c *walk.Cursor) error { return FromCursor(c, new(string)) }
	for _, c := range []struct {
		doc  string
		f    func(*byFunc, *walk.Cursor) error
		want uint64 // beside the slice of ints and the Cursor
		off  int    // where one byte less is refused
	}{
		{"91 05", all, 1, 1},
		{"93 05 05 9201c3", all, 5, 5},
		{"91 a3616263", all, 4, 1},
		{"91 c403616263", func(_ *byFunc, c *walk.Cursor) error { return c.Skip() }, 5, 1},
		{"91 a3616263", str, 4, 1}, // 8/7 of 3, up
		{"92 a3616263 a3646566", str, 8, 5},
		{"91 91*8 01", all, 9, 9},
		{"91 91*8 90", all, 9, 9},
		{"93 05 05 91*9 01", all, 12 + price.Block(2*32, false), 12},
		{"91 91*9 01", all, 10 + price.Block(2*32, false), 10}, // of the 10 bytes no more than one level
	} {
		onCursor = c.f
		doc := hexdoc.Must(c.doc)
		typ := reflect.TypeFor[[]byFunc]()
		need := chargedInto(t, Options{}, doc, typ)
		if n := uint64(doc[0] & 15); need-price.Lone(n*uint64(unsafe.Sizeof(byFunc{})), false)-cursor != c.want {
			t.Errorf("%s is charged %d beside the slice and the Cursor, want %d", c.doc, need-price.Lone(n*uint64(unsafe.Sizeof(byFunc{})), false)-cursor, c.want)
		}
		v := reflect.New(typ).Interface()
		if err := (Options{Limits: Limits{MaxMemory: int64(need)}}).Must().Unmarshal(doc, v); err != nil {
			t.Errorf("%s under its charge: %v", c.doc, err)
		}
		err := Options{Limits: Limits{MaxMemory: int64(need) - 1}}.Must().Unmarshal(doc, v)
		e, ok := err.(*Error)
		var b *bounds.Error
		if !ok || e.Offset != int64(c.off) || !errors.As(err, &b) || b.Reason != ErrMaxMemory || b.Limit != need-1 || b.Need != need {
			t.Errorf("%s under one less: %#v, want ErrMaxMemory at %d", c.doc, err, c.off)
		}
	}
}

// TestOwnCursor: a Cursor of the caller's own has one budget for all calls, and refusals are
// final.
func TestOwnCursor(t *testing.T) {
	doc := hexdoc.Must("94 a3616263 a3646566 05 82 a16101 a161c3")
	c, err := walk.NewCursor(doc, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Next(); err != nil {
		t.Fatal(err)
	}
	var a, b string
	d := Options{Limits: Limits{MaxMemory: 8}}.Must()
	if err := errors.Join(d.FromCursor(c, &a), d.FromCursor(c, &b)); err != nil || a != "abc" || b != "def" || c.Path() != "[1]" || c.Offset() != 9 {
		t.Errorf("%q %q %v %s", a, b, err, c.Path())
	}
	n := new(int)
	if err := d.FromCursor(c, &n); err != nil || *n != 5 {
		t.Errorf("a pointer that is there: %v", err)
	}
	err = d.FromCursor(c, new(map[string]int))
	if off, _ := offsetOf(err); off != 10 || !errors.Is(err, ErrMaxMemory) {
		t.Errorf("%v", err)
	}
	if again := d.FromCursor(c, new(any)); again != err {
		t.Errorf("%v after %v", again, err)
	}
	for _, limits := range []struct{ c, d int64 }{{8, 0}, {8, 100}, {0, 8}} {
		if err := c.Reset(hexdoc.Must("a3616263 05"), Limits{MaxMemory: limits.c}); err != nil {
			t.Fatal(err)
		}
		d := Options{Limits: Limits{MaxMemory: limits.d}}.Must()
		if err := d.FromCursor(c, &a); err != nil {
			t.Errorf("%v: %v", limits, err)
		}
		if err := d.FromCursor(c, &a); err != io.EOF {
			t.Errorf("at the end: %v", err)
		}
		if err := c.Reset(hexdoc.Must("a9 61*9"), Limits{MaxMemory: limits.c}); err != nil {
			t.Fatal(err)
		}
		if err := d.FromCursor(c, &a); !errors.Is(err, ErrMaxMemory) {
			t.Errorf("%v: %v", limits, err)
		}
	}
	// Here FromCursor is the outermost call: the structure of the whole is before meaning, and
	// there is a path.
	_ = c.Reset(hexdoc.Must("92 81a161c3 05"), Limits{})
	_, _ = c.Next()
	err = FromCursor(c, new(map[string]int))
	if e, ok := err.(*Error); !ok || e.Offset != 4 || e.Path != "[0].a" || e.Err != ErrType {
		t.Errorf("%#v", err)
	}
	_ = c.Reset(hexdoc.Must("92 81a161c3 c1"), Limits{})
	_, _ = c.Next()
	err = FromCursor(c, new(map[string]int))
	if off, _ := offsetOf(err); off != 5 || !errors.Is(err, ErrReserved) {
		t.Errorf("%v", err)
	}
	// Its limits are its own.
	_ = c.Reset(hexdoc.Must("91 9190"), Limits{MaxDepth: 2})
	_, _ = c.Next()
	err = FromCursor(c, new(any))
	if off, _ := offsetOf(err); off != 2 || !errors.Is(err, ErrMaxDepth) {
		t.Errorf("%v", err)
	}
	_ = c.Reset(hexdoc.Must("91 9190"), Limits{MaxDepth: 3})
	_, _ = c.Next()
	if err := (Options{Limits: Limits{MaxDepth: 1}}).Must().FromCursor(c, new(any)); err != nil {
		t.Error(err)
	}
}
