package parity

import (
	"fmt"
	"math"
	"time"

	"github.com/boundpack/boundpack/decode"

	"github.com/google/go-cmp/cmp"
)

// exactly makes go-cmp compare what its defaults do not: the sign of zero, NaN with
// NaN, and that times are in UTC.
var exactly = cmp.Options{
	cmp.Comparer(func(a, b float64) bool {
		return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
	}),
	cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) && a.Location() == b.Location() }),
}

// Diff returns how a and b first differ in type or value, "" if they do not.
//
// It goes down the containers itself, because go-cmp compares the elements of a slice
// twice, and so what is n slices deep 2^n times.
func Diff(a, b any) string {
	switch a := a.(type) {
	case []any:
		if b, ok := b.([]any); ok && len(a) == len(b) {
			for i := range a {
				if diff := Diff(a[i], b[i]); diff != "" {
					return fmt.Sprintf("[%d]%s", i, diff)
				}
			}
			return ""
		}
	case map[string]any:
		if b, ok := b.(map[string]any); ok && len(a) == len(b) {
			return diffMaps(a, b)
		}
	case map[any]any:
		if b, ok := b.(map[any]any); ok && len(a) == len(b) {
			return diffMaps(a, b)
		}
	case nil, bool, int64, uint64, string: // the most, and plain
		if a == b {
			return ""
		}
	default:
		if cmp.Equal(a, b, exactly) {
			return ""
		}
	}
	return fmt.Sprintf(": %.200s, not %.200s", describe(a), describe(b))
}

func diffMaps[K comparable](a, b map[K]any) string {
	for key, v := range a {
		w, has := b[key]
		if !has {
			return fmt.Sprintf("{%.50q}: only in one of the two", fmt.Sprint(key))
		}
		if diff := Diff(v, w); diff != "" {
			return fmt.Sprintf("{%.50q}%s", fmt.Sprint(key), diff)
		}
	}
	return ""
}

func describe(v any) string {
	switch v := v.(type) {
	case []any:
		return fmt.Sprintf("%T of %d", v, len(v))
	case map[string]any:
		return fmt.Sprintf("%T of %d", v, len(v))
	case map[any]any:
		return fmt.Sprintf("%T of %d", v, len(v))
	}
	return fmt.Sprintf("%T %#v", v, v)
}

// misshapen returns what is wrong with the types of v by decode's documentation, "" if
// nothing is.
func (s *Set) misshapen(v any) string {
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
	case Date, Clock, Celsius, decode.Timestamp: // of hooks
	case uint64:
		if v <= math.MaxInt64 {
			return fmt.Sprintf("the uint64 %d", v)
		}
	case time.Time:
		if v.Location() != time.UTC {
			return fmt.Sprintf("the time %v", v)
		}
	case []byte:
		return loose("[]byte", v == nil, len(v), cap(v))
	case decode.Ext:
		return loose("Ext", v.Data == nil, len(v.Data), cap(v.Data))
	case []any:
		if wrong := loose("[]any", v == nil, len(v), cap(v)); wrong != "" {
			return wrong
		}
		for _, e := range v {
			if wrong := s.misshapen(e); wrong != "" {
				return wrong
			}
		}
	case map[string]any:
		if v == nil || s.takesAnyKey() {
			return fmt.Sprintf("a %T, nil %v", v, v == nil)
		}
		for _, e := range v {
			if wrong := s.misshapen(e); wrong != "" {
				return wrong
			}
		}
	case map[any]any:
		bin := s.takesAnyKey()
		for key, e := range v {
			switch key.(type) {
			case string:
			case decode.Bin:
				bin = true
			default:
				if wrong := s.misshapen(key); wrong != "" || !s.takesAnyKey() {
					return fmt.Sprintf("a key of type %T %s", key, wrong)
				}
			}
			if wrong := s.misshapen(e); wrong != "" {
				return wrong
			}
		}
		if v == nil || !bin {
			return fmt.Sprintf("a %T, nil %v, without a bin key", v, v == nil)
		}
	default:
		return fmt.Sprintf("a %T", v)
	}
	return ""
}

// loose says that a slice is nil or that something could be appended to it in place.
func loose(what string, isNil bool, length, capacity int) string {
	if isNil || length != capacity {
		return fmt.Sprintf("a %s, nil %v, of length %d and capacity %d", what, isNil, length, capacity)
	}
	return ""
}
