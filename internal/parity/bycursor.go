package parity

import (
	"errors"
	"math"
	"unicode/utf8"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/walk"
)

// byCursor builds values by the typed reads, the loops and the parts of a cursor.
type byCursor struct {
	set *Set
}

// ByCursor returns what [decode.Decoder.Any] must make of doc under the options of s, built
// by the typed reads of a cursor, or an error with the same sentinel and offset.
func ByCursor(doc []byte, s *Set) (any, error) {
	c, err := walk.NewCursor(doc, s.Options.Limits)
	if err != nil {
		return nil, err
	}
	v, err := byCursor{s}.value(c)
	if err != nil {
		if structure := walk.Check(doc, s.Options.Limits); structure != nil {
			return nil, structure
		}
		return nil, err
	}
	if c.Offset() < len(doc) {
		return nil, refusal(c.Offset(), bounds.ErrTrailing)
	}
	return v, nil
}

func refusal(off int, reason error) error { return &decode.Error{Offset: int64(off), Err: reason} }

func (b byCursor) value(c *walk.Cursor) (any, error) {
	kind, err := c.Peek()
	if err != nil {
		return nil, err
	}
	off := c.Offset()
	switch kind {
	case walk.Nil:
		return nil, c.ReadNil()
	case walk.Bool:
		return c.ReadBool()
	case walk.Int:
		v, err := c.ReadInt64()
		if errors.Is(err, walk.ErrOverflow) {
			return c.ReadUint64()
		}
		return v, err
	case walk.Float:
		return c.ReadFloat64()
	case walk.Str:
		return b.text(c)
	case walk.Bin:
		v, err := c.ReadBin()
		return append([]byte{}, v...), err
	case walk.Ext:
		typ, content, err := c.ReadExt()
		if err != nil {
			return nil, err
		}
		return b.ext(typ, content, off)
	case walk.Array:
		return b.array(c)
	}
	return b.dict(c)
}

func (b byCursor) text(c *walk.Cursor) (any, error) {
	if b.set.Options.UTF8 == decode.RefuseInvalidUTF8 {
		v, err := c.ReadStr()
		return string(v), err
	}
	v, err := c.ReadRawStr()
	if b.set.Options.UTF8 == decode.ReplaceInvalidUTF8 {
		return replaced(string(v)), err
	}
	return string(v), err
}

func (b byCursor) ext(typ int8, content []byte, off int) (any, error) {
	if e, known := b.set.ext(typ); known {
		v, err := e.Decode(content)
		if err != nil {
			return nil, refusal(off, bounds.ErrHook)
		}
		return v, nil
	}
	if typ != -1 {
		return decode.Ext{Type: typ, Data: append([]byte{}, content...)}, nil
	}
	stamp, err := decode.ParseTimestamp(content)
	if err != nil {
		return nil, refusal(off, err)
	}
	v, err := stamp.Time()
	if err != nil {
		return nil, refusal(off, err)
	}
	return v, nil
}

// array reads every third element through a cursor over it alone.
func (b byCursor) array(c *walk.Cursor) (any, error) {
	arr := []any{}
	for i, err := range c.Array() {
		if err != nil {
			return nil, err
		}
		in := c
		if i%3 == 2 {
			in = new(walk.Cursor)
			if err := c.Sub(in); err != nil {
				return nil, err
			}
		}
		v, err := b.value(in)
		if err != nil {
			return nil, err
		}
		arr = append(arr, v)
	}
	return arr[:len(arr):len(arr)], nil
}

func (b byCursor) dict(c *walk.Cursor) (any, error) {
	off := c.Offset()
	m := builder{set: b.set, m: map[any]any{}}
	for t, err := range c.Map() {
		if err != nil {
			return nil, err
		}
		key, err := b.key(c, t)
		if err != nil {
			return nil, err
		}
		if _, twice := m.m[key]; twice && b.set.Options.DuplicateKeys == decode.RefuseDuplicates {
			return nil, refusal(t.Offset, bounds.ErrDuplicateKey)
		}
		v, err := b.value(c)
		if err != nil {
			return nil, err
		}
		m.put(key, v)
	}
	v, err := m.done()
	if err != nil {
		return nil, refusal(off, bounds.ErrHook)
	}
	return v, nil
}

// key returns the key t, which c has just read.
func (b byCursor) key(c *walk.Cursor, t walk.Token) (any, error) {
	keys := b.set.Options.MapKeys
	switch {
	case t.Kind == walk.Str:
		s := string(t.Payload)
		switch {
		case utf8.ValidString(s) || b.set.Options.UTF8 == decode.AllowInvalidUTF8:
			return s, nil
		case b.set.Options.UTF8 == decode.ReplaceInvalidUTF8:
			return replaced(s), nil
		}
		return nil, refusal(c.Offset()-len(s)+walk.ValidPrefix(t.Payload), bounds.ErrUTF8)
	case t.Kind == walk.Bin && keys != decode.StringKeys:
		return decode.Bin(t.Payload), nil
	case keys != decode.AnyKeys:
		return nil, refusal(t.Offset, bounds.ErrKeyType)
	}
	switch t.Kind {
	case walk.Nil:
		return nil, nil
	case walk.Bool:
		return t.Bool(), nil
	case walk.Int:
		if v, ok := t.Int(); ok {
			return v, nil
		}
		v, _ := t.Uint()
		return v, nil
	case walk.Float:
		if v := t.Float(); !math.IsNaN(v) {
			return v, nil
		}
	}
	return nil, refusal(t.Offset, bounds.ErrKeyType)
}
