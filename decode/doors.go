package decode

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// The doors: methods by which a type decodes itself, in the order in which they are asked.
type (
	cursorDoor  interface{ UnmarshalCursor(*walk.Cursor) error }
	msgpackDoor interface{ UnmarshalMsgpack([]byte) error }
	msgDoor     interface {
		UnmarshalMsg([]byte) (rest []byte, err error)
	}
)

// doors is a set of them.
type doors uint8

const (
	byCursor doors = 1 << iota
	byMsgpack
	byMsg
	byBinary
	byText

	// forAll are those that take a value whatever its kind, but for nil.
	forAll = byCursor | byMsgpack | byMsg
)

var doorTypes = [...]reflect.Type{
	reflect.TypeFor[cursorDoor](), reflect.TypeFor[msgpackDoor](), reflect.TypeFor[msgDoor](),
	reflect.TypeFor[encoding.BinaryUnmarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
}

var doorNames = [...]string{"UnmarshalCursor", "UnmarshalMsgpack", "UnmarshalMsg", "UnmarshalBinary", "UnmarshalText"}

// String returns the method's name, of a set of one.
func (d doors) String() string { return doorNames[bits.TrailingZeros8(uint8(d))] }

// doorsOf returns the doors that t, or a pointer to it, has. Pointers and interfaces have
// none of their own.
func doorsOf(t reflect.Type) (d doors) {
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return 0
	}
	p := reflect.PointerTo(t)
	for i, door := range doorTypes {
		if p.Implements(door) {
			d |= 1 << i
		}
	}
	return d
}

// of returns which of d takes a value of kind; 0 if none does. A str and a bin go to one door
// where there is only one: no sender gets around a type's method by the other, and
// vmihailenco/msgpack packs as bin what MarshalText wrote.
func (d doors) of(kind walk.Kind) doors {
	switch {
	case kind == 0 || kind == walk.Nil:
		return 0
	case d&forAll != 0:
		return d & forAll & -(d & forAll)
	case kind == walk.Bin && d&byBinary != 0:
		return byBinary
	case kind == walk.Str && d&byText != 0:
		return byText
	case kind == walk.Bin || kind == walk.Str:
		return d
	}
	return 0
}

// opaqueError says that a type has a part that no plan can be made for.
type opaqueError struct {
	path, why string
}

func (e *opaqueError) Error() string {
	return fmt.Sprintf("%v: %s: %s", bounds.ErrTarget, e.path, e.why)
}
func (e *opaqueError) Unwrap() error { return bounds.ErrTarget }

func opaque(path, format string, args ...any) error {
	return &opaqueError{path, fmt.Sprintf(format, args...)}
}

// fillDoor makes p the plan of a type that has d. What no door takes has the plan elem: the
// type's own without doors, or, if that cannot be or would be of a struct with no field that
// a document can name, one that takes nothing but nil.
func (m *maker) fillDoor(p *plan, d doors, path string) error {
	none := &plan{op: opNone, typ: p.typ, size: p.size, scan: p.scan}
	p.op, p.doors, p.elem = opDoor, d, none
	if d&forAll != 0 {
		return nil
	}
	before := maps.Clone(m.making)
	rest := *none
	err := m.fillPlain(&rest, path)
	switch {
	case errors.As(err, new(*opaqueError)):
		m.making = before // plans made since may refer to plans that are not complete
		return nil
	case err != nil:
		return err
	case rest.table == nil || len(rest.table.fields) > 0:
		p.elem = &rest
	}
	return nil
}

// intoDoor decodes the next item into memory of p's type, which has doors. It reports true if
// that opened a container.
func (s *state) intoDoor(p *plan, ptr unsafe.Pointer, limit int64) (opened bool, err error) {
	door := p.doors.of(s.wireAt(s.off))
	if door == 0 {
		return s.into(target{p.elem, ptr, limit})
	}
	if limit >= 0 {
		if err := s.peekLimit(p, s.off, limit); err != nil {
			return false, err
		}
	}
	return false, s.askDoor(p, ptr, door)
}

// doorKey reads the key at off into the scratch key of f, whose type has doors. It reports
// false, and has read nothing, if the key is for the type's own plan.
func (s *state) doorKey(f *typedFrame, off int) (done bool, err error) {
	p, kind := f.plan.key, s.wireAt(off)
	door := p.doors.of(kind)
	if door == 0 || kind == walk.Array || kind == walk.Map || kind == walk.Ext {
		return false, nil
	}
	key := f.pair.key
	key.SetZero()
	if err := s.askDoor(p, key.Addr().UnsafePointer(), door); err != nil {
		return false, err
	}
	if !key.Comparable() || !key.Equal(key) { // NaN
		return false, refuseFor(f.plan, kind, off, bounds.ErrKeyType)
	}
	f.pair.keyOff = off
	return true, nil
}

// askDoor has the door of memory of p's type decode the next item.
func (s *state) askDoor(p *plan, ptr unsafe.Pointer, door doors) error {
	off, v := s.off, reflect.NewAt(p.typ, ptr).Interface()
	var err error
	switch door {
	case byCursor:
		return s.lendCursor(p, v.(cursorDoor))
	case byMsgpack, byMsg:
		if err := s.pass(); err != nil {
			return err
		}
		item := s.data[off:s.off:s.off]
		if err := s.charge(int64(len(item)), off, s.wireAt(off)); err != nil {
			return s.typedError(p, err)
		}
		if err := s.checkStrs(off); err != nil {
			return s.typedError(p, err)
		}
		if door == byMsgpack {
			err = v.(msgpackDoor).UnmarshalMsgpack(item)
			break
		}
		var rest []byte
		if rest, err = v.(msgDoor).UnmarshalMsg(item); err == nil && len(rest) > 0 {
			err = fmt.Errorf("%d bytes of the value are left", len(rest))
		}
	case byBinary, byText:
		content, err := s.doorContent(p, door)
		if err != nil {
			return err
		}
		if door == byBinary {
			return s.hookError(p, off, door, v.(encoding.BinaryUnmarshaler).UnmarshalBinary(content))
		}
		return s.hookError(p, off, door, v.(encoding.TextUnmarshaler).UnmarshalText(content))
	}
	return s.hookError(p, off, door, err)
}

// doorContent reads the next item, a str or bin, for a door of p, and returns its content. For
// UnmarshalText a bin must be valid UTF-8 whatever the policy for strs is.
func (s *state) doorContent(p *plan, door doors) ([]byte, error) {
	off := s.off
	h, err := s.header()
	if err != nil {
		return nil, err
	}
	content := s.payload(h.Payload)
	cost, replace := int64(len(content)), door == byText && h.Kind == walk.Str && s.replacing && !isText(content)
	if replace {
		cost = price.Content(replacedLen(content))
	}
	if err := s.charge(cost, off, h.Kind); err != nil {
		return nil, s.typedError(p, err)
	}
	switch {
	case replace:
		return s.replaced(content), nil
	case door == byText && h.Kind == walk.Bin && !isText(content):
		return nil, refuseFor(p, h.Kind, s.off-len(content)+walk.ValidPrefix(content), bounds.ErrUTF8)
	}
	return content, s.checkText(p, content, h, off)
}

// hookError returns the refusal by err of a door that was asked for the item at off.
func (s *state) hookError(p *plan, off int, door doors, err error) error {
	if err == nil {
		return nil
	}
	return refuseFor(p, s.wireAt(off), off, fmt.Errorf("%w: %v: %w", bounds.ErrHook, door, err))
}

// lendCursor has v, of p's type, decode the next item from a Cursor.
func (s *state) lendCursor(p *plan, v cursorDoor) error {
	off, read := s.off, s.read()
	if s.cursor == nil {
		cost := price.Lone(uint64(unsafe.Sizeof(walk.Cursor{})), true)
		if err := s.charge(int64(cost), off, s.wireAt(off)); err != nil {
			return s.typedError(p, err)
		}
		s.cursor = new(walk.Cursor)
	}
	walk.Lend(s.cursor, walk.Loan{
		Data: s.data, Off: off, Account: s.account, Depth: s.depth(), Limits: s.limits,
		Memory: s.memory, Budget: s.budget, Text: s.d.utf8 == RefuseInvalidUTF8,
	})
	err := v.UnmarshalCursor(s.cursor)
	l, whole, refusal := walk.Recall(s.cursor)
	switch {
	case refusal != nil:
		return s.cursorError(p, off, refusal)
	case err == nil && !whole:
		err = errors.New("the value was not read whole")
	}
	if err != nil {
		return s.hookError(p, off, byCursor, err)
	}
	s.off, s.account, s.memory = l.Off, l.Account, l.Memory
	s.steps += s.read() - read
	return nil
}

// cursorError returns the refusal of the item at off by what its Cursor refused: that very
// error, if it is about the document.
func (s *state) cursorError(p *plan, off int, err error) error {
	switch e := err.(type) {
	case *Error:
		return e // of FromCursor
	case *bounds.Error:
		at := int(e.Offset)
		switch e.Reason {
		case bounds.ErrUTF8:
			return refuseFor(p, walk.Str, at, e.Reason)
		case bounds.ErrMaxMemory:
			return refuseFor(p, s.wireAt(at), at, e)
		}
		return e
	}
	return s.hookError(p, off, byCursor, err)
}
