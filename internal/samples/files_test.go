package samples

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the files below testdata instead of comparing them")

const testdata = "../../testdata"

// TestFiles keeps the files equal to what makes them, and knows every file: one
// that nothing makes could not be regenerated.
func TestFiles(t *testing.T) {
	var names []string
	size := 0
	for _, f := range Files() {
		names = append(names, f.Name)
		want := f.Make()
		size += len(want)
		path := filepath.Join(testdata, filepath.FromSlash(f.Name))
		if *update {
			write(t, path, want)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator makes; run go test ./internal/samples -update", f.Name)
		}
	}
	if size > 200_000 {
		t.Errorf("testdata takes %d bytes", size)
	}
	for _, name := range filesBelow(t, testdata) {
		if !slices.Contains(names, name) {
			t.Errorf("%s is made by no entry of Files", name)
		}
	}
}

// TestFilesAreListed holds the list for readers to the list for machines.
func TestFilesAreListed(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(testdata, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Files() {
		if !strings.Contains(string(readme), "`"+f.Name+"`") {
			t.Errorf("testdata/README.md does not say what %s is", f.Name)
		}
	}
}

func TestStreamIsWholeDocuments(t *testing.T) {
	rest, documents := Stream(), 0
	for len(rest) > 0 {
		var err error
		if _, rest, err = shapeOf(rest); err != nil {
			t.Fatal(documents, err)
		}
		documents++
	}
	if documents != 7 {
		t.Errorf("%d documents, want 7", documents)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// filesBelow lists the .msgpack files below dir, with slashes.
func filesBelow(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".msgpack") {
			name, relErr := filepath.Rel(dir, path)
			names, err = append(names, filepath.ToSlash(name)), relErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
