package fuzz

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

func FuzzWalk(f *testing.F) {
	for i, doc := range seeds(f) {
		f.Add(doc, uint16(0), uint16(0), uint16(0))
		f.Add(doc, uint16(i%12), uint16(i%len(written)), uint16(i%30))
	}
	f.Fuzz(func(t *testing.T, data []byte, depth, size, items uint16) {
		if len(data) > maxSize {
			return
		}
		given := bounds.Limits{MaxDepth: int(depth), MaxBytes: int(size), MaxItems: int(items)}
		limits, err := given.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		want := specified(data, limits)
		for choice := range 4 * len(tier.Offered()) {
			set, inline, run := tier.Offered()[choice/4], choice&1 == 0, choice&2 == 0
			restore := []func(){
				tier.Use(set), tier.Set(tier.WalkInline, inline),
				tier.Set(tier.WalkOneByteRun, run), tier.Set(tier.WalkStrideRun, run),
			}
			n, err := walk.Len(data, given)
			check := walk.Check(data, given)
			for _, f := range restore {
				f()
			}
			expect(t, fmt.Sprintf("Len on %v, inline %v, runs %v", set, inline, run), want, n, err)
			if (check == nil) != (err == nil) || check != nil && check.Error() != err.Error() {
				t.Fatalf("Check says %v, Len %v", check, err)
			}
		}
		paths := drained(t, data, given, want)
		if want.reason == nil {
			skipped(t, data, given, want)
		}
		for offset, path := range paths {
			if got := walk.PathAt(data, offset); got != path {
				t.Fatalf("PathAt(%d) is %q, Path of the cursor there %q", offset, got, path)
			}
		}
		for _, offset := range []int64{-1, int64(want.offset), int64(len(data)), int64(len(data)) + 1, int64(derived(data) >> 1)} {
			if path := walk.PathAt(data, offset); len(path) > 256 {
				t.Fatalf("PathAt(%d) is %d bytes long", offset, len(path))
			}
		}
	})
}

func expect(t *testing.T, who string, want verdict, end int, err error) {
	t.Helper()
	if want.reason == nil {
		if err != nil || end != want.end {
			t.Fatalf("%s: %d, %v, want %d", who, end, err, want.end)
		}
		return
	}
	var e *bounds.Error
	if !errors.As(err, &e) || e.Reason != want.reason || e.Offset != int64(want.offset) {
		t.Fatalf("%s: %d, %v, want %v at %d", who, end, err, want.reason, want.offset)
	}
}

// drained reads data with a cursor to its end, holds that against want, and returns the
// paths of some of the items by their offsets.
func drained(t *testing.T, data []byte, limits bounds.Limits, want verdict) map[int64]string {
	c, err := walk.NewCursor(data, limits)
	if err != nil {
		t.Fatal(err)
	}
	paths := map[int64]string{}
	for {
		tok, err := c.Next()
		if errors.Is(err, io.EOF) {
			expect(t, "Cursor", want, c.Offset(), nil)
			return paths
		}
		if err != nil {
			expect(t, "Cursor", want, 0, err)
			if _, again := c.Next(); !errors.Is(again, err) {
				t.Fatalf("Cursor refuses with %v, then %v", err, again)
			}
			return paths
		}
		if len(paths) < 8 {
			paths[int64(tok.Offset)] = c.Path()
		}
	}
}

// skipped reads the items of the root one by one without looking into them; data is
// accepted.
func skipped(t *testing.T, data []byte, limits bounds.Limits, want verdict) {
	c, err := walk.NewCursor(data, limits)
	if err != nil {
		t.Fatal(err)
	}
	root, err := c.Next()
	if err != nil {
		t.Fatal(err)
	}
	for range root.Items() {
		at := c.Offset()
		raw, err := c.Raw()
		if err != nil || len(raw) != c.Offset()-at || &raw[0] != &data[at] || c.Depth() != 1 {
			t.Fatalf("Raw at %d: %d bytes, %v", at, len(raw), err)
		}
	}
	expect(t, "Skip", want, c.Offset(), nil)
	if err := c.Skip(); !errors.Is(err, io.EOF) {
		t.Fatalf("Skip after the end: %v", err)
	}
}
