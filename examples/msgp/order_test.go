package msgp

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/boundpack/boundpack/decode"
)

// watched counts the calls of the generated method.
type watched struct {
	Order
	calls int
}

func (w *watched) UnmarshalMsg(b []byte) ([]byte, error) {
	w.calls++
	return w.Order.UnmarshalMsg(b)
}

var order = Order{
	ID: 7, Customer: "Grace", Tags: []string{"new"},
	Lines:    []Line{{"A-1", 2, 9.5}, {"B-2", 1, 100}},
	Replaces: &Order{ID: 6, Customer: "Grace", Lines: []Line{}, Tags: []string{}},
}

func packed(t testing.TB, o *Order) []byte {
	t.Helper()
	doc, err := o.MarshalMsg(nil)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func Example() {
	// What msgp wrote, the generated method reads, behind our limits.
	doc, _ := order.MarshalMsg(nil)
	o, err := decode.To[Order](doc)
	fmt.Println(o.Customer, len(o.Lines), o.Replaces.ID, err)

	// A document that nests deeper than an order has reason to.
	d := decode.Options{Limits: decode.Limits{MaxDepth: 16}}.Must()
	hostile := bytes.Repeat([]byte("\x81\xa8replaces"), 20)
	fmt.Println(d.Unmarshal(append(hostile, 0xc0), &o))
	// Output:
	// Grace 2 6 <nil>
	// msgpack document nests deeper than 16 levels (at byte 160)
}

// TestGenerated holds order_gen.go to what the generator makes of order.go.
func TestGenerated(t *testing.T) {
	dir := t.TempDir()
	source, err := os.ReadFile("order.go")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "order.go"), source, 0o600); err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(dir, "order_gen.go")
	cmd := exec.Command("go", "tool", "msgp", "-file", filepath.Join(dir, "order.go"), "-o", made, "-io=false", "-tests=false")
	// It runs on this machine, whatever the test is built for.
	cmd.Env = append(os.Environ(), "GOOS=", "GOARCH=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	want, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("order_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) || len(want) < 1000 {
		t.Errorf("order_gen.go, %d bytes, is not what the generator makes, %d bytes: run go generate", len(got), len(want))
	}
}

// TestGood: the generated method is what decodes, at the root and in other types, and sees
// one value.
func TestGood(t *testing.T) {
	doc := packed(t, &order)
	var w watched
	if err := decode.Unmarshal(doc, &w); err != nil || w.calls != 1 || !bytes.Equal(packed(t, &w.Order), doc) {
		t.Errorf("%+v after %d calls, %v", w.Order, w.calls, err)
	}
	list := append(append(append([]byte{0x93}, doc...), doc...), 0xc0)
	var all []*watched
	if err := decode.Unmarshal(list, &all); err != nil || len(all) != 3 || all[0].calls != 1 || !bytes.Equal(packed(t, &all[1].Order), doc) || all[2] != nil {
		t.Errorf("%v, %v", all, err)
	}
}

// TestHostile: what would cost too much is refused by us, before any generated code runs.
func TestHostile(t *testing.T) {
	const levels = 5000
	deep := append(bytes.Repeat([]byte("\x81\xa8replaces"), levels), 0xc0)
	overclaim := []byte("\x81\xa5lines\xdd\x00\x20\x00\x00\xc0")
	for _, c := range []struct {
		name   string
		doc    []byte
		reason error
		offset int64
	}{
		{"deep", deep, decode.ErrMaxDepth, 10 * 1024},
		{"an over-claim", overclaim, decode.ErrOwed, 7},
		{"cut", packed(t, &order)[:40], decode.ErrOwed, 28},
		{"a str that is not UTF-8", []byte("\x81\xa8customer\xa1\xff"), decode.ErrUTF8, 11},
		{"a reserved marker", []byte("\x81\xa8customer\xc1"), decode.ErrReserved, 10},
	} {
		var w watched
		err := decode.Unmarshal(c.doc, &w)
		at, _ := decode.OffsetOf(err)
		if !errors.Is(err, c.reason) || at != c.offset {
			t.Errorf("%s: %v, want %v at %d", c.name, err, c.reason, c.offset)
		}
		if w.calls != 0 {
			t.Errorf("%s: the generated method was called", c.name)
		}
	}
	// What it refuses itself is ErrHook, with its error inside.
	err := decode.Unmarshal([]byte("\x91\x81\xa8customer\x05"), new([]Order))
	if at, _ := decode.OffsetOf(err); at != 1 || !errors.Is(err, decode.ErrHook) {
		t.Errorf("an int for a string: %v", err)
	}

	// Without us the generated code follows all the levels, and makes what was claimed.
	if _, err := new(Order).UnmarshalMsg(deep); err != nil {
		t.Errorf("the control: %v", err)
	}
	spent := func(f func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if n := spent(func() { _, _ = new(Order).UnmarshalMsg(overclaim) }); n < 2<<20*24 {
		t.Errorf("the control made %d bytes", n)
	}
	if n := spent(func() { _ = decode.Unmarshal(overclaim, new(Order)) }); n > 64<<10 {
		t.Errorf("%d bytes were made to refuse an over-claim", n)
	}
}
