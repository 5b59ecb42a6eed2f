package envelope

import (
	"bytes"
	"testing"

	"github.com/boundpack/boundpack/internal/tier"
)

// TestVectors holds every way to open to CacheKit's vectors.
func TestVectors(t *testing.T) {
	counts := map[bool]int{}
	for _, v := range vectors(t) {
		counts[v.reason == nil]++
		each(t, func(t *testing.T) {
			payload, format, err := Open(v.env)
			is(t, v.name, err, v.reason)
			data, err := OpenData(v.env)
			is(t, v.name, err, v.reason)
			if v.reason != nil {
				if payload != nil || format != "" || data != nil || Validate(v.env) {
					t.Fatalf("%s: something was returned", v.name)
				}
				return
			}
			if !bytes.Equal(payload, v.payload) || !bytes.Equal(data, v.payload) || format != "msgpack" || !Validate(v.env) {
				t.Fatalf("%s: %d bytes, format %q, want %d bytes", v.name, len(payload), format, len(v.payload))
			}
		})
	}
	if counts[true] != 15 || counts[false] != 6 {
		t.Errorf("%d accepted and %d refused, want 15 and 6", counts[true], counts[false])
	}
}

// TestSealVectors seals the payloads of the vectors, which must open again. What is not
// compressible is the same whoever compresses it.
func TestSealVectors(t *testing.T) {
	same := 0
	for _, v := range vectors(t) {
		if v.reason != nil {
			continue
		}
		env, err := Seal(v.payload, "")
		if err != nil {
			t.Fatal(err)
		}
		var payload []byte
		n := tier.Counted(tier.EnvelopeCanonical, func() { payload, _, err = Open(env) })
		if err != nil || !bytes.Equal(payload, v.payload) || n != canonicalItems {
			t.Fatalf("%s: %d bytes, %v, %d headers in one pass", v.name, len(payload), err, n)
		}
		if bytes.Equal(env, v.env) {
			same++
		}
	}
	if same < 5 {
		t.Errorf("only %d envelopes are as CacheKit sealed them", same)
	}
}

// TestCanonicalRuns proves which path reads which vector.
func TestCanonicalRuns(t *testing.T) {
	for _, v := range vectors(t) {
		canonical := v.env[1]&0xf0 == 0xc0 && v.reason != ErrLayout
		want, wantInts := int64(0), int64(v.env[1]&0x0f)
		if canonical {
			want, wantInts = canonicalItems, 0
		} else if v.env[1] == 0xdc {
			wantInts = int64(v.env[2])<<8 | int64(v.env[3])
		} else if v.reason == ErrLayout {
			wantInts = 0
		}
		if got := tier.Counted(tier.EnvelopeCanonical, func() { Validate(v.env) }); got != want {
			t.Errorf("%s: %d headers in one pass, want %d", v.name, got, want)
		}
		if got := tier.Counted(tier.EnvelopeInts, func() { Validate(v.env) }); got != wantInts {
			t.Errorf("%s: %d ints by the shortcut, want %d", v.name, got, wantInts)
		}
		restore := tier.Set(tier.EnvelopeCanonical, false)
		if got := tier.Counted(tier.EnvelopeCanonical, func() { Validate(v.env) }); got != 0 {
			t.Errorf("%s: the shortcut is off and took %d", v.name, got)
		}
		restore()
	}
}
