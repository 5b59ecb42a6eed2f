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

// A few values out of a document, of which the rest is never made.
func ExampleParse() {
	doc, err := decode.Parse([]byte("\x81\xa5users\x92\x82\xa4name\xa3Ada\xa2id\x07\x81\xa4name\xa5Grace"))
	if err != nil {
		fmt.Println(err) // structure, limits, UTF-8, keys: all of it was checked
		return
	}
	fmt.Println(doc.Root().Get("users").Index(1).Get("name").Str())
	for i, user := range doc.Root().Get("users").Elements() {
		id, err := user.Get("id").Int()
		fmt.Println(i, id, err)
	}
	// Output:
	// Grace <nil>
	// 0 7 <nil>
	// 1 0 msgpack document lacks a value that was asked for: the map has no key "id" (at byte 22, path users[1])
}

func ExampleNode_Decode() {
	doc, err := decode.Parse([]byte("\x82\xa4kind\xa4user\xa4body\x82\xa4name\xa3Ada\xa2id\x07"))
	if err != nil {
		fmt.Println(err)
		return
	}
	var user struct {
		ID   int64  `msgpack:"id"`
		Name string `msgpack:"name"`
	}
	if kind, err := doc.Root().Get("kind").Str(); err != nil || kind != "user" {
		fmt.Println(kind, err)
		return
	}
	err = doc.Root().Get("body").Decode(&user)
	fmt.Println(user, err)
	// Output: {7 Ada} <nil>
}

// One Document for many inputs, whose memory is used again.
func ExampleDecoder_ParseInto() {
	decoder := decode.Options{AliasInput: true}.Must()
	var doc decode.Document
	for _, input := range []string{"\x81\xa1n\x01", "\x81\xa1n\x02", "\x81\xa1n"} {
		if err := decoder.ParseInto(&doc, []byte(input)); err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(doc.Root().Get("n").Int())
	}
	// Output:
	// 1 <nil>
	// 2 <nil>
	// msgpack document declares more elements than the input can back (at byte 1)
}
