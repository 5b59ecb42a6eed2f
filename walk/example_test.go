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

// user is a type with a decoder written by hand: it takes what it knows, in any order, and
// passes over the rest.
type user struct {
	ID     int64
	Name   string
	Scores []float64
}

func (u *user) read(c *walk.Cursor) error {
	for key, err := range c.Map() {
		if err != nil {
			return err
		}
		switch string(key.Payload) {
		case "id":
			u.ID, err = c.ReadInt64()
		case "name":
			var name []byte
			name, err = c.ReadStr()
			u.Name = string(name)
		case "scores":
			for _, err := range c.Array() {
				if err != nil {
					return err
				}
				v, err := c.ReadFloat64()
				if err != nil {
					return err
				}
				u.Scores = append(u.Scores, v)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A decoder for one type, written by hand.
func ExampleCursor_Map() {
	read := func(doc string) {
		var u user
		c, err := walk.NewCursor([]byte(doc), bounds.Limits{MaxItems: 100})
		if err == nil {
			err = u.read(c)
		}
		if err != nil {
			offset, _ := bounds.OffsetOf(err)
			fmt.Printf("%v, path %s\n", err, walk.PathAt([]byte(doc), offset))
			return
		}
		fmt.Printf("%+v\n", u)
	}
	read("\x84\xa2id\x07\xa3new\x92\x01\x80\xa6scores\x92\x01\xca\x3f\x00\x00\x00\xa4name\xa3Ada")
	read("\x81\xa6scores\x92\x01\xa1x")
	// Output:
	// {ID:7 Name:Ada Scores:[1 0.5]}
	// msgpack document holds a value of another type than its target: str into float64 (at byte 10), path scores[1]
}

func ExampleCursor_ReadUint8() {
	c, err := walk.NewCursor([]byte{0x92, 0xcd, 0x01, 0x00, 0xc0}, bounds.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	n, err := c.ReadArrayLen()
	fmt.Println(n, err)
	_, err = c.ReadUint8()
	fmt.Println(err)
	v, err := c.ReadUint16() // the refusal moved nothing
	fmt.Println(v, err)
	kind, err := c.Peek()
	fmt.Println(kind, err)
	// Output:
	// 2 <nil>
	// msgpack document holds a number outside the range of its target: int into uint8 (at byte 1)
	// 256 <nil>
	// nil <nil>
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
