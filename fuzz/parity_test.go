package fuzz

import (
	"testing"

	"github.com/boundpack/boundpack/internal/parity"
)

func FuzzParity(f *testing.F) {
	for _, doc := range seeds(f) {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > maxSize {
			return
		}
		for _, s := range parity.Sets {
			if _, err := parity.Compare(data, s); err != nil {
				t.Fatalf("%s: %v\n%s", s.Name, err, parity.Dump(data))
			}
		}
	})
}
