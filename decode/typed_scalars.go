package decode

import (
	"encoding/binary"
	"math"
	"reflect"
	"time"
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// scalarInto reads the scalar h, whose header is at off, into memory of p's type.
func (s *state) scalarInto(p *plan, ptr unsafe.Pointer, h walk.Header, off int) error {
	content := s.payload(h.Payload)
	if h.Kind == walk.Ext {
		return s.extInto(p, ptr, content, h, off)
	}
	switch p.op {
	case opBool:
		if h.Kind == walk.Bool {
			*(*bool)(ptr) = s.data[off] == 0xc3
			return nil
		}
	case opInt, opUint:
		return s.intInto(p, ptr, content, h, off)
	case opFloat:
		return s.floatInto(p, ptr, content, h, off)
	case opString:
		if h.Kind == walk.Str || h.Kind == walk.Bin {
			str, err := s.stringFor(p, content, h, off)
			if err != nil {
				return err
			}
			*(*string)(ptr) = str
			return nil
		}
	case opBytes:
		if h.Kind == walk.Str || h.Kind == walk.Bin {
			b, err := s.bytesFor(p, content, h, off)
			if err != nil {
				return err
			}
			*(*[]byte)(ptr) = b
			return nil
		}
	case opByteArray:
		if (h.Kind == walk.Str || h.Kind == walk.Bin) && len(content) == p.n {
			if err := s.checkText(p, content, h, off); err != nil {
				return err
			}
			copy(unsafe.Slice((*byte)(ptr), p.n), content)
			return nil
		}
	}
	return mismatch(p, h, off)
}

// intInto reads a number into an int or uint. A float is taken only with WholeFloats, and
// only if it is whole.
func (s *state) intInto(p *plan, ptr unsafe.Pointer, content []byte, h walk.Header, off int) error {
	t := walk.Token{Kind: h.Kind, Marker: s.data[off], Payload: content}
	var (
		i         int64
		u         uint64
		iok, uok  bool
		wholeUint = float64(1 << 63)
	)
	switch {
	case h.Kind == walk.Int:
		i, iok = t.Int()
		u, uok = t.Uint()
	case h.Kind == walk.Float && s.d.wholeFloats:
		f := t.Float()
		if f != math.Trunc(f) || math.IsInf(f, 0) { // NaN is no whole number either
			return refuseFor(p, h.Kind, off, bounds.ErrInexact)
		}
		iok = f >= -wholeUint && f < wholeUint
		uok = f >= 0 && f < 2*wholeUint
		if iok {
			i = int64(f)
		}
		if uok {
			u = uint64(f)
		}
	default:
		return mismatch(p, h, off)
	}
	v := p.at(ptr)
	switch {
	case p.op == opInt && iok && !v.OverflowInt(i):
		v.SetInt(i)
	case p.op == opUint && uok && !v.OverflowUint(u):
		v.SetUint(u)
	default:
		return refuseFor(p, h.Kind, off, bounds.ErrOverflow)
	}
	return nil
}

// floatInto reads a number into a float. An int is taken only if the float can hold it
// exactly; a float 64 is rounded to a float32 unless ExactFloats says otherwise.
func (s *state) floatInto(p *plan, ptr unsafe.Pointer, content []byte, h walk.Header, off int) error {
	t := walk.Token{Kind: h.Kind, Marker: s.data[off], Payload: content}
	single := p.size == 4
	if single && len(content) == 4 && h.Kind == walk.Float {
		*(*float32)(ptr) = math.Float32frombits(binary.BigEndian.Uint32(content)) // a NaN's bits, too
		return nil
	}
	var f float64
	switch h.Kind {
	case walk.Int:
		exact := false
		if i, ok := t.Int(); ok {
			f = float64(i)
			exact = f < 1<<63 && int64(f) == i
		} else {
			u, _ := t.Uint()
			f = float64(u)
			exact = f < 1<<64 && uint64(f) == u
		}
		if !exact || single && float64(float32(f)) != f {
			return refuseFor(p, h.Kind, off, bounds.ErrInexact)
		}
	case walk.Float:
		f = t.Float()
		if single {
			r := float64(float32(f))
			if math.IsInf(r, 0) && !math.IsInf(f, 0) {
				return refuseFor(p, h.Kind, off, bounds.ErrOverflow)
			}
			if s.d.exactFloats && r != f && f == f {
				return refuseFor(p, h.Kind, off, bounds.ErrInexact)
			}
		}
	default:
		return mismatch(p, h, off)
	}
	if single {
		*(*float32)(ptr) = float32(f)
	} else {
		*(*float64)(ptr) = f
	}
	return nil
}

// stringFor returns the string that the str or bin content, read last, becomes. A bin must
// be valid UTF-8 whatever the policy for strs is.
func (s *state) stringFor(p *plan, content []byte, h walk.Header, off int) (string, error) {
	if err := s.charge(s.textPrice(content), off, h.Kind); err != nil {
		return "", err
	}
	if h.Kind == walk.Bin && !isText(content) {
		return "", refuseFor(p, h.Kind, s.off-len(content)+walk.ValidPrefix(content), bounds.ErrUTF8)
	}
	n := len(content)
	if n < 2 || n > sharedValue {
		str, err := s.text(content)
		return str, s.typedError(p, err)
	}
	str, err := s.keyText(content)
	return str, s.typedError(p, err)
}

// typedError gives err, from a path that does not know types, the type of p.
func (s *state) typedError(p *plan, err error) error {
	if e, ok := err.(*Error); ok {
		e.GoType = p.typ
	}
	return err
}

// bytesFor returns the []byte that the str or bin content, read last, becomes.
func (s *state) bytesFor(p *plan, content []byte, h walk.Header, off int) ([]byte, error) {
	if len(content) == 0 {
		return []byte{}, nil
	}
	if err := s.charge(price.Content(len(content)), off, h.Kind); err != nil {
		return nil, err
	}
	if err := s.checkText(p, content, h, off); err != nil {
		return nil, err
	}
	if s.d.alias {
		return content, nil
	}
	return s.content(content), nil
}

// checkText refuses a str, read last, that is not valid UTF-8, if that is the policy.
func (s *state) checkText(p *plan, content []byte, h walk.Header, off int) error {
	if h.Kind == walk.Str && s.d.utf8 == RefuseInvalidUTF8 && !isText(content) {
		return refuseFor(p, h.Kind, s.off-len(content)+walk.ValidPrefix(content), bounds.ErrUTF8)
	}
	return nil
}

// extInto reads an ext, whose header is at off, into memory of p's type.
func (s *state) extInto(p *plan, ptr unsafe.Pointer, payload []byte, h walk.Header, off int) error {
	typ, content := int8(payload[0]), payload[1:]
	e, known := s.d.exts[typ]
	if ours := typ == timestampType && (p.op == opTime || p.op == opTimestamp); ours && known && (e.Go == nil || !e.Go.AssignableTo(p.typ)) {
		known = false // these two take a timestamp whatever becomes of it in an any
	}
	if known && p.op != opExt {
		if err := s.charge(int64(len(content)), off, h.Kind); err != nil {
			return err
		}
		v, err := extValue(e, content, off)
		if err != nil {
			return s.typedError(p, err)
		}
		if !assign(p, ptr, v) {
			return refuseFor(p, h.Kind, off, bounds.ErrExt)
		}
		return nil
	}
	switch {
	case p.op == opExt:
		if err := s.charge(price.Content(len(content)), off, h.Kind); err != nil {
			return err
		}
		e := (*Ext)(ptr)
		*e = Ext{Type: typ, Data: content}
		switch {
		case len(content) == 0:
			e.Data = []byte{}
		case !s.d.alias:
			e.Data = s.content(content)
		}
		return nil
	case typ != timestampType || p.op != opTime && p.op != opTimestamp:
		return mismatch(p, h, off)
	}
	t, err := ParseTimestamp(content)
	if err == nil && p.op == opTimestamp {
		*(*Timestamp)(ptr) = t
		return nil
	}
	if err == nil {
		*(*time.Time)(ptr), err = t.Time()
	}
	if err != nil {
		return refuseFor(p, h.Kind, off, err)
	}
	return nil
}

// assign stores v in memory of p's type, if it can.
func assign(p *plan, ptr unsafe.Pointer, v any) bool {
	if v == nil {
		p.at(ptr).SetZero()
		return true
	}
	rv := reflect.ValueOf(v)
	if !rv.Type().AssignableTo(p.typ) {
		return false
	}
	p.at(ptr).Set(rv)
	return true
}
