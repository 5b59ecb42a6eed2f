package walk

import (
	"unicode/utf8"

	"github.com/boundpack/boundpack/bounds"
)

// Check reports whether data starts with one well-formed document within limits,
// as nil or the refusal: a [*bounds.Error] with one of [ErrEmpty], [ErrReserved],
// [ErrPrefix], [ErrShort], [ErrOwed], [ErrMaxDepth], [ErrMaxBytes], [ErrMaxItems],
// or [ErrOptions] for limits out of range. Payloads are skipped, not looked at, and
// bytes after the document are the caller's business.
//
// It does not recurse, takes time in proportion to the number of headers, and
// allocates nothing for up to eight open levels. Those beyond stand in a block of
// eight bytes a level that is doubled when it is full: up to 16 bytes a level in the
// end, and less than 32 allocated in all.
func Check(data []byte, limits bounds.Limits) error {
	_, err := Len(data, limits)
	return err
}

// Len is [Check] that also returns the length in bytes of the document that data
// starts with; 0 if it is refused.
func Len(data []byte, limits bounds.Limits) (int, error) {
	limits, err := limits.Resolve()
	if err != nil {
		return 0, err
	}
	end, _, err := advance(data, 0, bounds.Open(len(data), &limits), 0, &limits)
	if err != nil {
		return 0, err
	}
	return end, nil
}

// Valid is [Check], and then that every str of the document is valid UTF-8 by
// Go's rules, else [ErrUTF8] at the first byte that cannot belong to a valid
// sequence, and that nothing follows the document, else [ErrTrailing] at the
// first byte after it.
func Valid(data []byte, limits bounds.Limits) error {
	limits, err := limits.Resolve()
	if err != nil {
		return err
	}
	end, _, err := advance(data, 0, bounds.Open(len(data), &limits), 0, &limits)
	if err != nil {
		return err
	}
	if at := InvalidUTF8(data[:end]); at >= 0 {
		return &bounds.Error{Reason: bounds.ErrUTF8, Offset: int64(at)}
	}
	if end < len(data) {
		return &bounds.Error{Reason: bounds.ErrTrailing, Offset: int64(end)}
	}
	return nil
}

// InvalidUTF8 returns the offset in doc, which is one whole document that was walked, of the
// first byte of a str that cannot belong to a valid UTF-8 sequence; -1 if there is none.
func InvalidUTF8(doc []byte) int {
	limits := bounds.Limits{MaxDepth: bounds.CeilingMaxDepth, MaxBytes: bounds.CeilingMaxBytes, MaxItems: bounds.CeilingMaxItems}
	a := bounds.Open(len(doc), &limits)
	for off := 0; a.Owed() > 0; {
		h, next, err := Step(doc, off, a, 0, &limits) // depth was judged before
		if err != nil {
			return -1 // doc was not walked
		}
		a, off = next, off+h.Size
		if h.Kind == Str {
			s := doc[off : off+h.Payload]
			if n := ValidPrefix(s); n < len(s) {
				return off + n
			}
		}
		off += h.Payload
	}
	return -1
}

// ValidPrefix returns the length of the longest prefix of s that is valid UTF-8
// by Go's rules: no overlong forms, no surrogates, nothing above U+10FFFF. It is
// where an invalid str is refused.
func ValidPrefix(s []byte) int {
	if utf8.Valid(s) {
		return len(s)
	}
	n := 0
	for n < len(s) {
		r, size := utf8.DecodeRune(s[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}
