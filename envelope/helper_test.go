package envelope

import (
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/tier"
)

// reasons are the sentinels by their names.
var reasons = map[string]error{
	"ok": nil, "ErrTooLarge": ErrTooLarge, "ErrScan": ErrScan, "ErrLayout": ErrLayout, "ErrBomb": ErrBomb, "ErrDecompress": ErrDecompress,
	"ErrChecksum": ErrChecksum, "ErrSize": ErrSize, "ErrFrame": ErrFrame, "ErrSerializer": ErrSerializer, "ErrSuspicious": ErrSuspicious,
}

// vector is one of testdata/vectors.tsv.
type vector struct {
	name         string
	reason       error
	payload, env []byte
}

func vectors(t testing.TB) []vector {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		reason, known := reasons[f[1]]
		if !known {
			t.Fatalf("%s: unknown reason %q", f[0], f[1])
		}
		all = append(all, vector{f[0], reason, hexdoc.Must(f[2]), hexdoc.Must(f[3])})
	}
	return all
}

// is fails the test unless err is an *Error with exactly this reason, or nil for nil.
func is(t testing.TB, what string, err, reason error) {
	t.Helper()
	if reason == nil {
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		return
	}
	var e *Error
	if !errors.As(err, &e) || e.Reason != reason || !errors.Is(err, reason) {
		t.Fatalf("%s: got %v, want %v", what, err, reason)
	}
}

// each runs f with the shortcuts on and with them off.
func each(t *testing.T, f func(t *testing.T)) {
	for _, on := range []bool{true, false} {
		name := "full"
		if on {
			name = "fast"
		}
		t.Run(name, func(t *testing.T) {
			defer tier.Set(tier.EnvelopeCanonical, on)()
			defer tier.Set(tier.EnvelopeInts, on)()
			f(t)
		})
	}
}

// outcome is all that opening an envelope shows.
type outcome struct {
	payload, format, err string
	offset               int64
}

func outcomeOf(c *Codec, env []byte) outcome {
	payload, format, err := c.Open(env)
	o := outcome{payload: string(payload), format: format}
	if err != nil {
		o.err = err.Error()
		o.offset, _ = bounds.OffsetOf(err)
	}
	return o
}

// fast and full are outcomes with the shortcuts and without.
func bothWays(c *Codec, env []byte) (fast, full outcome) {
	fast = outcomeOf(c, env)
	defer tier.Set(tier.EnvelopeCanonical, false)()
	defer tier.Set(tier.EnvelopeInts, false)()
	return fast, outcomeOf(c, env)
}

// number returns v as an int with the given marker; marker 0 is a fixint.
func number(marker byte, v uint64) string {
	switch marker {
	case 0:
		return string([]byte{byte(v)})
	case 0xcc, 0xd0:
		return string([]byte{marker, byte(v)})
	case 0xcd, 0xd1:
		return string(binary.BigEndian.AppendUint16([]byte{marker}, uint16(v)))
	case 0xce, 0xd2:
		return string(binary.BigEndian.AppendUint32([]byte{marker}, uint32(v)))
	}
	return string(binary.BigEndian.AppendUint64([]byte{marker}, v))
}

// header returns a header: of a fix format with the marker + n for width 0, else the
// marker and n in width bytes.
func header(marker byte, width, n int) string {
	switch width {
	case 0:
		return string([]byte{marker + byte(n)})
	case 1:
		return string([]byte{marker, byte(n)})
	case 2:
		return string(binary.BigEndian.AppendUint16([]byte{marker}, uint16(n)))
	}
	return string(binary.BigEndian.AppendUint32([]byte{marker}, uint32(n)))
}

// ints returns the bytes of s as an array of ints, all with the given marker; with
// marker 0, those above 127 as uint 8.
func ints(width int, marker byte, s string) string {
	m := map[int]byte{0: 0x90, 2: 0xdc, 4: 0xdd}[width]
	var b strings.Builder
	b.WriteString(header(m, width, len(s)))
	for _, c := range []byte(s) {
		switch {
		case marker != 0 && (marker != 0xd0 || c < 0x80):
			b.WriteString(number(marker, uint64(c)))
		case c < 0x80:
			b.WriteString(number(0, uint64(c)))
		default:
			b.WriteString(number(0xcc, uint64(c)))
		}
	}
	return b.String()
}

func bin(width int, s string) string {
	return header(map[int]byte{1: 0xc4, 2: 0xc5, 4: 0xc6}[width], width, len(s)) + s
}

func str(width int, s string) string {
	return header(map[int]byte{0: 0xa0, 1: 0xd9, 2: 0xda, 4: 0xdb}[width], width, len(s)) + s
}

// literals is the LZ4 block that is payload and nothing but.
func literals(payload string) string { return string(appendLiterals(nil, []byte(payload))) }

// sum is the checksum of payload.
func sum(payload string) string {
	return string(binary.BigEndian.AppendUint64(nil, xxh3.HashString(payload)))
}

// made is an envelope in the canonical layout, of parts that need not fit.
func made(block, checksum string, size uint64, format string) string {
	width := 1
	if len(block) > 255 {
		width = 2
	}
	if len(block) > 65535 {
		width = 4
	}
	marker := byte(0)
	switch {
	case size > 1<<32-1:
		marker = 0xcf
	case size > 65535:
		marker = 0xce
	case size > 255:
		marker = 0xcd
	case size > 127:
		marker = 0xcc
	}
	return "\x94" + bin(width, block) + ints(0, 0, checksum) + number(marker, size) + str(0, format)
}
