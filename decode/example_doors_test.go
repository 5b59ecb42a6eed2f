package decode_test

import (
	"fmt"
	"strings"

	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/walk"
)

// Shape is a circle or a rectangle, which a document tells by an array: its name, and what
// that has.
type Shape struct {
	Name string
	Of   any
}

type (
	Circle    struct{ Radius float64 }
	Rectangle struct{ Width, Height float64 }
)

// UnmarshalCursor decodes a shape in one pass, within the bounds of the whole document.
func (s *Shape) UnmarshalCursor(c *walk.Cursor) error {
	t, err := c.Next()
	if err != nil {
		return err
	}
	if t.Kind != walk.Array || t.N != 2 {
		return fmt.Errorf("a shape is no %v of %d", t.Kind, t.N)
	}
	if err := decode.FromCursor(c, &s.Name); err != nil {
		return err
	}
	switch s.Name {
	case "circle":
		s.Of = new(Circle)
	case "rectangle":
		s.Of = new(Rectangle)
	default:
		return fmt.Errorf("an unknown shape")
	}
	return decode.FromCursor(c, s.Of)
}

func ExampleFromCursor() {
	var shapes []Shape
	err := decode.Unmarshal([]byte("\x92\x92\xa6circle\x81\xa6Radius\x02\x92\xa9rectangle\x82\xa5Width\x03\xa6Height\x04"), &shapes)
	for _, s := range shapes {
		fmt.Printf("%s %+v\n", s.Name, s.Of)
	}
	fmt.Println(err)

	err = decode.Unmarshal([]byte("\x91\x92\xa6circle\x81\xa6Radius\xa3big"), &shapes)
	fmt.Println(err)
	err = decode.Unmarshal([]byte("\x91\x92\xa5torus\xc0"), &shapes)
	fmt.Println(err)
	// Output:
	// circle &{Radius:2}
	// rectangle &{Width:3 Height:4}
	// <nil>
	// msgpack document holds a value of another type than its target: str into float64 (at byte 17, path [0][1].Radius)
	// msgpack document refused by a hook: UnmarshalCursor: an unknown shape: array into decode_test.Shape (at byte 1, path [0])
}

// Level is a number that documents give by name.
type Level int

// UnmarshalText is called for the name.
func (l *Level) UnmarshalText(text []byte) error {
	i := strings.Index("debug info  warn  error ", string(text)+" ")
	if i < 0 || i%6 != 0 {
		return fmt.Errorf("an unknown level")
	}
	*l = Level(i / 6)
	return nil
}

// A type with an UnmarshalText method, which is called for str.
func Example_unmarshalText() {
	levels, err := decode.To[map[string]Level]([]byte("\x82\xa3api\xa4warn\xa2db\xa5error"))
	fmt.Println(levels, err)
	_, err = decode.To[map[string]Level]([]byte("\x81\xa3api\xa4loud"))
	fmt.Println(err)
	// Output:
	// map[api:2 db:3] <nil>
	// msgpack document refused by a hook: UnmarshalText: an unknown level: str into decode_test.Level (at byte 5, path api)
}
