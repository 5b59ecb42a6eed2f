package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/boundpack/boundpack/benchmarks/internal/contend"
)

// options is what the flags say.
type options struct {
	workload contend.Workload
	docs     []contend.Document
	plan     plan
	procs    int
	gcOff    bool
	markdown bool
}

func parse(args []string) (o options, err error) {
	var (
		flags     = flag.NewFlagSet("benchmarks", flag.ContinueOnError)
		workload  = flags.String("workload", "walk", "what to measure: "+strings.Join(contend.WorkloadNames(), ", "))
		docs      = flags.String("docs", "", "generated documents, by name and comma; all that the workload is for if neither this nor -file is given")
		only      = flags.String("only", "", "contenders to measure, by name and comma; default all")
		baseline  = flags.String("baseline", "", "contender that ratios are taken against; default the workload's")
		rounds    = flags.Int("rounds", 11, "samples of each contender on each document")
		sample    = flags.Duration("sample", 30*time.Millisecond, "CPU time that one sample should take")
		procs     = flags.Int("procs", 1, "GOMAXPROCS")
		gcOff     = flags.Bool("gcoff", false, "collect between samples only")
		markdown  = flags.Bool("md", false, "write the table in Markdown")
		fileNames []string
	)
	flags.Func("file", "path of a document; may be given more than once", func(path string) error {
		fileNames = append(fileNames, path)
		return nil
	})
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() != 0 || *rounds < 1 || *procs < 1 || *sample <= 0 {
		return o, fmt.Errorf("nothing is measured with %q", args)
	}
	o = options{plan: plan{rounds: *rounds, sample: *sample}, procs: *procs, gcOff: *gcOff, markdown: *markdown}
	if o.workload, err = chooseWorkload(*workload, *only, *baseline); err != nil {
		return o, err
	}
	o.docs, err = chooseDocuments(o.workload, split(*docs), fileNames)
	return o, err
}

// chooseWorkload returns the workload with the contenders asked for, the
// baseline always among them.
func chooseWorkload(name, only, baseline string) (contend.Workload, error) {
	w, err := contend.FindWorkload(name)
	if err != nil {
		return w, err
	}
	if baseline != "" {
		w.Baseline = baseline
	}
	wanted := append(split(only), w.Baseline)
	for _, name := range wanted {
		if _, err := w.Find(name); err != nil {
			return w, err
		}
	}
	if only != "" {
		w.Contenders = slices.DeleteFunc(w.Contenders, func(c contend.Contender) bool {
			return !slices.Contains(wanted, c.Name)
		})
	}
	return w, nil
}

func chooseDocuments(w contend.Workload, names, paths []string) (docs []contend.Document, err error) {
	if len(names) == 0 && len(paths) == 0 {
		names = w.Documents()
	}
	for _, name := range names {
		d, err := contend.Sample(name)
		if err != nil {
			return nil, err
		}
		docs = append(docs, d)
	}
	for _, path := range paths {
		docs = append(docs, contend.File(path))
	}
	if len(docs) == 0 {
		return nil, fmt.Errorf("workload %s is for a -file", w.Name)
	}
	return docs, nil
}

// split is strings.Split that makes nothing of nothing.
func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}
