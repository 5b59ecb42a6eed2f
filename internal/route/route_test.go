package route

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func join(steps ...string) string {
	return Join(len(steps), func(b []byte, i int) []byte { return append(b, steps[i]...) })
}

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		step []byte
		want string
	}{
		{Index(nil, 0), "[0]"},
		{Index(nil, 1<<40), "[1099511627776]"},
		{Key(nil, "name"), ".name"},
		{Key(nil, "_x9"), "._x9"},
		{Key(nil, "été"), ".été"},
		{Key(nil, ""), `[""]`},
		{Key(nil, "9x"), `["9x"]`},
		{Key(nil, "a-b"), `["a-b"]`},
		{Key(nil, "a\x1b[2J\"\n"), `["a\x1b[2J\"\n"]`},
		{Key(nil, "\xff"), `["\xff"]`},
		{Key(nil, "\u202e"), `["\u202e"]`},
		{Key(nil, []byte("name")), ".name"},
		{Key(nil, strings.Repeat("a", 32)), "." + strings.Repeat("a", 32)},
		{Key(nil, strings.Repeat("a", 33)), `["` + strings.Repeat("a", 32) + `"...]`},
		{Other(nil, "nil"), "{nil}"},
		{Bin(nil, "a\x00"), `{"a\x00"}`},
	} {
		if string(c.step) != c.want {
			t.Errorf("step %s, want %s", c.step, c.want)
		}
	}
}

func TestJoin(t *testing.T) {
	for want, got := range map[string]string{
		"":              join(),
		"users[3].name": join(".users", "[3]", ".name"),
		"[0][1]":        join("[0]", "[1]"),
		`["a b"].c`:     join(`["a b"]`, ".c"),
	} {
		if got != want {
			t.Errorf("path %q, want %q", got, want)
		}
	}
}

// TestJoinBounds holds paths of any depth and width to 256 bytes: whole if they fit,
// else the outermost and the innermost steps around a gap.
func TestJoinBounds(t *testing.T) {
	worst := string(Key(nil, strings.Repeat("\xff", 40)))
	for _, step := range []string{"[0]", ".a", worst, ".été", "." + strings.Repeat("a", 32)} {
		for n := range 300 {
			asked := 0
			got := Join(n, func(b []byte, i int) []byte {
				asked++
				s := fmt.Sprint(step, i)
				return append(b, s...)
			})
			whole := strings.TrimPrefix(func() (s string) {
				for i := range n {
					s += fmt.Sprint(step, i)
				}
				return s
			}(), ".")
			switch {
			case len(got) > MaxLen:
				t.Fatalf("%d steps of %q take %d bytes", n, step, len(got))
			case got == whole:
			case len(whole) <= MaxLen-1:
				t.Fatalf("%d steps of %q fit, but are cut: %q", n, step, got)
			case !strings.Contains(got, gap) || !strings.HasSuffix(whole, got[strings.LastIndex(got, gap)+len(gap):]):
				t.Fatalf("%d steps of %q: %q is not the two ends of the path", n, step, got)
			case asked > MaxLen:
				t.Fatalf("%d steps of %q: asked for %d", n, step, asked)
			case !utf8.ValidString(got):
				t.Fatalf("%d steps of %q: %q", n, step, got)
			}
		}
	}
}

// TestJoinAtTheBound has a path of 256 bytes, which stays whole, and one of 257.
func TestJoinAtTheBound(t *testing.T) {
	path := func(last string) string {
		return Join(64, func(b []byte, i int) []byte {
			if i == 63 {
				return append(b, last...)
			}
			return append(b, "[10]"...)
		})
	}
	whole := strings.Repeat("[10]", 63)
	if got := path("[11]"); got != whole+"[11]" || len(got) != 256 {
		t.Errorf("a path of 256 bytes is cut to %q", got)
	}
	if got, want := path("[111]"), whole[:28*4]+"..."+whole[:34*4]+"[111]"; got != want {
		t.Errorf("a path of 257 bytes is cut to %q, want %q", got, want)
	}
}
