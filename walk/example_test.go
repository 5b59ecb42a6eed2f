package walk_test

import (
	"errors"
	"fmt"
	"io"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

func ExampleCheck() {
	// A five-byte document that claims 4,294,967,295 elements.
	err := walk.Check([]byte{0xdd, 0xff, 0xff, 0xff, 0xff}, bounds.Limits{})
	fmt.Println(err)
	fmt.Println(errors.Is(err, walk.ErrOwed))
	// Output:
	// msgpack document declares more elements than the input can back (at byte 0)
	// true
}

// Two documents in one slice.
func ExampleLen() {
	data := []byte{0x92, 0x01, 0x02, 0xa2, 'h', 'i'}
	for len(data) > 0 {
		n, err := walk.Len(data, bounds.Limits{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%x\n", data[:n])
		data = data[n:]
	}
	// Output:
	// 920102
	// a26869
}

func ExampleValid() {
	fmt.Println(walk.Valid([]byte{0x91, 0xa2, 'a', 0xff}, bounds.Limits{}))
	fmt.Println(walk.Valid([]byte{0xc0, 0x00}, bounds.Limits{}))
	// Output:
	// msgpack document holds a str that is not valid UTF-8 (at byte 3)
	// msgpack document is followed by more bytes (at byte 1)
}

// A decoder of its own: the sum of the ints that stand in the key "n", wherever it
// is, without making any value.
func ExampleCursor() {
	doc := []byte{0x92, 0x81, 0xa1, 'n', 0x05, 0x82, 0xa1, 'm', 0x63, 0xa1, 'n', 0x07}
	c, err := walk.NewCursor(doc, bounds.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	sum, key := int64(0), ""
	for {
		tok, err := c.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		switch v, ok := tok.Int(); {
		case tok.Kind == walk.Str:
			key = string(tok.Payload)
		case ok && key == "n":
			fmt.Println(c.Path(), v)
			sum += v
		}
	}
	fmt.Println(sum)
	// Output:
	// [0].n 5
	// [1].n 7
	// 12
}

func ExamplePathAt() {
	doc := []byte{0x81, 0xa5, 'u', 's', 'e', 'r', 's', 0x92, 0xc0, 0xc1}
	err := walk.Check(doc, bounds.Limits{})
	offset, _ := bounds.OffsetOf(err)
	fmt.Println(err)
	fmt.Println(walk.PathAt(doc, offset))
	// Output:
	// msgpack document contains the reserved marker 0xc1 (at byte 9)
	// users[1]
}
