package decode

import (
	"fmt"
	"math"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// maxRawPairs is the size up to which a map may be offered before it is built.
const maxRawPairs = 4

// replace returns what the map of f, which holds the key of a marker, stands for: the
// map itself if every marker declines.
func (s *state) replace(f *frame) (any, error) {
	var same any = f.m
	m := f.m
	if f.keyed != nil {
		var err error
		if m, err = s.stringKeyed(f); err != nil || m == nil {
			return f.keyed, err
		}
		same = f.keyed
	}
	for i := range s.d.markers {
		marker := &s.d.markers[i]
		if _, has := m[marker.Key]; !has {
			continue
		}
		v, ok, err := marker.Value(m)
		if err != nil {
			return nil, refuse(f.off, walk.Map, fmt.Errorf("%w: marker %d: %w", bounds.ErrHook, i, err))
		}
		if ok {
			return v, nil
		}
	}
	return same, nil
}

// stringKeyed returns the map of f with keys of type string; nil if some are not.
func (s *state) stringKeyed(f *frame) (map[string]any, error) {
	for key := range f.keyed {
		if _, ok := key.(string); !ok {
			return nil, nil
		}
	}
	hint, cost := price.AnyMap.Plan(uint64(f.n))
	if err := s.charge(int64(cost), f.off, walk.Map); err != nil {
		return nil, err
	}
	m := make(map[string]any, int(hint))
	for key, v := range f.keyed {
		m[key.(string)] = v
	}
	return m, nil
}

// rawMarker offers the map of n pairs whose header, at off, was read last to the Raw forms
// of the markers. If one took it, the map is read. Else nothing has happened, and the
// map must be built, or refused: no Raw form took it, or it is not the plain kind that
// they are offered.
func (s *state) rawMarker(off, n int) (v any, taken bool) {
	if n > maxRawPairs || s.d.keys == AnyKeys {
		return nil, false
	}
	first, account, memory, steps := s.off, s.account, s.memory, s.steps
	var keys [maxRawPairs][]byte
	if s.readPlain(keys[:n]) {
		if v, taken := s.askRaw(keys[:n], s.data[off:s.off:s.off]); taken {
			return v, true
		}
	}
	s.off, s.account, s.memory, s.steps = first, account, memory, steps
	return nil, false
}

// askRaw asks the Raw form of the first marker whose key is among keys.
func (s *state) askRaw(keys [][]byte, doc []byte) (v any, ok bool) {
	for i := range s.d.markers {
		marker := &s.d.markers[i]
		if holds(keys, marker.Key) {
			if marker.Raw == nil {
				return nil, false
			}
			return marker.Raw(doc)
		}
	}
	return nil, false
}

func holds(keys [][]byte, key string) bool {
	for _, k := range keys {
		if string(k) == key {
			return true
		}
	}
	return false
}

// readPlain reads the pairs of a map without building it: the header step and the charge
// of everything in it, UTF-8 and different keys. It fills keys, one for each pair, and
// reports false if the map holds an array, a map or an ext, or anything that is to be
// refused.
func (s *state) readPlain(keys [][]byte) bool {
	if s.frames.Len() >= s.levels {
		return false // growing the stack is for open to charge
	}
	_, cost := price.AnyMap.Plan(uint64(len(keys)))
	s.memory -= int64(cost)
	for i := range 2 * len(keys) {
		off, isKey := s.off, i%2 == 0
		h, err := s.header()
		if err != nil {
			return false
		}
		p := s.payload(h.Payload)
		switch h.Kind {
		case walk.Array, walk.Map, walk.Ext:
			return false
		case walk.Str:
			if s.d.utf8 != AllowInvalidUTF8 && !isText(p) {
				return false
			}
			if len(p) > 0 && !isKey {
				s.memory -= price.String
			}
			s.memory -= s.textPrice(p)
		case walk.Bin:
			if len(p) > 0 {
				s.memory -= price.Slice + price.Content(len(p))
			}
		case walk.Int:
			t := walk.Token{Kind: walk.Int, Marker: s.data[off], Payload: p}
			if v, signed := t.Int(); !signed || uint64(v+minSmall) >= uint64(len(smallInts)) {
				s.memory -= price.Number
			}
		case walk.Float:
			t := walk.Token{Kind: walk.Float, Marker: s.data[off], Payload: p}
			if math.Float64bits(t.Float()) != 0 {
				s.memory -= price.Number
			}
		}
		if isKey {
			if h.Kind != walk.Str || holds(keys[:i/2], string(p)) {
				return false
			}
			keys[i/2] = p
		}
		if s.memory < 0 {
			return false
		}
	}
	return true
}
