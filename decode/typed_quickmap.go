package decode

import (
	"reflect"
	"unsafe"
)

// quickMap names one of the map types met most, which are filled without reflection. A type
// of the user's own with the same key and element types is the same to Go but for its name.
type quickMap uint8

const (
	noQuickMap quickMap = iota
	stringMap
	boolMap
	intMap
	int64Map
	uint64Map
	float64Map
)

var quickMaps = map[reflect.Type]quickMap{
	reflect.TypeFor[map[string]string]():  stringMap,
	reflect.TypeFor[map[string]bool]():    boolMap,
	reflect.TypeFor[map[string]int]():     intMap,
	reflect.TypeFor[map[string]int64]():   int64Map,
	reflect.TypeFor[map[string]uint64]():  uint64Map,
	reflect.TypeFor[map[string]float64](): float64Map,
}

// newMap makes the map at ptr, of p's type, a new one.
func newMap(p *plan, ptr unsafe.Pointer, hint int) {
	switch p.quickMap {
	case stringMap:
		*(*map[string]string)(ptr) = make(map[string]string, hint)
	case boolMap:
		*(*map[string]bool)(ptr) = make(map[string]bool, hint)
	case intMap:
		*(*map[string]int)(ptr) = make(map[string]int, hint)
	case int64Map:
		*(*map[string]int64)(ptr) = make(map[string]int64, hint)
	case uint64Map:
		*(*map[string]uint64)(ptr) = make(map[string]uint64, hint)
	case float64Map:
		*(*map[string]float64)(ptr) = make(map[string]float64, hint)
	default:
		p.at(ptr).Set(reflect.MakeMapWithSize(p.typ, hint))
	}
}

// runMap decodes the next pairs of the map of f as long as their keys are short strs and
// quick takes their values: a shortcut past the header step and the general path. If a key
// was read whose value it did not take, it returns that and where it stands; else keyOff is
// noKey. The error is that of a duplicate key, which must be what is refused.
func (s *state) runMap(f *typedFrame) (key string, keyOff int, err error) {
	switch f.plan.quickMap {
	case stringMap:
		return runMapOf[string](s, f)
	case boolMap:
		return runMapOf[bool](s, f)
	case intMap:
		return runMapOf[int](s, f)
	case int64Map:
		return runMapOf[int64](s, f)
	case uint64Map:
		return runMapOf[uint64](s, f)
	case float64Map:
		return runMapOf[float64](s, f)
	}
	return "", noKey, nil
}

func runMapOf[V any](s *state, f *typedFrame) (key string, keyOff int, err error) {
	m, elem := *(*map[string]V)(f.ptr), f.plan.elem
	off := s.off
	reach := off + int(s.account.Free()) // see runStrings
	read, items := f.read, 0
	keyOff = noKey
	for read < f.n {
		start, n, ok := shortStr(s.data, off)
		if !ok || start+n > reach+1 {
			break
		}
		if key, ok = s.quickText(start, n); !ok {
			break
		}
		keyOff = off
		off = start + n
		reach++
		items++
		var v V
		end := s.quickAt(elem, unsafe.Pointer(&v), off, reach)
		if end == 0 {
			break
		}
		off = end
		reach++
		items++
		m[key] = v
		if len(m) <= read {
			err = s.typedError(f.plan, s.duplicate(keyOff))
			break
		}
		read++
		keyOff = noKey
	}
	s.account.TakeItems(int64(items), int64(off-s.off))
	s.off, f.read = off, read
	return key, keyOff, err
}
