package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/envelope"
)

// options are what stands behind a command on the command line.
type options struct {
	limits bounds.Limits // resolved
	stream bool
	memory bool // limits.MaxMemory was given
	codec  *envelope.Codec
	format string
	files  []string // at least one

	// envelope are the options of codec, no field zero.
	envelope envelope.Options
}

// stdin is the name on the command line of standard input.
const stdin = "-"

// most is the number of files that each command takes.
var most = map[string]int{"json": 1, "check": math.MaxInt, "tokens": 1, "open": 1, "seal": 1, "version": 0}

// parse reads the arguments of the named command. Flags and files may stand in
// any order; after "--" everything is a file. The error is [flag.ErrHelp] where
// help was asked for, and else a wrong command line.
func parse(name string, args []string) (options, error) {
	files, ok := most[name]
	if !ok {
		return options{}, fmt.Errorf("unknown command %q", name)
	}
	var opt options
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	switch name {
	case "json", "check", "tokens":
		set.IntVar(&opt.limits.MaxDepth, "max-depth", 0, "")
		set.IntVar(&opt.limits.MaxBytes, "max-bytes", 0, "")
		set.IntVar(&opt.limits.MaxItems, "max-items", 0, "")
	case "open", "seal":
		set.IntVar(&opt.envelope.MaxEnvelope, "max-envelope", 0, "")
		set.IntVar(&opt.envelope.MaxPayload, "max-payload", 0, "")
		set.IntVar(&opt.envelope.MaxRatio, "max-ratio", 0, "")
	}
	if name == "seal" {
		set.StringVar(&opt.format, "format", envelope.DefaultFormat, "")
	}
	if name == "check" {
		set.Int64Var(&opt.limits.MaxMemory, "max-memory", 0, "")
	}
	if name == "json" || name == "check" {
		set.BoolVar(&opt.stream, "stream", false, "")
	}
	// A FlagSet stops at the first file: take it and start again behind it.
	for {
		if err := set.Parse(args); err != nil {
			return options{}, err
		}
		rest := set.Args()
		if read := len(args) - len(rest); read > 0 && args[read-1] == "--" {
			opt.files = append(opt.files, rest...)
			break
		}
		if len(rest) == 0 {
			break
		}
		opt.files = append(opt.files, rest[0])
		args = rest[1:]
	}
	switch {
	case len(opt.files) <= files:
	case files == 0:
		return options{}, errors.New("takes no file")
	default:
		return options{}, fmt.Errorf("takes one file, not %d", len(opt.files))
	}
	if len(opt.files) == 0 {
		opt.files = []string{stdin}
	}
	set.Visit(func(f *flag.Flag) { opt.memory = opt.memory || f.Name == "max-memory" })
	var err error
	if opt.limits, err = opt.limits.Resolve(); err != nil {
		return opt, err
	}
	opt.codec, err = opt.envelope.New()
	for _, f := range []struct {
		value *int
		most  int
	}{
		{&opt.envelope.MaxEnvelope, envelope.DefaultMaxEnvelope},
		{&opt.envelope.MaxPayload, envelope.DefaultMaxPayload},
		{&opt.envelope.MaxRatio, envelope.DefaultMaxRatio},
	} {
		if *f.value == 0 {
			*f.value = f.most
		}
	}
	return opt, err
}
