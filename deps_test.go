package boundpack

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/boundpack/boundpack/"

// The house, from the ground up: what each package may import beside the standard
// library, directly. An arrow points down only. Do not add to this list to make the
// test pass: an import from outside is a decision about everybody's build.
var mayImport = map[string][]string{
	"":                {},
	"bounds":          {},
	"internal/tier":   {},
	"internal/route":  {},
	"internal/price":  {},
	"internal/hexdoc": {},
	"internal/probe":  {},
	"internal/guard":  {},
	"asm":             {"internal/tier"},
	"walk":            {"bounds", "asm", "internal/tier", "internal/route", "internal/price"},
	"decode":          {"bounds", "asm", "walk", "internal/tier", "internal/price"},
	"envelope":        {"bounds", "walk", "decode", "internal/tier"},
	"cmd/boundpack":   {"bounds", "walk", "decode", "envelope"},

	"internal/samples":     {},
	"internal/vectors":     {"bounds"},
	"internal/parity":      {"bounds", "walk", "decode", "internal/tier", "internal/samples"},
	"internal/typedparity": {"internal/parity"},
	"fuzz":                 {"internal/parity"},
}

// The packages that are tests and nothing else, whatever their files are called.
var testsOnly = []string{"internal/parity", "internal/typedparity", "fuzz"}

// What tests may import beside that.
var testsMayImport = []string{"internal/price", "bounds", "walk", "decode", "internal/tier", "internal/hexdoc", "internal/probe", "internal/guard", "internal/samples", "internal/vectors"}

// The modules from outside that a package may import.
var mayRequire = map[string][]string{
	"asm":      {"golang.org/x/sys/cpu"}, // the only word on what a CPU can do
	"envelope": {"github.com/pierrec/lz4/v4", "github.com/zeebo/xxh3"},
}

// The modules from outside that tests may import.
var testsMayRequire = []string{"github.com/vmihailenco/msgpack/v5", "github.com/google/go-cmp", "github.com/klauspost/cpuid/v2"}

// The standard packages that only some may use.
var reserved = map[string][]string{
	"reflect": {"decode"},
	"unsafe":  {"asm", "decode"},
	"C":       {},
}

// maxLines keeps a file to one idea.
const maxLines = 500

type source struct {
	dir, name string
	text      []byte
	imports   []string
}

func (s source) isTest() bool {
	return strings.HasSuffix(s.name, "_test.go") || slices.Contains(testsOnly, s.dir)
}

// mayRequire reports whether s may import a package from outside.
func (s source) mayRequire(imported string) bool {
	of := func(m string) bool { return imported == m || strings.HasPrefix(imported, m+"/") }
	return slices.ContainsFunc(mayRequire[s.dir], of) || s.isTest() && slices.ContainsFunc(testsMayRequire, of)
}

// sources returns every Go file of this module, whatever its build tags.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if p == "." {
				return nil
			}
			_, err := os.Stat(filepath.Join(p, "go.mod")) // a module of its own
			if err == nil || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir, name := path.Split(filepath.ToSlash(p))
		s := source{dir: strings.TrimSuffix(dir, "/"), name: name, text: text}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, imported)
		}
		all = append(all, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range sources(t) {
		seen[s.dir] = true
		may, known := mayImport[s.dir]
		if !known {
			t.Errorf("package %s is not in the house: say in mayImport what it may import", s.dir)
		}
		for _, imported := range s.imports {
			switch first, _, _ := strings.Cut(imported, "/"); {
			case strings.HasPrefix(imported, module):
				imported = strings.TrimPrefix(imported, module)
				if imported != s.dir && !slices.Contains(may, imported) && !(s.isTest() && slices.Contains(testsMayImport, imported)) {
					t.Errorf("%s/%s imports %s", s.dir, s.name, imported)
				}
			case s.mayRequire(imported):
			case strings.Contains(first, "."):
				t.Errorf("%s/%s imports %s from outside", s.dir, s.name, imported)
			default:
				only, restricted := reserved[imported]
				if restricted && !s.isTest() && !slices.Contains(only, s.dir) {
					t.Errorf("%s/%s imports %s, which only %q may", s.dir, s.name, imported, only)
				}
			}
		}
	}
	for dir := range mayImport {
		if !seen[dir] {
			t.Errorf("package %q is in the house, but not in the tree", dir)
		}
	}
	if len(seen) < 5 {
		t.Errorf("only %d packages were read", len(seen))
	}
}

func TestFileSizes(t *testing.T) {
	for _, s := range sources(t) {
		if n := bytes.Count(s.text, []byte("\n")); n > maxLines {
			t.Errorf("%s/%s has %d lines, more than %d", s.dir, s.name, n, maxLines)
		}
	}
}

var packageComment = regexp.MustCompile(`(?m)^//.*\npackage `)

// TestPackageDocs holds every package to a doc.go that carries its comment.
func TestPackageDocs(t *testing.T) {
	docs := map[string]bool{}
	dirs := map[string]bool{}
	for _, s := range sources(t) {
		dirs[s.dir] = true
		if s.name == "doc.go" && packageComment.Match(s.text) {
			docs[s.dir] = true
		}
	}
	for dir := range dirs {
		if !docs[dir] && !strings.HasPrefix(dir, "internal/") {
			t.Errorf("package %q has no doc.go with a package comment", dir)
		}
	}
}
