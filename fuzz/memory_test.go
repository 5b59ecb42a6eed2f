package fuzz

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/parity"
	"github.com/boundpack/boundpack/internal/probe"
	"github.com/boundpack/boundpack/internal/samples"
)

// slack is what a call may allocate beside what it charges: what is kept for the next
// call, and the error.
const slack = 16 << 10

func FuzzMemory(f *testing.F) {
	if probe.Race {
		f.Skip("the race detector empties pools at random, so that no decoder is warm")
	}
	for _, doc := range seeds(f) {
		f.Add(doc, uint32(derived(doc)>>44))
	}
	if !testing.Short() {
		for _, doc := range multiplied() {
			f.Add(doc, uint32(derived(doc)>>44))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, memory uint32) {
		if len(data) > maxMemorySize {
			return
		}
		for _, s := range parity.Sets {
			within(t, data, s, 1+int64(memory))
		}
	})
}

// maxMemorySize is the length of the longest input that memory is measured for: long
// enough for content that was not charged to show beside slack.
const maxMemorySize = 40 << 10

// multiplied returns documents that hold much of each thing that costs more than its
// bytes, and of content, so that a charge that was forgotten shows beside slack.
func multiplied() (docs [][]byte) {
	fill := func(size int, unit func(n int) []byte) {
		b := []byte{0xdd, 0, 0, 0, 0}
		n := 0
		for ; len(b) < size; n++ {
			b = append(b, unit(n)...)
		}
		binary.BigEndian.PutUint32(b[1:], uint32(n))
		docs = append(docs, b)
	}
	for _, unit := range []string{
		"80", "90", "91c0", "9101", "98 c0*8", "99 c0*9", "81a0c0", "81a16bc0", "82a16b01a16cc0", "83a16bc0a16cc0c4016dc0",
		"81c400c0", "81c4016bc0", "8101c0", "81ccc8c0", "cc80", "ca3f800000", "c40101", "a141", "a4 ff*4", "d6ff00000001",
		"c70005", "d40501", "919190", "918180", "81a85f5f646174655f5fc2",
	} {
		b := hexdoc.Must(unit)
		fill(12<<10, func(int) []byte { return b })
	}
	// Strs of which no two are equal, and no block fits in another's rest.
	for _, size := range []int{2, 32, 33, 500, 513, 4097} {
		content := func(n int) string { return fmt.Sprintf("%02x%0*d", n%256, size-2, n)[:size] }
		fill(maxMemorySize-2*size, func(n int) []byte { return samples.AppendStr(nil, content(n)) })
		fill(maxMemorySize-2*size, func(n int) []byte { return samples.AppendBin(nil, []byte(content(n))) })
		fill(maxMemorySize-2*size, func(n int) []byte { return samples.AppendExt(nil, 1, []byte(content(n))) })
	}
	docs = append(docs, hexdoc.Must("92 98 01*8"+strings.Repeat(" 92 9801010101010101c0", 900)+" c0"))
	return docs
}

// hooked returns what the hooks of s may allocate in a document of data: that is theirs.
func hooked(data []byte, s *parity.Set) int64 {
	if s.Options.Markers == nil && s.Options.Exts == nil {
		return 0
	}
	return 8 * int64(len(data))
}

// within decodes data with the given memory, and with exactly what it is charged.
func within(t *testing.T, data []byte, s *parity.Set, memory int64) {
	o, slack := s.Options, slack+hooked(data, s)
	decoder := func(memory int64) *decode.Decoder {
		o.Limits.MaxMemory = memory
		return o.Must()
	}
	d := decoder(memory)
	_, err := d.Any(data)
	var real int64
	if err == nil {
		real = allocated(d, data, memory+slack)
	} else {
		// Naming the path of a refusal takes a stack of its own.
		levels := int64(128 * min(len(data), 1024))
		real = allocated(d, data, memory+slack+levels) - levels
	}
	if real > memory+slack {
		t.Fatalf("%s: MaxMemory %d, %v: %d bytes\n%s", s.Name, memory, err, real, parity.Dump(data))
	}
	if _, err := s.Decoder().Any(data); err != nil {
		return // there is no charge for the whole
	}
	charge := charged(data, o)
	if accepted := err == nil; accepted != (memory >= charge) {
		t.Fatalf("%s: charged %d, and with MaxMemory %d: %v\n%s", s.Name, charge, memory, err, parity.Dump(data))
	}
	if err != nil && !errors.Is(err, decode.ErrMaxMemory) {
		t.Fatalf("%s: MaxMemory %d: %v", s.Name, memory, err)
	}
	if real := allocated(decoder(charge), data, charge+slack); real > charge+slack {
		t.Fatalf("%s: charged %d, allocated %d\n%s", s.Name, charge, real, parity.Dump(data))
	}
}

// charged returns the least memory that data is accepted with under o, by bisection.
func charged(data []byte, o decode.Options) int64 {
	const most = 256 << 20
	return 1 + int64(sort.Search(most, func(less int) bool {
		o.Limits.MaxMemory = 1 + int64(less)
		_, err := o.Must().Any(data)
		return err == nil
	}))
}

// allocated returns the bytes that a call of a warm decoder allocates: the least of a
// few tries if that is more than most, because others may allocate at the same time.
func allocated(d *decode.Decoder, data []byte, most int64) int64 {
	var least int64
	for try := range 5 {
		warm, _ := probe.Warm(func() { _, _ = d.Any(data) })
		size := int64(warm)
		if try == 0 || size < least {
			least = size
		}
		if least <= most {
			break
		}
	}
	return least
}

// TestAllocated is the positive control: the probe sees what is allocated.
func TestAllocated(t *testing.T) {
	doc := append([]byte{0xc6, 0, 1, 0, 0}, make([]byte, 1<<16)...)
	if n := allocated(parity.Find("default").Decoder(), doc, 0); n < 1<<16 || n > 1<<16+slack {
		t.Errorf("a bin of 64 KiB: %d bytes", n)
	}
	if n := allocated(parity.Find("alias input").Decoder(), doc, 0); n > slack/2 {
		t.Errorf("a bin of 64 KiB, aliased: %d bytes", n)
	}
}
