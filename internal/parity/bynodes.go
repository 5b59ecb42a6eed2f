package parity

import (
	"errors"
	"fmt"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/walk"
)

// errNodes says that the nodes of one document contradict each other.
var errNodes = errors.New("nodes")

// ByNodes returns what [decode.Decoder.Any] must make of doc under the options of s, built
// by reading the nodes of a Document one by one, or an error with the same sentinel and
// offset. Every element is found by Index, and every value of a str key by Get, too.
func ByNodes(doc []byte, s *Set) (any, error) {
	d, err := s.decoder.Parse(doc)
	if err != nil {
		return nil, err
	}
	return byNodes{byCursor{s}}.value(d.Root())
}

type byNodes struct {
	byCursor
}

func (b byNodes) value(n decode.Node) (any, error) {
	switch n.Kind() {
	case walk.Nil:
		return nil, n.Err()
	case walk.Bool:
		return n.Bool()
	case walk.Int:
		v, err := n.Int()
		if errors.Is(err, bounds.ErrOverflow) {
			return n.Uint()
		}
		return v, err
	case walk.Float:
		return n.Float()
	case walk.Str:
		return n.Str()
	case walk.Bin:
		return n.Bytes()
	case walk.Ext:
		e, err := n.Ext()
		if err != nil {
			return nil, err
		}
		return b.ext(e.Type, e.Data, int(n.Offset()))
	case walk.Array:
		arr := make([]any, n.Len())
		rounds := 0
		for i, e := range n.Elements() {
			if i != rounds || e != n.Index(i) {
				return nil, fmt.Errorf("%w: element %d at %d is not what Index gives", errNodes, i, e.Offset())
			}
			v, err := b.value(e)
			if err != nil {
				return nil, err
			}
			arr[i] = v
			rounds++
		}
		if rounds != len(arr) || n.Index(rounds).Exists() {
			return nil, fmt.Errorf("%w: %d elements of %d", errNodes, rounds, len(arr))
		}
		return arr, nil
	case walk.Map:
		return b.dict(n)
	}
	return nil, fmt.Errorf("%w: a node of kind %v", errNodes, n.Kind())
}

func (b byNodes) dict(n decode.Node) (any, error) {
	m := builder{set: b.set, m: map[any]any{}}
	rounds, found := 0, map[string]decode.Node{}
	for k, e := range n.Pairs() {
		key, err := b.key(k)
		if err != nil {
			return nil, err
		}
		if s, ok := key.(string); ok {
			if _, twice := found[s]; !twice || b.set.Options.DuplicateKeys == decode.LastWins {
				found[s] = e
			}
		}
		v, err := b.value(e)
		if err != nil {
			return nil, err
		}
		m.put(key, v)
		rounds++
	}
	if rounds != n.Len() {
		return nil, fmt.Errorf("%w: %d pairs of %d", errNodes, rounds, n.Len())
	}
	for key, e := range found {
		if n.Get(key) != e {
			return nil, fmt.Errorf("%w: the value at %d is not what Get gives", errNodes, e.Offset())
		}
	}
	if _, has := found["no such key"]; !has && n.Get("no such key").Exists() {
		return nil, fmt.Errorf("%w: Get finds what is not there", errNodes)
	}
	v, err := m.done()
	if err != nil {
		return nil, refusal(int(n.Offset()), bounds.ErrHook)
	}
	return v, nil
}

func (b byNodes) key(n decode.Node) (any, error) {
	v, err := b.value(n)
	if bin, ok := v.([]byte); ok {
		return decode.Bin(bin), err
	}
	return v, err
}
