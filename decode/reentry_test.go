package decode

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

// viaUnmarshal decodes itself by a call of its own.
type viaUnmarshal struct{ in []viaUnmarshal }

func (v *viaUnmarshal) UnmarshalMsgpack(p []byte) error { return Unmarshal(p, &v.in) }

// counted returns the headers that decoding doc into v read without the step, by both loops.
func counted(t *testing.T, doc []byte, v any) (walked, decoded int64) {
	t.Helper()
	walked = tier.Counted(tier.WalkInline, func() {
		decoded = tier.Counted(tier.DecodeInline, func() {
			if err := Unmarshal(doc, v); err != nil {
				t.Fatal(err)
			}
		})
	})
	return walked, decoded
}

// TestReentry: a thousand elements, nested ten deep. Methods that get bytes read each header
// once for each level around it, those that get a Cursor once in all.
func TestReentry(t *testing.T) {
	const depth = 10
	doc := func(n int) []byte {
		d := hexdoc.Must(fmt.Sprintf("dd 00000000 %s", ""))
		d[3], d[4] = byte(n>>8), byte(n)
		return append(d, hexdoc.Must(strings.Repeat(strings.Repeat("91", depth-1)+"90 ", n))...)
	}
	walked := map[int]int64{}
	for _, n := range []int{1000, 2000} {
		var v []viaUnmarshal
		walked[n], _ = counted(t, doc(n), &v)
		deep := 0
		for at := v; len(at) > 0; at = at[0].in {
			deep++
		}
		if len(v) != n || deep != depth {
			t.Errorf("%d elements of %d levels", len(v), deep)
		}
		// Each level is passed once by each that is around it, and once as its own; the ninth
		// of the 9 and 10 levels of the first two is opened by the step.
		if want := int64(n) * (depth*(depth+1)/2 - 2); walked[n] != want {
			t.Errorf("%d elements: %d headers walked, want %d", n, walked[n], want)
		}
		// FromCursor: once, by one loop or another. Those of the Cursor itself are read by the
		// step.
		var cs []tree
		w, d := counted(t, doc(n), &cs)
		if len(cs) != n || w != 0 || d != 0 {
			t.Errorf("%d elements of a Cursor: %d walked, %d decoded", n, w, d)
		}
	}
	if walked[2000] != 2*walked[1000] {
		t.Errorf("%v", walked)
	}
	// What is decoded in the innermost FromCursor is read once, however deep that is.
	defer func() { onCursor = nil }()
	onCursor = func(b *byFunc, c *walk.Cursor) error {
		if b.N++; b.N < depth {
			return FromCursor(c, b)
		}
		return FromCursor(c, new([]int))
	}
	ints := hexdoc.Must("dc03e8 05*1000")
	defer tier.Set(tier.DecodeBulk, false)() // which counts apart
	once := tier.Counted(tier.DecodeInline, func() {
		if err := Unmarshal(ints, new([]int)); err != nil {
			t.Fatal(err)
		}
	})
	var b byFunc
	w, d := counted(t, ints, &b)
	if b.N != depth || w != 0 || d != once || once < 1000 {
		t.Errorf("%d deep: %d walked, %d decoded, want %d", b.N, w, d, once)
	}
}

// TestReentryAtMaxDepth: by both ways into themselves, down to the last level allowed.
func TestReentryAtMaxDepth(t *testing.T) {
	const most = bounds.DefaultMaxDepth
	for _, n := range []int{most, most + 1} {
		doc := hexdoc.Must(fmt.Sprintf("91*%d 90", n-1))
		for _, v := range []any{new(tree), new(viaUnmarshal)} {
			err := Unmarshal(doc, v)
			if n == most {
				if err != nil {
					t.Errorf("%T: %v", v, err)
				}
				continue
			}
			if off, _ := offsetOf(err); !errors.Is(err, ErrMaxDepth) || off != most {
				t.Errorf("%T: %v, want ErrMaxDepth at %d", v, err, most)
			}
		}
	}
	if unsafe.Sizeof(state{}) > 8<<10 {
		t.Errorf("a level of re-entry takes %d bytes of stack and more", unsafe.Sizeof(state{}))
	}
	t.Logf("a state is %d bytes", unsafe.Sizeof(state{}))
}

// TestItemsOfReentry: the items of an inner call are among those of the outer.
func TestItemsOfReentry(t *testing.T) {
	doc := hexdoc.Must("92 93010203 93010203")
	defer func() { onCursor = nil }()
	onCursor = func(_ *byFunc, c *walk.Cursor) error { return FromCursor(c, new([]int)) }
	for _, v := range []any{new([]byFunc), new([]skipsMsgpack)} {
		if err := (Options{Limits: Limits{MaxItems: 9}}).Must().Unmarshal(doc, v); err != nil {
			t.Errorf("%T: %v", v, err)
		}
		err := Options{Limits: Limits{MaxItems: 8}}.Must().Unmarshal(doc, v)
		var b *bounds.Error
		if !errors.As(err, &b) || b.Reason != ErrMaxItems || b.Offset != 5 || b.Need != 9 {
			t.Errorf("%T: %v", v, err)
		}
	}
}

type skipsMsgpack struct{}

func (skipsMsgpack) UnmarshalMsgpack(p []byte) error { return Unmarshal(p, new([]int)) }

var stackAt []uintptr

func note() {
	var here byte
	stackAt = append(stackAt, uintptr(unsafe.Pointer(&here)))
}

type stackBytes struct{ in []stackBytes }

func (v *stackBytes) UnmarshalMsgpack(p []byte) error {
	note()
	return Unmarshal(p, &v.in)
}

type stackCursor struct{ in *stackCursor }

func (v *stackCursor) UnmarshalCursor(c *walk.Cursor) error {
	note()
	t, err := c.Next()
	if err != nil || t.N == 0 {
		return err
	}
	return FromCursor(c, &v.in)
}

// TestStackOfReentry measures what a level of re-entry takes of the stack, which the package
// documentation says.
func TestStackOfReentry(t *testing.T) {
	for _, v := range []any{new(stackBytes), new(stackCursor)} {
		stackAt = nil
		if err := Unmarshal(hexdoc.Must("91*999 90"), v); err != nil {
			t.Fatal(err)
		}
		sizes := map[uintptr]int{} // most levels find the stack where the one before did
		most := uintptr(0)
		for i := range stackAt[1:] {
			size := stackAt[i] - stackAt[i+1]
			if sizes[size]++; sizes[size] > sizes[most] {
				most = size
			}
		}
		t.Logf("%T: %d bytes a level", v, most)
		if len(stackAt) != 1000 || sizes[most] < 900 || most > 6<<10 && !probe.Race {
			t.Errorf("%T: %d levels, %d bytes each", v, len(stackAt), most)
		}
	}
}
