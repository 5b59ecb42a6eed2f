package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/probe"
)

// TestPeakMemory prints large inputs, from a file or ("<") through a pipe, and wants the
// memory of the process to be that of the document, which is held, and little more.
func TestPeakMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: prints inputs of 256 MiB")
	}
	if probe.Race {
		t.Skip("-race: Linux counts the memory of the test, which forks, as the child's, and the race detector's is large")
	}
	const (
		most    = 64 << 20
		million = 1_000_000
	)
	kib := bytes.Repeat([]byte{'a'}, 1021)
	for _, test := range []struct {
		name     string
		item     []byte
		n        int
		commands []string
	}{
		{"strs", append([]byte{0xda, 0x03, 0xfd}, kib...), 256 << 10, []string{"json", "json <", "json --stream", "json --stream <", "check", "check <"}},
		{"bins", append([]byte{0xc5, 0x03, 0xfd}, kib...), 256 << 10, []string{"json", "tokens", "tokens <"}},
		{"documents", append([]byte{0xda, 0x03, 0xfd}, kib...), 256 << 10, []string{"json --stream", "json --stream <"}},
		{"ints", []byte{0xcc, 0xc8}, 10 * million, []string{"json", "json --stream", "check", "tokens"}},
		{"timestamps", []byte{0xd6, 0xff, 1, 2, 3, 4}, 4 * million, []string{"json"}},
		{"deep keys", append(bytes.Repeat([]byte{0x91}, 40), 0x81, 0x91, 0x07, 0xc0), million, []string{"json"}},
	} {
		var head []byte
		held := int64(0)
		if test.name != "documents" {
			head = binary.BigEndian.AppendUint32([]byte{0xdd}, uint32(test.n))
			held = int64(len(head) + len(test.item)*test.n)
		}
		file := generate(t, head, test.item, test.n)
		for _, command := range test.commands {
			peak, result := peakOf(t, file, append(strings.Fields(command), "--max-bytes=300000000", "--max-items=50000000")...)
			if result.code != 0 {
				t.Fatalf("%s of %s: %v", command, test.name, result)
			}
			t.Logf("%s of %s: a document of %d KiB, at most %d KiB in memory", command, test.name, held>>10, peak>>10)
			if peak-held >= most {
				t.Errorf("%s of %s: %d bytes in memory beyond the %d held, want less than %d", command, test.name, peak-held, held, most)
			}
		}
		os.Remove(file)
	}
}

// peakOf runs the binary on a file, through a pipe if "<" is among args, and returns the
// most memory that it took. What it prints is thrown away.
func peakOf(t *testing.T, file string, args ...string) (peak int64, r result) {
	t.Helper()
	piped := slices.Index(args, "<")
	if piped < 0 {
		args = append(args, file)
	} else {
		args = slices.Delete(args, piped, piped+1)
	}
	var stderr bytes.Buffer
	cmd := boundpack(args...)
	cmd.Stderr = &stderr // stdout is the null device
	if piped >= 0 {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		cmd.Stdin = struct{ io.Reader }{f} // no *os.File: it would be given to the process
	}
	finish(t, cmd, cmd.Run())
	peak, ok := peakMemory(cmd.ProcessState)
	if !ok {
		t.Skip("this system does not say how much memory a process took")
	}
	return peak, result{"", stderr.String(), cmd.ProcessState.ExitCode()}
}

// TestSparse reads files with holes, whose sizes are claims like any other: what is made
// room for is little, and what is read is what decides.
func TestSparse(t *testing.T) {
	const most = 64 << 20
	limit := "--max-bytes=" + fmt.Sprint(int64(bounds.CeilingMaxBytes))
	for _, test := range []struct {
		head   string // in hex
		size   int64
		stderr string // of check, behind the name of the file
	}{
		{"c1", 4 << 30, "contains the reserved marker 0xc1 (at byte 0)"},
		{"c1", 900 << 30, "contains the reserved marker 0xc1 (at byte 0)"},
		{"00", 900 << 30, "is followed by more bytes (at byte 1)"},
		{"92 01 a1ff", 900 << 30, "holds a str that is not valid UTF-8 (at byte 3), path [1]"},
		{"91*2000", 900 << 30, "nests deeper than 1024 levels (at byte 1024), path " + longPath + ", limit --max-depth = 1024"},
		{"dc1000 00*4095 c1", 900 << 30, "contains the reserved marker 0xc1 (at byte 4098), path [4095]"},
	} {
		file := write(t, "sparse", hexdoc.Must(test.head))
		if err := os.Truncate(file, test.size); err != nil {
			t.Skipf("no file of %d bytes: %v", test.size, err)
		}
		for _, command := range []string{"check", "json", "tokens"} {
			peak, got := peakOf(t, file, command, limit)
			if want := (result{"", file + ": msgpack document " + test.stderr + "\n", 1}); got != want {
				t.Errorf("%s of %.20s and a hole up to %d: got %v, want %v", command, test.head, test.size, got, want)
			}
			if peak >= most && len(emulator) == 0 && !probe.Race { // see TestPeakMemory
				t.Errorf("%s of %.20s and a hole up to %d: %d bytes in memory, want less than %d", command, test.head, test.size, peak, most)
			}
		}
	}
}

// generate writes head and n times item to a file and returns its name.
func generate(t *testing.T, head, item []byte, n int) string {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "input"))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	w.Write(head)
	for range n {
		w.Write(item)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}
