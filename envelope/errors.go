package envelope

import (
	"fmt"

	"github.com/boundpack/boundpack/bounds"
)

// sentinel is a reason to refuse; its parent is what it is as well.
type sentinel struct {
	text   string
	parent error
}

func (s *sentinel) Error() string { return s.text }
func (s *sentinel) Unwrap() error { return s.parent }

// The reasons to refuse an envelope or a frame. The package documentation says in
// which order they are looked for. ErrTooLarge and ErrBomb are [bounds.ErrLimit] too.
var (
	// ErrTooLarge: the envelope is longer than MaxEnvelope or the payload than
	// MaxPayload, declared or, when sealing, real; or a frame is written that is
	// longer than [MaxFrame].
	ErrTooLarge error = &sentinel{"input exceeds maximum size", bounds.ErrLimit}

	// ErrScan: the envelope is no well-formed document of at most 100 levels. The
	// error holds that of [walk.Check], a [*bounds.Error] with the offset.
	ErrScan error = &sentinel{text: "deserialization failed: decode pre-scan"}

	// ErrLayout: the document is not laid out as an envelope. The error carries the
	// offset: see [bounds.OffsetOf].
	ErrLayout error = &sentinel{text: "deserialization failed"}

	// ErrBomb: the declared payload is longer than MaxRatio times the compressed
	// block, or the block is empty.
	ErrBomb error = &sentinel{"decompression ratio exceeds safety limit", bounds.ErrLimit}

	// ErrDecompress: the block is no LZ4 block, or decodes to more than is declared.
	ErrDecompress error = &sentinel{text: "decompression failed"}

	// ErrChecksum: the block decodes to other bytes than were sealed.
	ErrChecksum error = &sentinel{text: "integrity check failed"}

	// ErrSize: the block decodes to what was sealed, but less than is declared.
	ErrSize error = &sentinel{text: "size validation failed"}

	// ErrFrame: no CK v3 frame, or one whose header is cut short, above 64 KiB or
	// not what a header must be.
	ErrFrame error = &sentinel{text: "invalid cache envelope frame"}

	// ErrSerializer: the header of the frame names a serializer that does not put an
	// envelope into it.
	ErrSerializer error = &sentinel{text: "serializer mismatch: cached data uses another serializer"}

	// ErrSuspicious: entries must be sealed, says the configuration, and this one is
	// not; or the other way round.
	ErrSuspicious error = &sentinel{text: "suspicious cache entry"}
)

// Error is the refusal of an envelope or a frame: which check, and by how much. It is
// returned by pointer and holds nothing of the payload.
type Error struct {
	// Reason is the sentinel; errors.Is finds it.
	Reason error

	// Limit is the bound that was exceeded and Need what was asked of it, both in
	// bytes: for [ErrTooLarge] a length, for [ErrBomb] the longest payload that the
	// block may decode to and the one declared, for [ErrSize] the length of the
	// payload and the one declared. Zero where there is no such number.
	Limit, Need uint64

	part string // what is too large

	// Err is the cause, for [ErrScan], [ErrLayout], [ErrFrame] and [ErrSuspicious];
	// else nil.
	Err error
}

// Error returns the text of the refusal.
func (e *Error) Error() string {
	text := "envelope: " + e.Reason.Error()
	switch {
	case e.Err != nil:
		return text + ": " + e.Err.Error()
	case e.Reason == ErrTooLarge:
		return fmt.Sprintf("%s: %s above %d bytes", text, e.part, e.Limit)
	case e.Reason == ErrBomb:
		return fmt.Sprintf("%s: at most %d bytes, %d declared", text, e.Limit, e.Need)
	case e.Reason == ErrSize:
		return fmt.Sprintf("%s: %d bytes, %d declared", text, e.Limit, e.Need)
	}
	return text
}

// tooLarge returns the refusal of a part of need bytes.
func tooLarge(part string, limit int, need uint64) error {
	return &Error{Reason: ErrTooLarge, Limit: uint64(limit), Need: need, part: part}
}

// Unwrap returns Reason and Err, so that errors.Is and As find both.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Err}
}

// flaw says what is wrong with a layout, and at which byte.
type flaw struct {
	text   string
	offset int
}

func (f *flaw) Error() string {
	return fmt.Sprintf("%s (at byte %d)", f.text, f.offset)
}

func (f *flaw) ByteOffset() int64 { return int64(f.offset) }

// misplaced returns the refusal of a layout for what stands at offset.
func misplaced(offset int, text string) error {
	return &Error{Reason: ErrLayout, Err: &flaw{text, offset}}
}
