package walk

import "github.com/boundpack/boundpack/bounds"

// The reasons that this package refuses with, defined and documented in package
// bounds.
var (
	ErrLimit    = bounds.ErrLimit
	ErrEmpty    = bounds.ErrEmpty
	ErrReserved = bounds.ErrReserved
	ErrPrefix   = bounds.ErrPrefix
	ErrShort    = bounds.ErrShort
	ErrOwed     = bounds.ErrOwed
	ErrMaxDepth = bounds.ErrMaxDepth
	ErrMaxBytes = bounds.ErrMaxBytes
	ErrMaxItems = bounds.ErrMaxItems
	ErrUTF8     = bounds.ErrUTF8
	ErrTrailing = bounds.ErrTrailing
	ErrType     = bounds.ErrType
	ErrOverflow = bounds.ErrOverflow
	ErrInexact  = bounds.ErrInexact
	ErrKeyType  = bounds.ErrKeyType
	ErrOptions  = bounds.ErrOptions
)
