package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// meter shows on a terminal how much of a stream was read, on one line that it writes
// over. A nil meter shows nothing.
type meter struct {
	w       io.Writer
	name    string // of the stream
	count   *int64 // documents
	read    int64  // bytes
	due     time.Time
	visible int // length of the line that is shown
}

// meterEvery is the time between two showings, and before the first.
const meterEvery = 200 * time.Millisecond

// meter returns one for the stream that s reads, if standard error is a terminal. Where
// prints says that what is read is printed meanwhile, standard output must be none.
func (a *app) meter(name string, s *source, prints bool) *meter {
	err, ok := a.stderr.(*os.File)
	if !ok || !terminal(err) || prints && terminal(a.out) {
		return nil
	}
	return &meter{w: err, name: name, count: &s.count, due: time.Now().Add(meterEvery)}
}

// Add counts n bytes, and shows where the stream is if that is due.
func (m *meter) Add(n int) {
	if m == nil {
		return
	}
	m.read += int64(n)
	if now := time.Now(); now.After(m.due) {
		m.due = now.Add(meterEvery)
		m.show()
	}
}

func (m *meter) show() {
	line := fmt.Sprintf("%s: %d documents, %s", m.name, *m.count, size(m.read))
	fmt.Fprintf(m.w, "\r%-*s", m.visible, line)
	m.visible = len(line)
}

// Clear takes the line away.
func (m *meter) Clear() {
	if m != nil && m.visible > 0 {
		fmt.Fprintf(m.w, "\r%s\r", strings.Repeat(" ", m.visible))
		m.visible = 0
	}
}

// size returns n bytes in the unit that suits.
func size(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	case n < 10<<30:
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d GiB", n>>30)
}

// terminal reports whether what is written to f is shown to someone, as far as the mode
// of the file says.
func terminal(f *os.File) bool {
	if f == nil {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// metered is a reader whose bytes m counts.
type metered struct {
	io.Reader
	m *meter
}

func (r metered) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.m.Add(n)
	return n, err
}
