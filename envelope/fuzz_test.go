package envelope

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// FuzzOpen opens in one pass if that may be, and by the full read. What opens must seal
// and open again.
func FuzzOpen(f *testing.F) {
	envs, _ := damage(f)
	for _, env := range envs {
		f.Add(env)
	}
	c := Options{MaxPayload: 1 << 16}.Must()
	f.Fuzz(func(t *testing.T, env []byte) {
		if len(env) > 4<<10 {
			return
		}
		before := bytes.Clone(env)
		fast, full := bothWays(c, env)
		if fast != full {
			t.Fatalf("%x:\nfast %+v\nfull %+v", env, fast, full)
		}
		if !bytes.Equal(env, before) {
			t.Fatalf("%x was changed", before)
		}
		if full.err != "" {
			return
		}
		sealed, err := c.Seal([]byte(full.payload), full.format)
		if err != nil {
			t.Fatal(err)
		}
		if full.format == "" {
			full.format = DefaultFormat
		}
		if again := outcomeOf(c, sealed); again != full {
			t.Fatalf("%x: %+v, sealed again %+v", env, full, again)
		}
		// Decoding refuses or not, but always the same.
		_, err = c.PayloadAny(env)
		_, err2 := c.PayloadAny(sealed)
		if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
			t.Fatalf("%x: %v, sealed again %v", env, err, err2)
		}
	})
}

// FuzzISO: what is accepted is in range, and what it is written as is accepted too, as the
// same value.
func FuzzISO(f *testing.F) {
	file, err := os.Open("testdata/iso.tsv")
	if err != nil {
		f.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var s string
		if err := json.Unmarshal([]byte(strings.Split(lines.Text(), "\t")[1]), &s); err != nil {
			f.Fatal(err)
		}
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, ok := parseDate(s); ok {
			again, ok := parseDate(d.String())
			if !ok || again != d || d.In(Naive).Day() != d.Day || d.Year < 1 || d.Year > 9999 {
				t.Fatalf("%q: %+v, then %+v", s, d, again)
			}
		}
		if c, ok := parseTime(s); ok {
			again, ok := parseTime(c.String())
			if !ok || again != c || c.SinceMidnight() < 0 || c.SinceMidnight().Hours() >= 24 || c.Offset.Abs().Hours() >= 24 {
				t.Fatalf("%q: %+v, then %+v", s, c, again)
			}
		}
		d, c, ok := text(s).datetime()
		got, ok2 := parseDatetime(s)
		if ok != ok2 {
			t.Fatalf("%q: %v and %v", s, ok, ok2)
		}
		if ok {
			again, ok := parseDatetime(d.String() + "T" + c.String())
			if !ok || !again.Equal(got) || (again.Location() == Naive) != (got.Location() == Naive) || (got.Location() == Naive) == c.Aware {
				t.Fatalf("%q: %v, then %v", s, got, again)
			}
		}
	})
}

// FuzzFrame: a frame that was read can be written, and read as the same.
func FuzzFrame(f *testing.F) {
	f.Add(framed(plainHeader, "payload"))
	f.Add(framed(`{"s":"a","m":{"encrypted":true,"tenant_id":"\ud83d\ude00","encryption_algorithm":"x","key_fingerprint":"\ufffd"},"v":3}`, ""))
	f.Add([]byte("CK\x03\xff\xff\xff\xff{}"))
	f.Fuzz(func(t *testing.T, frame []byte) {
		if len(frame) > 4<<10 {
			return
		}
		m, payload, err := ParseFrame(frame)
		if err != nil {
			is(t, "refused", err, ErrFrame)
			return
		}
		written, err := AppendFrame(nil, m, payload)
		if err != nil {
			t.Fatalf("%+v: %v", m, err)
		}
		m.Format = or(m.Format, DefaultFormat)
		again, rest, err := ParseFrame(written)
		if err != nil || again != m || !bytes.Equal(rest, payload) {
			t.Fatalf("%q: %+v, then %+v, %v", frame, m, again, err)
		}
		_, _, _ = OpenFrame(frame)
	})
}
