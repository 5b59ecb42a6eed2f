package envelope

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/pierrec/lz4/v4"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/tier"
)

// payloads are of every size where a header becomes wider, compressible and not.
func payloads(yield func([]byte) bool) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 2, 11, 12, 13, 14, 15, 16, 17, 100, 126, 127, 128, 252, 253, 254, 255, 256, 257, 269, 270, 271, 300, 525, 1000, 65270, 65277, 65278, 65279, 65280, 65534, 65535, 65536, 65537, 1 << 20} {
		p := make([]byte, n)
		if !yield(bytes.Clone(p)) {
			return
		}
		for i := range p {
			p[i] = byte(r.Uint32())
		}
		if !yield(bytes.Clone(p)) {
			return
		}
		for i := range p {
			p[i] = "abc "[r.IntN(4)]
		}
		if !yield(p) {
			return
		}
	}
}

// TestSeal seals payloads of many sizes in the shortest encoding.
func TestSeal(t *testing.T) {
	for payload := range payloads {
		for _, format := range []string{"msgpack", "", "json", strings.Repeat("x", 31), strings.Repeat("x", 32), strings.Repeat("é", 127), strings.Repeat("x", 256), strings.Repeat("x", 65536)} {
			env, err := Seal(payload, format)
			if err != nil {
				t.Fatal(err)
			}
			if format == "" {
				format = "msgpack"
			}
			var p parts
			var ok bool
			if len(format) > 255 { // the long form of a str is for the full read
				p, err = standard.readFull(env)
				ok = err == nil
			} else {
				p, ok = readCanonical(env)
			}
			if !ok {
				t.Fatalf("%.100x is not canonical (%v)", env, err)
			}
			want := "\x94" + string(appendBin(nil, p.length)) + string(p.block) + ints(0, 0, sum(string(payload))) +
				string(appendUint(nil, uint32(len(payload)))) + string(appendStr(nil, len(format))) + format
			if string(env) != want {
				t.Fatalf("%.100x, want %.100x", env, want)
			}
			got, f, err := Open(env)
			if err != nil || !bytes.Equal(got, payload) || f != format {
				t.Fatalf("%d bytes: %v, %d bytes, format %q", len(payload), err, len(got), f)
			}
			if most := len(payload) + len(payload)/255 + 16 + around + len(format); len(env) > most {
				t.Fatalf("%d bytes, more than %d", len(env), most)
			}
		}
	}
}

// TestShortest pins the edges of every width.
func TestShortest(t *testing.T) {
	for _, test := range []struct {
		got  []byte
		want string
	}{
		{appendUint(nil, 0), "00"},
		{appendUint(nil, 127), "7f"},
		{appendUint(nil, 128), "cc80"},
		{appendUint(nil, 255), "ccff"},
		{appendUint(nil, 256), "cd0100"},
		{appendUint(nil, 65535), "cdffff"},
		{appendUint(nil, 65536), "ce00010000"},
		{appendUint(nil, 512<<20), "ce20000000"},
		{appendBin(nil, 0), "c400"},
		{appendBin(nil, 255), "c4ff"},
		{appendBin(nil, 256), "c50100"},
		{appendBin(nil, 65535), "c5ffff"},
		{appendBin(nil, 65536), "c600010000"},
		{appendStr(nil, 0), "a0"},
		{appendStr(nil, 31), "bf"},
		{appendStr(nil, 32), "d920"},
		{appendStr(nil, 255), "d9ff"},
		{appendStr(nil, 256), "da0100"},
		{appendStr(nil, 65536), "db00010000"},
	} {
		if got := fmt.Sprintf("%x", test.got); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// TestLiterals: the block that compresses nothing is one.
func TestLiterals(t *testing.T) {
	for payload := range payloads {
		block := appendLiterals(nil, payload)
		got := make([]byte, len(payload))
		n, err := lz4.UncompressBlock(block, got)
		if err != nil || n != len(payload) || !bytes.Equal(got, payload) || len(block) > lz4.CompressBlockBound(len(payload)) {
			t.Errorf("%d bytes: %d, %v, a block of %d", len(payload), n, err, len(block))
		}
	}
}

// TestSealKeepsToItsLimits: what a codec seals, it opens; what it could not open, it
// refuses to seal.
func TestSealKeepsToItsLimits(t *testing.T) {
	for payload := range payloads {
		for _, ratio := range []int{1, 2, 100, 254, 255} {
			c := Options{MaxRatio: ratio}.Must()
			env, err := c.Seal(payload, "")
			if err != nil {
				t.Fatal(err)
			}
			if got, _, err := c.Open(env); err != nil || !bytes.Equal(got, payload) {
				t.Fatalf("%d bytes, ratio %d: %v", len(payload), ratio, err)
			}
		}
		env, err := Seal(payload, "")
		if err != nil {
			t.Fatal(err)
		}
		if n := len(payload); n > 1 {
			is(t, "payload", errOf(Options{MaxPayload: n}.Must().Seal(payload, "")), nil)
			is(t, "payload", errOf(Options{MaxPayload: n - 1}.Must().Seal(payload, "")), ErrTooLarge)
			is(t, "payload", errOf(Options{MaxPayload: n}.Must().OpenData(env)), nil)
			is(t, "payload", errOf(Options{MaxPayload: n - 1}.Must().OpenData(env)), ErrTooLarge)
		}
		n := len(env)
		is(t, "envelope", errOf(Options{MaxEnvelope: n}.Must().Seal(payload, "")), nil)
		is(t, "envelope", errOf(Options{MaxEnvelope: n - 1}.Must().Seal(payload, "")), ErrTooLarge)
		is(t, "envelope", errOf(Options{MaxEnvelope: n}.Must().OpenData(env)), nil)
		is(t, "envelope", errOf(Options{MaxEnvelope: n - 1}.Must().OpenData(env)), ErrTooLarge)
	}
	is(t, "format", errOf(Seal(nil, "\xff")), ErrLayout)
	is(t, "format", errOf(Options{MaxEnvelope: 40}.Must().Seal(nil, strings.Repeat("x", 41))), ErrTooLarge)
}

// TestMaxItems: the pre-scan counts as many items as there may be bytes.
func TestMaxItems(t *testing.T) {
	block := literals(strings.Repeat("a", 1000))
	env := "\x94" + ints(2, 0, block) + ints(0, 0, sum(strings.Repeat("a", 1000))) + "\xcd\x03\xe8\xa0"
	defer tier.Set(tier.EnvelopeCanonical, false)()
	is(t, "exact", errOf(Options{MaxEnvelope: len(env)}.Must().OpenData([]byte(env))), nil)
	is(t, "less", errOf(Options{MaxEnvelope: len(env) - 1}.Must().OpenData([]byte(env))), ErrTooLarge)
}

func TestOptions(t *testing.T) {
	for name, o := range map[string]Options{
		"MaxEnvelope is -1": {MaxEnvelope: -1}, "MaxEnvelope is 536870913": {MaxEnvelope: 512<<20 + 1},
		"MaxPayload is -1": {MaxPayload: -1}, "MaxPayload is 536870913": {MaxPayload: 512<<20 + 1},
		"MaxRatio is -1": {MaxRatio: -1}, "MaxRatio is 1001": {MaxRatio: 1001},
		"MaxDepth is -1": {Decode: decode.Options{Limits: bounds.Limits{MaxDepth: -1}}},
		"has no Value":   {Decode: decode.Options{Markers: []decode.Marker{{Key: "x"}}}},
	} {
		c, err := o.New()
		if c != nil || !errors.Is(err, bounds.ErrOptions) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: Must does not panic", name)
				}
			}()
			o.Must()
		}()
	}
	c := Options{}.Must()
	if c.maxEnvelope != 536870912 || c.maxPayload != 536870912 || c.maxRatio != 1000 || c.scan.MaxDepth != 100 || c.scan.MaxItems != 536870912 || c.scan.MaxBytes != 536870912 {
		t.Errorf("defaults: %+v", c)
	}
	if _, err := (Options{MaxEnvelope: 1, MaxPayload: 1, MaxRatio: 1}).New(); err != nil {
		t.Error(err)
	}
	if _, err := (Options{MaxEnvelope: 512 << 20, MaxPayload: 512 << 20, MaxRatio: 1000}).New(); err != nil {
		t.Error(err)
	}
}

// TestConcurrent uses one codec from many goroutines.
func TestConcurrent(t *testing.T) {
	c := Options{MaxPayload: 1 << 20}.Must()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 9))
			for range 200 {
				payload := []byte("\xda\x04\x00" + strings.Repeat(string(rune('a'+r.IntN(26))), 1024))
				env, err := c.Seal(payload, "")
				if err != nil {
					t.Error(err)
					return
				}
				got, _, err := c.Open(env)
				v, err2 := c.PayloadAny(env)
				if err != nil || err2 != nil || !bytes.Equal(got, payload) || v != string(payload[3:]) {
					t.Error(err, err2)
					return
				}
			}
		})
	}
	wg.Wait()
}
