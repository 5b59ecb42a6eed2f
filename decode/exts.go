package decode

import (
	"fmt"
	"reflect"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// ext returns the value of the ext at off in the container of f. Its payload, read last,
// is a type byte and the content.
func (s *state) ext(f *frame, payload []byte, off int) (any, error) {
	typ, content := int8(payload[0]), payload[1:]
	if e, known := s.d.exts[typ]; known {
		if err := s.charge(int64(len(content)), off, walk.Ext); err != nil {
			return nil, err
		}
		s.uncarve(f)
		return extValue(e, content, off)
	}
	if typ == timestampType {
		if err := s.charge(price.Time, off, walk.Ext); err != nil {
			return nil, err
		}
		t, err := ParseTimestamp(content)
		if err != nil {
			return nil, refuse(off, walk.Ext, err)
		}
		p := s.slabs.times.take(s, &timeSlabs)
		if *p, err = t.Time(); err != nil {
			return nil, refuse(off, walk.Ext, err)
		}
		return box(timeWord, p), nil
	}
	if err := s.charge(price.Ext+price.Content(len(content)), off, walk.Ext); err != nil {
		return nil, err
	}
	p := s.slabs.exts.take(s, &extSlabs)
	*p = Ext{Type: typ, Data: content}
	switch {
	case len(content) == 0:
		p.Data = []byte{}
	case !s.d.alias:
		p.Data = s.content(content)
	}
	return box(extWord, p), nil
}

// extValue asks the caller's function for the value of the ext at off.
func extValue(e ExtType, content []byte, off int) (any, error) {
	v, err := e.Decode(content)
	if err != nil {
		return nil, refuse(off, walk.Ext, fmt.Errorf("%w: ext type %d: %w", bounds.ErrHook, e.Type, err))
	}
	if e.Go != nil && reflect.TypeOf(v) != e.Go {
		return nil, refuse(off, walk.Ext, fmt.Errorf("%w: ext type %d gave %T, want %v", bounds.ErrHook, e.Type, v, e.Go))
	}
	return v, nil
}
