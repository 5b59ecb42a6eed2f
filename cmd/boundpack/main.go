package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
)

// The exit codes.
const (
	exitOK      = 0
	exitRefused = 1 // a document was refused, or something could not be read or written
	exitUsage   = 2
)

func main() {
	a := &app{stdin: os.Stdin, out: os.Stdout, stdout: bufio.NewWriterSize(os.Stdout, 64<<10), stderr: os.Stderr}
	code := a.run(os.Args[1:])
	if err := a.stdout.Flush(); err != nil && code == exitOK {
		code = a.refuse("boundpack", nil, output(err))
	}
	os.Exit(code)
}

// app is one run of the command.
type app struct {
	stdin  *os.File
	out    *os.File // what stdout writes to
	stdout *bufio.Writer
	stderr io.Writer
}

// run does what args say and returns the exit code.
func (a *app) run(args []string) int {
	if len(args) == 0 {
		fmt.Fprint(a.stderr, usage)
		return exitUsage
	}
	name, args := args[0], args[1:]
	switch name {
	case "help":
		return a.help(args)
	case "-h", "-help", "--help":
		return a.help(nil)
	}
	opt, err := parse(name, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return a.help([]string{name})
	case err != nil:
		return a.misuse(name, err)
	}
	switch name {
	case "json":
		return a.json(opt)
	case "check":
		return a.check(opt)
	case "tokens":
		return a.tokens(opt)
	case "open":
		return a.openEnvelope(opt)
	case "seal":
		return a.sealEnvelope(opt)
	}
	return a.version()
}

// help prints the usage, or the help of the command that args name.
func (a *app) help(args []string) int {
	text := usage
	if len(args) > 0 {
		text = helpOf[args[0]]
	}
	switch {
	case len(args) > 1:
		return a.misuse("help", errors.New("takes one command at most"))
	case text == "":
		return a.misuse("help", fmt.Errorf("unknown command %q", args[0]))
	}
	a.stdout.WriteString(text)
	return exitOK
}

// misuse reports a wrong command line.
func (a *app) misuse(name string, err error) int {
	if _, ok := helpOf[name]; ok {
		fmt.Fprintf(a.stderr, "boundpack %s: %v\nRun 'boundpack help %s' for its usage.\n", name, err, name)
	} else {
		fmt.Fprintf(a.stderr, "boundpack: %v\nRun 'boundpack help' for its usage.\n", err)
	}
	return exitUsage
}

// version prints what was built, with what and for what.
func (a *app) version() int {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	fmt.Fprintf(a.stdout, "boundpack %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return exitOK
}
