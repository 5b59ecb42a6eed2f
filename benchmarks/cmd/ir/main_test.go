package main

import (
	"errors"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	for _, args := range []string{
		"-list",
		"-size a4",
		"-size ../../../testdata/dates.msgpack",
		"a4 walk/boundpack 2",
		"f_deep any/msgp 1",
	} {
		if err := run(strings.Fields(args)); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	for _, args := range []string{"", "a4", "-size", "-size none", "a4 walk 1", "a4 none/msgp 1", "a4 walk/none 1", "none walk/msgp 1"} {
		if run(strings.Fields(args)) == nil {
			t.Errorf("%q: no error", args)
		}
	}
	for _, n := range []string{"0", "-1", "many"} {
		if err := run([]string{"a4", "walk/msgp", n}); !errors.Is(err, errUsage) {
			t.Errorf("N is %s: %v", n, err)
		}
	}
}
