package walk

import (
	"strconv"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/samples"
)

// BenchmarkProgress walks a document as a slice and as a stream that gives all of it, and
// 1 KiB at a time.
func BenchmarkProgress(b *testing.B) {
	doc := samples.Users(100)
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			if err := Check(doc, bounds.Limits{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	p, err := NewProgress(bounds.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	for _, part := range []int{len(doc), 1 << 10} {
		b.Run(strconv.Itoa(part), func(b *testing.B) {
			for b.Loop() {
				if err := p.Reset(bounds.Limits{}); err != nil {
					b.Fatal(err)
				}
				for at := 0; at < len(doc); at += part {
					if _, err := p.Feed(doc[at:min(len(doc), at+part)]); err != nil {
						b.Fatal(err)
					}
				}
				if p.Need() != 0 {
					b.Fatal("the document is not complete")
				}
			}
		})
	}
}
