package typedparity

import (
	"errors"
	"reflect"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/hexdoc"
)

type (
	textDoor   string
	binaryDoor struct {
		Got string
		A   int `msgpack:"a"`
	}
	bothDoors    struct{ Got string }
	msgpackDoors struct{ Got string }
	msgDoors     struct{ A int }
	customDoors  struct{ A int }
	embedsDoors  struct { // two of them, so that neither method is promoted
		EmbeddedA
		EmbeddedB
	}
	EmbeddedA struct{ Got string }
	EmbeddedB struct{ Got string }
)

func (d *textDoor) UnmarshalText(p []byte) error        { *d = textDoor("<" + string(p) + ">"); return nil }
func (d *binaryDoor) UnmarshalBinary(p []byte) error    { d.Got = string(p); return nil }
func (d *bothDoors) UnmarshalText(p []byte) error       { d.Got = "text " + string(p); return nil }
func (d *bothDoors) UnmarshalBinary(p []byte) error     { d.Got = "binary " + string(p); return nil }
func (d *msgpackDoors) UnmarshalMsgpack(p []byte) error { d.Got = string(p); return nil }
func (d *msgDoors) UnmarshalMsg(p []byte) ([]byte, error) {
	d.A = 99
	return nil, nil
}

func (d *customDoors) DecodeMsgpack(dec *msgpack.Decoder) error {
	d.A = 99
	return dec.Skip()
}
func (d *EmbeddedA) UnmarshalText(p []byte) error { d.Got = string(p); return nil }
func (d *EmbeddedB) UnmarshalText(p []byte) error { d.Got = string(p); return nil }

// TestDoors holds what docs/migration.md says of methods: want is ours, peer the peer's; nil
// is a refusal.
func TestDoors(t *testing.T) {
	for _, c := range []struct {
		name, hex  string
		want, peer any
	}{
		{"UnmarshalMsgpack", "93 01 a161 92c0c3", [3]msgpackDoors{{"\x01"}, {"\xa1a"}, {"\x92\xc0\xc3"}}, [3]msgpackDoors{{"\x01"}, {"\xa1a"}, {"\x92\xc0\xc3"}}},
		{"nil", "91 c0", [1]msgpackDoors{}, [1]msgpackDoors{}},
		{"str for text", "a162", textDoor("<b>"), textDoor("<b>")},
		{"bin for text", "c40162", textDoor("<b>"), textDoor("<b>")},
		{"bin for binary", "c40162", binaryDoor{Got: "b"}, binaryDoor{Got: "b"}},
		{"str for binary", "a162", binaryDoor{Got: "b"}, binaryDoor{Got: "b"}},
		{"a key", "81 a162 a163", map[textDoor]textDoor{"<b>": "<c>"}, map[textDoor]textDoor{"<b>": "<c>"}},
		{"bin for both", "c40162", bothDoors{"binary b"}, bothDoors{"binary b"}},
		{"embedded", "82 a9456d62656464656441 a162 a9456d62656464656442 a163", embedsDoors{EmbeddedA{"b"}, EmbeddedB{"c"}}, embedsDoors{EmbeddedA{"b"}, EmbeddedB{"c"}}},
		// The differences.
		{"str for both", "a162", bothDoors{"text b"}, bothDoors{"binary b"}},
		{"a map for binary", "81 a16105", binaryDoor{A: 5}, nil},
		{"UnmarshalMsg", "81 a14105", msgDoors{99}, msgDoors{5}},
		{"DecodeMsgpack", "81 a14105", customDoors{5}, customDoors{99}},
	} {
		doc := hexdoc.Must(c.hex)
		typ := reflect.TypeOf(c.want)
		got := reflect.New(typ)
		if err := decode.Unmarshal(doc, got.Interface()); err != nil || !reflect.DeepEqual(got.Elem().Interface(), c.want) {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got.Elem(), err, c.want)
		}
		got = reflect.New(typ)
		err := msgpack.Unmarshal(doc, got.Interface())
		if c.peer == nil {
			if err == nil {
				t.Errorf("%s: the peer took it: %+v", c.name, got.Elem())
			}
		} else if err != nil || !reflect.DeepEqual(got.Elem().Interface(), c.peer) {
			t.Errorf("%s: the peer says %+v, %v, want %+v", c.name, got.Elem(), err, c.peer)
		}
	}
	// What it packs by MarshalText, a bin, comes back.
	type texts struct{ T marshalsText }
	packed, err := msgpack.Marshal(texts{marshalsText("abc")})
	if err != nil || packed[3] != 0xc4 {
		t.Fatalf("%x, %v", packed, err)
	}
	var v texts
	if err := decode.Unmarshal(packed, &v); err != nil || v.T != "abc" {
		t.Errorf("%v, %v", v, err)
	}
	if err := decode.Unmarshal(hexdoc.Must("07"), new(bothDoors)); !errors.Is(err, decode.ErrType) {
		t.Errorf("a number: %v", err)
	}
}

type marshalsText string

func (m marshalsText) MarshalText() ([]byte, error) { return []byte("-" + string(m)), nil }
func (m *marshalsText) UnmarshalText(p []byte) error {
	*m = marshalsText(p[1:])
	return nil
}
