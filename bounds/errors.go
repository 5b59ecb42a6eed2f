package bounds

import (
	"errors"
	"fmt"
	"io"
)

// sentinel is a reason to refuse; its parent is what it is as well.
type sentinel struct {
	text   string
	parent error
}

func (s *sentinel) Error() string { return s.text }
func (s *sentinel) Unwrap() error { return s.parent }

// ErrLimit is the kind of [ErrMaxDepth], [ErrMaxBytes], [ErrMaxItems] and
// [ErrMaxMemory]: errors.Is(err, ErrLimit) says that a limit stopped the
// document, not a flaw of its own.
var ErrLimit error = &sentinel{text: "exceeds a limit"}

// The reasons to refuse a document. The package documentation says what each
// means, which offset it carries and who returns it. An error that carries one
// answers errors.Is for it.
var (
	ErrEmpty    error = &sentinel{text: "ends before the document is complete"}
	ErrReserved error = &sentinel{text: "contains the reserved marker 0xc1"}
	ErrPrefix   error = &sentinel{text: "ends inside a length prefix"}
	ErrShort    error = &sentinel{text: "declares more bytes than the input holds"}
	ErrOwed     error = &sentinel{text: "declares more elements than the input can back"}

	ErrMaxDepth  error = &sentinel{"nests too deep", ErrLimit}
	ErrMaxBytes  error = &sentinel{"is too long", ErrLimit}
	ErrMaxItems  error = &sentinel{"holds too many items", ErrLimit}
	ErrMaxMemory error = &sentinel{"produces too much memory", ErrLimit}

	ErrUTF8         error = &sentinel{text: "holds a str that is not valid UTF-8"}
	ErrTrailing     error = &sentinel{text: "is followed by more bytes"}
	ErrType         error = &sentinel{text: "holds a value of another type than its target"}
	ErrOverflow     error = &sentinel{text: "holds a number outside the range of its target"}
	ErrInexact      error = &sentinel{text: "holds a number its target cannot hold exactly"}
	ErrKeyType      error = &sentinel{text: "holds a map key of a type that is not allowed"}
	ErrDuplicateKey error = &sentinel{text: "holds a map key twice"}
	ErrUnknownField error = &sentinel{text: "holds a field its target does not have"}
	ErrTimestamp    error = &sentinel{text: "holds an invalid timestamp"}
	ErrExt          error = &sentinel{text: "holds an ext its target does not take"}
)

// The misuses: errors of the caller or of the caller's own code, and what was asked of a
// document and is not there.
var (
	ErrMissing error = &sentinel{text: "lacks a value that was asked for"}
	ErrOptions error = &sentinel{text: "options out of range or contradictory"}
	ErrTarget  error = &sentinel{text: "unsupported target"}
	ErrHook    error = &sentinel{text: "refused by a hook"}
)

// Error is the refusal of a document by its structure or by a limit: what, where
// and how much. It is returned by pointer and holds nothing of the document.
type Error struct {
	// Reason is the sentinel; errors.Is finds it. It is never nil in an error that
	// this module returns.
	Reason error

	// Offset is where in the document, in bytes from its start, the refused
	// header stands. For [ErrUTF8] it is the first byte that cannot belong to
	// a valid sequence, for [ErrTrailing] the first byte after the document.
	Offset int64

	// Limit and Need say by how much. For a limit, Limit is its value, and Need
	// what the document would take at least. For [ErrEmpty], [ErrPrefix],
	// [ErrShort] and [ErrOwed], Limit is the length of the input and Need the
	// length that the document implies at least, both in bytes. Zero where
	// there is no such number.
	Limit, Need uint64

	// resumable: more bytes could still complete the document.
	resumable bool
}

// Incomplete returns the refusal of a document whose bytes run out at the header
// at offset: size bytes are there, need at least are implied. within says that
// need and the items claimed are inside the limits, so that more bytes could
// complete the document: the error is then [io.ErrUnexpectedEOF] too. It is machinery:
// see the package documentation.
func Incomplete(reason error, offset int, size, need uint64, within bool) *Error {
	return &Error{Reason: reason, Offset: int64(offset), Limit: size, Need: need, resumable: within}
}

// Error returns the text of the refusal with its offset.
func (e *Error) Error() string {
	return fmt.Sprintf("msgpack document %s (at byte %d)", e.Text(), e.Offset)
}

// Text returns the bare reason, with the limit where one was exceeded. The
// wording is stable.
func (e *Error) Text() string {
	switch e.Reason {
	case nil:
		return "is refused for no given reason"
	case ErrMaxDepth:
		return fmt.Sprintf("nests deeper than %d levels", e.Limit)
	case ErrMaxBytes:
		return fmt.Sprintf("is longer than %d bytes", e.Limit)
	case ErrMaxItems:
		return fmt.Sprintf("holds more than %d items", e.Limit)
	case ErrMaxMemory:
		return fmt.Sprintf("produces more than %d bytes of memory", e.Limit)
	}
	return e.Reason.Error()
}

// Unwrap returns Reason.
func (e *Error) Unwrap() error { return e.Reason }

// Is reports whether target is [io.ErrUnexpectedEOF] and more bytes after the
// input could complete the document: its bytes ran out while the length it
// implies was still within MaxBytes and the items it claimed within MaxItems.
func (e *Error) Is(target error) bool { return target == io.ErrUnexpectedEOF && e.resumable }

// ByteOffset returns Offset; [OffsetOf] finds it.
func (e *Error) ByteOffset() int64 { return e.Offset }

// OffsetOf returns the offset, in bytes from the start of the document, that err
// or an error it wraps carries, be it a [*Error] or one of the packages walk or decode.
func OffsetOf(err error) (offset int64, ok bool) {
	var at interface {
		error
		ByteOffset() int64
	}
	if !errors.As(err, &at) {
		return 0, false
	}
	return at.ByteOffset(), true
}
