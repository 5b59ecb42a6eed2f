package envelope

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"github.com/boundpack/boundpack/internal/hexdoc"
)

// damage are small envelopes to be changed: the vectors and every layout once.
func damage(t testing.TB) (envs [][]byte, payloads [][]byte) {
	t.Helper()
	for _, v := range vectors(t) {
		if len(v.env) < 1100 {
			envs, payloads = append(envs, v.env), append(payloads, v.payload)
		}
	}
	n := 0
	for l := range layouts {
		if n++; n%50 == 0 && len(l.env) < 300 {
			envs, payloads = append(envs, []byte(l.env+l.trailing)), append(payloads, []byte(l.payload))
		}
	}
	for _, test := range samples {
		if len(test.payload) < 2000 {
			env, err := Seal([]byte(test.payload), test.format)
			if err != nil {
				t.Fatal(err)
			}
			envs, payloads = append(envs, env), append(payloads, []byte(test.payload))
		}
	}
	return envs, payloads
}

// TestBitFlips flips every bit of envelopes: they are refused, or give the same bytes.
func TestBitFlips(t *testing.T) {
	envs, payloads := damage(t)
	accepted, refused := 0, map[error]int{}
	for i, env := range envs {
		if Validate(env) == false {
			continue
		}
		env = bytes.Clone(env)
		for bit := range 8 * len(env) {
			env[bit/8] ^= 1 << (bit % 8)
			payload, format, err := Open(env)
			var e *Error
			switch {
			case err == nil && (!bytes.Equal(payload, payloads[i]) || !utf8.ValidString(format)):
				t.Fatalf("%x, bit %d: %d other bytes, format %q", env, bit, len(payload), format)
			case err == nil:
				accepted++
			case !errors.As(err, &e) || payload != nil || format != "":
				t.Fatalf("%x, bit %d: %v", env, bit, err)
			default:
				refused[e.Reason]++
			}
			env[bit/8] ^= 1 << (bit % 8)
		}
	}
	for _, reason := range []error{ErrTooLarge, ErrScan, ErrLayout, ErrBomb, ErrDecompress, ErrChecksum, ErrSize} {
		if refused[reason] == 0 {
			t.Errorf("no flip was refused with %v", reason)
		}
	}
	if accepted == 0 {
		t.Error("no flip was accepted: those of the format must be")
	}
}

// TestFlipsOfOne says of every bit of one envelope what flipping it does: only the format
// is not covered.
func TestFlipsOfOne(t *testing.T) {
	env := hexdoc.Must("94c412f00168656c6c6f2c2063616368656b697421986dcc8a34ccb63a3c52ccd310a76d73677061636b")
	// The format's header is the byte before the last seven. A shorter str is a format
	// with bytes after the envelope.
	head := len(env) - 8
	for bit := range 8 * len(env) {
		flipped := bytes.Clone(env)
		flipped[bit/8] ^= 1 << (bit % 8)
		payload, format, err := Open(flipped)
		want := bit/8 > head && bit%8 != 7 || bit/8 == head && bit%8 < 3
		if want != (err == nil) {
			t.Errorf("bit %d of byte %d: %v", bit%8, bit/8, err)
		}
		if err == nil && (string(payload) != "hello, cachekit!" || format == "msgpack") {
			t.Errorf("bit %d of byte %d: %q in format %q", bit%8, bit/8, payload, format)
		}
	}
}

// mutate returns env with a few bytes changed, put in, taken out, or its end cut.
func mutate(r *rand.Rand, env []byte) []byte {
	env = bytes.Clone(env)
	markers := hexdoc.Must("94 84 dc dd de df 98 c4 c5 c6 d9 da a0 a7 cc cd ce cf d0 d3 00 7f 80 ff c0 c1 90 9f")
	for range 1 + r.IntN(3) {
		if len(env) == 0 {
			break
		}
		at := r.IntN(len(env))
		if r.IntN(2) == 0 {
			at = r.IntN(min(len(env), 8)) // where the headers are, mostly
		} else if r.IntN(2) == 0 {
			at = len(env) - 1 - r.IntN(min(len(env), 30))
		}
		b := byte(r.Uint32())
		if r.IntN(2) == 0 {
			b = markers[r.IntN(len(markers))]
		}
		switch r.IntN(5) {
		case 0:
			env = append(env[:at], env[at+1:]...)
		case 1:
			env = append(env[:at], append([]byte{b}, env[at:]...)...)
		case 2:
			env[at]++
		case 3:
			env[at] = b
		case 4:
			if r.IntN(4) == 0 {
				env = env[:at]
			} else {
				env[at]--
			}
		}
	}
	return env
}

// TestFastIsFull opens damaged envelopes in one pass if that may be, and by the full
// read: nothing may tell them apart.
func TestFastIsFull(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 5000
	}
	r := rand.New(rand.NewPCG(5, 6))
	envs, _ := damage(t)
	c := Options{MaxPayload: 1 << 20}.Must()
	seen := map[bool]int{}
	for i := range n {
		env := envs[i%len(envs)]
		if i >= len(envs) {
			env = mutate(r, env)
		}
		fast, full := bothWays(c, env)
		if fast != full {
			t.Fatalf("%x:\nfast %+v\nfull %+v", env, fast, full)
		}
		seen[full.err == ""]++
	}
	for l := range layouts {
		fast, full := bothWays(c, []byte(l.env+l.trailing))
		if fast != full || full.err != "" {
			t.Fatalf("%.200x:\nfast %+v\nfull %+v", l.env, fast, full)
		}
	}
	for _, v := range vectors(t) {
		if fast, full := bothWays(standard, v.env); fast != full {
			t.Fatalf("%s: %v, %v", v.name, fast.err, full.err)
		}
	}
	if seen[true] < n/50 || seen[false] < n/4 {
		t.Errorf("%d accepted, %d refused", seen[true], seen[false])
	}
}
