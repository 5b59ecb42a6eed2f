package walk

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/tier"
)

// TestAllocations: eight open levels cost nothing, the ninth does, however the
// levels are counted and read.
func TestAllocations(t *testing.T) {
	var c Cursor
	for _, on := range []bool{true, false} {
		restore := tier.Set(tier.WalkInline, on)
		for _, open := range []string{"91", "81a0"} {
			for _, leaf := range []string{"c0", "90", "80"} {
				for levels := range 12 {
					doc := hexdoc.Must(fmt.Sprintf("%s*%d %s", open, levels, leaf))
					want := 0.0
					if levels > bounds.InlineLevels {
						want = 1
					}
					for name, f := range map[string]func() error{
						"Check": func() error { return Check(doc, bounds.Limits{}) },
						"Valid": func() error { return Valid(doc, bounds.Limits{}) },
						"Len":   func() error { _, err := Len(doc, bounds.Limits{}); return err },
					} {
						if got := testing.AllocsPerRun(10, func() {
							if err := f(); err != nil {
								t.Fatal(err)
							}
						}); got != want {
							t.Errorf("inline %v: %s of %s*%d %s takes %v allocations, want %v", on, name, open, levels, leaf, got, want)
						}
					}
					// A Cursor keeps its stack, so that from its second document on
					// it takes none.
					if got := testing.AllocsPerRun(10, func() {
						if err := c.Reset(doc, bounds.Limits{}); err != nil {
							t.Fatal(err)
						}
						if _, err := drain(&c); err != nil {
							t.Fatal(err)
						}
					}); got != 0 {
						t.Errorf("a Cursor over %s*%d %s takes %v allocations", open, levels, leaf, got)
					}
				}
			}
		}
		restore()
	}
}

// TestRefusalIsCheap: refusing an over-claim costs the error and nothing else.
func TestRefusalIsCheap(t *testing.T) {
	for _, hex := range []string{"ddffffffff", "dfffffffff", "dbffffffff", "c9ffffffff05", "dcffff*2000", "91*8 dd7fffffff"} {
		doc := hexdoc.Must(hex)
		var err error
		size, objects := probe.Cold(func() { err = Check(doc, bounds.Limits{}) })
		if err == nil || objects != 1 || size > 100 {
			t.Errorf("refusing %s (%v) takes %d bytes in %d objects, want one of at most 100", hex, err, size, objects)
		}
	}
	// The positive control: the probe sees what a ninth level takes.
	doc := hexdoc.Must("91*9 c0*20")
	if size, objects := probe.Cold(func() { _ = Check(doc, bounds.Limits{}) }); objects != 1 || size < 64 {
		t.Errorf("nine levels take %d bytes in %d objects, want one of 64 at least", size, objects)
	}
}

// TestGrowthIsClipped: the heap part of a stack has no more levels than the document can
// still open, by its depth limit or by the bytes that are left.
func TestGrowthIsClipped(t *testing.T) {
	const threshold = 8 // bytes of a level of the walk
	frame := uint64(unsafe.Sizeof(level{}))
	for _, c := range []struct {
		hex    string
		limits bounds.Limits
		levels uint64 // beyond eight that it makes room for
	}{
		{"91*9 c0", bounds.Limits{}, 2},
		{"91*9 c0*4", bounds.Limits{}, 5},
		{"91*9 c0*40", bounds.Limits{}, 8},
		{"91*9 c0*40", bounds.Limits{MaxDepth: 9}, 1},
		{"91*9 c0*40", bounds.Limits{MaxDepth: 12}, 4},
		{"91*12 c0", bounds.Limits{}, 5},
	} {
		doc := hexdoc.Must(c.hex)
		check := func(name string, frame uint64, f func() error) {
			t.Helper()
			size, objects := probe.Cold(func() {
				if err := f(); err != nil {
					t.Error(err)
				}
			})
			if want := c.levels * frame; objects != 1 || size < want || size > want+want/4+8 { // size classes
				t.Errorf("%s of %s within %+v takes %d bytes in %d objects, want one of %d", name, c.hex, c.limits, size, objects, want)
			}
		}
		for _, on := range []bool{true, false} {
			restore := tier.Set(tier.WalkInline, on)
			check("Check", threshold, func() error { return Check(doc, c.limits) })
			restore()
		}
		cur := newCursor(t, doc, c.limits)
		check("Next", frame, func() error { _, err := drain(cur); return err })

		// Levels around the item count against the depth limit, not for the stack.
		inner := append(bytes.Repeat([]byte{0x91}, 3), doc...)
		if c.limits.MaxDepth > 0 {
			c.limits.MaxDepth += 3
		}
		cur = newCursor(t, inner, c.limits)
		for range 3 {
			if _, err := cur.Next(); err != nil {
				t.Fatal(err)
			}
		}
		check("Skip inside three levels", threshold, cur.Skip)
	}
}

// recursiveCheck is a walk as it must not be: it goes down with the document. It is
// what TestStackDoesNotGrow must be able to tell.
func recursiveCheck(doc []byte, off int, a bounds.Account, depth int, limits *bounds.Limits) (int, bounds.Account, error) {
	h, a, err := Step(doc, off, a, depth, limits)
	off += h.Size + h.Payload
	for i := 0; i < h.Items && err == nil; i++ {
		off, a, err = recursiveCheck(doc, off, a, depth+1, limits)
	}
	return off, a, err
}

// TestStackDoesNotGrow refuses a million levels in a child process whose goroutine
// stacks may hold little more than the test itself needs: recursion kills it, as that
// of recursiveCheck does in another.
func TestStackDoesNotGrow(t *testing.T) {
	const env = "BOUNDPACK_WALK_SMALL_STACK"
	child := os.Getenv(env)
	if child == "" {
		run := func(child string) (string, error) {
			// Under an emulator the child needs it too.
			args := append(strings.Fields(os.Getenv("BOUNDPACK_EMULATOR")), os.Args[0], "-test.run=^TestStackDoesNotGrow$", "-test.v")
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Env = append(os.Environ(), env+"="+child)
			out, err := cmd.CombinedOutput()
			return string(out), err
		}
		if out, err := run("iterative"); err != nil || !strings.Contains(out, "deep documents refused") {
			t.Errorf("in a child with a small stack: %v\n%.2000s", err, out)
		}
		if out, err := run("recursive"); err == nil || !strings.Contains(out, "stack overflow") || strings.Contains(out, "deep documents refused") {
			t.Errorf("a child that recurses lives on with a small stack: %v\n%.2000s", err, out)
		}
		return
	}
	debug.SetMaxStack(64 << 10)
	for name, check := range map[string]func([]byte) error{
		"Check": func(b []byte) error { return Check(b, bounds.Limits{}) },
		"Valid": func(b []byte) error { return Valid(b, bounds.Limits{}) },
		"Next": func(b []byte) error {
			_, err := drain(newCursor(t, b, bounds.Limits{}))
			return err
		},
		"Skip": func(b []byte) error { return newCursor(t, b, bounds.Limits{}).Skip() },
		"recursiveCheck": func(b []byte) error {
			limits := resolved(t, bounds.Limits{})
			_, _, err := recursiveCheck(b, 0, bounds.Open(len(b), &limits), 0, &limits)
			return err
		},
	} {
		if (name == "recursiveCheck") != (child == "recursive") {
			continue
		}
		for _, c := range []struct {
			hex string
			at  int64
		}{{"91*1000000 c0", 1024}, {"81a0*1000000 c0", 2048}} {
			doc := hexdoc.Must(c.hex)
			err := check(doc)
			if off, _ := bounds.OffsetOf(err); !errors.Is(err, ErrMaxDepth) || off != c.at {
				t.Errorf("%s of %s: %v, want ErrMaxDepth at %d", name, c.hex, err, c.at)
			}
			PathAt(doc, 1000000)
		}
	}
	fmt.Println("deep documents refused")
}

// BenchmarkStep is the cost of the header step itself, one header after another.
func BenchmarkStep(b *testing.B) {
	limits := resolved(b, bounds.Limits{})
	for _, item := range []string{"07", "a0", "cd0100", "d90161", "dc0000"} {
		const items = 1000
		doc := hexdoc.Must(fmt.Sprintf("dc03e8 %s*%d", item, items))
		b.Run(item, func(b *testing.B) {
			for b.Loop() {
				a := bounds.Open(len(doc), &limits)
				for off := 0; a.Owed() > 0; {
					h, next, err := Step(doc, off, a, 0, &limits)
					if err != nil {
						b.Fatal(err)
					}
					a, off = next, off+h.Size+h.Payload
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(items+1), "ns/header")
		})
	}
}
