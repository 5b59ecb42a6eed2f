package contend

import (
	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/walk"
)

// roomy lets every document through; what a limit costs does not depend on its
// height.
var roomy = bounds.Limits{MaxBytes: 1 << 30, MaxItems: 1 << 30}

func ourWalks() []Contender {
	return []Contender{
		{Name: "boundpack", Run: func(doc []byte) error { return walk.Check(doc, roomy) }},
		{Name: "boundpack-utf8", Run: func(doc []byte) error { return walk.Valid(doc, roomy) }},
	}
}

func ourAnys() []Contender {
	return []Contender{
		making("boundpack", decode.Options{Limits: roomy}.Must().Any),
	}
}

// ourExt takes this module's ext value apart.
func ourExt(v any) (e ext, ok bool) {
	if v, ok := v.(decode.Ext); ok {
		return ext{v.Type, string(v.Data)}, true
	}
	return ext{}, false
}
