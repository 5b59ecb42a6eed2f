// Command ir runs one contender on one document a given number of times, for an
// instruction counter to look at. Only what happens inside main.work is meant
// to be counted, so documents are made and caches are warm before it:
//
//	valgrind --tool=callgrind --toggle-collect=main.work ./ir a100 walk/msgp 100
//
// With -list it prints the workloads' contenders, one a line, and with -size
// the bytes and values of a document.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/boundpack/boundpack/benchmarks/internal/contend"
)

var errUsage = errors.New("use it as: ir DOC WORKLOAD/CONTENDER N, ir -size DOC, or ir -list")

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "ir:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "-list":
		return list()
	case len(args) == 2 && args[0] == "-size":
		return size(args[1])
	case len(args) == 3:
		n, err := strconv.Atoi(args[2])
		if err != nil || n < 1 {
			return fmt.Errorf("run count %q: %w", args[2], errUsage)
		}
		return count(args[0], args[1], n)
	}
	return errUsage
}

func list() error {
	for _, w := range contend.Workloads() {
		for _, c := range w.Contenders {
			fmt.Println(w.Name + "/" + c.Name)
		}
	}
	return nil
}

func size(name string) error {
	doc, err := load(name)
	if err != nil {
		return err
	}
	values, err := contend.CountValues(doc)
	if err != nil {
		return err
	}
	fmt.Println(len(doc), values)
	return nil
}

// count warms up before it works: pools fill and plans are made once in the
// life of a program, not once a document.
func count(name, mode string, n int) error {
	doc, err := load(name)
	if err != nil {
		return err
	}
	workload, contender, _ := strings.Cut(mode, "/")
	w, err := contend.FindWorkload(workload)
	if err != nil {
		return err
	}
	c, err := w.Find(contender)
	if err != nil {
		return err
	}
	if err := w.Agree(doc); err != nil {
		return err
	}
	return work(c.Run, doc, n)
}

// work is what the counter is told to look at, by its name.
//
//go:noinline
func work(run func(doc []byte) error, doc []byte, n int) error {
	for range n {
		if err := run(doc); err != nil {
			return err
		}
	}
	return nil
}

// load takes a document's name, or a path, which has a slash or a dot in it.
func load(name string) ([]byte, error) {
	if strings.ContainsAny(name, "./") {
		return contend.File(name).Load()
	}
	d, err := contend.Sample(name)
	if err != nil {
		return nil, err
	}
	return d.Load()
}
