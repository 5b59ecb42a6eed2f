package decode_test

import (
	"errors"
	"fmt"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
)

func ExampleAny() {
	v, err := decode.Any([]byte("\x82\xa4name\xa5Grace\xa3ids\x92\x01\xcd\x01\x00"))
	fmt.Println(v, err)
	// Output: map[ids:[1 256] name:Grace] <nil>
}

// A document that nests deeper than this service has any use for.
func ExampleOptions_New() {
	d, err := decode.Options{Limits: bounds.Limits{MaxDepth: 2, MaxBytes: 1 << 16}}.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = d.Any([]byte{0x91, 0x91, 0x91, 0x01})
	fmt.Println(err)
	fmt.Println(errors.Is(err, decode.ErrLimit))
	// Output:
	// msgpack document nests deeper than 2 levels (at byte 2)
	// true
}

func ExampleError() {
	_, err := decode.Any([]byte("\x81\xa5users\x91\x82\xa4name\xc0\xa4name\x01"))
	var refusal *decode.Error
	if errors.As(err, &refusal) {
		fmt.Println(refusal.Path, refusal.Offset, refusal.Err)
	}
	// Output: users[0].name 15 holds a map key twice
}

func ExampleUnmarshalFirst() {
	data := []byte{0x01, 0xa2, 'h', 'i', 0xc3}
	for len(data) > 0 {
		var v any
		rest, err := decode.UnmarshalFirst(data, &v)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v)
		data = rest
	}
	// Output:
	// 1
	// hi
	// true
}
