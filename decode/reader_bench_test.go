package decode

import (
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/samples"
	"github.com/boundpack/boundpack/walk"
)

// BenchmarkReader decodes the same documents from a slice, from a stream that is read ahead,
// and from one that is not, so that the three can be compared in one run.
func BenchmarkReader(b *testing.B) {
	for _, size := range []struct {
		name  string
		users int
	}{{"4", 4}, {"100", 100}, {"1000", 1000}} {
		doc := samples.Users(size.users)
		bench := func(name string, f func() error) {
			b.Run(size.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(doc)))
				b.ReportAllocs()
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		bench("slice", func() error {
			var v any
			return Unmarshal(doc, &v)
		})
		ahead := NewReader(&repeating{item: doc, n: 1 << 30}).ReadAhead()
		bench("ahead", func() error {
			var v any
			return ahead.Decode(&v)
		})
		exact := NewReader(&repeating{item: doc, n: 1 << 30})
		bench("exact", func() error {
			var v any
			return exact.Decode(&v)
		})
		bench("check", func() error { return walk.Check(doc, bounds.Limits{}) })
		var p walk.Progress
		bench("progress", func() error {
			if err := p.Reset(bounds.Limits{}); err != nil {
				return err
			}
			_, err := p.Feed(doc)
			return err
		})
	}
}
