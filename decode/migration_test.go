package decode

import (
	"errors"
	"reflect"
	"testing"

	"github.com/boundpack/boundpack/internal/hexdoc"
)

// TestMsgTags: what README says to people who have msg tags.
func TestMsgTags(t *testing.T) {
	type user struct {
		ID   int64  `msg:"id"`
		Name string `msg:"name,omitempty"`
		Skip int    `msg:"-"`
	}
	d := Options{Tags: []string{"msgpack", "msg"}}.Must()
	v, err := As[user](d, hexdoc.Must("83 a2696407 a46e616d65a178 a4536b697001"))
	if err != nil || v != (user{ID: 7, Name: "x"}) {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestMsgpackTags: the column of docs/migration.md that says what tags mean here.
func TestMsgpackTags(t *testing.T) {
	type In struct {
		X int `msgpack:"x,alias:y"`
	}
	type In2 struct {
		X int `msgpack:"x"`
	}
	type wrap struct {
		P In `msgpack:"p,inline"`
	}
	type named struct {
		In `msgpack:"in"`
	}
	type after struct {
		X int `msgpack:"x"`
		In
	}
	type both struct {
		In
		In2
	}
	type promoted struct{ In }
	for _, c := range []struct {
		hex  string
		got  any
		want any
	}{
		{"81a17807", new(wrap), wrap{P: In{7}}},             // promoted
		{"81a17081a17807", new(wrap), wrap{}},               // and not under the name
		{"81a2696e81a17807", new(named), named{In{7}}},      // a field of that name
		{"81a17807", new(named), named{}},                   // and nothing promoted
		{"81a17807", new(after), after{X: 7}},               // the outer one
		{"81a17807", new(both), both{}},                     // neither
		{"81a17907", new(promoted), promoted{In: In{X: 7}}}, // an alias goes with its field
	} {
		if err := Unmarshal(hexdoc.Must(c.hex), c.got); err != nil {
			t.Errorf("%s into %T: %v", c.hex, c.got, err)
		} else if got := reflect.ValueOf(c.got).Elem().Interface(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.hex, got, c.want)
		}
	}
	tags := Options{Tags: []string{"msgpack", "msg"}}.Must()
	for _, target := range []any{
		&struct {
			A string `msgpack:"a,intern"`
		}{},
		&struct {
			_ struct{} `msgpack:",asArray"`
			A string
		}{},
		&struct {
			A *int `msg:"a,allownil"`
		}{},
		&struct {
			A []byte `msg:"a,zerocopy"`
		}{},
	} {
		if err := tags.Unmarshal([]byte{0x80}, target); !errors.Is(err, ErrTarget) {
			t.Errorf("%T: %v, want ErrTarget", target, err)
		}
	}
}
