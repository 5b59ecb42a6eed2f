package decode

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/samples"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

// TestRefusalIsCheap: a warm decoder refuses an over-claim for the price of its
// error.
func TestRefusalIsCheap(t *testing.T) {
	for _, hex := range []string{"ddffffffff", "dfffffffff", "dbffffffff", "c6ffffffff", "c9ffffffff05", "dcffff*2000"} {
		doc := hexdoc.Must(hex)
		var err error
		size, objects := probe.Warm(func() { _, err = Any(doc) })
		if probe.Race && err != nil {
			continue // the pool drops states at random under the race detector
		}
		if err == nil || objects != 1 || size > 100 {
			t.Errorf("refusing %s takes %d bytes in %d objects, want one of at most 100", hex, size, objects)
		}
	}
	// The positive control.
	doc := hexdoc.Must("dd00000100 c0*256")
	if size, _ := probe.Warm(func() { _, _ = Any(doc) }); size < 2048 {
		t.Errorf("an array of 256 takes %d bytes, want 2048 at least", size)
	}
}

// TestStackDoesNotGrow decodes documents as deep as they may be in a child process
// whose goroutine stacks may hold little more than the test itself needs.
func TestStackDoesNotGrow(t *testing.T) {
	const env = "BOUNDPACK_DECODE_SMALL_STACK"
	if os.Getenv(env) == "" {
		// Under an emulator the child needs it too.
		args := append(strings.Fields(os.Getenv("BOUNDPACK_EMULATOR")), os.Args[0], "-test.run=^TestStackDoesNotGrow$", "-test.v")
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append(os.Environ(), env+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil || !bytes.Contains(out, []byte("deep documents decoded and refused")) {
			t.Errorf("in a child with a small stack: %v\n%.2000s", err, out)
		}
		return
	}
	debug.SetMaxStack(64 << 10)
	for _, c := range []struct {
		hex string
		at  int64
	}{{"91*1000000 c0", 1024}, {"81a0*1000000 c0", 2048}} {
		v, err := Any(hexdoc.Must(c.hex))
		if off, _ := OffsetOf(err); v != nil || !errors.Is(err, ErrMaxDepth) || off != c.at {
			t.Errorf("%s: %v, %v, want ErrMaxDepth at %d", c.hex, v, err, c.at)
		}
	}
	deepest := Options{Limits: Limits{MaxDepth: bounds.CeilingMaxDepth, MaxMemory: 64 << 20}}.Must()
	v, err := deepest.Any(hexdoc.Must("91*65535 c0"))
	levels := 0
	for ; err == nil; levels++ {
		a, ok := v.([]any)
		if !ok {
			break
		}
		v = a[0]
	}
	if levels != bounds.CeilingMaxDepth || v != nil || err != nil {
		t.Errorf("65,535 levels: %d around %v, %v", levels, v, err)
	}
	fmt.Println("deep documents decoded and refused")
}

// TestPrefixesRefused: no prefix of a document decodes, and each is refused as the
// walk refuses it.
func TestPrefixesRefused(t *testing.T) {
	for _, doc := range [][]byte{samples.Users(1), samples.Formats(), hexdoc.Must("92 91*10 c0 91*10 c0")} {
		for n := range doc {
			v, err := Any(doc[:n])
			want := walk.Check(doc[:n], Limits{})
			if v != nil || want == nil || err == nil || err.Error() != want.Error() {
				t.Fatalf("prefix of %d of %d bytes: %v, %v, want %v", n, len(doc), v, err, want)
			}
		}
	}
}

// TestDepth decodes siblings of every depth around the eight inline levels, exactly
// at their limit and one past it.
func TestDepth(t *testing.T) {
	nest := func(n int) (v any) {
		for range n {
			v = []any{v}
		}
		return v
	}
	for a := range 11 {
		for b := range 11 {
			doc := hexdoc.Must(fmt.Sprintf("92 91*%d c0 91*%d c0", a, b))
			d := Options{Limits: Limits{MaxDepth: 1 + max(a, b)}}.Must()
			v, err := d.Any(doc)
			if err != nil || !reflect.DeepEqual(v, []any{nest(a), nest(b)}) {
				t.Errorf("siblings of %d and %d levels: %v, %v", a, b, v, err)
			}
			if max(a, b) == 0 {
				continue
			}
			d = Options{Limits: Limits{MaxDepth: max(a, b)}}.Must()
			want := int64(max(a, b))
			if a < b {
				want = int64(1 + a + b)
			}
			_, err = d.Any(doc)
			if off, _ := OffsetOf(err); !errors.Is(err, ErrMaxDepth) || off != want {
				t.Errorf("siblings of %d and %d levels, one too deep: %v, want ErrMaxDepth at %d", a, b, err, want)
			}
		}
	}
}

// TestInlineRuns proves that the inline shortcut reads the headers it is for, and none
// when it is off.
func TestInlineRuns(t *testing.T) {
	doc := hexdoc.Must("98 01 a161 91c0 81a0c3 ff d90161 ca3f800000 cd0100")
	for on, want := range map[bool]int64{true: 8, false: 0} {
		restore := tier.Set(tier.DecodeInline, on)
		n := tier.Counted(tier.DecodeInline, func() {
			if _, err := Any(doc); err != nil {
				t.Error(err)
			}
		})
		restore()
		if n != want {
			t.Errorf("inline %v: the shortcut read %d headers, want %d", on, n, want)
		}
	}
}

// TestTargets: what a destination must be.
func TestTargets(t *testing.T) {
	var s string
	for _, dst := range []any{nil, (*any)(nil), s, 1, []int{1}, (*string)(nil), any(1)} {
		if err := Unmarshal([]byte{1}, dst); !errors.Is(err, ErrTarget) {
			t.Errorf("Unmarshal into %T: %v, want ErrTarget", dst, err)
		}
		if rest, err := UnmarshalFirst([]byte{1}, dst); rest != nil || !errors.Is(err, ErrTarget) {
			t.Errorf("UnmarshalFirst into %T: %v, %v, want ErrTarget", dst, rest, err)
		}
	}
	var v any
	if err := Unmarshal([]byte{0xa1, 'x'}, &v); v != "x" || err != nil {
		t.Errorf("Unmarshal = %v, %v", v, err)
	}
	if err := Unmarshal([]byte{1, 2}, &v); v != "x" || !errors.Is(err, ErrTrailing) {
		t.Errorf("Unmarshal of two documents = %v, %v, want ErrTrailing", v, err)
	}
}

func TestOptions(t *testing.T) {
	if d, err := (Options{Limits: Limits{MaxDepth: -1}}).New(); d != nil || !errors.Is(err, ErrOptions) {
		t.Errorf("New = %v, %v, want ErrOptions", d, err)
	}
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, ErrOptions) {
			t.Errorf("Must panics with %v, want ErrOptions", err)
		}
	}()
	Options{Limits: Limits{MaxItems: -1}}.Must()
}

// TestNoAliases: nothing of the value is part of the input.
func TestNoAliases(t *testing.T) {
	doc := hexdoc.Must("84 a16b a176 a16c c40176 a16d d40576 a16e 91a176")
	v, err := Any(doc)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := Any(bytes.Clone(doc))
	clear(doc)
	if !reflect.DeepEqual(v, want) {
		t.Errorf("after the input was cleared: %v, want %v", v, want)
	}
}
