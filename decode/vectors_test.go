package decode

import (
	"errors"
	"testing"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/vectors"
)

func TestDecodeBoundsVectors(t *testing.T) {
	onAndOff(t, func(t *testing.T) {
		for _, v := range vectors.DecodeBounds {
			for _, depth := range []int{100, 1024} {
				got, err := Options{Limits: Limits{MaxDepth: depth}}.Must().Any(hexdoc.Must(v.Hex))
				if !errors.Is(err, v.Reason) || (got == nil) != (v.Reason != nil) {
					t.Errorf("%s at depth %d: %v, %v, want %v", v.Name, depth, got, err, v.Reason)
				}
			}
		}
	})
}
