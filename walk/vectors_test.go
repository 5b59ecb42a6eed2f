package walk

import (
	"errors"
	"fmt"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
)

// The published CacheKit decode-bounds vectors, version 1.2.0, by their
// construction: repeat the first group count times, then the suffix.
var decodeBounds = []struct {
	name   string
	repeat string
	count  int
	suffix string
	size   int
	reason error // nil for an accept vector
}{
	{"nested_array16_depth_2048", "dc07d0", 2048, "", 6144, ErrOwed},
	{"nested_array32_input_len_depth_1100", "dd0000157c", 1100, "", 5500, ErrOwed},
	{"nested_map16_depth_2048", "de07d0", 2048, "", 6144, ErrOwed},
	{"nested_array16_each_header_fits_sum_overclaims", "dc07d0", 30, "c0*2000", 2090, ErrOwed},
	{"nested_fixarray_depth_1025_complete", "91", 1025, "c0", 1026, ErrMaxDepth},
	{"nested_fixmap_depth_1025_complete", "81a0", 1025, "c0", 2051, ErrMaxDepth},
	{"array16_overclaim_shallow", "dc2710", 1, "010203", 6, ErrOwed},
	{"array32_max_claim_alone", "ddffffffff", 1, "", 5, ErrOwed},
	{"map32_max_claim_alone", "dfffffffff", 1, "", 5, ErrOwed},
	{"array32_sum_wraps_u32", "ddffffffff", 1, "dd00000001", 10, ErrOwed},
	{"array32_sum_wraps_u32_small_first", "91", 1, "ddffffffff", 6, ErrOwed},
	{"map32_half_claim_wraps_u32_mul", "df80000000", 1, "", 5, ErrOwed},
	{"fixmap_short_by_one", "81", 1, "c0", 2, ErrOwed},
	{"bin32_overclaim", "c6ffffffff", 1, "41", 6, ErrShort},
	{"str32_overclaim", "dbffffffff", 1, "41", 6, ErrShort},
	{"ext32_overclaim", "c9ffffffff", 1, "0541", 7, ErrShort},
	{"fixarray_short_by_one", "95", 1, "c0*4", 5, ErrOwed},
	{"incomplete_within_slot_budget", "92", 1, "dc0000", 4, ErrOwed},
	{"incomplete_map_within_slot_budget", "82", 1, "de0000c0", 5, ErrOwed},
	{"nested_fixarray_depth_32", "91", 32, "c0", 33, nil},
	{"nested_fixmap_depth_32", "81a0", 32, "c0", 65, nil},
	{"array16_256_backed_nils", "dc0100", 1, "c0*256", 259, nil},
}

func TestDecodeBoundsVectors(t *testing.T) {
	for _, v := range decodeBounds {
		doc := hexdoc.Must(fmt.Sprintf("%s*%d %s", v.repeat, v.count, v.suffix))
		if len(doc) != v.size {
			t.Errorf("%s is %d bytes long, want %d", v.name, len(doc), v.size)
		}
		for _, depth := range []int{100, 1024} {
			l := bounds.Limits{MaxDepth: depth}
			n, err := Len(doc, l)
			if v.reason == nil {
				if n != v.size || err != nil {
					t.Errorf("%s at depth %d: %d, %v, want %d", v.name, depth, n, err, v.size)
				}
			} else if !errors.Is(err, v.reason) {
				t.Errorf("%s at depth %d: %v, want %v", v.name, depth, err, v.reason)
			}
			agree(t, doc, l)
		}
	}
}
