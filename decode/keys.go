package decode

import (
	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// key reads the key of f's next pair.
func (s *state) key(f *frame) error {
	off := s.off
	f.key.off = noKey
	n := 0
	if b := s.next(); b&0xe0 == 0xa0 && s.scalar(int(b&0x1f)) {
		n = int(b & 0x1f)
	} else {
		h, err := s.header()
		if err != nil {
			return err
		}
		if h.Kind != walk.Str {
			if f.key.any, err = s.otherKey(f, h, off); err == nil {
				f.key.off = off
			}
			return err
		}
		n = h.Payload
	}
	p := s.payload(n)
	s.memory -= s.textPrice(p)
	if f.keyed != nil && n > 0 {
		s.memory -= price.String
	}
	if s.memory < 0 {
		return s.refuseMemory(off, walk.Str)
	}
	key, err := s.keyText(p)
	if err != nil {
		return err
	}
	f.key.str, f.key.off = key, off
	if s.plain && f.keyed == nil {
		return nil
	}
	if f.keyed != nil {
		f.key.any = s.boxString(key)
	}
	for i := range s.d.markers {
		f.marked = f.marked || key == s.d.markers[i].Key
	}
	return nil
}

// next returns the next byte if a shortcut may look at it; else, or if there is none,
// the reserved marker, which no shortcut takes.
func (s *state) next() byte {
	if s.inline && uint(s.off) < uint(len(s.data)) {
		return s.data[s.off]
	}
	return 0xc1
}

// otherKey reads a key that is no str, with the header h at off, if the policy for map
// keys allows it.
func (s *state) otherKey(f *frame, h walk.Header, off int) (any, error) {
	switch {
	case s.d.keys == AnyKeys:
		return s.scalarKey(h, off)
	case s.d.keys == StringOrBinKeys && h.Kind == walk.Bin:
		if f.keyed == nil {
			if err := s.rekey(f, off); err != nil {
				return nil, err
			}
		}
		return s.scalarKey(h, off)
	}
	return nil, refuse(off, h.Kind, bounds.ErrKeyType)
}

// scalarKey reads a key that is no str, with the header h at off, as AnyKeys takes it.
func (s *state) scalarKey(h walk.Header, off int) (any, error) {
	p := s.payload(h.Payload)
	switch h.Kind {
	case walk.Bin:
		return s.binKey(p, off)
	case walk.Nil:
		return nil, nil
	case walk.Bool:
		return s.data[off] == 0xc3, nil
	case walk.Int:
		return s.int(p, off)
	case walk.Float:
		t := walk.Token{Kind: walk.Float, Marker: s.data[off], Payload: p}
		if v := t.Float(); v == v {
			return s.float(p, off)
		}
	}
	return nil, refuse(off, h.Kind, bounds.ErrKeyType)
}

// binKey returns the bin key at off, whose content is p.
func (s *state) binKey(p []byte, off int) (any, error) {
	if len(p) == 0 {
		return Bin(""), nil
	}
	if err := s.charge(price.String+price.Content(len(p)), off, walk.Bin); err != nil {
		return nil, err
	}
	if !s.d.alias {
		p = s.content(p)
	}
	return Bin(asString(p)), nil
}

// rekey makes the map of f, all of whose keys were str, one that takes others, at its
// first other key, whose header is at off.
func (s *state) rekey(f *frame, off int) error {
	hint, cost := price.AnyMap.Plan(uint64(f.n))
	boxed := int64(len(f.m)) * price.String
	if err := s.charge(int64(cost)+boxed, off, walk.Bin); err != nil {
		return err
	}
	f.keyed = make(map[any]any, int(hint))
	for key, v := range f.m {
		f.keyed[s.boxString(key)] = v
	}
	f.m = nil
	return nil
}
