package samples

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"testing"
	"time"
)

func TestAppend(t *testing.T) {
	hexOf := func(b []byte) string { return hex.EncodeToString(b) }
	for _, c := range []struct{ name, got, want string }{
		{"nil", hexOf(AppendNil(nil)), "c0"},
		{"false", hexOf(AppendBool(nil, false)), "c2"},
		{"true", hexOf(AppendBool(nil, true)), "c3"},
		{"0", hexOf(AppendInt(nil, 0)), "00"},
		{"127", hexOf(AppendInt(nil, 127)), "7f"},
		{"128", hexOf(AppendInt(nil, 128)), "cc80"},
		{"255", hexOf(AppendInt(nil, 255)), "ccff"},
		{"256", hexOf(AppendInt(nil, 256)), "cd0100"},
		{"65535", hexOf(AppendInt(nil, 65535)), "cdffff"},
		{"65536", hexOf(AppendInt(nil, 65536)), "ce00010000"},
		{"1<<32-1", hexOf(AppendInt(nil, 1<<32-1)), "ceffffffff"},
		{"1<<32", hexOf(AppendInt(nil, 1<<32)), "cf0000000100000000"},
		{"MaxUint64", hexOf(AppendUint(nil, math.MaxUint64)), "cfffffffffffffffff"},
		{"-1", hexOf(AppendInt(nil, -1)), "ff"},
		{"-32", hexOf(AppendInt(nil, -32)), "e0"},
		{"-33", hexOf(AppendInt(nil, -33)), "d0df"},
		{"-128", hexOf(AppendInt(nil, -128)), "d080"},
		{"-129", hexOf(AppendInt(nil, -129)), "d1ff7f"},
		{"-32768", hexOf(AppendInt(nil, -32768)), "d18000"},
		{"-32769", hexOf(AppendInt(nil, -32769)), "d2ffff7fff"},
		{"-1<<31", hexOf(AppendInt(nil, -1<<31)), "d280000000"},
		{"-1<<31-1", hexOf(AppendInt(nil, -1<<31-1)), "d3ffffffff7fffffff"},
		{"MinInt64", hexOf(AppendInt(nil, math.MinInt64)), "d38000000000000000"},
		{"float32", hexOf(AppendFloat32(nil, 0.5)), "ca3f000000"},
		{"float64", hexOf(AppendFloat64(nil, 0.5)), "cb3fe0000000000000"},
		{"timestamp 32", hexOf(AppendTime(nil, time.Unix(1<<32-1, 0))), "d6ffffffffff"},
		{"timestamp 64", hexOf(AppendTime(nil, time.Unix(1<<32, 0))), "d7ff0000000100000000"},
		{"timestamp 64 ns", hexOf(AppendTime(nil, time.Unix(1<<34-1, 999_999_999))), "d7ffee6b27ffffffffff"},
		{"timestamp 96", hexOf(AppendTime(nil, time.Unix(1<<34, 1))), "c70cff000000010000000400000000"},
		{"timestamp 96 before 1970", hexOf(AppendTime(nil, time.Unix(-1, 0))), "c70cff00000000ffffffffffffffff"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", c.name, c.got, c.want)
		}
	}
}

// TestAppendLengths looks at the headers on both sides of every length where
// the format changes.
func TestAppendLengths(t *testing.T) {
	str := func(n int) []byte { return AppendStr(nil, strings.Repeat("x", n)) }
	bin := func(n int) []byte { return AppendBin(nil, make([]byte, n)) }
	ext := func(n int) []byte { return AppendExt(nil, 5, make([]byte, n)) }
	array := func(n int) []byte { return AppendArray(nil, n) }
	object := func(n int) []byte { return AppendMap(nil, n) }
	for _, c := range []struct {
		name   string
		encode func(n int) []byte
		n      int
		header string
	}{
		{"str", str, 0, "a0"},
		{"str", str, 31, "bf"},
		{"str", str, 32, "d920"},
		{"str", str, 255, "d9ff"},
		{"str", str, 256, "da0100"},
		{"str", str, 65535, "daffff"},
		{"str", str, 65536, "db00010000"},
		{"bin", bin, 0, "c400"},
		{"bin", bin, 255, "c4ff"},
		{"bin", bin, 256, "c50100"},
		{"bin", bin, 65535, "c5ffff"},
		{"bin", bin, 65536, "c600010000"},
		{"ext", ext, 0, "c70005"},
		{"ext", ext, 1, "d405"},
		{"ext", ext, 2, "d505"},
		{"ext", ext, 3, "c70305"},
		{"ext", ext, 4, "d605"},
		{"ext", ext, 8, "d705"},
		{"ext", ext, 16, "d805"},
		{"ext", ext, 17, "c71105"},
		{"ext", ext, 256, "c8010005"},
		{"ext", ext, 65536, "c90001000005"},
		{"array", array, 0, "90"},
		{"array", array, 15, "9f"},
		{"array", array, 16, "dc0010"},
		{"array", array, 65535, "dcffff"},
		{"array", array, 65536, "dd00010000"},
		{"map", object, 0, "80"},
		{"map", object, 15, "8f"},
		{"map", object, 16, "de0010"},
		{"map", object, 65535, "deffff"},
		{"map", object, 65536, "df00010000"},
	} {
		got := c.encode(c.n)
		want, err := hex.DecodeString(c.header)
		if err != nil {
			t.Fatal(err)
		}
		size := len(want)
		if c.name != "array" && c.name != "map" {
			size += c.n
		}
		if !bytes.HasPrefix(got, want) || len(got) != size {
			t.Errorf("%s of %d: %d bytes from % x, want %d from % x", c.name, c.n, len(got), got[:min(6, len(got))], size, want)
		}
	}
}

// TestAppendKeepsPrefix guards the contract of an append function.
func TestAppendKeepsPrefix(t *testing.T) {
	b := []byte("before")
	b = AppendExt(AppendBin(AppendStr(AppendMap(AppendArray(b, 2), 1), "k"), []byte{1}), 2, []byte{3})
	if want := []byte("before\x92\x81\xa1k\xc4\x01\x01\xd4\x02\x03"); !bytes.Equal(b, want) {
		t.Errorf("%q, want %q", b, want)
	}
}
