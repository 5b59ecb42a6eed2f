package parity

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/boundpack/boundpack/decode"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// The peer knows no ext type but the timestamp's; it is given all others, with the
// generic type that decode has for them. Its registry is one for the process.
func init() {
	for typ := -128; typ < 128; typ++ {
		if typ == -1 {
			continue
		}
		msgpack.RegisterExtDecoder(int8(typ), decode.Ext{}, func(dec *msgpack.Decoder, v reflect.Value, n int) error {
			data := make([]byte, n)
			if err := dec.ReadFull(data); err != nil {
				return err
			}
			*v.Addr().Interface().(*decode.Ext) = decode.Ext{Type: int8(typ), Data: data}
			return nil
		})
	}
}

// reader is one document read through the peer.
type reader struct {
	set *Set
}

// Peer returns what the peer makes of the document that doc starts with, in the types
// of package decode, and where it ends. [walk.Check] accepts doc.
func Peer(doc []byte, s *Set) (v any, end int, err error) {
	r := bytes.NewReader(doc) // read without a buffer between
	dec := msgpack.NewDecoder(r)
	p := reader{s}
	if p.hooked() {
		dec.SetMapDecoder(p.dict)
	}
	if v, err = dec.DecodeInterface(); err != nil {
		return nil, 0, err
	}
	if v, err = p.value(v); err != nil {
		return nil, 0, err
	}
	return v, len(doc) - r.Len(), nil
}

// hooked reports whether the set has a policy for maps that the peer's own maps,
// map[string]any with str keys of which the last wins, do not have.
func (p reader) hooked() bool {
	o := &p.set.Options
	return o.MapKeys != decode.StringKeys || o.DuplicateKeys == decode.FirstWins ||
		o.UTF8 == decode.ReplaceInvalidUTF8 || o.Markers != nil
}

// whole is a value that is in decode's types already, with all that it contains.
type whole struct{ v any }

// value returns v, which the peer made, in the types of package decode.
func (p reader) value(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, float64, []byte:
		return v, nil
	case whole:
		return v.v, nil
	case int8:
		return int64(v), nil
	case int16:
		return int64(v), nil
	case int32:
		return int64(v), nil
	case int64:
		return v, nil
	case uint8:
		return int64(v), nil
	case uint16:
		return int64(v), nil
	case uint32:
		return int64(v), nil
	case uint64:
		if v > math.MaxInt64 {
			return v, nil
		}
		return int64(v), nil
	case float32:
		return float64(v), nil
	case string:
		if p.set.Options.UTF8 == decode.ReplaceInvalidUTF8 {
			return replaced(v), nil
		}
		return v, nil
	case time.Time:
		if _, known := p.set.ext(-1); known {
			return decode.Timestamp{Seconds: v.Unix(), Nanoseconds: uint32(v.Nanosecond())}, nil
		}
		return v.UTC(), nil
	case decode.Ext:
		if e, known := p.set.ext(v.Type); known {
			return e.Decode(v.Data)
		}
		return v, nil
	case []any:
		for i := range v {
			var err error
			if v[i], err = p.value(v[i]); err != nil {
				return nil, err
			}
		}
		return v, nil
	case map[string]any:
		for key := range v {
			var err error
			if v[key], err = p.value(v[key]); err != nil {
				return nil, err
			}
		}
		return v, nil
	}
	return nil, fmt.Errorf("the peer made a %T", v)
}

// dict reads a map by the policies of the set.
func (p reader) dict(dec *msgpack.Decoder) (any, error) {
	n, err := dec.DecodeMapLen()
	if err != nil {
		return nil, err
	}
	b := builder{set: p.set, m: map[any]any{}}
	for range n {
		key, err := p.key(dec)
		if err != nil {
			return nil, err
		}
		v, err := dec.DecodeInterface()
		if err != nil {
			return nil, err
		}
		if v, err = p.value(v); err != nil {
			return nil, err
		}
		b.put(key, v)
	}
	v, err := b.done()
	return whole{v}, err
}

var errKey = errors.New("a key that no map takes")

// key reads a key: as the peer's own maps do where all keys must be str, else of every
// kind that a Go map takes as one.
func (p reader) key(dec *msgpack.Decoder) (any, error) {
	if p.set.Options.MapKeys == decode.StringKeys {
		key, err := dec.DecodeString()
		if err != nil {
			return nil, err
		}
		return p.value(key)
	}
	code, err := dec.PeekCode()
	if err != nil {
		return nil, err
	}
	if msgpcode.IsBin(code) {
		key, err := dec.DecodeBytes()
		return decode.Bin(key), err
	}
	key, err := dec.DecodeInterface()
	if err != nil {
		return nil, err
	}
	if _, dict := key.(whole); dict { // whatever it stands for
		return nil, errKey
	}
	if key, err = p.value(key); err != nil {
		return nil, err
	}
	switch key.(type) {
	case string:
		return key, nil
	case nil, bool, int64, uint64, float64, time.Time:
		if p.set.Options.MapKeys == decode.AnyKeys {
			return key, nil
		}
	}
	return nil, errKey
}
