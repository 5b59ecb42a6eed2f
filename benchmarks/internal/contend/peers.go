package contend

import (
	"errors"

	"github.com/tinylib/msgp/msgp"
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
