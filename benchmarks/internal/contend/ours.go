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
		{Name: "step", Run: stepThrough},
		{Name: "boundpack-utf8", Run: func(doc []byte) error { return walk.Valid(doc, roomy) }},
	}
}

// stepThrough reads every header by the header step alone, for its cost: depth is not
// counted, as nothing is kept of what is open.
func stepThrough(doc []byte) error {
	limits, err := roomy.Resolve()
	if err != nil {
		return err
	}
	a := bounds.Open(len(doc), &limits)
	for off := 0; a.Owed() > 0; {
		h, next, err := walk.Step(doc, off, a, 0, &limits)
		if err != nil {
			return err
		}
		a, off = next, off+h.Size+h.Payload
	}
	return nil
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
