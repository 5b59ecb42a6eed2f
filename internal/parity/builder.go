package parity

import "github.com/boundpack/boundpack/decode"

// builder makes a map of pairs by the policies of a set: for both references, one of
// which finds the keys and values by itself, and the other through the peer.
type builder struct {
	set *Set
	m   map[any]any
}

func (b *builder) put(key, v any) {
	if _, has := b.m[key]; has && b.set.Options.DuplicateKeys == decode.FirstWins {
		return
	}
	b.m[key] = v
}

// done returns the map, or what it stands for, or why a marker refuses it.
func (b *builder) done() (any, error) {
	m, ok := stringKeyed(b.m)
	if ok {
		v, replaced, err := offer(m, b.set.Options.Markers)
		if replaced || err != nil {
			return v, err
		}
	}
	if ok && !b.set.takesAnyKey() {
		return m, nil
	}
	return b.m, nil
}

func stringKeyed(keyed map[any]any) (m map[string]any, ok bool) {
	m = make(map[string]any, len(keyed))
	for key, v := range keyed {
		s, ok := key.(string)
		if !ok {
			return nil, false
		}
		m[s] = v
	}
	return m, true
}

// offer returns what m stands for by the first marker that takes it.
func offer(m map[string]any, markers []decode.Marker) (v any, ok bool, err error) {
	for _, marker := range markers {
		if _, has := m[marker.Key]; !has {
			continue
		}
		if v, ok, err = marker.Value(m); ok || err != nil {
			return v, ok, err
		}
	}
	return nil, false, nil
}
