//go:build !purego

package asm

import (
	"math/bits"
	"unsafe"

	"github.com/boundpack/boundpack/internal/tier"
)

// A loadPlan says how a group of numbers of one format becomes lanes: a group makes 64
// bytes. The kernels know where its fields stand.
type loadPlan struct {
	index  [64]byte // of each byte of the lanes: where it comes from, in the two loads
	shift  [64]byte // of each lane: how far down, in bits
	forbid [64]byte // bits that no lane may have
	keep   uint64   // the bytes of the lanes that come from there; the others are 0
	marks  uint64   // where the first load has a marker
	marks2 uint64   // where the second has one that the first has not
	marker uint64
	step   int // bytes of a group
	second int // where the second load begins
}

// loadPlans has the plan for a marker from 0xca to 0xd3, lanes of 1<<i bytes, and lanes that
// are signed or not; step is 0 where there is none: lanes narrower than the number.
var loadPlans = func() (t [0xd4 - 0xca][4][2]loadPlan) {
	for m := range t {
		for lane := range t[m] {
			for signed := range t[m][lane] {
				t[m][lane][signed].make(byte(0xca+m), 1<<lane, signed == 1)
			}
		}
	}
	return t
}()

func (l *loadPlan) make(marker byte, lane int, signed bool) {
	var width int
	fromSigned := marker >= 0xd0
	isFloat := marker < 0xcc
	if isFloat {
		width = 4 << (marker - 0xca)
		if lane != width {
			return
		}
	} else {
		width = 1 << (marker & 3)
	}
	if width > lane {
		return
	}
	items := 64 / lane
	l.step = items * (1 + width)
	l.second = max(0, l.step-64)
	l.marker = uint64(marker)
	// from returns the index of byte i of the group in the two loads.
	from := func(i int) byte {
		if i < 64 {
			return byte(i)
		}
		return byte(64 + i - l.second)
	}
	for item := range items {
		start := item * (1 + width)
		if i := from(start); i < 64 {
			l.marks |= 1 << i
		} else {
			l.marks2 |= 1 << (i - 64)
		}
		// The payload turned round: a signed one at the top of the lane, to be shifted
		// down, any other at the bottom.
		at := item * lane
		bottom := at
		if fromSigned {
			bottom += lane - width
			l.shift[at] = byte(8 * (lane - width))
		}
		for k := range width {
			l.index[bottom+width-1-k] = from(start + 1 + k)
			l.keep |= 1 << (bottom + width - 1 - k)
		}
		if fromSigned != signed && !isFloat {
			l.forbid[at+lane-1] = 0x80
		}
	}
}

// loadKernel reads the numbers of one format, that of marker, that stand at the start of p
// into dst, and returns how many: fewer than there are, it may be.
func loadKernel[T Integer | ~float32 | ~float64](dst []T, p []byte, marker byte) int {
	if tier.InUse() != tier.AVX512 || len(dst) == 0 {
		return 0
	}
	var zero T
	lane, signed := int(unsafe.Sizeof(zero)), 0
	if zero-1 < zero {
		signed = 1
	}
	plan := &loadPlans[marker-0xca][bits.TrailingZeros(uint(lane))][signed]
	if plan.step == 0 {
		return 0
	}
	items := groupBytes / lane
	reach := max(plan.step, 64) // the bytes that a group is read from
	if len(p) < reach {
		return 0
	}
	groups := min(len(dst)/items, (len(p)-reach)/plan.step+1)
	for at := 0; at < groups; {
		given := min(groups-at, maxCall/(2*groupBytes))
		to, from, how := (*byte)(unsafe.Pointer(&dst[at*items])), &p[at*plan.step], (*byte)(unsafe.Pointer(plan))
		sees(p[at*plan.step:][:(given-1)*plan.step+reach])
		stores(unsafe.Pointer(to), given*groupBytes)
		var done int
		switch lane {
		case 8:
			done = loadAVX512x64(to, from, given, how)
		case 4:
			done = loadAVX512x32(to, from, given, how)
		default:
			done = loadAVX512x16(to, from, given, how)
		}
		at += done
		if done < given {
			return at * items
		}
	}
	return groups * items
}

// groupBytes is the bytes that a group of a loadPlan makes.
const groupBytes = 64

// fixintKernel reads the fixints at the start of p into dst, and returns how many: fewer
// than there are, it may be.
func fixintKernel[T Integer](dst []T, p []byte) int {
	set, items := tier.InUse(), 64
	switch set {
	case tier.Go:
		return 0
	case tier.AVX2:
		items = 32
	}
	var zero T
	lane := int(unsafe.Sizeof(zero))
	below := byte(0)
	if zero-1 < zero {
		below = 32
	}
	groups := min(len(dst), len(p)) / items
	for at := 0; at < groups; {
		given := min(groups-at, maxCall/(items*lane))
		to, from := (*byte)(unsafe.Pointer(&dst[at*items])), &p[at*items]
		sees(p[at*items:][:given*items])
		stores(unsafe.Pointer(to), given*items*lane)
		done := fixints(to, from, given, below, lane, set)
		at += done
		if done < given {
			return at * items
		}
	}
	return groups * items
}

func fixints(dst, p *byte, groups int, below byte, lane int, set tier.Kernels) int {
	if set == tier.AVX512 {
		switch lane {
		case 8:
			return fixintsAVX512x64(dst, p, groups, below)
		case 4:
			return fixintsAVX512x32(dst, p, groups, below)
		case 2:
			return fixintsAVX512x16(dst, p, groups, below)
		}
		return fixintsAVX512x8(dst, p, groups, below)
	}
	switch lane {
	case 8:
		return fixintsAVX2x64(dst, p, groups, below)
	case 4:
		return fixintsAVX2x32(dst, p, groups, below)
	case 2:
		return fixintsAVX2x16(dst, p, groups, below)
	}
	return fixintsAVX2x8(dst, p, groups, below)
}
