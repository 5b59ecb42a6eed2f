package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPeakMemory prints large inputs and wants the memory of the process to be that
// of the document, which is held, and little more.
func TestPeakMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: prints inputs of 256 MiB")
	}
	if raceEnabled {
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
		{"strs", append([]byte{0xda, 0x03, 0xfd}, kib...), 256 << 10, []string{"json", "check"}},
		{"bins", append([]byte{0xc5, 0x03, 0xfd}, kib...), 256 << 10, []string{"json", "tokens"}},
		{"documents", append([]byte{0xda, 0x03, 0xfd}, kib...), 256 << 10, []string{"json --stream"}},
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
			var stderr bytes.Buffer
			args := append(strings.Fields(command), "--max-bytes=300000000", "--max-items=50000000", file)
			cmd := exec.Command(exe, args...)
			cmd.Stderr = &stderr // stdout is the null device
			finish(t, cmd, cmd.Run())
			if cmd.ProcessState.ExitCode() != 0 {
				t.Fatalf("%s of %s: exit code %d, %s", command, test.name, cmd.ProcessState.ExitCode(), &stderr)
			}
			peak, ok := peakMemory(cmd.ProcessState)
			if !ok {
				t.Skip("this system does not say how much memory a process took")
			}
			t.Logf("%s of %s: a document of %d KiB, at most %d KiB in memory", command, test.name, held>>10, peak>>10)
			if peak-held >= most {
				t.Errorf("%s of %s: %d bytes in memory beyond the %d held, want less than %d", command, test.name, peak-held, held, most)
			}
		}
		os.Remove(file)
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
