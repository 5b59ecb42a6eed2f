package decode

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/samples"
	"github.com/boundpack/boundpack/walk"
)

// TestDocumentPolicies: Get by the policies for duplicate and other keys, in maps without
// and with an index.
func TestDocumentPolicies(t *testing.T) {
	for _, filler := range []int{0, 20} {
		var rest strings.Builder
		for i := range filler {
			rest.WriteString(fmt.Sprintf("a3%x c0 ", fmt.Sprintf("f%02d", i)))
		}
		head := func(n int) string { return fmt.Sprintf("de%04x ", n+filler) }
		get := func(o Options, hex, key string) any {
			t.Helper()
			v, err := mustParse(t, o, hex).Root().Get(key).Any()
			if err != nil {
				t.Errorf("%s: %v", hex, err)
			}
			return v
		}
		twice := head(3) + "a161 01 a162 03 " + rest.String() + "a161 02"
		_, err := Parse(hexdoc.Must(twice))
		fails(t, "a key twice", err, ErrDuplicateKey, int64(len(hexdoc.Must(twice))-3), "a")
		for policy, want := range map[DuplicateKeys]int64{FirstWins: 1, LastWins: 2} {
			if v := get(Options{DuplicateKeys: policy}, twice, "a"); v != want {
				t.Errorf("policy %d: %v, want %d", policy, v, want)
			}
			if v := get(Options{DuplicateKeys: policy}, twice, "b"); v != int64(3) {
				t.Errorf("policy %d: b is %v", policy, v)
			}
		}
		// A bin key is no str key, nor an int.
		keys := head(4) + "c40161 01 a161 02 61 03 c3 04" + rest.String()
		if v := get(Options{MapKeys: AnyKeys}, keys, "a"); v != int64(2) {
			t.Errorf("a is %v", v)
		}
		for _, c := range []struct {
			a, b string
			same bool
		}{
			{"a161", "d90161", true},
			{"a161", "c40161", false},
			{"c40161", "c5000161", true},
			{"01", "cc01", true},
			{"01", "d30000000000000001", true},
			{"ff", "cfffffffffffffffff", false},
			{"ff", "d3ffffffffffffffff", true},
			{"01", "cb3ff0000000000000", false},
			{"ca3f800000", "cb3ff0000000000000", true},
			{"cb0000000000000000", "cb8000000000000000", true},
			{"00", "c2", false},
			{"c2", "c3", false},
			{"c2", "c2", true},
			{"c0", "c0", true},
			{"c0", "c2", false},
			{"a0", "c400", false},
			{"a9 61*9", "d909 61*9", true},
			{"a9 61*9", "aa 61*10", false},
			{"d921 61*33", "da0021 61*33", true},
			{"af 61*7 62 61*7", "af 61*7 63 61*7", false}, // the middle alone differs
			{"b9 61*12 62 61*12", "b9 61*12 63 61*12", false},
			{"a3efbfbd", "a1ff", true}, // replaced
			{"a1ff", "a3efbfbd", true},
			{"a1ff", "a1fe", true},
			{"a2ff61", "a461efbfbd", false},
			{"a2ffff", "a3efbfbd", false},
		} {
			o := Options{MapKeys: AnyKeys, UTF8: ReplaceInvalidUTF8}
			// With an array between them, and something behind, so that no shortcut ends.
			hex := "92" + head(2) + c.a + " 91 01 " + rest.String() + c.b + " 02 d910 78*16"
			_, err := o.Must().Parse(hexdoc.Must(hex))
			if _, anyErr := o.Must().Any(hexdoc.Must(hex)); fmt.Sprint(err) != fmt.Sprint(anyErr) {
				t.Errorf("keys %s and %s: %v, and Any %v", c.a, c.b, err, anyErr)
			}
			if errors.Is(err, ErrDuplicateKey) != c.same || !c.same && err != nil {
				t.Errorf("keys %s and %s: %v, want the same: %v", c.a, c.b, err, c.same)
			}
		}
		for _, keys := range [][2]string{{"a1ff", "a3efbfbd"}, {"a3efbfbd", "a1ff"}, {"a1ff", "a1fe"}} {
			hex := head(2) + keys[0] + " 01 " + rest.String() + keys[1] + " 02"
			if _, err := (Options{UTF8: AllowInvalidUTF8}).Must().Parse(hexdoc.Must(hex)); err != nil {
				t.Errorf("keys %s and %s, allowed: %v", keys[0], keys[1], err)
			}
		}
		if v := get(Options{UTF8: ReplaceInvalidUTF8}, head(1)+rest.String()+"a261ff a1fe", "a\uFFFD"); v != "\uFFFD" {
			t.Errorf("replaced: %q", v)
		}
		if v := get(Options{UTF8: AllowInvalidUTF8}, head(1)+rest.String()+"a261ff a1fe", "a\xff"); v != "\xfe" {
			t.Errorf("allowed: %q", v)
		}
	}
	if s, err := mustParse(t, Options{UTF8: ReplaceInvalidUTF8}, "a361ff62").Root().Str(); s != "a\uFFFDb" || err != nil {
		t.Errorf("replaced: %q, %v", s, err)
	}
}

// TestDocumentManyKeys: maps of many keys, of which some are of one hash bit, against a Go
// map.
func TestDocumentManyKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	refused := 0
	for range 3000 {
		n := 1 + r.IntN(60)
		var b []byte
		b = append(b, 0xde, 0, byte(n))
		seen, twice := map[string]int{}, int64(-1)
		for i := range n {
			key := fmt.Sprintf("%0*d", 3+7*r.IntN(3), r.IntN(10*n))
			if _, has := seen[key]; has && twice < 0 {
				twice = int64(len(b))
			}
			seen[key] = i
			b = samples.AppendStr(b, key)
			b = append(b, byte(i))
		}
		doc, err := Parse(b)
		if twice >= 0 {
			refused++
			fails(t, fmt.Sprintf("%x", b), err, ErrDuplicateKey, twice, walk.PathAt(b, twice))
			continue
		}
		if err != nil {
			t.Fatalf("%x: %v", b, err)
		}
		for key, i := range seen {
			if v, err := doc.Root().Get(key).Int(); err != nil || v != int64(i) {
				t.Fatalf("%x: %s is %v, %v, want %d", b, key, v, err, i)
			}
		}
	}
	if refused < 500 || refused > 2500 {
		t.Errorf("%d of 3000 refused", refused)
	}
}

// TestDocumentFirstFlaw: of the flaws of documents with large maps, whose keys are told apart
// when a map is complete, the one of lowest offset is named, as by Any.
func TestDocumentFirstFlaw(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var appendMap func(b []byte, depth int) []byte
	appendMap = func(b []byte, depth int) []byte {
		n := 14 + r.IntN(8)
		b = append(b, 0xde, 0, byte(n))
		for i := range n {
			switch r.IntN(400) {
			case 0:
				b = append(b, 0xa2, 'k', 0xff)
			case 1:
				b = append(b, 0x07)
			case 2, 3, 4, 5, 6, 7, 8, 9:
				b = samples.AppendStr(b, fmt.Sprintf("k%d", r.IntN(n)))
			default:
				b = samples.AppendStr(b, fmt.Sprintf("k%d", i))
			}
			switch r.IntN(60) {
			case 0:
				b = append(b, 0xa2, 'v', 0xff)
			case 1, 2, 3:
				if depth > 0 {
					b = appendMap(b, depth-1)
					break
				}
				fallthrough
			default:
				b = append(b, byte(i))
			}
		}
		return b
	}
	refused := map[error]int{}
	for range 4000 {
		doc := appendMap(nil, 3)
		_, want := Any(doc)
		_, err := Parse(doc)
		if fmt.Sprint(err) != fmt.Sprint(want) {
			t.Fatalf("%x: %v, and Any %v", doc, err, want)
		}
		for _, reason := range []error{ErrDuplicateKey, ErrUTF8, ErrKeyType} {
			if errors.Is(err, reason) {
				refused[reason]++
			}
		}
	}
	for _, reason := range []error{ErrDuplicateKey, ErrUTF8, ErrKeyType} {
		if refused[reason] < 50 {
			t.Errorf("%d refused with %v", refused[reason], reason)
		}
	}
}
