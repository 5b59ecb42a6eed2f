package typedparity

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"time"

	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/parity"
)

// diff returns how two values of one type first differ, "" if they do not. Loosely, what
// any holds may have the types that the peer gives it.
func diff(a, b reflect.Value, loose bool) string {
	return parity.Diff(tree(a, loose), tree(b, loose))
}

// tree returns v in a form that [parity.Diff] goes down without the Go types: containers
// are []any and map[any]any, and each leaf has its own type.
func tree(v reflect.Value, loose bool) any {
	switch t := v.Type(); {
	case t == timeType && loose:
		return v.Interface().(time.Time).UTC()
	case t == timeType, t == stampType, t == extType:
		return v.Interface()
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return v.Float()
	case reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return anyTree(v.Interface(), loose)
	case reflect.Pointer:
		if v.IsNil() {
			return "no pointer"
		}
		return []any{"pointer to", tree(v.Elem(), loose)}
	case reflect.Slice:
		if v.IsNil() {
			return "no slice"
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return append([]byte{}, v.Bytes()...)
		}
		return listTree(v, loose)
	case reflect.Array:
		return listTree(v, loose)
	case reflect.Map:
		if v.IsNil() {
			return "no map"
		}
		m := map[any]any{}
		for i := v.MapRange(); i.Next(); {
			m[tree(i.Key(), loose)] = tree(i.Value(), loose)
		}
		return m
	case reflect.Struct:
		var all []any
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.PkgPath == "" {
				all = append(all, tree(v.Field(i), loose))
			} else if !v.Field(i).IsZero() {
				all = append(all, f.Name+" is set")
			}
		}
		return all
	}
	return v.Interface()
}

func listTree(v reflect.Value, loose bool) any {
	all := make([]any, v.Len())
	for i := range all {
		all[i] = tree(v.Index(i), loose)
	}
	return all
}

// anyTree is tree of what an any holds.
func anyTree(v any, loose bool) any {
	switch v := v.(type) {
	case []byte:
		return v // nil is not empty, here
	case []any:
		if v == nil {
			return "no slice"
		}
		return tree(reflect.ValueOf(v), loose)
	case map[string]any, map[any]any:
		return []any{fmt.Sprintf("%T", v), tree(reflect.ValueOf(v), loose)}
	case time.Time:
		return tree(reflect.ValueOf(v), loose)
	}
	if !loose {
		return v
	}
	switch rv := reflect.ValueOf(v); {
	case rv.CanInt():
		return rv.Int()
	case rv.CanUint():
		if u := rv.Uint(); u > 1<<63-1 {
			return u
		}
		return int64(rv.Uint())
	case rv.CanFloat():
		return rv.Float()
	}
	return v
}

// spare returns where v, which was decoded into a zero value, has room for more, "" if
// nowhere.
func spare(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return spare(v.Elem())
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.Cap() != v.Len() {
			return fmt.Sprintf("a %v of length %d and capacity %d", v.Type(), v.Len(), v.Cap())
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return ""
		}
		for i := range v.Len() {
			if s := spare(v.Index(i)); s != "" {
				return s
			}
		}
	case reflect.Map:
		for i := v.MapRange(); i.Next(); {
			if s := spare(i.Value()); s != "" {
				return s
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).PkgPath == "" && v.Type() != timeType {
				if s := spare(v.Field(i)); s != "" {
					return s
				}
			}
		}
	}
	return ""
}

// used returns a new value of type t in which everything is set: slices with room,
// pointers, maps and any too. The same seed gives the same value.
func used(seed uint64, t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	soil(rand.New(rand.NewPCG(seed, 7)), v, 6)
	return v
}

func soil(r *rand.Rand, v reflect.Value, depth int) {
	t := v.Type()
	switch t {
	case timeType:
		v.Set(reflect.ValueOf(time.Unix(int64(r.Uint32()), 5).UTC()))
		return
	case extType:
		v.Set(reflect.ValueOf(decode.Ext{Type: 77, Data: []byte("used")}))
		return
	case stampType:
		v.Set(reflect.ValueOf(decode.Timestamp{Seconds: 77, Nanoseconds: 7}))
		return
	}
	switch k := t.Kind(); {
	case k == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(1 + int64(r.IntN(100)))
	case v.CanUint():
		v.SetUint(1 + uint64(r.IntN(100)))
	case v.CanFloat():
		v.SetFloat(1.5)
	case k == reflect.String:
		v.SetString("used")
	case k == reflect.Interface:
		if t == anyType {
			v.Set(reflect.ValueOf([]any{"used", map[string]any{"used": 1}}))
		}
	case k == reflect.Pointer && depth > 0:
		v.Set(reflect.New(t.Elem()))
		soil(r, v.Elem(), depth-1)
	case k == reflect.Slice && depth > 0:
		n := r.IntN(5)
		v.Set(reflect.MakeSlice(t, n, n+r.IntN(4)))
		for i := range v.Cap() {
			soil(r, v.Slice(0, v.Cap()).Index(i), depth-1)
		}
	case k == reflect.Array:
		for i := range v.Len() {
			soil(r, v.Index(i), depth-1)
		}
	case k == reflect.Map && depth > 0:
		v.Set(reflect.MakeMap(t))
		key, elem := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		soil(r, elem, depth-1)
		if t.Key() == anyType {
			key.Set(reflect.ValueOf("used"))
		} else {
			soil(r, key, 0)
		}
		v.SetMapIndex(key, elem)
	case k == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).PkgPath == "" {
				soil(r, v.Field(i), depth-1)
			}
		}
	}
}
