package envelope

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// parsed is what the parser of kind makes of s, as testdata/iso.py writes it.
func parsed(kind, s string) string {
	switch kind {
	case "date":
		if d, ok := parseDate(s); ok {
			return fmt.Sprintf("%d %d %d", d.Year, d.Month, d.Day)
		}
	case "time":
		if c, ok := parseTime(s); ok {
			return clockFields(c)
		}
	case "datetime":
		if d, c, ok := text(s).datetime(); ok {
			return fmt.Sprintf("%d %d %d %s", d.Year, d.Month, d.Day, clockFields(c))
		}
	}
	return ""
}

func clockFields(c TimeOfDay) string {
	zone := "naive"
	if c.Aware {
		zone = strconv.FormatInt(c.Offset.Microseconds(), 10)
	}
	return fmt.Sprintf("%d %d %d %d %s", c.Hour, c.Minute, c.Second, c.Microsecond, zone)
}

// sameISO reports whether got is what CPython made of a string. One difference is wanted:
// an offset of less than a second is kept, where CPython's parser in C (not the one in
// Python) drops it.
func sameISO(got, want string) bool {
	if got == want {
		return true
	}
	rest, ok := strings.CutSuffix(want, " 0")
	offset, of := strings.CutPrefix(got, rest+" ")
	micros, err := strconv.Atoi(offset)
	return ok && of && err == nil && micros > -1e6 && micros < 1e6
}

// TestISO holds the parsers to CPython, by a table of its results or the file that
// BOUNDPACK_ISO names.
func TestISO(t *testing.T) {
	name := os.Getenv("BOUNDPACK_ISO")
	if name == "" {
		name = "testdata/iso.tsv"
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	accepted, refused, differ := 0, 0, 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		f := strings.Split(lines.Text(), "\t")
		var s string
		if err := json.Unmarshal([]byte(f[1]), &s); err != nil {
			t.Fatal(err)
		}
		got := parsed(f[0], s)
		if !sameISO(got, f[2]) {
			t.Errorf("%s %q: got %q, CPython %q", f[0], s, got, f[2])
		}
		if got != f[2] {
			differ++
		}
		if f[2] == "" {
			refused++
		} else {
			accepted++
		}
	}
	if accepted < 150 || refused < 150 || differ > (accepted+refused)/100 {
		t.Errorf("%d accepted, %d refused, %d differ", accepted, refused, differ)
	}
	if !sameISO("1 2 3 4 5", "1 2 3 4 0") || sameISO("1 2 3 4 1000000", "1 2 3 4 0") || sameISO("1 2 3 5 5", "1 2 3 4 0") || sameISO("1 2 3 4 5", "") || sameISO("", "1 2 3 4 0") {
		t.Error("the wanted difference is another")
	}
}

// TestISOForms are the forms that isoformat writes and some corners.
func TestISOForms(t *testing.T) {
	for _, test := range []struct{ kind, s, want string }{
		{"datetime", "2025-11-14T10:30:00+00:00", "2025 11 14 10 30 0 0 0"},
		{"datetime", "2025-11-14T10:30:00Z", "2025 11 14 10 30 0 0 0"},
		{"datetime", "2025-11-14T10:30:00-00:00", "2025 11 14 10 30 0 0 0"},
		{"datetime", "2025-11-14T10:30:00", "2025 11 14 10 30 0 0 naive"},
		{"datetime", "2025-11-14T10:30:00.000001", "2025 11 14 10 30 0 1 naive"},
		{"datetime", "2025-11-14T10:30:00.5-05:30", "2025 11 14 10 30 0 500000 -19800000000"},
		{"datetime", "2025-11-14T10:30:00+01:02:03", "2025 11 14 10 30 0 0 3723000000"},
		{"datetime", "2025-11-14T10:30:00+23:59:59", "2025 11 14 10 30 0 0 86399000000"},
		{"datetime", "2025-11-14", "2025 11 14 0 0 0 0 naive"},
		{"datetime", "20251114", "2025 11 14 0 0 0 0 naive"},
		{"datetime", "20251114103000", ""},
		{"datetime", "20251114 103000", "2025 11 14 10 30 0 0 naive"},
		{"datetime", "2025-W46-5T10", "2025 11 14 10 0 0 0 naive"},
		{"datetime", "2025W465T10", "2025 11 14 10 0 0 0 naive"},
		{"datetime", "2025W46", "2025 11 10 0 0 0 0 naive"},
		{"datetime", "2025-W46-10", "2025 11 10 10 0 0 0 naive"},
		{"datetime", "2025-11-14é10:30", "2025 11 14 10 30 0 0 naive"},
		{"datetime", "2025-11-14T", ""},
		{"datetime", "2025-11-14T24:00", ""},
		{"datetime", "2025-11-14T10:30:60", ""},
		{"datetime", "2025-11-14T10:60", ""},
		{"datetime", "2025-11-14T10:30:00+24:00", ""},
		{"datetime", "2025-02-29", ""},
		{"datetime", "0000-01-01", ""},
		{"datetime", "0001-01-01T00:00:00+23:59", "1 1 1 0 0 0 0 86340000000"},
		{"datetime", "9999-12-31T23:59:59.999999-23:59", "9999 12 31 23 59 59 999999 -86340000000"},
		{"datetime", "", ""},
		{"datetime", "now", ""},
		{"date", "2025-11-14", "2025 11 14"},
		{"date", "2024-02-29", "2024 2 29"},
		{"date", "1900-02-29", ""},
		{"date", "2025-11-14T00", ""},
		{"date", "2020-W53", "2020 12 28"},
		{"date", "2021-W53", ""},
		{"date", "9999-W53", ""},
		{"date", "9999-W52-5", "9999 12 31"},
		{"date", "9999-W52-6", ""},
		{"date", "0001-W01-1", "1 1 1"},
		{"date", "2025-1-1", ""},
		{"date", "", ""},
		{"time", "10:30:00", "10 30 0 0 naive"},
		{"time", "T103000", "10 30 0 0 naive"},
		{"time", "10", "10 0 0 0 naive"},
		{"time", "10:30:00,1234567", "10 30 0 123456 naive"},
		{"time", "10:30Z", "10 30 0 0 0"},
		{"time", "10:30-01:30:30.25", "10 30 0 0 -5430250000"},
		{"time", "10:30+00:00:00.000001", "10 30 0 0 1"},
		{"time", "10:3", ""},
		{"time", "", ""},
		{"time", "T", ""},
		{"time", "é", ""},
	} {
		if got := parsed(test.kind, test.s); got != test.want {
			t.Errorf("%s %q: got %q, want %q", test.kind, test.s, got, test.want)
		}
	}
}

// TestFractions: an offset with a fraction of a second is the right instant, and its
// zone says what it was.
func TestFractions(t *testing.T) {
	for _, test := range []struct{ s, utc, zone string }{
		{"2025-11-14T10:30:00+00:00:00.000001", "2025-11-14T10:29:59.999999Z", "+00:00:00.000001"},
		{"2025-11-14T10:30:00-00:00:00.000001", "2025-11-14T10:30:00.000001Z", "-00:00:00.000001"},
		{"2025-11-14T10:30:00+01:00:00.5", "2025-11-14T09:29:59.5Z", "+01:00:00.500000"},
		{"2025-11-14T10:30:00.25-01:02:03.75", "2025-11-14T11:32:04Z", "-01:02:03.750000"},
	} {
		got, ok := parseDatetime(test.s)
		name, _ := got.Zone()
		if utc := got.UTC().Format(time.RFC3339Nano); !ok || utc != test.utc || name != test.zone {
			t.Errorf("%s: %v, %s in %q, want %s in %q", test.s, ok, utc, name, test.utc, test.zone)
		}
	}
}

// TestZones: naive is not UTC, and other offsets are what they are.
func TestZones(t *testing.T) {
	naive, _ := parseDatetime("2025-11-14T10:30:00")
	utc, _ := parseDatetime("2025-11-14T10:30:00+00:00")
	east, _ := parseDatetime("2025-11-14T10:30:00+05:45")
	if naive.Location() != Naive || utc.Location() != time.UTC || !naive.Equal(utc) || naive == utc {
		t.Errorf("naive %v, UTC %v", naive, utc)
	}
	if s := naive.Format("15:04 MST"); s != "10:30 Naive" {
		t.Errorf("naive is %q", s)
	}
	if s := east.Format(time.RFC3339); s != "2025-11-14T10:30:00+05:45" {
		t.Errorf("east is %q", s)
	}
}

// TestStrings: what is written is what was read.
func TestStrings(t *testing.T) {
	for _, s := range []string{
		"00:00:00", "23:59:59", "10:30:00.000001", "10:30:00.100000", "10:30:00+00:00", "10:30:00-05:30", "10:30:00+01:02:03", "10:30:00.999999-23:59:59.999999", "10:30:00+01:00:00.500000",
	} {
		c, ok := parseTime(s)
		b, err := c.MarshalText()
		if !ok || c.String() != s || string(b) != s || err != nil {
			t.Errorf("%s: %q, %q, %v", s, c, b, err)
		}
	}
	for _, s := range []string{"0001-01-01", "2025-11-14", "9999-12-31"} {
		d, ok := parseDate(s)
		b, err := d.MarshalText()
		if !ok || d.String() != s || string(b) != s || err != nil || d.In(time.UTC).Format(time.DateOnly) != s {
			t.Errorf("%s: %q, %q, %v", s, d, b, err)
		}
	}
	c := TimeOfDay{Hour: 1, Minute: 2, Second: 3, Microsecond: 4}
	if got := c.SinceMidnight(); got != time.Hour+2*time.Minute+3*time.Second+4*time.Microsecond {
		t.Errorf("since midnight: %v", got)
	}
}
