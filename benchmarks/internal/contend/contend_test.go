package contend

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tinylib/msgp/msgp"

	"github.com/boundpack/boundpack/internal/samples"
)

// TestWorkloadsAgree runs every contender of every workload on every document
// that the reports are about.
func TestWorkloadsAgree(t *testing.T) {
	for _, s := range samples.All() {
		doc := s.Make()
		for _, w := range Workloads() {
			if !slices.Contains(w.Documents(), s.Name) {
				continue
			}
			if err := w.Agree(doc); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
	}
}

// TestTexts: each is as long as it says, and what it says; all contenders agree on it.
func TestTexts(t *testing.T) {
	w := utf8Workload()
	for _, name := range w.Documents() {
		d, err := Sample(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := d.Load()
		if err != nil {
			t.Fatal(err)
		}
		if want := name[strings.Index(name, "-")+1:]; strconv.Itoa(len(p)) != want {
			t.Errorf("%s is %d bytes long", name, len(p))
		}
		if ascii := !strings.ContainsFunc(string(p), func(r rune) bool { return r > 127 }); ascii != strings.HasPrefix(name, "ascii") {
			t.Errorf("%s is ASCII: %v", name, ascii)
		}
		if err := w.Agree(p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWorkloadsAreNamed(t *testing.T) {
	for _, w := range Workloads() {
		if _, err := FindWorkload(w.Name); err != nil {
			t.Error(err)
		}
		if _, err := w.Find(w.Baseline); err != nil {
			t.Errorf("baseline: %v", err)
		}
		seen := map[string]bool{}
		for _, c := range w.Contenders {
			if seen[c.Name] || strings.ContainsAny(c.Name, ",/ ") {
				t.Errorf("%s/%s cannot be named on a command line", w.Name, c.Name)
			}
			seen[c.Name] = true
		}
	}
}

// TestAgreeRefuses has one contender of each kind whose times would be a lie.
func TestAgreeRefuses(t *testing.T) {
	refused := errors.New("refused")
	honest := making("honest", func(doc []byte) (any, error) {
		if len(doc) < 2 {
			return nil, refused
		}
		return int64(doc[1]), nil
	})
	doc := []byte{0xcc, 0x80}
	for _, c := range []struct {
		other Contender
		want  string // in the error; empty for none
	}{
		{making("twin", honest.Value), ""},
		{Contender{Name: "walks", Run: honest.Run}, ""},
		{making("refuses", func([]byte) (any, error) { return nil, refused }), "walk/refuses: refused"},
		{making("looks away", func([]byte) (any, error) { return int64(0x80), nil }), "without its last byte"},
		{making("errs", func(doc []byte) (any, error) { return int64(127), honest.Run(doc) }), "honest and errs differ"},
	} {
		w := Workload{Name: "walk", Contenders: []Contender{honest, c.other}}
		err := w.Agree(doc)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.other.Name, err, c.want)
		}
	}
}

func TestSame(t *testing.T) {
	now := time.Date(2026, time.November, 30, 12, 0, 0, 1, time.UTC)
	zero := 0.0
	for _, c := range []struct {
		a, b any
		want string // the error; empty for none
	}{
		{nil, nil, ""},
		{true, true, ""},
		{"a", "a", ""},
		{[]byte("a"), []byte("a"), ""},
		{int64(7), uint64(7), ""},
		{int8(-7), int64(-7), ""},
		{float32(0.5), 0.5, ""},
		{math.NaN(), math.NaN(), ""},
		{now, now.In(time.FixedZone("east", 3600)), ""},
		{msgp.RawExtension{Type: 3, Data: []byte("a")}, &msgp.RawExtension{Type: 3, Data: []byte("a")}, ""},
		{[]any{int64(1), map[string]any{"k": "v"}}, []any{uint64(1), map[string]any{"k": "v"}}, ""},
		{nil, false, ": <nil> <nil> against bool false"},
		{int64(-1), uint64(math.MaxUint64), ": int64 -1 against uint64 0xffffffffffffffff"},
		{int64(1), 1.0, ": int64 1 against float64 1"},
		{zero, -1 / math.Inf(1), ": float64 0 against float64 -0"},
		{"a", []byte("a"), `: string "a" against []uint8 []byte{0x61}`},
		{complex(1, 0), complex(1, 0), ": complex128 (1+0i) against complex128 (1+0i)"},
		{[]any{"a", "b"}, []any{"a", "c"}, `[1]: string "b" against string "c"`},
		{[]any{"a"}, []any{}, ": 1 elements against 0"},
		{map[string]any{"k": []any{nil}}, map[string]any{"k": []any{true}}, ".k[0]: <nil> <nil> against bool true"},
		{map[string]any{"k": nil}, map[string]any{"l": nil}, ".k: only in one"},
		{map[string]any{"k": nil}, map[string]any{}, ": 1 keys against 0"},
		{map[string]any{}, []any{}, ": map[string]interface {} map[string]interface {}{} against []interface {} []interface {}{}"},
	} {
		got := ""
		if err := Same(c.a, c.b); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("Same(%#v, %#v): %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

func TestCountValues(t *testing.T) {
	if n, err := CountValues(samples.Users(100)); n != 2009 || err != nil {
		t.Errorf("%d values, %v, want 2009", n, err)
	}
	if _, err := CountValues([]byte{0x91}); err == nil {
		t.Error("counted a document that is cut")
	}
}
