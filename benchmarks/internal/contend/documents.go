package contend

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/boundpack/boundpack/internal/samples"
	"github.com/tinylib/msgp/msgp"
)

// A Document is named at once and read when it is measured, so that only one is
// alive at a time: what lives makes the garbage collector's work.
type Document struct {
	Name string
	Load func() ([]byte, error)
}

// SampleNames returns the names of the generated documents.
func SampleNames() []string {
	var names []string
	for _, s := range samples.All() {
		names = append(names, s.Name)
	}
	return names
}

// Sample returns the generated document, or text, of that name.
func Sample(name string) (Document, error) {
	if t, ok := text(name); ok {
		return Document{name, func() ([]byte, error) { return t, nil }}, nil
	}
	s, ok := samples.Find(name)
	if !ok {
		return Document{}, fmt.Errorf("no document %q, only %q", name, SampleNames())
	}
	return Document{name, func() ([]byte, error) { return s.Make(), nil }}, nil
}

// File returns the document in a file, named by the last element of its path.
func File(path string) Document {
	return Document{filepath.Base(path), func() ([]byte, error) {
		doc, err := os.ReadFile(path)
		if err == nil && len(doc) == 0 {
			err = fmt.Errorf("%s is empty", path)
		}
		return doc, err
	}}
}

// CountValues returns how many headers doc has: one for every value, keys and
// containers included.
func CountValues(doc []byte) (int, error) {
	v, rest, err := msgp.ReadIntfBytes(doc)
	if err := whole(rest, err); err != nil {
		return 0, err
	}
	return countValues(v), nil
}

func countValues(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			n += countValues(element)
		}
	case map[string]any:
		for _, value := range v {
			n += 1 + countValues(value)
		}
	}
	return n
}
