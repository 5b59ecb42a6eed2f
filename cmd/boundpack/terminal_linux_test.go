package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// pty returns the two ends of a terminal.
func pty(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal to show anything on: %v", err)
	}
	t.Cleanup(func() { ours.Close() })
	var unlock, n int32
	for request, arg := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &n} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, ours.Fd(), request, uintptr(unsafe.Pointer(arg))); errno != 0 {
			t.Skipf("no terminal to show anything on: %v", errno)
		}
	}
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal to show anything on: %v", err)
	}
	t.Cleanup(func() { theirs.Close() })
	return ours, theirs
}

// TestMeter feeds documents slowly: a terminal shows how far the stream is, and the line is
// gone when something else is said.
func TestMeter(t *testing.T) {
	for _, test := range []struct {
		args             string
		terminal, stdout bool // standard error, output is one
		shows            bool
	}{
		{"check --stream", true, false, true},
		{"check --stream", true, true, true},
		{"json --stream", true, false, true},
		{"json --stream", true, true, false},
		{"json --stream", false, true, false},
		{"check", true, false, false},
	} {
		ours, theirs := pty(t)
		cmd := boundpack(strings.Fields(test.args)...)
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if test.terminal {
			cmd.Stderr = theirs
		}
		if test.stdout {
			cmd.Stdout = theirs
		}
		finish(t, cmd, cmd.Start())
		text := make(chan string, 1)
		seen := make(chan bool)
		go func() {
			var all []byte
			b := make([]byte, 1000)
			said := false
			for {
				n, err := ours.Read(b)
				all = append(all, b[:n]...)
				if !said && bytes.Contains(all, []byte(" documents, ")) {
					said = true
					close(seen)
				}
				if err != nil || bytes.Contains(all, []byte("0xc1")) {
					text <- string(all)
					return
				}
			}
		}()
		wait := 30 * time.Second
		if !test.shows {
			wait = 3 * meterEvery
		}
		shown := false
		for late := time.After(wait); ; {
			stdin.Write([]byte{7})
			select {
			case <-seen:
				shown = true
			case <-late:
			case <-time.After(10 * time.Millisecond):
				continue
			}
			break
		}
		if shown != test.shows {
			t.Errorf("%s, terminal %v, stdout %v: shows %v", test.args, test.terminal, test.stdout, shown)
		}
		stdin.Write([]byte{0xc1})
		stdin.Close()
		cmd.Wait()
		if !test.shows {
			if !test.terminal {
				theirs.Write([]byte("0xc1"))
			}
			continue
		}
		got := <-text
		// The line is written over by spaces before the refusal.
		line, refused, _ := strings.Cut(got[strings.LastIndex(got[:strings.LastIndex(got, "stdin: msgpack")], "stdin:"):], "\r")
		if !strings.HasPrefix(refused, strings.Repeat(" ", len(line))+"\rstdin: msgpack document ") {
			t.Errorf("%s: shown %q", test.args, got)
		}
	}
}
