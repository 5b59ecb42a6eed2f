package typedparity

import (
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/parity"
	"github.com/boundpack/boundpack/walk"
)

// flaw is why a well-formed document is refused for a type.
type flaw struct {
	what   string // a name of this package, finer than reason
	reason error  // the sentinel
	offset int
	wire   walk.Kind
	typ    reflect.Type // nil within any
}

// plain decodes one document by the rules alone: recursively, one value after the other,
// in the order of the bytes.
type plain struct {
	doc   []byte
	set   *parity.Set
	o     *decode.Options
	c     *walk.Cursor
	notes map[string]bool // of what the document has that the peer is known to read otherwise
}

// decodePlain decodes the document that doc starts with into dst, which can be set, under
// the options of s, as [decode.Unmarshal] must. [walk.Check] accepts doc.
func decodePlain(doc []byte, dst reflect.Value, s *parity.Set) (end int, notes map[string]bool, f *flaw) {
	c, err := walk.NewCursor(doc, s.Options.Limits)
	if err != nil {
		panic(err)
	}
	p := plain{doc: doc, set: s, o: &s.Options, c: c, notes: map[string]bool{}}
	for dst.Kind() == reflect.Pointer && !dst.IsNil() && !p.isNil() {
		dst = dst.Elem() // at the root a pointer is used
	}
	f = p.value(dst, -1)
	return p.c.Offset(), p.notes, f
}

func (p *plain) note(what string) { p.notes[what] = true }

func (p *plain) isNil() bool {
	off := p.c.Offset()
	return off < len(p.doc) && p.doc[off] == 0xc0
}

func (p *plain) next() walk.Token {
	t, err := p.c.Next()
	if err != nil {
		panic(fmt.Sprintf("the cursor refuses what Check accepts: %v", err))
	}
	return t
}

func refused(t walk.Token, typ reflect.Type, what string, reason error) *flaw {
	return &flaw{what: what, reason: reason, offset: t.Offset, wire: t.Kind, typ: typ}
}

// value decodes the next item into dst, in a field of that limit.
func (p *plain) value(dst reflect.Value, limit int) *flaw {
	t := dst.Type()
	if t.Kind() == reflect.Pointer && !p.isNil() {
		elem := reflect.New(t.Elem())
		f := p.value(elem.Elem(), limit)
		dst.Set(elem)
		return f
	}
	if f := p.overLimit(t, limit); f != nil {
		return f
	}
	switch {
	case t.Kind() == reflect.Interface:
		return p.intoAny(dst)
	case t == rawType && !p.isNil():
		off := p.c.Offset()
		f := p.skip(rawType)
		dst.SetBytes(append([]byte{}, p.doc[off:p.c.Offset()]...))
		return f
	}
	tok := p.next()
	if tok.Kind == walk.Nil {
		if t == timeType {
			p.note(nilTime)
		}
		dst.SetZero()
		return nil
	}
	return p.typed(tok, dst)
}

// overLimit refuses the next item, for a t, if it exceeds the limit of its field.
func (p *plain) overLimit(t reflect.Type, limit int) *flaw {
	off := p.c.Offset()
	if limit < 0 {
		return nil
	}
	c, err := walk.NewCursor(p.doc[off:], bounds.Limits{})
	if err != nil {
		panic(err)
	}
	tok, err := c.Next()
	if err != nil {
		panic(err)
	}
	tok.Offset = off
	reason := bounds.ErrMaxItems
	switch tok.Kind {
	case walk.Array, walk.Map:
	case walk.Str, walk.Bin:
		reason = bounds.ErrMaxBytes
	default:
		return nil
	}
	if tok.N <= limit {
		return nil
	}
	return refused(tok, t, "limit", reason)
}

// typed decodes what tok starts, which is not nil, into dst.
func (p *plain) typed(tok walk.Token, dst reflect.Value) *flaw {
	t := dst.Type()
	switch t {
	case timeType, stampType, extType:
		return p.ext(tok, dst)
	}
	switch k := t.Kind(); k {
	case reflect.Bool:
		if tok.Kind == walk.Bool {
			dst.SetBool(tok.Bool())
			return nil
		}
	case reflect.String:
		return p.str(tok, dst)
	case reflect.Float32, reflect.Float64:
		return p.float(tok, dst)
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return p.bytes(tok, dst)
		}
		return p.array(tok, dst)
	case reflect.Map:
		return p.dict(tok, dst)
	case reflect.Struct:
		return p.object(tok, dst)
	default:
		return p.int(tok, dst)
	}
	return refused(tok, t, p.kindFlaw(tok, t), bounds.ErrType)
}

// kindFlaw names a value of the wrong kind: those that the peer has a reading for apart.
func (p *plain) kindFlaw(tok walk.Token, t reflect.Type) string {
	switch k := t.Kind(); {
	case tok.Kind == walk.Float && k >= reflect.Int && k <= reflect.Uint64:
		return floatForInt
	case tok.Kind == walk.Array && k == reflect.Struct && t != timeType:
		return arrayForStruct
	case tok.Kind == walk.Map && k == reflect.Struct && t != timeType:
		return mapForTuple
	case k == reflect.Array && (tok.Kind == walk.Array || tok.Kind == walk.Str || tok.Kind == walk.Bin):
		return shortArray
	case tok.Kind == walk.Ext && (k == reflect.Map || k == reflect.Struct && t != timeType):
		return extForMap
	case t == timeType && tok.Kind == walk.Str:
		return strForTime
	case t == timeType && tok.Kind == walk.Array:
		return arrayForTime
	case t == timeType && tok.Kind == walk.Ext:
		return extForTime
	}
	return otherKind
}

// int decodes a number into an int or uint.
func (p *plain) int(tok walk.Token, dst reflect.Value) *flaw {
	t := dst.Type()
	v, vok := tok.Int()
	u, uok := tok.Uint()
	switch {
	case tok.Kind == walk.Float && p.o.WholeFloats:
		f := tok.Float()
		if f != math.Trunc(f) || math.IsInf(f, 0) {
			return refused(tok, t, fraction, bounds.ErrInexact)
		}
		if vok = f >= -1<<63 && f < 1<<63; vok {
			v = int64(f)
		}
		if uok = f >= 0 && f < 1<<64; uok {
			u = uint64(f)
		}
	case tok.Kind != walk.Int:
		return refused(tok, t, p.kindFlaw(tok, t), bounds.ErrType)
	}
	switch {
	case dst.CanInt() && vok && !dst.OverflowInt(v):
		dst.SetInt(v)
	case dst.CanUint() && uok && !dst.OverflowUint(u):
		dst.SetUint(u)
	default:
		return refused(tok, t, overflow, bounds.ErrOverflow)
	}
	return nil
}

// float decodes a number into a float.
func (p *plain) float(tok walk.Token, dst reflect.Value) *flaw {
	t := dst.Type()
	single := t.Bits() == 32
	switch tok.Kind {
	case walk.Int:
		v, vok := tok.Int()
		u, _ := tok.Uint()
		f := float64(v)
		exact := f < 1<<63 && int64(f) == v
		if !vok {
			p.note(hugeForFloat)
			f = float64(u)
			exact = f < 1<<64 && uint64(f) == u
		}
		if !exact || single && float64(float32(f)) != f {
			return refused(tok, t, inexactFloat, bounds.ErrInexact)
		}
		dst.SetFloat(f)
		return nil
	case walk.Float:
		f := tok.Float()
		if !single {
			dst.SetFloat(f)
			return nil
		}
		if tok.Marker == 0xcb {
			p.note(doubleForSingle)
		}
		r := float64(float32(f))
		if math.IsInf(r, 0) && !math.IsInf(f, 0) {
			return refused(tok, t, overflow, bounds.ErrOverflow)
		}
		if p.o.ExactFloats && r != f && f == f {
			return refused(tok, t, inexactFloat, bounds.ErrInexact)
		}
		dst.SetFloat(f)
		return nil
	}
	return refused(tok, t, p.kindFlaw(tok, t), bounds.ErrType)
}

// text returns the content of a str or bin as a string of type t would have it.
func (p *plain) text(tok walk.Token, t reflect.Type) (string, *flaw) {
	s := string(tok.Payload)
	n := walk.ValidPrefix(tok.Payload)
	if n == len(s) || tok.Kind == walk.Str && p.o.UTF8 == decode.AllowInvalidUTF8 {
		return s, nil
	}
	if tok.Kind == walk.Str && p.o.UTF8 == decode.ReplaceInvalidUTF8 {
		return string([]rune(s)), nil
	}
	f := refused(tok, t, notUTF8, bounds.ErrUTF8)
	f.offset = p.c.Offset() - len(s) + n
	return "", f
}

func (p *plain) str(tok walk.Token, dst reflect.Value) *flaw {
	if tok.Kind != walk.Str && tok.Kind != walk.Bin {
		return refused(tok, dst.Type(), p.kindFlaw(tok, dst.Type()), bounds.ErrType)
	}
	s, f := p.text(tok, dst.Type())
	if f == nil {
		dst.SetString(s)
	}
	return f
}

// bytes decodes into a slice or array of bytes.
func (p *plain) bytes(tok walk.Token, dst reflect.Value) *flaw {
	t := dst.Type()
	if tok.Kind != walk.Str && tok.Kind != walk.Bin || t.Kind() == reflect.Array && tok.N != t.Len() {
		return refused(tok, t, p.kindFlaw(tok, t), bounds.ErrType)
	}
	if tok.Kind == walk.Str && p.o.UTF8 == decode.RefuseInvalidUTF8 {
		if _, f := p.text(tok, t); f != nil {
			return f
		}
	}
	if t.Kind() == reflect.Array {
		for i, b := range tok.Payload {
			dst.Index(i).SetUint(uint64(b))
		}
		return nil
	}
	dst.SetBytes(append([]byte{}, tok.Payload...))
	return nil
}

// ext decodes into a time.Time, Timestamp or Ext.
func (p *plain) ext(tok walk.Token, dst reflect.Value) *flaw {
	t := dst.Type()
	typ, content := tok.Ext()
	switch {
	case tok.Kind == walk.Ext && t == extType:
		dst.Set(reflect.ValueOf(decode.Ext{Type: typ, Data: append([]byte{}, content...)}))
		return nil
	case tok.Kind != walk.Ext || typ != -1:
		return refused(tok, t, p.kindFlaw(tok, t), bounds.ErrType)
	}
	stamp, err := decode.ParseTimestamp(content) // held to the specification by its own tests
	switch {
	case err != nil:
		return refused(tok, t, badTime, bounds.ErrTimestamp)
	case t == stampType:
		dst.Set(reflect.ValueOf(stamp))
		return nil
	case stamp.Seconds < -9223372028741760000 || stamp.Seconds > 9223371974719179007:
		return refused(tok, t, badTime, bounds.ErrTimestamp)
	}
	dst.Set(reflect.ValueOf(time.Unix(stamp.Seconds, int64(stamp.Nanoseconds)).UTC()))
	return nil
}
