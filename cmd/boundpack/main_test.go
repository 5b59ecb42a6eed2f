package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
)

// exe is the command, built once for all tests.
var exe string

// emulator is the command line of what must run exe, if this machine cannot.
var emulator = strings.Fields(os.Getenv("BOUNDPACK_EMULATOR"))

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "boundpack")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		exe = filepath.Join(dir, "boundpack.exe")
		if err := build(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

// build makes exe and lists the directories of what it is made of.
func build() error {
	list, err := goCommand("list", "-deps", "-f", "{{if .Module}}{{.Dir}}{{end}}", ".")
	if err != nil {
		return err
	}
	for dir := range strings.Lines(list) {
		sources = append(sources, strings.TrimRight(dir, "\r\n"))
	}
	_, err = goCommand("build", "-o", exe, ".")
	return err
}

// sources are the directories of the packages that exe is made of.
var sources []string

// openSources opens them. A test that runs exe must: go test keeps its result until
// something changes that the test is made of or has opened, and does not know what exe
// is made of. It notices only what is opened while tests run.
var openSources = sync.OnceValue(func() (err error) {
	for _, dir := range sources {
		_, e := os.ReadDir(dir)
		err = errors.Join(err, e)
	}
	return err
})

// goCommand returns what a go command prints, for the platform of the test.
func goCommand(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %q: %w\n%s", args, err, &stderr)
	}
	return string(out), nil
}

// boundpack returns a command that runs exe.
func boundpack(args ...string) *exec.Cmd {
	if err := openSources(); err != nil {
		panic(err)
	}
	line := append(append(emulator[:len(emulator):len(emulator)], exe), args...)
	return exec.Command(line[0], line[1:]...)
}

// result is what a run of the binary left behind.
type result struct {
	stdout, stderr string
	code           int
}

func (r result) String() string {
	return fmt.Sprintf("exit code %d, stdout %q, stderr %q", r.code, r.stdout, r.stderr)
}

// command runs the binary on stdin.
func command(t *testing.T, stdin io.Reader, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := boundpack(args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &stdout, &stderr
	finish(t, cmd, cmd.Run())
	return result{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// finish accepts every way for cmd to end, but not that it never ran.
func finish(t *testing.T, cmd *exec.Cmd, err error) {
	t.Helper()
	if errors.Is(err, syscall.ENOEXEC) && len(emulator) == 0 {
		t.Skipf("this machine cannot run what it builds, and BOUNDPACK_EMULATOR names nothing that can: %v", err)
	}
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
}

// write makes a file of data and returns its name.
func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestUsage(t *testing.T) {
	hint := func(name string) string { return "Run 'boundpack help " + name + "' for its usage.\n" }
	outOfRange := "options out of range or contradictory: Limits."
	for _, test := range []struct {
		args string
		want result
	}{
		{"", result{"", usage, 2}},
		{"help", result{usage, "", 0}},
		{"-h", result{usage, "", 0}},
		{"--help", result{usage, "", 0}},
		{"help json", result{helpJSON + helpLimits, "", 0}},
		{"json --help", result{helpJSON + helpLimits, "", 0}},
		{"json nofile -h", result{helpJSON + helpLimits, "", 0}},
		{"check -help", result{helpCheck + helpLimits + helpMemory, "", 0}},
		{"help check", result{helpCheck + helpLimits + helpMemory, "", 0}},
		{"tokens -h", result{helpTokens + helpLimits, "", 0}},
		{"open -h", result{helpOpen + helpEnvelope, "", 0}},
		{"help seal", result{helpSeal + helpEnvelope, "", 0}},
		{"version -h", result{helpVersion, "", 0}},
		{"help version", result{helpVersion, "", 0}},
		{"help help", result{usage, "", 0}},
		{"help nope", result{"", "boundpack help: unknown command \"nope\"\n" + hint("help"), 2}},
		{"help json check", result{"", "boundpack help: takes one command at most\n" + hint("help"), 2}},
		{"nope", result{"", "boundpack: unknown command \"nope\"\nRun 'boundpack help' for its usage.\n", 2}},
		{"--stream json", result{"", "boundpack: unknown command \"--stream\"\nRun 'boundpack help' for its usage.\n", 2}},
		{"version now", result{"", "boundpack version: takes no file\n" + hint("version"), 2}},
		{"json a b", result{"", "boundpack json: takes one file, not 2\n" + hint("json"), 2}},
		{"tokens a b", result{"", "boundpack tokens: takes one file, not 2\n" + hint("tokens"), 2}},
		{"open a b", result{"", "boundpack open: takes one file, not 2\n" + hint("open"), 2}},
		{"seal a b", result{"", "boundpack seal: takes one file, not 2\n" + hint("seal"), 2}},
		{"open --format x", result{"", "boundpack open: flag provided but not defined: -format\n" + hint("open"), 2}},
		{"open --max-depth 1", result{"", "boundpack open: flag provided but not defined: -max-depth\n" + hint("open"), 2}},
		{"json --max-ratio 1", result{"", "boundpack json: flag provided but not defined: -max-ratio\n" + hint("json"), 2}},
		{"open --max-payload 536870913", result{"", "boundpack open: options out of range or contradictory: MaxPayload is 536870913, want 1..536870912, or 0 for the default\n" + hint("open"), 2}},
		{"seal --max-ratio=-1", result{"", "boundpack seal: options out of range or contradictory: MaxRatio is -1, want 1..1000, or 0 for the default\n" + hint("seal"), 2}},
		{"seal --max-envelope", result{"", "boundpack seal: flag needs an argument: -max-envelope\n" + hint("seal"), 2}},
		{"tokens --stream", result{"", "boundpack tokens: flag provided but not defined: -stream\n" + hint("tokens"), 2}},
		{"json --max-depth", result{"", "boundpack json: flag needs an argument: -max-depth\n" + hint("json"), 2}},
		{"json --max-depth=deep", result{"", "boundpack json: invalid value \"deep\" for flag -max-depth: parse error\n" + hint("json"), 2}},
		{"json --max-depth 65536", result{"", "boundpack json: " + outOfRange + "MaxDepth is 65536, want 1..65535, or 0 for the default\n" + hint("json"), 2}},
		{"check f -max-bytes=-1", result{"", fmt.Sprintf("boundpack check: %sMaxBytes is -1, want 1..%d, or 0 for the default\n%s", outOfRange, int64(bounds.CeilingMaxBytes), hint("check")), 2}},
		{"tokens --max-items -5 f", result{"", fmt.Sprintf("boundpack tokens: %sMaxItems is -5, want 1..%d, or 0 for the default\n%s", outOfRange, int64(bounds.CeilingMaxItems), hint("tokens")), 2}},
	} {
		if got := command(t, nil, strings.Fields(test.args)...); got != test.want {
			t.Errorf("boundpack %s:\n got %v\nwant %v", test.args, got, test.want)
		}
	}
}

func TestVersion(t *testing.T) {
	got := command(t, nil, "version")
	platform := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	if !strings.HasPrefix(got.stdout, "boundpack ") || !strings.HasSuffix(got.stdout, platform) || got.stderr != "" || got.code != 0 {
		t.Errorf("got %v", got)
	}
}

// TestFlagsAnywhere gives flags and files in every order.
func TestFlagsAnywhere(t *testing.T) {
	file := write(t, "doc", hexdoc.Must("92 01 02"))
	dash := write(t, "-doc", hexdoc.Must("92 01 02"))
	refused := ": msgpack document holds more than 2 items (at byte 0), limit --max-items = 2\n"
	for _, args := range [][]string{
		{"--max-items", "2", file},
		{"-max-items", "2", file},
		{file, "--max-items", "2"},
		{file, "--max-items=2"},
		{"-max-depth=3", file, "-max-items=2"},
		{"--max-items=2", "--", file},
	} {
		if got, want := command(t, nil, append([]string{"json"}, args...)...), (result{"", file + refused, 1}); got != want {
			t.Errorf("json %q:\n got %v\nwant %v", args, got, want)
		}
	}
	cmd := boundpack("check", "--", "-doc", "-max-items=2")
	cmd.Dir = filepath.Dir(dash)
	out, err := cmd.CombinedOutput()
	finish(t, cmd, err)
	if got, want := string(out), "-doc: ok: 3 bytes, depth 1, items 3\n-max-items=2: "; !strings.HasPrefix(got, want) {
		t.Errorf("after --: got %q, want %q", got, want)
	}
}

// TestCeilings raises every limit as far as it goes.
func TestCeilings(t *testing.T) {
	args := []string{
		"--stream", fmt.Sprint("--max-depth=", bounds.CeilingMaxDepth),
		fmt.Sprint("--max-bytes=", int64(bounds.CeilingMaxBytes)), fmt.Sprint("--max-items=", int64(bounds.CeilingMaxItems)),
	}
	deep := "91*65534 90 "
	got := command(t, bytes.NewReader(hexdoc.Must("07 "+deep+deep+"08")), append([]string{"json"}, args...)...)
	nested := strings.Repeat("[", 65535) + strings.Repeat("]", 65535) + "\n"
	if want := (result{"7\n" + nested + nested + "8\n", "", 0}); got != want {
		t.Errorf("exit code %d, %d bytes, %.200q", got.code, len(got.stdout), got.stderr)
	}
	got = command(t, bytes.NewReader(hexdoc.Must("07 db ffffffff")), append([]string{"json"}, args...)...)
	refused := "declares more bytes than the input holds (at byte 0)"
	if bounds.CeilingMaxBytes == math.MaxInt32 {
		refused = "is longer than 2147483647 bytes (at byte 0), limit --max-bytes = 2147483647"
	}
	if want := (result{"7\n", "stdin: msgpack document " + refused + ", document 2, which starts at byte 1\n", 1}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestDocumentation keeps the package documentation and the help the same.
func TestDocumentation(t *testing.T) {
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var doc strings.Builder
	for line := range strings.Lines(string(source)) {
		line = strings.TrimPrefix(line, "//")
		doc.WriteString(strings.TrimLeft(line, " \t"))
	}
	for _, help := range []string{usage, helpLimits, helpMemory, helpJSON, helpCheck, helpTokens, helpOpen, helpSeal, helpEnvelope, helpVersion} {
		for line := range strings.Lines(help) {
			if !strings.Contains(doc.String(), strings.TrimLeft(line, " \t")) {
				t.Errorf("doc.go lacks the line %q of the help", line)
			}
		}
	}
}

func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "missing")
	for _, name := range []string{"json", "check", "tokens", "open", "seal"} {
		got := command(t, nil, name, missing)
		if want := (result{"", missing + ": " + cause(open(missing)).Error() + "\n", 1}); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
		got = command(t, nil, name, dir)
		if !strings.HasPrefix(got.stderr, dir+": ") || got.stdout != "" || got.code != 1 {
			t.Errorf("%s of a directory: got %v", name, got)
		}
	}
	// The name of a file may hold anything.
	got := command(t, nil, "check", filepath.Join("no", "\x1b[31m\xff"))
	if !strings.HasPrefix(got.stderr, `"no/\x1b[31m\xff": `) && runtime.GOOS != "windows" {
		t.Errorf("got %v", got)
	}
}

func open(name string) error {
	_, err := os.Open(name)
	return err
}

// TestFullDisk fails the writes to standard output.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("no device to write to in vain: %v", err)
	}
	defer full.Close()
	for _, args := range []string{"help", "version", "json", "json --stream", "check", "check --stream", "tokens", "seal"} {
		var stderr bytes.Buffer
		cmd := boundpack(strings.Fields(args)...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader([]byte{7}), full, &stderr
		finish(t, cmd, cmd.Run())
		if !strings.Contains(stderr.String(), "writing to stdout: no space left on device\n") || cmd.ProcessState.ExitCode() != 1 {
			t.Errorf("%s: exit code %d, stderr %q", args, cmd.ProcessState.ExitCode(), &stderr)
		}
	}
}
