package walk

import (
	"errors"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/vectors"
)

func TestDecodeBoundsVectors(t *testing.T) {
	for _, v := range vectors.DecodeBounds {
		doc := hexdoc.Must(v.Hex)
		if len(doc) != v.Size {
			t.Errorf("%s is %d bytes long, want %d", v.Name, len(doc), v.Size)
		}
		for _, depth := range []int{100, 1024} {
			l := bounds.Limits{MaxDepth: depth}
			n, err := Len(doc, l)
			if v.Reason == nil && (n != v.Size || err != nil) || !errors.Is(err, v.Reason) {
				t.Errorf("%s at depth %d: %d, %v, want %v", v.Name, depth, n, err, v.Reason)
			}
			agree(t, doc, l)
		}
	}
}
