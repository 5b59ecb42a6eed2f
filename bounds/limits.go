package bounds

import (
	"fmt"
	"math"
)

// Defaults of [Limits]: what a zero field means.
const (
	DefaultMaxDepth = 1024
	DefaultMaxBytes = 64 << 20
	DefaultMaxItems = 1 << 22
)

// Ceilings of [Limits]: the largest value each field may take. On a platform
// with 32-bit int, those of MaxBytes and MaxItems are math.MaxInt32.
const (
	CeilingMaxDepth = 65535
	CeilingMaxBytes = min(1<<40, math.MaxInt)
	CeilingMaxItems = min(1<<40, math.MaxInt)

	CeilingMaxMemory = 1 << 40
)

// The default of MaxMemory follows the input: a base, and so much for each byte
// given, up to a most. No document to any can take more than 168 bytes a byte.
const (
	DefaultMemoryBase    = 4 << 20
	DefaultMemoryPerByte = 192
	DefaultMemoryMost    = 256 << 20
)

// Limits are what one document may cost. A zero field means its default, never
// "no limit", so the zero Limits is the safe one. Limits are plain values: copy
// them freely.
type Limits struct {
	// MaxDepth is the greatest number of arrays and maps open at once, empty
	// ones included; a scalar document has depth 0. Default 1024, range
	// 1..65535. Raising it costs a frame for each level that a document really
	// opens. Beyond it: [ErrMaxDepth].
	MaxDepth int

	// MaxBytes is the greatest length of one document in bytes: of the
	// document, not of the slice or stream it stands in. Default 64 MiB, range
	// 1..1<<40, on platforms with 32-bit int 1..1<<31-1. Beyond it:
	// [ErrMaxBytes], as soon as what was read implies it.
	MaxBytes int

	// MaxItems is the greatest number of items in one document: the root and
	// every element, key and value, counted when a header claims them. Default
	// 1<<22 (4,194,304), range 1..1<<40, on platforms with 32-bit int
	// 1..1<<31-1. Beyond it: [ErrMaxItems].
	MaxItems int

	// MaxMemory is the greatest number of bytes of Go memory that one decoded
	// value may take, charged at the block sizes of Go's allocator before each
	// thing is made. Default 4 MiB and 192 times the bytes given, at most 256
	// MiB, so that a small document can only cost little: 64 KiB never more
	// than 16 MiB. Range 1..1<<40. Beyond it: [ErrMaxMemory]. Package walk makes
	// nothing and does not look at it.
	MaxMemory int64
}

// Memory returns MaxMemory, or its default for given bytes of input.
func (l *Limits) Memory(given int) int64 {
	if l.MaxMemory != 0 {
		return l.MaxMemory
	}
	return min(DefaultMemoryMost, DefaultMemoryBase+DefaultMemoryPerByte*int64(min(given, DefaultMemoryMost)))
}

// Validate reports a field outside its range as an error that is [ErrOptions]
// and names the field. Zero is always in range.
func (l Limits) Validate() error {
	_, err := l.Resolve()
	return err
}

// Resolve returns l with the default in place of every zero field but MaxMemory,
// whose default depends on the input. It returns
// zero Limits and an error that is [ErrOptions] if a field is outside its range.
func (l Limits) Resolve() (Limits, error) {
	if l.MaxDepth == 0 {
		l.MaxDepth = DefaultMaxDepth
	}
	if l.MaxBytes == 0 {
		l.MaxBytes = DefaultMaxBytes
	}
	if l.MaxItems == 0 {
		l.MaxItems = DefaultMaxItems
	}
	if l.MaxDepth < 1 || l.MaxDepth > CeilingMaxDepth ||
		l.MaxBytes < 1 || l.MaxBytes > CeilingMaxBytes ||
		l.MaxItems < 1 || l.MaxItems > CeilingMaxItems ||
		l.MaxMemory < 0 || l.MaxMemory > CeilingMaxMemory {
		return Limits{}, l.outOfRange()
	}
	return l, nil
}

func (l Limits) outOfRange() error {
	for _, f := range []struct {
		name         string
		value, above int64
	}{
		{"MaxDepth", int64(l.MaxDepth), CeilingMaxDepth},
		{"MaxBytes", int64(l.MaxBytes), CeilingMaxBytes},
		{"MaxItems", int64(l.MaxItems), CeilingMaxItems},
		{"MaxMemory", l.MaxMemory, CeilingMaxMemory},
	} {
		if f.value < 0 || f.value > f.above {
			return fmt.Errorf("%w: Limits.%s is %d, want 1..%d, or 0 for the default", ErrOptions, f.name, f.value, f.above)
		}
	}
	return nil
}
