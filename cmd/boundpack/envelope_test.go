package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/boundpack/boundpack/envelope"
	"github.com/boundpack/boundpack/internal/hexdoc"
)

// hello is CacheKit's envelope of 16 bytes, and its older layout.
const (
	hello       = "94c412f001 68656c6c6f2c2063616368656b697421 986dcc8a34ccb63a3c52ccd3 10 a76d73677061636b"
	helloLegacy = "94dc0012ccf001 68656c6c6f2c2063616368656b697421 986dcc8a34ccb63a3c52ccd3 10 a76d73677061636b"
)

func TestOpen(t *testing.T) {
	const text = "hello, cachekit!"
	for _, test := range []struct{ args, hex, stdout, stderr string }{
		{"", hello, text, ""},
		{"-", helloLegacy, text, ""},
		{"", hello + " 00", text, ""},
		{"--max-envelope 42 --max-payload 16 --max-ratio 1", hello, text, ""},
		{"--max-envelope 0", "94c40100982d06cc800538ccd3cc94ccc200a76d73677061636b", "", ""},
		{"--max-envelope 41", hello, "", "input exceeds maximum size: envelope above 41 bytes, limit --max-envelope = 41"},
		{"--max-envelope=41", hello + " 00*1000000", "", "input exceeds maximum size: envelope above 41 bytes, limit --max-envelope = 41"},
		{"-max-payload 15", hello, "", "input exceeds maximum size: payload above 15 bytes, limit --max-payload = 15"},
		{"-max-ratio 1", strings.Replace(hello, " 10 ", " 13 ", 1), "", "decompression ratio exceeds safety limit: at most 18 bytes, 19 declared, limit --max-ratio = 1"},
		{"", strings.Replace(hello, " 10 ", " 11 ", 1), "", "size validation failed: 16 bytes, 17 declared"},
		{"", strings.Replace(hello, " 10 ", " 0f ", 1), "", "decompression failed"},
		{"", strings.Replace(hello, "6c6c", "6c6d", 1), "", "integrity check failed"},
		{"", strings.Replace(hello, "94", "93", 1), "", "deserialization failed: an array that has not 4 elements (at byte 0)"},
		{"", "", "", "deserialization failed: decode pre-scan: msgpack document ends before the document is complete (at byte 0)"},
		{"", "91*100 90", "", "deserialization failed: decode pre-scan: msgpack document nests deeper than 100 levels (at byte 100)"},
	} {
		data := hexdoc.Must(test.hex)
		want := result{test.stdout, "", 0}
		if test.stderr != "" {
			want = result{"", "stdin: envelope: " + test.stderr + "\n", 1}
		}
		if got := command(t, bytes.NewReader(data), append([]string{"open"}, strings.Fields(test.args)...)...); got != want {
			t.Errorf("open %s of %.80s:\n got %v\nwant %v", test.args, test.hex, got, want)
		}
		file := write(t, "envelope", data)
		want.stderr = strings.Replace(want.stderr, "stdin", file, 1)
		if got := command(t, nil, append([]string{"open", file}, strings.Fields(test.args)...)...); got != want && test.args != "-" {
			t.Errorf("open %s of a file of %.80s:\n got %v\nwant %v", test.args, test.hex, got, want)
		}
	}
}

func TestSeal(t *testing.T) {
	for _, test := range []struct{ args, stdin, format, stderr string }{
		{"", "hello, cachekit!", "msgpack", ""},
		{"--format json", "{}", "json", ""},
		{"--format=", "", "msgpack", ""},
		{"-", strings.Repeat("abcd", 1<<18), "msgpack", ""},
		{"--max-payload 16 --max-envelope 42", "hello, cachekit!", "msgpack", ""},
		{"--max-ratio 1", strings.Repeat("a", 1000), "msgpack", ""},
		{"--max-payload 15", "hello, cachekit!", "", "input exceeds maximum size: payload above 15 bytes, limit --max-payload = 15"},
		{"--max-envelope 41", "hello, cachekit!", "", "input exceeds maximum size: envelope above 41 bytes, limit --max-envelope = 41"},
		{"--format \xff", "", "", "deserialization failed: format is not valid UTF-8"},
	} {
		got := command(t, strings.NewReader(test.stdin), append([]string{"seal"}, strings.Fields(test.args)...)...)
		if test.stderr != "" {
			if want := (result{"", "stdin: envelope: " + test.stderr + "\n", 1}); got != want {
				t.Errorf("seal %s:\n got %v\nwant %v", test.args, got, want)
			}
			continue
		}
		payload, format, err := envelope.Open([]byte(got.stdout))
		if err != nil || string(payload) != test.stdin || format != test.format || got.stderr != "" || got.code != 0 {
			t.Errorf("seal %s: %d bytes, format %q, %v, %q", test.args, len(payload), format, err, got.stderr)
		}
		if again := command(t, strings.NewReader(got.stdout), "open"); again != (result{test.stdin, "", 0}) {
			t.Errorf("seal %s, then open: exit code %d, %d bytes, %q", test.args, again.code, len(again.stdout), again.stderr)
		}
	}
	got := command(t, bytes.NewReader([]byte("hello, cachekit!")), "seal")
	if want := hexdoc.Must(hello); got.stdout != string(want) {
		t.Errorf("got %x, want %x", got.stdout, want)
	}
}

// TestOpenFullDisk reports that the payload could not be written.
func TestOpenFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("no device to write to in vain: %v", err)
	}
	defer full.Close()
	var stderr bytes.Buffer
	cmd := boundpack("open")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(hexdoc.Must(hello)), full, &stderr
	finish(t, cmd, cmd.Run())
	if !strings.Contains(stderr.String(), "writing to stdout: no space left on device\n") || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("exit code %d, stderr %q", cmd.ProcessState.ExitCode(), &stderr)
	}
}

// TestReadUpTo reads files and pipes up to a limit, and no more.
func TestReadUpTo(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	for _, size := range []int{0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, len(data)} {
		for _, most := range []int{1, size - 1, size, size + 1, len(data), len(data) + 1} {
			if most < 1 {
				continue
			}
			want := data[:min(size, most)]
			file, err := os.Open(write(t, fmt.Sprint(size), data[:size]))
			if err != nil {
				t.Fatal(err)
			}
			got, err := readUpTo(file, most)
			if err != nil || !bytes.Equal(got, want) || cap(got) > len(want)+1024 && cap(got) > 9*len(want)/8 {
				t.Errorf("%d of %d bytes of a file: %d, capacity %d, %v", most, size, len(got), cap(got), err)
			}
			file.Close()
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				defer w.Close()
				io.Copy(w, bytes.NewReader(data[:size]))
			}()
			got, err = readUpTo(r, most)
			r.Close()
			if err != nil || !bytes.Equal(got, want) || cap(got) > max(chunk, 2*len(want)) {
				t.Errorf("%d of %d bytes of a pipe: %d, capacity %d, %v", most, size, len(got), cap(got), err)
			}
		}
	}
}
