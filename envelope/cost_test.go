package envelope

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/walk"
)

// TestRefusalIsCheap: what is refused before the block is decoded costs the error and
// nothing near what it declares; what is refused by the block costs what it declares.
func TestRefusalIsCheap(t *testing.T) {
	block := strings.Repeat("\xff", 1000)
	legacy := func(size uint64) string {
		return "\x94" + ints(2, 0, block) + ints(0, 0, sum("")) + number(0xce, size) + "\xa0"
	}
	const most = 700
	for name, env := range map[string]string{
		"size over the cap":         made(block, sum(""), 512<<20+1, ""),
		"ratio":                     made(block, sum(""), 1000001, ""),
		"empty block":               made("", sum(""), 512<<20, ""),
		"layout":                    "\x95" + made(block, sum(""), 1000, "")[1:] + "\xc0",
		"size beyond 32 bits":       made(block, sum(""), 1<<32, ""),
		"scan":                      made(block, sum(""), 1000, "")[:1020],
		"ints, size over the cap":   legacy(512<<20 + 1),
		"ints, ratio":               legacy(1000001),
		"ints, claimed":             "\x94\xdd\x1f\xff\xff\xff",
		"a map of claimed pairs":    "\xdf\x1f\xff\xff\xff",
		"ints, one out of range":    "\x94" + ints(2, 0xcd, block) + "\xc0\xc0\xc0",
		"vector, size over the cap": string(vectors(t)[15].env),
		"vector, ratio":             string(vectors(t)[18].env),
	} {
		each(t, func(t *testing.T) {
			var err error
			env := []byte(env)
			size, objects := probe.Cold(func() { _, err = OpenData(env) })
			if err == nil || size > most || objects > 5 {
				t.Errorf("%s: refusing (%v) takes %d bytes in %d objects", name, err, size, objects)
			}
		})
	}
	// The positive control: the probe sees a payload that is made too early.
	for _, env := range [][]byte{[]byte(made(block, sum(""), 1000000, "")), []byte(legacy(1000000))} {
		if size, _ := probe.Cold(func() { _, _ = OpenData(env) }); size < 1000000 {
			t.Errorf("the probe sees %d bytes of a payload of 1000000", size)
		}
	}
}

// TestHostileCost: the most that an envelope can cost is MaxPayload, whatever it is made of.
func TestHostileCost(t *testing.T) {
	const n = 537_000
	block := strings.Repeat("\xff", n)
	for _, most := range []int{1 << 10, 1 << 20, 16 << 20} {
		c := Options{MaxPayload: most}.Must()
		for _, test := range []struct {
			size  uint64
			want  error
			bound uint64
		}{
			{512 << 20, ErrTooLarge, 500},
			{uint64(most) + 1, ErrTooLarge, 500},
			{uint64(most), ErrDecompress, uint64(most)*9/8 + 500},
		} {
			env := []byte(made(block, sum(""), test.size, ""))
			var err error
			size, _ := probe.Cold(func() { _, err = c.OpenData(env) })
			is(t, "hostile", err, test.want)
			if size > test.bound {
				t.Errorf("%d declared, at most %d: %d bytes allocated", test.size, most, size)
			}
		}
	}
}

// TestAllocations pins what opening, sealing and walking takes.
func TestAllocations(t *testing.T) {
	if probe.Race {
		t.Skip("-race: the pool drops states at random")
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 40, 64, 1 << 10, 64 << 10} {
		payload := make([]byte, n)
		for i := range payload {
			payload[i] = byte(r.Uint32())
		}
		env, err := Seal(payload, "")
		if err != nil {
			t.Fatal(err)
		}
		block := literals(string(payload))
		legacy := []byte("\x94" + ints(4, 0, block) + ints(0, 0, sum(string(payload))) + number(0xce, uint64(n)) + str(0, "msgpack"))
		limits := bounds.Limits{MaxDepth: maxDepth}
		into := make([]byte, 0, 2*n+100)
		check := func(what string, want float64, f func() error) {
			t.Helper()
			if got := testing.AllocsPerRun(10, func() {
				if err := f(); err != nil {
					t.Fatal(err)
				}
			}); got != want {
				t.Errorf("%d bytes: %s takes %v allocations, want %v", n, what, got, want)
			}
		}
		one := min(1, float64(n)) // no bytes take none, nor does a block of one
		check("walk.Check", 0, func() error { return walk.Check(env, limits) })
		check("walk.Check of ints", 0, func() error { return walk.Check(legacy, limits) })
		check("Open", one, func() error { _, _, err := Open(env); return err })
		check("OpenData", one, func() error { _, err := OpenData(env); return err })
		check("OpenAppend", 0, func() error { _, _, err := OpenAppend(into, env); return err })
		check("OpenAppend of ints", one, func() error { _, _, err := OpenAppend(into, legacy); return err })
		check("Open of ints", 2*one, func() error { _, _, err := Open(legacy); return err })
		check("SealAppend", 0, func() error { _, err := SealAppend(into, payload, ""); return err })
		seal := 1.0
		if n == 64<<10 {
			seal = 2 // what is not pooled
		}
		check("Seal", seal, func() error { _, err := Seal(payload, ""); return err })
		if size, _ := probe.Cold(func() { _, _, err = Open(env) }); err != nil || size > uint64(n)*9/8+64 {
			t.Errorf("%d bytes: Open takes %d (%v)", n, size, err)
		}
		other, err := Seal(payload, "other")
		if err != nil {
			t.Fatal(err)
		}
		check("Open with another format", 1+one, func() error { _, _, err := Open(other); return err })
		check("OpenData with another format", one, func() error { _, err := OpenData(other); return err })
	}
	// The positive control: nine levels do allocate.
	if got := testing.AllocsPerRun(10, func() { _ = walk.Check([]byte("\x91\x91\x91\x91\x91\x91\x91\x91\x91\xc0"), bounds.Limits{}) }); got != 1 {
		t.Errorf("nine levels take %v allocations", got)
	}
}

// TestSealedIsExact: what Seal and Open return has no spare capacity, and a payload that
// shrinks does not keep its room.
func TestSealedIsExact(t *testing.T) {
	payload := make([]byte, 1<<20)
	var env []byte
	size, _ := probe.Cold(func() { env, _ = Seal(payload, "") })
	if len(env) != cap(env) || len(env) > 5000 || size < 1<<20 {
		t.Errorf("Seal: %d bytes, capacity %d, %d allocated", len(env), cap(env), size)
	}
	got, _, err := Open(env)
	if err != nil || len(got) != cap(got) || !bytes.Equal(got, payload) {
		t.Errorf("Open: %v, %d bytes, capacity %d", err, len(got), cap(got))
	}
}

// TestAppend: what is there stays, and what overflows moves.
func TestAppend(t *testing.T) {
	for _, room := range []int{0, 1, 10, 16, 17, 100} {
		payload := []byte("hello, cachekit!")
		dst := append(make([]byte, 0, 5+room), "there"...)
		env, err := SealAppend(dst, payload, "")
		if err != nil || string(env[:5]) != "there" {
			t.Fatalf("room %d: %q, %v", room, env, err)
		}
		direct, err := Seal(payload, "")
		if err != nil || !bytes.Equal(env[5:], direct) {
			t.Fatalf("room %d: %x, want %x (%v)", room, env[5:], direct, err)
		}
		dst = append(make([]byte, 0, 5+room), "there"...)
		got, format, err := OpenAppend(dst, direct)
		if err != nil || string(got) != "therehello, cachekit!" || format != "msgpack" || string(dst) != "there" {
			t.Fatalf("room %d: %q, %v", room, got, err)
		}
		// Refused: as it was, whatever the block wrote behind it.
		wrong := bytes.Clone(direct)
		wrong[5] ^= 1
		got, _, err = OpenAppend(dst, wrong)
		is(t, "a wrong byte", err, ErrChecksum)
		if string(got) != "there" || cap(got) != cap(dst) {
			t.Fatalf("room %d: after a refusal %q", room, got)
		}
		got, err = Options{MaxEnvelope: 20}.Must().SealAppend(dst, payload, "")
		is(t, "an envelope too long", err, ErrTooLarge)
		if string(got) != "there" || cap(got) != cap(dst) {
			t.Fatalf("room %d: after a refusal %q", room, got)
		}
	}
	if got, _, err := OpenAppend(nil, []byte("\x80")); got != nil || err == nil {
		t.Errorf("after a refusal: %v, %v, want nil", got, err)
	}
	if got, err := SealAppend(nil, nil, "\xff"); got != nil || err == nil {
		t.Errorf("after a refusal: %v, %v, want nil", got, err)
	}
	// Decoding writes nowhere but where it may.
	buf := bytes.Repeat([]byte{0x55}, 200)
	got, _, err := OpenAppend(buf[:50:150], []byte(made(literals("abc"), sum("abc"), 3, "")))
	if want := fmt.Sprintf("%sabc%s", strings.Repeat("U", 50), strings.Repeat("U", 147)); err != nil || string(got) != want[:53] || string(buf) != want {
		t.Errorf("got %q in %q, %v", got, buf, err)
	}
}
