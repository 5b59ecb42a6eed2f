package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRun goes from flags to table once for each workload and output.
func TestRun(t *testing.T) {
	for _, c := range []struct {
		args string
		want []string
	}{
		{"-workload walk -docs f_deep,a4 -rounds 2 -sample 1ms", []string{"walk, 2 rounds of 1ms CPU time, ratios to msgp", "GOMAXPROCS=1, GC on", "f_deep      251", "a4          982"}},
		{"-workload any -docs f_deep -rounds 1 -sample 1ms -gcoff -md", []string{"GC off", "| f_deep | 251 | boundpack | "}},
		{"-docs f_deep -rounds 1 -sample 1ms -baseline boundpack -only msgp", []string{"ratios to boundpack", "boundpack", "msgp"}},
		{"-file ../testdata/dates.msgpack -file ../testdata/users.msgpack -rounds 1 -sample 1ms", []string{"dates.msgpack", "users.msgpack"}},
	} {
		var out strings.Builder
		if err := run(strings.Fields(c.args), &out); err != nil {
			t.Errorf("%s: %v", c.args, err)
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.args, want, &out)
			}
		}
	}
}

func TestRunRefuses(t *testing.T) {
	cut := filepath.Join(t.TempDir(), "cut.msgpack")
	if err := os.WriteFile(cut, []byte{0x92, 0x01}, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"-workload none",
		"-docs none",
		"-baseline none",
		"-only none",
		"-rounds 0",
		"-sample 0s",
		"a4",
		"-file " + filepath.Join(t.TempDir(), "absent.msgpack"),
		"-file " + cut,
	} {
		var out strings.Builder
		if err := run(strings.Fields(args), &out); err == nil {
			t.Errorf("%s: no error", args)
		}
		if out.Len() != 0 {
			t.Errorf("%s: reported\n%s", args, &out)
		}
	}
}

func TestHeader(t *testing.T) {
	o, err := parse([]string{"-docs", "a4", "-procs", "2"})
	if err != nil {
		t.Fatal(err)
	}
	lines := header(o)
	if !strings.Contains(lines[0], "go1.") || !strings.Contains(lines[0], " CPUs (") || !strings.Contains(lines[0], "GOMAXPROCS=2") {
		t.Errorf("first line is %q", lines[0])
	}
}
