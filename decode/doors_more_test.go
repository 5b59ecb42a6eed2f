package decode

import (
	"errors"
	"fmt"
	"testing"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/walk"
)

// appends shows what was in the key before.
type appends struct{ s string }

func (a *appends) UnmarshalText(p []byte) error    { a.s += string(p); return nil }
func (a *appends) UnmarshalMsgpack(p []byte) error { a.s += string(p); return nil }

type nanKey float64

func (k *nanKey) UnmarshalText([]byte) error {
	zero := nanKey(0)
	*k = zero / zero
	return nil
}

// TestDoorKeys: each key starts from zero, is none that never equals itself, and no ext.
func TestDoorKeys(t *testing.T) {
	var m map[appends]int
	if err := Unmarshal(hexdoc.Must("82 01 01 02 02"), &m); err != nil || len(m) != 2 || m[appends{"\x02"}] != 2 {
		t.Errorf("%v, %v", m, err)
	}
	for doc, into := range map[string]any{"81 a161 01": new(map[nanKey]int), "81 d40500 01": new(map[appends]int), "81 80 01": new(map[appends]int), "81 c0 01": new(map[appends]int)} {
		err := Unmarshal(hexdoc.Must(doc), into)
		if off, _ := offsetOf(err); off != 1 || !errors.Is(err, ErrKeyType) {
			t.Errorf("%s: %v", doc, err)
		}
	}
}

// TestFromCursorLastLevel: the shortcuts inside FromCursor know the levels around it, and the
// Cursor those that are complete.
func TestFromCursorLastLevel(t *testing.T) {
	defer func() { onCursor = nil }()
	onCursor = func(_ *byFunc, c *walk.Cursor) error {
		if _, err := c.Next(); err != nil {
			return err
		}
		return FromCursor(c, new(ownSlice))
	}
	for _, n := range []int{3, 8, 9, 30} {
		doc := hexdoc.Must(fmt.Sprintf("91*%d 9190", n-2))
		if err := (Options{Limits: Limits{MaxDepth: n}}).Must().Unmarshal(doc, new(byFunc)); err != nil {
			t.Errorf("%d levels: %v", n, err)
		}
		err := Options{Limits: Limits{MaxDepth: n - 2}}.Must().Unmarshal(doc, new(byFunc))
		if off, _ := offsetOf(err); !errors.Is(err, ErrMaxDepth) || off != n-2 {
			t.Errorf("%d levels where two less are allowed: %v", n, err)
		}
	}
	onCursor = func(_ *byFunc, c *walk.Cursor) error {
		for range 3 {
			if _, err := c.Next(); err != nil {
				return err
			}
		}
		return FromCursor(c, new([]int))
	}
	if err := (Options{Limits: Limits{MaxDepth: 2}}).Must().Unmarshal(hexdoc.Must("92 9105 9106"), new(byFunc)); err != nil {
		t.Errorf("after a container that is complete: %v", err)
	}
	onCursor = func(_ *byFunc, c *walk.Cursor) error {
		if _, err := c.Next(); err != nil {
			return err
		}
		return FromCursor(c, new([]int))
	}
	err := Options{Limits: Limits{MaxDepth: 1}}.Must().Unmarshal(hexdoc.Must("91 9105"), new(byFunc))
	if off, _ := offsetOf(err); !errors.Is(err, ErrMaxDepth) || off != 1 {
		t.Errorf("a slice that a shortcut opens: %v", err)
	}
}
