package decode

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// The reasons that this package refuses with, defined and documented in package
// bounds.
var (
	ErrLimit        = bounds.ErrLimit
	ErrEmpty        = bounds.ErrEmpty
	ErrReserved     = bounds.ErrReserved
	ErrPrefix       = bounds.ErrPrefix
	ErrShort        = bounds.ErrShort
	ErrOwed         = bounds.ErrOwed
	ErrMaxDepth     = bounds.ErrMaxDepth
	ErrMaxBytes     = bounds.ErrMaxBytes
	ErrMaxItems     = bounds.ErrMaxItems
	ErrType         = bounds.ErrType
	ErrOverflow     = bounds.ErrOverflow
	ErrInexact      = bounds.ErrInexact
	ErrExt          = bounds.ErrExt
	ErrUnknownField = bounds.ErrUnknownField
	ErrMaxMemory    = bounds.ErrMaxMemory
	ErrUTF8         = bounds.ErrUTF8
	ErrTrailing     = bounds.ErrTrailing
	ErrKeyType      = bounds.ErrKeyType
	ErrDuplicateKey = bounds.ErrDuplicateKey
	ErrTimestamp    = bounds.ErrTimestamp
	ErrHook         = bounds.ErrHook
	ErrMissing      = bounds.ErrMissing
	ErrOptions      = bounds.ErrOptions
	ErrTarget       = bounds.ErrTarget
)

// Limits are the bounds of one document.
type Limits = bounds.Limits

// OffsetOf returns the offset, in bytes from the start of the document, that err
// carries, be it an [*Error] or a [*bounds.Error].
func OffsetOf(err error) (offset int64, ok bool) { return bounds.OffsetOf(err) }

// Error refuses a well-formed document for what it means: which value, where, and
// why. It is returned by pointer. Structure and limits are refused with
// [*bounds.Error] instead, and outrank it.
type Error struct {
	// Offset is where in the document, in bytes from its start: the value's
	// header, or what package bounds says of the sentinel.
	Offset int64

	// Path names the value, as [walk.Cursor.Path] writes it: users[3].name. It is
	// empty for the root and at most 256 bytes.
	Path string

	// Wire is the kind of the value in the document; 0 for [ErrTrailing].
	Wire walk.Kind

	// GoType is the type it was to become; nil where the target is any.
	GoType reflect.Type

	// Err is the reason: a sentinel, or an error that wraps one. For ErrMaxMemory it
	// is a [*bounds.Error] with the limit and the memory needed.
	Err error
}

// Error returns the reason with the types, the offset and the path. It holds no
// value of the document; keys stand in the path.
func (e *Error) Error() string {
	var b strings.Builder
	if limit, ok := e.Err.(*bounds.Error); ok {
		fmt.Fprintf(&b, "msgpack document %s", limit.Text())
	} else {
		fmt.Fprintf(&b, "msgpack document %v", e.Err)
	}
	if e.GoType != nil {
		fmt.Fprintf(&b, ": %v into %v", e.Wire, e.GoType)
	}
	fmt.Fprintf(&b, " (at byte %d", e.Offset)
	if e.Path != "" {
		fmt.Fprintf(&b, ", path %s", e.Path)
	}
	b.WriteByte(')')
	return b.String()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// ByteOffset returns Offset; [OffsetOf] finds it.
func (e *Error) ByteOffset() int64 { return e.Offset }
