package walk

import "github.com/boundpack/boundpack/bounds"

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
