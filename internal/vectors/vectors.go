// Package vectors holds published test vectors that several packages are held to.
package vectors

import "github.com/boundpack/boundpack/bounds"

// Bound is one vector: a document, and the reason why it must be refused.
type Bound struct {
	Name   string
	Hex    string // as package hexdoc reads it
	Size   int    // of the document in bytes
	Reason error  // nil for a document that must be accepted
}

// DecodeBounds are CacheKit's decode-bounds vectors, version 1.2.0: they hold for
// every depth limit from 32 to 1024.
var DecodeBounds = []Bound{
	{"nested_array16_depth_2048", "dc07d0*2048", 6144, bounds.ErrOwed},
	{"nested_array32_input_len_depth_1100", "dd0000157c*1100", 5500, bounds.ErrOwed},
	{"nested_map16_depth_2048", "de07d0*2048", 6144, bounds.ErrOwed},
	{"nested_array16_each_header_fits_sum_overclaims", "dc07d0*30 c0*2000", 2090, bounds.ErrOwed},
	{"nested_fixarray_depth_1025_complete", "91*1025 c0", 1026, bounds.ErrMaxDepth},
	{"nested_fixmap_depth_1025_complete", "81a0*1025 c0", 2051, bounds.ErrMaxDepth},
	{"array16_overclaim_shallow", "dc2710 010203", 6, bounds.ErrOwed},
	{"array32_max_claim_alone", "ddffffffff", 5, bounds.ErrOwed},
	{"map32_max_claim_alone", "dfffffffff", 5, bounds.ErrOwed},
	{"array32_sum_wraps_u32", "ddffffffff dd00000001", 10, bounds.ErrOwed},
	{"array32_sum_wraps_u32_small_first", "91 ddffffffff", 6, bounds.ErrOwed},
	{"map32_half_claim_wraps_u32_mul", "df80000000", 5, bounds.ErrOwed},
	{"fixmap_short_by_one", "81 c0", 2, bounds.ErrOwed},
	{"bin32_overclaim", "c6ffffffff 41", 6, bounds.ErrShort},
	{"str32_overclaim", "dbffffffff 41", 6, bounds.ErrShort},
	{"ext32_overclaim", "c9ffffffff 0541", 7, bounds.ErrShort},
	{"fixarray_short_by_one", "95 c0*4", 5, bounds.ErrOwed},
	{"incomplete_within_slot_budget", "92 dc0000", 4, bounds.ErrOwed},
	{"incomplete_map_within_slot_budget", "82 de0000c0", 5, bounds.ErrOwed},
	{"nested_fixarray_depth_32", "91*32 c0", 33, nil},
	{"nested_fixmap_depth_32", "81a0*32 c0", 65, nil},
	{"array16_256_backed_nils", "dc0100 c0*256", 259, nil},
}
