package main

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestMeterLines(t *testing.T) {
	var w strings.Builder
	count := int64(3)
	m := &meter{w: &w, name: "stdin", count: &count, due: time.Now().Add(time.Hour)}
	m.Add(5000)
	m.Clear()
	if w.String() != "" {
		t.Errorf("%q before it is due", w.String())
	}
	m.due = time.Time{}
	m.Add(3 << 20)
	m.Add(1)
	m.Clear()
	m.Clear()
	line := "stdin: 3 documents, 3076 KiB"
	if want := "\r" + line + "\r" + strings.Repeat(" ", len(line)) + "\r"; w.String() != want {
		t.Errorf("%q, want %q", w.String(), want)
	}
	// A shorter line covers the longer.
	w.Reset()
	m.due, m.visible = time.Time{}, 40
	m.Add(0)
	if want := "\r" + line + strings.Repeat(" ", 40-len(line)); w.String() != want {
		t.Errorf("%q, want %q", w.String(), want)
	}
	var none *meter
	none.Add(1)
	none.Clear()
	for n, want := range map[int64]string{0: "0 bytes", 10<<10 - 1: "10239 bytes", 10 << 10: "10 KiB", 10 << 20: "10 MiB", 10 << 30: "10 GiB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) is %q, want %q", n, got, want)
		}
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if terminal(nil) || terminal(null) || terminal(file) {
		t.Errorf("a terminal: nil %v, the null device %v, a file %v", terminal(nil), terminal(null), terminal(file))
	}
}
