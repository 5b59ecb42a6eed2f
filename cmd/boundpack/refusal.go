package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// open opens a file of the command line and returns the name by which messages
// call it.
func (a *app) open(file string) (in *os.File, name string, err error) {
	if file == stdin {
		return a.stdin, "stdin", nil
	}
	name = file
	if !utf8.ValidString(file) || strings.IndexFunc(file, unprintable) >= 0 {
		name = strconv.Quote(file)
	}
	in, err = os.Open(file)
	return in, name, err
}

func unprintable(r rune) bool { return !strconv.IsPrint(r) }

// refuse reports why the named input, which starts with data, was refused or not
// read, and returns the exit code for it. What was printed before comes first.
func (a *app) refuse(name string, data []byte, err error, more ...string) int {
	a.stdout.Flush()
	fmt.Fprintf(a.stderr, "%s: %s%s\n", name, refusal(data, err), strings.Join(more, ""))
	return exitRefused
}

// refusal says why err refused the document that data starts with: the reason and
// the offset, the path, and the flag that raises the limit.
func refusal(data []byte, err error) string {
	e, ok := errors.AsType[*bounds.Error](err)
	if !ok {
		return cause(err).Error()
	}
	var b strings.Builder
	b.WriteString(e.Error())
	if path := walk.PathAt(data, e.Offset); path != "" {
		b.WriteString(", path " + path)
	}
	if errors.Is(e, bounds.ErrLimit) {
		fmt.Fprintf(&b, ", limit %s = %d", flagOf(e.Reason), e.Limit)
	}
	return b.String()
}

// flagOf returns the flag that sets the limit which reason is about.
func flagOf(reason error) string {
	switch reason {
	case bounds.ErrMaxDepth:
		return "--max-depth"
	case bounds.ErrMaxItems:
		return "--max-items"
	case bounds.ErrMaxMemory:
		return "--max-memory"
	}
	return "--max-bytes"
}

// errOutput says that standard output takes no more, whatever the input is.
var errOutput = errors.New("writing to stdout")

// output returns the errOutput that err caused.
func output(err error) error { return fmt.Errorf("%w: %w", errOutput, cause(err)) }

// cause returns err without the name of the file, which may hold anything and
// which messages give themselves.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
