package decode

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
)

// fieldTable is what a plan knows of the fields of a struct.
type fieldTable struct {
	fields []field      // in the order of the Go type
	quick  []quickField // the same, for quickFields
	names  names
}

// field is one field that a document can name.
type field struct {
	name  string
	alias string // another name of the same field, "" for none
	plan  *plan
	via   []hop // the pointers on the way to it, outermost first
	off   uintptr
	limit int64 // most elements, pairs or bytes; -1 for none
}

// quickField is what quickFields needs of a field: the key as it stands in the document, a
// fixstr of size bytes, in words that are compared with the document's.
type quickField struct {
	first, mask uint64    // the first 8 bytes, and which of them there are
	last        uint64    // the last 8, of more than 8
	mid         [2]uint64 // bytes 8 to 15, of more than 16, and 16 to 23, of more than 24
	size        int       // 0 if the field is for the general path
	off         uintptr
	plan        *plan
	op          op
}

func (f *field) forQuick() quickField {
	q := quickField{plan: f.plan, off: f.off, op: f.plan.op}
	if f.via != nil || f.limit >= 0 || len(f.name) >= 32 {
		return q
	}
	key := append([]byte{0xa0 | byte(len(f.name))}, f.name...)
	q.size = len(key)
	for i, b := range key[:min(len(key), 8)] {
		q.first |= uint64(b) << (8 * i)
		q.mask |= 0xff << (8 * i)
	}
	if q.size > 8 {
		q.last = binary.LittleEndian.Uint64(key[q.size-8:])
	}
	for i := range q.mid {
		if q.size > 16+8*i {
			q.mid[i] = binary.LittleEndian.Uint64(key[8+8*i:])
		}
	}
	return q
}

// hop is an embedded pointer to a struct: it stands off bytes from the struct before.
type hop struct {
	off  uintptr
	elem *plan
	bit  uint64 // which of the hops of the whole struct
}

// maxHops is the number of embedded pointers that a struct may have, in all.
const maxHops = 64

// at returns where the field stands in the struct of the frame in. A struct on the way is
// made when the document first names one of its fields, with what the one before held: that
// may be somebody else's, and is not written to. It is charged for the value at off.
func (f *field) at(s *state, in *typedFrame, off int) (unsafe.Pointer, error) {
	ptr := in.ptr
	for i := range f.via {
		h := &f.via[i]
		p := (*unsafe.Pointer)(unsafe.Add(ptr, h.off))
		if in.hops&h.bit == 0 {
			if err := s.chargeNew(h.elem, off); err != nil {
				return nil, err
			}
			made := reflect.New(h.elem.typ)
			if *p != nil {
				made.Elem().Set(h.elem.at(*p))
			}
			*p = made.UnsafePointer()
			in.hops |= h.bit
		}
		ptr = *p
	}
	return unsafe.Add(ptr, f.off), nil
}

// tag is a field's tag, read.
type tag struct {
	name, alias       string
	skip, named       bool
	inline, notInline bool
	asArray           bool
	limit             int64
}

// readTag reads the tag of f under the first of keys that it has. The options are those
// of vmihailenco/msgpack (omitempty, inline, noinline, as_array, alias:x), and limit=N. Of
// the tags of other packages (codec, msg, json) only the name, "-", omitempty and, of json,
// omitzero are understood.
func readTag(f reflect.StructField, keys []string) (tag, error) {
	t := tag{limit: -1}
	for _, key := range keys {
		text, ok := f.Tag.Lookup(key)
		if !ok {
			continue
		}
		name, rest, more := strings.Cut(text, ",")
		if name == "-" && !(more && key == "json") { // to encoding/json "-," is a name
			t.skip = true
			return t, nil
		}
		t.name, t.named = name, name != ""
		for rest != "" {
			var option string
			option, rest, _ = strings.Cut(rest, ",")
			if err := t.option(key, option); err != nil {
				return t, err
			}
		}
		return t, nil
	}
	return t, nil
}

func (t *tag) option(key, option string) error {
	alias, isAlias := strings.CutPrefix(option, "alias:")
	limit, isLimit := strings.CutPrefix(option, "limit=")
	switch {
	case option == "omitempty" || option == "" || option == "omitzero" && key == "json": // they say how to encode
	case option == "inline":
		t.inline = true
	case option == "noinline":
		t.notInline = true
	case option == "as_array":
		t.asArray = true
	case isAlias && alias != "":
		t.alias = alias
	case isLimit:
		n, err := strconv.ParseUint(limit, 10, 62)
		if err != nil {
			return fmt.Errorf("limit %q of tag %q is no number", limit, key)
		}
		t.limit = int64(n)
	default:
		return fmt.Errorf("option %q of tag %q is not understood", option, key)
	}
	if t.inline && t.notInline {
		return fmt.Errorf("tag %q says both inline and noinline", key)
	}
	return nil
}

// candidate is a field found in a struct or in one that it embeds, before names are
// settled.
type candidate struct {
	field
	index []int // as reflect counts, which is also the order
	named bool
}

func (m *maker) fillStruct(p *plan, path string) error {
	p.op = opStruct
	var all []candidate
	outer := m.hops // fields may be structs with hops of their own
	m.hops = 0
	defer func() { m.hops = outer }()
	tuple, err := m.collect(p.typ, path, nil, nil, 0, map[reflect.Type]bool{}, &all)
	if err != nil {
		return err
	}
	if tuple {
		p.op = opTuple
	}
	p.table, err = settle(all, path)
	if err == nil && !tuple && len(p.table.fields) <= 64 {
		p.quick = quickStruct
	}
	return err
}

// collect appends the fields of t, and of what it embeds, to all. It reports whether t is
// tagged as_array.
func (m *maker) collect(t reflect.Type, path string, index []int, via []hop, off uintptr, open map[reflect.Type]bool, all *[]candidate) (tuple bool, err error) {
	if open[t] {
		return false, nil // it embeds itself: deeper fields of the same names never win
	}
	open[t] = true
	defer delete(open, t)
	for i := range t.NumField() {
		f := t.Field(i)
		at := path + "." + f.Name
		tag, err := readTag(f, m.plans.tags)
		if err != nil {
			return false, fmt.Errorf("%w: %s: %w", bounds.ErrTarget, at, err)
		}
		if f.Name == "_msgpack" {
			tuple = tuple || tag.asArray
			continue
		}
		if tag.asArray {
			return false, fmt.Errorf("%w: %s: as_array belongs to a field _msgpack", bounds.ErrTarget, at)
		}
		if tag.skip {
			continue
		}
		structType, pointer := f.Type, false
		if f.Type.Kind() == reflect.Pointer {
			structType, pointer = f.Type.Elem(), true
		}
		inlines := structType.Kind() == reflect.Struct && !isLeaf(structType) &&
			(tag.inline || f.Anonymous && !tag.notInline && !tag.named && !(f.IsExported() && doorsOf(structType) != 0))
		if tag.inline && !inlines {
			return false, fmt.Errorf("%w: %s: inline wants a struct, not %v", bounds.ErrTarget, at, f.Type)
		}
		if !f.IsExported() && !(f.Anonymous && inlines) {
			continue
		}
		here := append(slices.Clone(index), i)
		if inlines {
			inner, innerOff := via, off+f.Offset
			if pointer {
				if !f.IsExported() {
					return false, opaque(at, "cannot set an embedded pointer to an unexported struct")
				}
				elem := &plan{typ: structType, size: structType.Size(), scan: hasPointers(structType)}
				if m.hops >= maxHops {
					return false, opaque(at, "more than %d embedded pointers", maxHops)
				}
				inner, innerOff = append(slices.Clone(via), hop{innerOff, elem, 1 << m.hops}), 0
				m.hops++
			}
			if _, err := m.collect(structType, at, here, inner, innerOff, open, all); err != nil {
				return false, err
			}
			continue
		}
		c := candidate{index: here, named: tag.named, field: field{
			name: f.Name, alias: tag.alias, via: via, off: off + f.Offset, limit: tag.limit,
		}}
		if tag.named {
			c.name = tag.name
		}
		if !utf8.ValidString(c.name) || !utf8.ValidString(c.alias) {
			return false, fmt.Errorf("%w: %s: a name that is not valid UTF-8", bounds.ErrTarget, at)
		}
		if c.plan, err = m.plan(f.Type, at); err != nil {
			return false, err
		}
		if tag.limit >= 0 && !limitable(c.plan) {
			return false, fmt.Errorf("%w: %s: limit wants a slice, map, string, []byte, RawMessage, interface or a type that decodes itself, not %v", bounds.ErrTarget, at, f.Type)
		}
		*all = append(*all, c)
	}
	return tuple, nil
}

// isLeaf reports whether a struct type is a value of its own, not a set of fields.
func isLeaf(t reflect.Type) bool { return t == timeType || t == stampType || t == extType }

// limitable reports whether limit=N means something for p.
func limitable(p *plan) bool {
	switch p.op {
	case opPointer:
		return limitable(p.elem)
	case opString, opBytes, opSlice, opMap, opAny, opRaw, opDoor:
		return true
	}
	return false
}

// settle decides which of the fields of one name a document means, by the rules of
// encoding/json: the least deep, then the one with a tag, else none.
func settle(all []candidate, path string) (*fieldTable, error) {
	byName := map[string][]candidate{}
	for _, c := range all {
		byName[c.name] = append(byName[c.name], c)
	}
	var kept []candidate
	for _, same := range byName {
		slices.SortFunc(same, func(a, b candidate) int {
			if c := cmp.Compare(len(a.index), len(b.index)); c != 0 {
				return c
			}
			switch {
			case a.named == b.named:
				return 0
			case a.named:
				return -1
			}
			return 1
		})
		if len(same) == 1 || len(same[0].index) < len(same[1].index) || same[0].named && !same[1].named {
			kept = append(kept, same[0])
		}
	}
	slices.SortFunc(kept, func(a, b candidate) int { return slices.Compare(a.index, b.index) })
	t := &fieldTable{}
	byPosition := make(map[string]int, len(kept))
	for i, c := range kept {
		t.fields = append(t.fields, c.field)
		t.quick = append(t.quick, c.forQuick())
		byPosition[c.name] = i
	}
	for i, f := range t.fields {
		if f.alias == "" {
			continue
		}
		if other, taken := byPosition[f.alias]; taken && other != i {
			return nil, fmt.Errorf("%w: %s: alias %q of field %q is a field too", bounds.ErrTarget, path, f.alias, f.name)
		}
		byPosition[f.alias] = i
	}
	t.names = newNames(byPosition)
	return t, nil
}
