// Command benchmarks measures this module's decoders against their peers on the
// same documents, in one process and in turns, and reports the ratios.
//
//	go run . -workload walk -docs a4,a100,a1000 -rounds 21
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
)

func main() {
	switch err := run(os.Args[1:], os.Stdout); {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "benchmarks:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.procs))
	if o.gcOff {
		defer debug.SetGCPercent(debug.SetGCPercent(-1))
	}
	var rows []result
	for _, d := range o.docs {
		doc, err := d.Load()
		if err != nil {
			return err
		}
		if err := o.workload.Agree(doc); err != nil {
			return fmt.Errorf("document %s: %w", d.Name, err)
		}
		rows = append(rows, results(d.Name, len(doc), o.workload, measure(doc, o.workload.Contenders, o.plan))...)
	}
	for _, line := range header(o) {
		fmt.Fprintln(out, line)
	}
	fmt.Fprintln(out)
	t := tabulate(rows)
	if o.markdown {
		return t.writeMarkdown(out)
	}
	return t.writeText(out)
}
