package decode

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/probe"
)

// families are documents of many small things: their items, and the bytes of Go memory
// that a byte of them may take, on 64 and on 32 bit. docs/limits.md has the measured
// figures.
var families = []struct {
	name   string
	item   string
	nest   int // the item is nested so deep instead of repeated
	at64   float64
	at32   float64
	repeat bool // its keys repeat: LastWins
}{
	{name: "one-pair maps in each other, 100 deep", item: "81a0", nest: 100, at64: 168, at32: 88},
	{name: "one-pair map, empty key", item: "81a0c0", at64: 118, at32: 62},
	{name: "one-pair map, 1-byte key", item: "81a16bc0", at64: 89, at32: 47},
	{name: "empty map", item: "80", at64: 65, at32: 41},
	{name: "15 pairs, one key repeated", item: "8f a16bc0*15", at64: 41, at32: 21, repeat: true},
	{name: "arrays in each other, 100 deep", item: "91", nest: 100, at64: 45, at32: 27},
	{name: "empty array", item: "90", at64: 17, at32: 9},
	{name: "array of one nil", item: "91c0", at64: 29, at32: 17},
	{name: "array of 16 nil", item: "dc0010 c0*16", at64: 16, at32: 9},
	{name: "array of an empty array", item: "9190", at64: 29, at32: 17},
	{name: "negative fixint", item: "ff", at64: 17, at32: 9},
	{name: "nil", item: "c0", at64: 17, at32: 9},
	{name: "fixint", item: "05", at64: 17, at32: 9},
	{name: "empty str", item: "a0", at64: 17, at32: 9},
	{name: "empty bin", item: "c400", at64: 9, at32: 5},
	{name: "1-byte str", item: "a16b", at64: 9, at32: 5},
	{name: "1-byte bin", item: "c4016b", at64: 15, at32: 8},
	{name: "2-byte str", item: "a26b6b", at64: 12, at32: 7},
	{name: "int 16", item: "cd0100", at64: 9, at32: 6},
	{name: "float 32", item: "ca3fc00000", at64: 5, at32: 4},
	{name: "float 64", item: "cb3ff8000000000000", at64: 3, at32: 2},
	{name: "timestamp 32", item: "d6ff00000001", at64: 7, at32: 6},
	{name: "ext of 1 byte", item: "d40500", at64: 17, at32: 9},
	{name: "8-byte str", item: "a8 6b*8", at64: 5, at32: 3},
	{name: "17-byte str", item: "b1 6b*17", at64: 3, at32: 2},
}

// TestAmplificationTable measures what a MiB of each family takes. -v prints the table of
// docs/limits.md: bytes allocated and charged for each byte of input.
func TestAmplificationTable(t *testing.T) {
	size := 1 << 20
	if testing.Short() || probe.Race {
		size = 1 << 16
	}
	t.Log("| items of 1 MiB | bytes an item | allocated a byte | charged a byte |")
	for _, f := range families {
		item := hexdoc.Must(f.item)
		each := len(item)
		if f.nest > 0 {
			item = append(bytes.Repeat(item, f.nest), 0xc0)
		}
		n := size / len(item)
		doc := binary.BigEndian.AppendUint32([]byte{0xdd}, uint32(n))
		doc = append(doc, bytes.Repeat(item, n)...)
		o := Options{Limits: Limits{MaxMemory: 1 << 40}}
		if f.repeat {
			o.DuplicateKeys = LastWins
		}
		d := o.Must()
		charge := charged(t, o, doc)
		var v any
		real, _ := probe.Warm(func() { v, _ = d.Any(doc) })
		if v == nil {
			t.Fatalf("%s: refused", f.name)
		}
		realRate, chargeRate := float64(real)/float64(len(doc)), float64(charge)/float64(len(doc))
		t.Logf("| %s | %d | %.1f | %.1f |", f.name, each, realRate, chargeRate)
		most := f.at64
		if math.MaxInt == math.MaxInt32 {
			most = f.at32
		}
		if float64(real) > most*float64(len(doc))+float64(slack) || real > charge+slack {
			t.Errorf("%s: %d bytes take %d, %.1f a byte, want at most %.1f; charged %d", f.name, len(doc), real, realRate, most, charge)
		}
		// The dearest family of all is what the default of MaxMemory allows for.
		if chargeRate > 168 {
			t.Errorf("%s: charged %.1f a byte", f.name, chargeRate)
		}
	}
}
