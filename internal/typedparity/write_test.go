package typedparity

import (
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/boundpack/boundpack/internal/samples"
)

// writer makes documents for a type: right ones, or ones with one wrong place. It makes
// the same document twice, first to count the places where it could be wrong.
type writer struct {
	r     *rand.Rand
	b     []byte
	wrong string // what is to be wrong; "" for nothing
	at    int    // which place, counted from 0
	seen  int    // places so far
	items int    // that may still be made, about
}

// right returns a document that t takes.
func right(seed uint64, t reflect.Type) []byte {
	w := writer{r: rand.New(rand.NewPCG(seed, 0)), items: 60}
	w.value(t, false)
	return w.b
}

// wronged returns a document for t with one wrong place, and what is wrong with it.
func wronged(seed uint64, t reflect.Type) (doc []byte, wrong string) {
	r := rand.New(rand.NewPCG(seed, 1))
	for {
		wrong = wrongs[r.IntN(len(wrongs))]
		w := writer{wrong: wrong, at: -1, items: 60}
		w.r = rand.New(rand.NewPCG(seed, 0))
		w.value(t, false)
		switch {
		case wrong == cutShort:
			return w.b[:r.IntN(len(w.b))], wrong
		case wrong == followed:
			return append(w.b, []byte{0xc0, 0xc1, 1, 0xff, 0x91}[r.IntN(5)]), wrong
		case w.seen == 0:
			continue
		}
		w = writer{wrong: wrong, at: r.IntN(w.seen), items: 60}
		w.r = rand.New(rand.NewPCG(seed, 0))
		w.value(t, false)
		return w.b, wrong
	}
}

// here reports whether this place is the one to be wrong in that way. It draws nothing, so
// that documents are the same up to there.
func (w *writer) here(wrong string) bool {
	if w.wrong != wrong {
		return false
	}
	w.seen++
	return w.seen-1 == w.at
}

func (w *writer) oneIn(n int) bool { return w.r.IntN(n) == 0 }

// value appends a value that t takes. nils says that nil is no surprise here.
func (w *writer) value(t reflect.Type, nils bool) {
	w.items--
	if w.instead(t) {
		return
	}
	if nils && w.oneIn(8) {
		w.b = samples.AppendNil(w.b)
		return
	}
	switch t {
	case timeType, stampType:
		w.timestamp(t)
		return
	case rawType:
		w.any(2)
		return
	case extType:
		w.ext()
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		w.value(t.Elem(), true)
	case reflect.Interface:
		if t != anyType { // nothing but nil goes into it
			w.b = samples.AppendNil(w.b)
			return
		}
		w.any(3)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			w.bytes(w.text(), w.oneIn(4))
			return
		}
		w.elements(t.Elem(), w.count())
	case reflect.Array:
		n := t.Len()
		if t.Elem().Kind() == reflect.Uint8 {
			w.byteArray(n)
			return
		}
		if n > 0 && w.here(shorter) {
			n -= 1 + w.r.IntN(n)
		} else if w.here(longer) {
			n += 1 + w.r.IntN(2)
		}
		w.elements(t.Elem(), n)
	case reflect.Map:
		w.dict(t)
	case reflect.Struct:
		w.object(t)
	default:
		w.scalar(t)
	}
}

// count returns how many elements a container is to have.
func (w *writer) count() int {
	if w.items <= 0 {
		return w.r.IntN(2)
	}
	if w.oneIn(20) {
		return 14 + w.r.IntN(6)
	}
	return w.r.IntN(4)
}

func (w *writer) elements(t reflect.Type, n int) {
	w.header(n, 0x90, 0xdc)
	for range n {
		w.value(t, nilable(t))
	}
}

// nilable reports whether nil in place of a t is ordinary.
func nilable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return true
	}
	return false
}

func (w *writer) byteArray(n int) {
	if n > 0 && w.here(shorter) {
		n -= 1 + w.r.IntN(n)
	} else if w.here(longer) {
		n += 1 + w.r.IntN(2)
	}
	w.bytes(strings.Repeat("x", n), w.oneIn(4))
}

// dict appends a map of t's keys and elements.
func (w *writer) dict(t reflect.Type) {
	n := w.count()
	if t.Key().Kind() == reflect.Bool {
		n = min(n, 2)
	}
	w.pairs(n, t.Key(), func() { w.value(t.Elem(), nilable(t.Elem())) })
}

// pairs appends a map of n pairs, all keys different for most.
func (w *writer) pairs(n int, key reflect.Type, value func()) {
	again := n > 0 && w.here(twice)
	if again {
		n++
	}
	w.header(n, 0x80, 0xde)
	seen := map[any]bool{}
	var first []byte
	for i := range n {
		if again && i == n-1 {
			w.b = append(w.b, first...)
			value()
			break
		}
		at := len(w.b)
		w.key(key, seen)
		if i == 0 {
			first = append(first, w.b[at:]...)
		}
		value()
	}
}

// object appends what a struct takes: a map of its fields, or an array.
func (w *writer) object(t reflect.Type) {
	fields, tuple := fieldsOf(t)
	if w.here(otherForm) {
		tuple = !tuple
	}
	if tuple {
		n := len(fields)
		fewer, more := n > 0 && w.here(shorter), w.here(longer)
		switch {
		case fewer:
			fields = fields[:n-1]
			w.header(n-1, 0x90, 0xdc)
		case more:
			w.header(n+1, 0x90, 0xdc)
		default:
			w.header(n, 0x90, 0xdc)
		}
		for _, f := range fields {
			w.value(f.typ, nilable(f.typ))
		}
		if more {
			w.any(1)
		}
		return
	}
	if w.oneIn(3) { // another order, and not all of them
		w.r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
		fields = fields[:w.r.IntN(len(fields)+1)]
	}
	if len(fields) > 0 && w.here(missing) {
		fields = fields[1:]
	}
	n := len(fields)
	again, extra := n > 0 && w.here(twice), w.here(unknown) || w.oneIn(10)
	if again {
		n++
	}
	if extra {
		n++
	}
	w.header(n, 0x80, 0xde)
	if extra {
		w.str("no field has this name")
		w.any(2)
	}
	for _, f := range fields {
		w.name(f)
		w.value(f.typ, nilable(f.typ))
	}
	if again {
		w.name(fields[0])
		w.value(fields[0].typ, false)
	}
}

// name appends a name of f.
func (w *writer) name(f fieldOf) {
	name := f.name
	if f.alias != "" && w.oneIn(2) {
		name = f.alias
	}
	switch {
	case w.here(nilKey):
		w.b = samples.AppendNil(w.b)
	case w.here(otherKey):
		w.otherKey(false)
	case w.here(notUTF8):
		w.str(w.spoilt(name))
	case w.oneIn(16):
		w.bytes(name, false)
	case w.oneIn(16):
		w.length(len(name), 0xd9)
		w.b = append(w.b, name...)
	default:
		w.b = samples.AppendStr(w.b, name)
	}
}

// header appends the header of a container of n, in the shortest format for most.
func (w *writer) header(n int, fix, first16 byte) {
	switch {
	case n < 16 && !w.oneIn(8):
		w.b = append(w.b, fix|byte(n))
	case w.oneIn(2):
		w.b = append(w.b, first16, byte(n>>8), byte(n))
	default:
		w.b = append(w.b, first16+1, 0, 0, byte(n>>8), byte(n))
	}
}

// length appends the header of n bytes in the format first8 or a wider one.
func (w *writer) length(n int, first8 byte) {
	switch {
	case n < 256 && !w.oneIn(4):
		w.b = append(w.b, first8, byte(n))
	case w.oneIn(2):
		w.b = append(w.b, first8+1, byte(n>>8), byte(n))
	default:
		w.b = append(w.b, first8+2, 0, 0, byte(n>>8), byte(n))
	}
}

// bytes appends content as a bin, or as a str.
func (w *writer) bytes(content string, asStr bool) {
	if asStr {
		w.str(content)
		return
	}
	w.length(len(content), 0xc4)
	w.b = append(w.b, content...)
}

// str appends a str, in the shortest format for most.
func (w *writer) str(s string) {
	if len(s) < 32 && !w.oneIn(6) {
		w.b = append(append(w.b, 0xa0|byte(len(s))), s...)
		return
	}
	w.length(len(s), 0xd9)
	w.b = append(w.b, s...)
}
