package bounds_test

import (
	"errors"
	"fmt"
	"io"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// An array of two arrays, where one level is allowed.
func ExampleError() {
	err := walk.Check([]byte{0x92, 0x90, 0x90}, bounds.Limits{MaxDepth: 1})

	fmt.Println(err)
	fmt.Println(errors.Is(err, bounds.ErrMaxDepth), errors.Is(err, bounds.ErrLimit))
	var e *bounds.Error
	if errors.As(err, &e) {
		fmt.Println(e.Offset, e.Limit, e.Need)
	}
	// Output:
	// msgpack document nests deeper than 1 levels (at byte 1)
	// true true
	// 1 1 2
}

// A str of five bytes, two of which have arrived.
func ExampleError_Is() {
	err := walk.Check([]byte{0xa5, 'h', 'e'}, bounds.Limits{})
	fmt.Println(errors.Is(err, io.ErrUnexpectedEOF))
	// Output: true
}

func ExampleLimits_Validate() {
	fmt.Println(bounds.Limits{MaxDepth: 100_000}.Validate())
	// Output: options out of range or contradictory: Limits.MaxDepth is 100000, want 1..65535, or 0 for the default
}
