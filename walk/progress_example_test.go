package walk_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// The length of a document that arrives bit by bit, without keeping it. Nothing behind
// it is read.
func ExampleProgress() {
	r := strings.NewReader("\x92\xa5hello\xc6\x00\x00\x00\x03abcand what comes after it")
	p, err := walk.NewProgress(bounds.Limits{MaxBytes: 1 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	buf := make([]byte, 4)
	for p.Need() > 0 {
		n, err := r.Read(buf[:min(p.Need(), len(buf))])
		if err == io.EOF {
			fmt.Println("cut short")
			return
		}
		if _, err := p.Feed(buf[:n]); err != nil {
			fmt.Println(err)
			return
		}
	}
	rest, err := io.ReadAll(r)
	fmt.Printf("%d bytes, then %q, %v\n", p.Fed(), rest, err)
	// Output: 15 bytes, then "and what comes after it", <nil>
}

// A claim of 4 GiB is refused when its header has arrived.
func ExampleProgress_Feed() {
	p, err := walk.NewProgress(bounds.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = p.Feed([]byte{0xc6, 0xff, 0xff, 0xff, 0xff})
	fmt.Println(err, errors.Is(err, walk.ErrMaxBytes))
	// Output: msgpack document is longer than 67108864 bytes (at byte 0) true
}
