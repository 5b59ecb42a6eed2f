package typedparity

import (
	"reflect"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/parity"
	"github.com/boundpack/boundpack/walk"
)

// intoAny decodes the next item into an interface.
func (p *plain) intoAny(dst reflect.Value) *flaw {
	off := p.c.Offset()
	v, _, f := parity.Plain(p.doc[off:], p.set)
	if err := p.c.Skip(); err != nil {
		panic(err)
	}
	if f != nil {
		return &flaw{what: f.What, reason: f.Reason, offset: off + f.Offset, wire: f.Wire}
	}
	if v == nil {
		dst.SetZero()
		return nil
	}
	rv := reflect.ValueOf(v)
	if !rv.Type().AssignableTo(dst.Type()) {
		return &flaw{what: otherKind, reason: bounds.ErrType, offset: off, wire: walk.KindOf(p.doc[off]), typ: dst.Type()}
	}
	dst.Set(rv)
	return nil
}

// skip reads the next item with all that it holds for a target of type t, or that has no
// use for it.
func (p *plain) skip(t reflect.Type) *flaw {
	var first *flaw
	for left := 1; left > 0; left-- {
		tok := p.next()
		left += tok.Items()
		if tok.Kind != walk.Str || p.o.UTF8 != decode.RefuseInvalidUTF8 || first != nil {
			continue
		}
		_, first = p.text(tok, t)
	}
	return first
}

// array decodes into a slice or array.
func (p *plain) array(tok walk.Token, dst reflect.Value) *flaw {
	t := dst.Type()
	if tok.Kind != walk.Array || t.Kind() == reflect.Array && tok.N != t.Len() {
		return refused(tok, t, p.kindFlaw(tok, t), bounds.ErrType)
	}
	elements := reflect.New(t).Elem()
	if t.Kind() == reflect.Slice {
		elements.Set(reflect.MakeSlice(t, tok.N, tok.N))
	}
	dst.Set(elements)
	for i := range tok.N {
		if f := p.value(dst.Index(i), -1); f != nil {
			return f
		}
	}
	return nil
}

// dict decodes into a map, made new.
func (p *plain) dict(tok walk.Token, dst reflect.Value) *flaw {
	t := dst.Type()
	if tok.Kind != walk.Map {
		return refused(tok, t, p.kindFlaw(tok, t), bounds.ErrType)
	}
	dst.Set(reflect.MakeMap(t))
	for range tok.N {
		key := reflect.New(t.Key()).Elem()
		k := p.next()
		if f := p.key(k, key, t); f != nil {
			return f
		}
		known := dst.MapIndex(key).IsValid()
		if known && p.o.DuplicateKeys == decode.RefuseDuplicates {
			return refused(k, t, twice, bounds.ErrDuplicateKey)
		}
		elem := reflect.New(t.Elem()).Elem()
		if f := p.value(elem, -1); f != nil {
			return f
		}
		if !known || p.o.DuplicateKeys == decode.LastWins {
			dst.SetMapIndex(key, elem)
		}
	}
	return nil
}

// key decodes the key k of a map of type t.
func (p *plain) key(k walk.Token, key reflect.Value, t reflect.Type) *flaw {
	kind := key.Kind()
	if kind == reflect.Interface {
		return p.anyKey(k, key, t)
	}
	fits := false
	switch k.Kind {
	case walk.Str, walk.Bin:
		fits = kind == reflect.String
	case walk.Bool:
		fits = kind == reflect.Bool
	case walk.Int:
		fits = key.CanInt() || key.CanUint() || key.CanFloat()
	case walk.Float:
		fits = key.CanFloat() || p.o.WholeFloats && (key.CanInt() || key.CanUint())
	}
	if !fits {
		return refused(k, t, keyFlaw(k), bounds.ErrKeyType)
	}
	if f := p.typed(k, key); f != nil {
		return f
	}
	if key.CanFloat() && key.Float() != key.Float() {
		return refused(k, t, nanKey, bounds.ErrKeyType)
	}
	return nil
}

// keyFlaw names a key of the wrong kind: those that the peer has a reading for apart.
func keyFlaw(k walk.Token) string {
	switch k.Kind {
	case walk.Nil:
		return nilKey
	case walk.Float:
		return floatForInt
	case walk.Ext:
		return timeKey
	}
	return otherKey
}

// anyKey decodes the key k of a map[any]T, whatever the policy for maps of any is.
func (p *plain) anyKey(k walk.Token, key reflect.Value, t reflect.Type) *flaw {
	var v any
	switch k.Kind {
	case walk.Nil:
		return nil
	case walk.Bool:
		v = k.Bool()
	case walk.Int:
		if i, ok := k.Int(); ok {
			v = i
		} else {
			v, _ = k.Uint()
		}
	case walk.Float:
		if v = k.Float(); k.Float() != k.Float() {
			return refused(k, t, nanKey, bounds.ErrKeyType)
		}
	case walk.Str:
		s, f := p.text(k, t)
		if f != nil {
			return f
		}
		v = s
	case walk.Bin:
		p.note(binAnyKey)
		v = decode.Bin(k.Payload)
	default:
		return refused(k, t, keyFlaw(k), bounds.ErrKeyType)
	}
	key.Set(reflect.ValueOf(v))
	return nil
}

// object decodes into a struct: from a map, or, as_array, from an array.
func (p *plain) object(tok walk.Token, dst reflect.Value) *flaw {
	t := dst.Type()
	fields, tuple := fieldsOf(t)
	switch {
	case !tuple && tok.Kind == walk.Map:
		return p.named(tok, fields, dst)
	case !tuple || tok.Kind != walk.Array || tok.N != len(fields):
		return refused(tok, t, p.kindFlaw(tok, t), bounds.ErrType)
	}
	for _, field := range fields {
		if f := p.value(field.at(dst), field.limit); f != nil {
			return f
		}
	}
	return nil
}

// named decodes the map tok into the fields it names.
func (p *plain) named(tok walk.Token, fields []fieldOf, dst reflect.Value) *flaw {
	t := dst.Type()
	seen := map[int]bool{}
	for range tok.N {
		k := p.next()
		if k.Kind != walk.Str && k.Kind != walk.Bin {
			return refused(k, t, keyFlaw(k), bounds.ErrKeyType)
		}
		if _, f := p.text(k, t); f != nil {
			return f
		}
		at := -1
		for i, f := range fields {
			if name := string(k.Payload); name == f.name || name == f.alias && f.alias != "" {
				at = i
				if name != f.name && len(f.index) > 1 {
					p.note(promotedAlias)
				}
			}
		}
		again := seen[at]
		switch {
		case at < 0 && p.o.RefuseUnknownFields:
			return refused(k, t, unknown, bounds.ErrUnknownField)
		case at >= 0 && again && p.o.DuplicateKeys == decode.RefuseDuplicates:
			return refused(k, t, twice, bounds.ErrDuplicateKey)
		case at < 0 || again && p.o.DuplicateKeys == decode.FirstWins:
			if f := p.skip(t); f != nil {
				return f
			}
			continue
		}
		seen[at] = true
		field := fields[at].at(dst)
		if again {
			field.SetZero() // the last value counts alone
		}
		if f := p.value(field, fields[at].limit); f != nil {
			return f
		}
	}
	return nil
}
