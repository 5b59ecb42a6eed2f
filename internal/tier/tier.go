// Package tier is the table of shortcuts: every place where a loop advances
// without the header step. Each can be switched off, so that one test body runs
// with and without it, and each is counted, so that a test can prove that it ran.
// It is also the table of the sets of kernels that package asm has, of which a test can
// choose one: see [Use].
//
// A shortcut only advances over what the header step would accept and hands
// anything else back to the step at the same offset.
package tier

import "sync/atomic"

// Shortcut names one of them.
type Shortcut uint8

const (
	// WalkInline is the structure walk's inline arithmetic for fixint, nil,
	// bool, numbers, fixext, fixstr, str 8, str 16, fixarray and fixmap.
	WalkInline Shortcut = iota
	// WalkOneByteRun moves the structure walk over the elements of a long array that are
	// one byte each: fixint, nil and bool.
	WalkOneByteRun
	// WalkStrideRun moves it over those that begin with the same marker and so have the
	// same length: numbers, fixext, and fixstr of up to 17 bytes.
	WalkStrideRun
	// CursorInline is the cursor's own, for scalars without a length field.
	CursorInline
	// DecodeInline is the same in decoding, for fixint, nil, bool, numbers, fixstr and
	// str 8; in Go types also for names of fields, runs of numbers and strings, arrays of
	// float64, fixarrays into small slices, fixmaps into structs, and pairs of maps of scalars.
	DecodeInline
	// DecodeBulk is the read of floats and of long runs of ints into slices of numbers, and of
	// long runs of items of one byte into any, by package asm. It is off where DecodeInline is.
	DecodeBulk
	// DocumentInline is the same in parsing to a lazy document, for fixint, nil, bool,
	// numbers, fixstr, str 8, fixarray and fixmap.
	DocumentInline
	// EnvelopeCanonical is the one-pass read of an envelope as it is written.
	EnvelopeCanonical
	// EnvelopeInts is the read of an array of ints as CacheKit wrote it first, each
	// a fixint or a uint 8.
	EnvelopeInts

	shortcuts
)

var names = [shortcuts]string{
	WalkInline: "walk-inline", WalkOneByteRun: "walk-one-byte-run", WalkStrideRun: "walk-stride-run",
	CursorInline: "cursor-inline", DecodeInline: "decode-inline", DecodeBulk: "decode-bulk",
	DocumentInline:    "document-inline",
	EnvelopeCanonical: "envelope-canonical", EnvelopeInts: "envelope-ints",
}

// String returns the shortcut's name.
func (s Shortcut) String() string { return names[s] }

// All returns every shortcut.
func All() []Shortcut {
	all := make([]Shortcut, shortcuts)
	for i := range all {
		all[i] = Shortcut(i)
	}
	return all
}

// The switches are read once a call, so changing them while calls run is safe:
// each call keeps to what it read.
var (
	off      [shortcuts]atomic.Bool
	counting atomic.Bool
	counts   [shortcuts]atomic.Int64
)

// On reports whether the shortcut may be taken. All are on unless a test says
// otherwise.
func On(s Shortcut) bool { return !off[s].Load() }

// Set switches the shortcut and returns a function that puts it back. For tests.
func Set(s Shortcut, on bool) (restore func()) {
	was := off[s].Swap(!on)
	return func() { off[s].Store(was) }
}

// Count adds n headers taken by the shortcut, if a test is counting.
func Count(s Shortcut, n int64) {
	if counting.Load() {
		counts[s].Add(n)
	}
}

// Counted returns how many headers the shortcut took while f ran. For tests,
// which must not overlap.
func Counted(s Shortcut, f func()) int64 {
	counting.Store(true)
	defer counting.Store(false)
	before := counts[s].Load()
	f()
	return counts[s].Load() - before
}
