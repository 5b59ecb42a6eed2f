package typedparity

import (
	"reflect"
	"strconv"
	"strings"
)

// fieldOf is a field that a document can name, as the plain decoder sees it.
type fieldOf struct {
	name, alias string
	index       []int
	typ         reflect.Type
	limit       int // -1 for none
}

// fieldsOf returns the fields of the struct type t in their order, and whether it is
// tagged as_array. No two fields have the same name.
func fieldsOf(t reflect.Type) (all []fieldOf, tuple bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		text, tagged := f.Tag.Lookup("msgpack")
		options := strings.Split(text, ",")
		if f.Name == "_msgpack" {
			tuple = true
			continue
		}
		if text == "-" || f.PkgPath != "" {
			continue
		}
		if f.Anonymous && !tagged {
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			promoted, _ := fieldsOf(inner)
			for _, p := range promoted {
				p.index = append([]int{i}, p.index...)
				all = append(all, p)
			}
			continue
		}
		field := fieldOf{name: f.Name, index: []int{i}, typ: f.Type, limit: -1}
		if options[0] != "" {
			field.name = options[0]
		}
		for _, option := range options[1:] {
			if alias, ok := strings.CutPrefix(option, "alias:"); ok {
				field.alias = alias
			}
			if limit, ok := strings.CutPrefix(option, "limit="); ok {
				field.limit, _ = strconv.Atoi(limit)
			}
		}
		all = append(all, field)
	}
	return all, tuple
}

// at returns the field in the struct v, and makes the structs of embedded pointers on
// the way.
func (f *fieldOf) at(v reflect.Value) reflect.Value {
	for _, i := range f.index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
}
