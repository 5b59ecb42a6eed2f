package contend

import (
	"errors"

	"github.com/boundpack/boundpack/benchmarks/internal/contend/types"
	"github.com/tinylib/msgp/msgp"
	"github.com/vmihailenco/msgpack/v5"
)

var errRest = errors.New("bytes after the document")

// whole makes an error of bytes left over, so that every contender answers for
// the whole document.
func whole(rest []byte, err error) error {
	if err == nil && len(rest) != 0 {
		return errRest
	}
	return err
}

func peerWalks() []Contender {
	return []Contender{
		{Name: "msgp", Run: func(doc []byte) error { return whole(msgp.Skip(doc)) }},
	}
}

func peerAnys() []Contender {
	return []Contender{
		making("msgp", func(doc []byte) (any, error) {
			v, rest, err := msgp.ReadIntfBytes(doc)
			return v, whole(rest, err)
		}),
	}
}

func peerStructs() []Contender {
	return []Contender{
		making("msgp-gen", func(doc []byte) (any, error) {
			var page types.Page
			rest, err := page.UnmarshalMsg(doc)
			return &page, whole(rest, err)
		}),
		making("vmihailenco", func(doc []byte) (any, error) {
			var page types.Page
			err := msgpack.Unmarshal(doc, &page)
			return &page, err
		}),
	}
}

// peerExt takes a peer's ext value apart.
func peerExt(v any) (e ext, ok bool) {
	switch v := v.(type) {
	case msgp.RawExtension:
		return ext{v.Type, string(v.Data)}, true
	case *msgp.RawExtension:
		return ext{v.Type, string(v.Data)}, true
	}
	return ext{}, false
}
