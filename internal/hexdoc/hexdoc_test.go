package hexdoc

import (
	"bytes"
	"testing"
)

func TestParse(t *testing.T) {
	for s, want := range map[string][]byte{
		"":              {},
		"91*3 c0":       {0x91, 0x91, 0x91, 0xc0},
		"dc0002 a161*2": {0xdc, 0, 2, 0xa1, 0x61, 0xa1, 0x61},
		"c0*0 01":       {1},
	} {
		if got, err := Parse(s); err != nil || !bytes.Equal(got, want) {
			t.Errorf("Parse(%q) = %x, %v, want %x", s, got, err, want)
		}
	}
	for _, s := range []string{"9", "zz", "91*", "91*-1", "91*x"} {
		if _, err := Parse(s); err == nil {
			t.Errorf("Parse(%q) is accepted", s)
		}
	}
}
