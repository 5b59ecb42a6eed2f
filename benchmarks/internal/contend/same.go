package contend

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"time"
)

// ext is an ext value whichever decoder made it.
type ext struct {
	typ  int8
	data string
}

// integer is an integer of any Go type: its bits, and whether they are signed
// and below zero.
type integer struct {
	bits     uint64
	negative bool
}

// Same returns nil if two decoded values mean the same, whatever Go types their
// decoders chose for integers, floats and ext, and else says where they differ
// first.
func Same(a, b any) error {
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			return sameMaps(a, b)
		}
	case []any:
		if b, ok := b.([]any); ok {
			return sameArrays(a, b)
		}
	default:
		if isPointer(a) && isPointer(b) {
			return sameTyped(reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem())
		}
		if sameScalars(a, b) {
			return nil
		}
	}
	return fmt.Errorf(": %s against %s", describe(a), describe(b))
}

func sameMaps(a, b map[string]any) error {
	if len(a) != len(b) {
		return fmt.Errorf(": %d keys against %d", len(a), len(b))
	}
	for key, v := range a {
		w, ok := b[key]
		if !ok {
			return fmt.Errorf(".%s: only in one", key)
		}
		if err := Same(v, w); err != nil {
			return fmt.Errorf(".%s%w", key, err)
		}
	}
	return nil
}

func sameArrays(a, b []any) error {
	if len(a) != len(b) {
		return fmt.Errorf(": %d elements against %d", len(a), len(b))
	}
	for i := range a {
		if err := Same(a[i], b[i]); err != nil {
			return fmt.Errorf("[%d]%w", i, err)
		}
	}
	return nil
}

func sameScalars(a, b any) bool {
	if a, ok := asInteger(a); ok {
		b, ok := asInteger(b)
		return ok && a == b
	}
	if a, ok := asFloat(a); ok {
		b, ok := asFloat(b)
		return ok && math.Float64bits(a) == math.Float64bits(b)
	}
	if a, ok := asExt(a); ok {
		b, ok := asExt(b)
		return ok && a == b
	}
	switch a := a.(type) {
	case []byte:
		b, ok := b.([]byte)
		return ok && bytes.Equal(a, b)
	case time.Time:
		b, ok := b.(time.Time)
		return ok && a.Equal(b)
	case nil, bool, string:
		return a == b
	}
	return false // a type that no rule is for must not count as agreement
}

func asInteger(v any) (integer, bool) {
	switch r := reflect.ValueOf(v); {
	case r.IsValid() && r.CanInt():
		return integer{uint64(r.Int()), r.Int() < 0}, true
	case r.IsValid() && r.CanUint():
		return integer{r.Uint(), false}, true
	}
	return integer{}, false
}

func asFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case float32:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

func asExt(v any) (ext, bool) {
	if e, ok := ourExt(v); ok {
		return e, true
	}
	return peerExt(v)
}

// describe keeps a megabyte of text out of an error.
func describe(v any) string {
	s := fmt.Sprintf("%#v", v)
	if len(s) > 60 {
		s = s[:60] + "..."
	}
	return fmt.Sprintf("%T %s", v, s)
}
