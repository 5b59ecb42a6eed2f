package decode

import (
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
