package decode

import (
	"fmt"
	"io"
	"iter"
	"reflect"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// Documents returns the documents of r one after another, each decoded into a new T. It
// yields a refused one as the zero T and the error, and goes on if that is
// [Reader.Resumable]. The end of the stream between documents ends it without an error.
//
// After the deadline of a connection has passed, every read fails at once: a loop that
// goes on must move it.
func Documents[T any](r *Reader) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			var v, zero T
			err := r.Decode(&v)
			if err == io.EOF {
				return
			}
			if err != nil {
				v = zero
			}
			if !yield(v, err) || err != nil && !r.Resumable(err) {
				return
			}
		}
	}
}

// Elements returns the elements of the array that is the next document of r, one after
// another, each decoded into a new T as a document of its own, which the limits hold for:
// the array may have any number of elements, in the memory of one. Nil is an array without
// elements.
//
// It yields a refused element as the zero T and an [*ElementError], and goes on if that is
// [Reader.Resumable]. What is no array is read to its end and refused with [ErrType]. At the
// end of the stream it yields [io.EOF]. After an error before the first element it ends. After a loop that ends early another one goes on
// with the element after the last; [Reader.Decode], [Reader.Raw] and [Documents] read past
// what is left first.
func Elements[T any](r *Reader) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		if err := r.enter(walk.Array, reflect.TypeFor[[]T]()); err != nil {
			yield(zero, err)
			return
		}
		for r.within.open() {
			var v T
			doc, err := r.document()
			if err == nil {
				err = r.decode(&v, doc)
			}
			if err != nil {
				v = zero
			}
			if !yield(v, err) || err != nil && !r.Resumable(err) {
				return
			}
		}
	}
}

// Pair is a key and its value.
type Pair[K, V any] struct {
	Key   K
	Value V
}

// Pairs is [Elements] for the pairs of a map. A key that is given twice is not noticed.
// Where the key is refused, the value is not looked at.
func Pairs[K, V any](r *Reader) iter.Seq2[Pair[K, V], error] {
	return func(yield func(Pair[K, V], error) bool) {
		var zero Pair[K, V]
		if err := r.enter(walk.Map, nil); err != nil {
			yield(zero, err)
			return
		}
		for r.within.open() {
			var p Pair[K, V]
			key, value, err := r.pair()
			if err == nil {
				err = r.decodePair(&p.Key, &p.Value, key, value)
			}
			if err != nil {
				p = zero
			}
			if !yield(p, err) || err != nil && !r.Resumable(err) {
				return
			}
		}
	}
}

// ElementError is the refusal of one element of an array, or of the key or the value of one
// pair of a map, that is read by [Elements] or [Pairs]. It is returned by pointer. Offsets
// and paths count from the start of that element, key or value, which [Reader.Start] says.
type ElementError struct {
	// Index is that of the element or pair, from 0.
	Index int64
	// Part is "element", "key of pair" or "value of pair".
	Part string
	// Err is the refusal, a [*bounds.Error] or an [*Error].
	Err error
}

// Error returns which element it is, and the text of the refusal.
func (e *ElementError) Error() string { return fmt.Sprintf("%s %d: %v", e.Part, e.Index, e.Err) }

// Unwrap returns Err.
func (e *ElementError) Unwrap() error { return e.Err }

// container is the array or map whose items are read one by one.
type container struct {
	kind  walk.Kind
	left  int64 // elements or pairs
	read  int64
	value bool // what is read of the pair is its value
}

func (c *container) open() bool { return c.left > 0 }

// wrap says of err which element it is about.
func (c *container) wrap(err error) error {
	part := "element"
	switch {
	case c.kind == walk.Map && c.value:
		part = "value of pair"
	case c.kind == walk.Map:
		part = "key of pair"
	}
	return &ElementError{Index: c.read, Part: part, Err: err}
}

// widest are the limits of an array or map whose items are documents of their own.
var widest = bounds.Limits{MaxDepth: bounds.CeilingMaxDepth, MaxBytes: bounds.CeilingMaxBytes, MaxItems: bounds.CeilingMaxItems}

// enter reads the header of the next document, to read its items one by one: it must be of
// the given kind, or nil. If items are left of one, these come first.
func (r *Reader) enter(kind walk.Kind, target reflect.Type) error {
	if r.within.open() && r.within.kind == kind {
		return nil
	}
	if err := r.leave(); err != nil {
		return err
	}
	head, err := r.header()
	if err != nil {
		return err
	}
	switch wire := walk.KindOf(head[0]); wire {
	case kind:
	case walk.Nil:
		r.consume(1)
		return nil
	default:
		doc, err := r.document()
		if err == nil {
			r.consume(len(doc))
			err = &Error{Wire: wire, GoType: target, Err: bounds.ErrType}
		}
		return err
	}
	if err := r.progress.Reset(widest); err != nil {
		return err
	}
	if _, err := r.progress.Feed(head); err != nil {
		return r.refuse(err)
	}
	items := int64(r.progress.Need()) // each is a byte at least
	r.consume(len(head))
	if kind == walk.Map {
		items /= 2
	}
	r.within = container{kind: kind, left: items}
	return nil
}

// header receives the header of the next document.
func (r *Reader) header() ([]byte, error) {
	if r.stuck != nil {
		return nil, r.stuck
	}
	r.start = r.offset
	for size := 1; ; {
		if have := r.received(); len(have) >= size {
			switch have[0] {
			case 0xdc, 0xde:
				size = 3
			case 0xdd, 0xdf:
				size = 5
			}
			if len(have) >= size {
				return have[:size], nil
			}
		}
		if err := r.read(size - len(r.received())); err == io.EOF {
			return nil, r.ended()
		} else if err != nil {
			return nil, err
		}
	}
}

// pair receives the next pair of a map. The key stays where it is while the value comes.
func (r *Reader) pair() (key, value []byte, err error) {
	if r.lead == 0 {
		r.within.value = false
		if key, err = r.document(); err != nil {
			return nil, nil, err
		}
		r.begun, r.lead = false, len(key)
	}
	r.within.value = true
	if value, err = r.document(); err != nil {
		return nil, nil, err
	}
	return r.buf[r.next:][:r.lead:r.lead], value, nil
}

// decodePair decodes the next pair, and consumes it.
func (r *Reader) decodePair(toKey, toValue any, key, value []byte) error {
	key, value = r.own(key), r.own(value)
	m := r.take(len(key) + len(value))
	m.within.value = false
	r.start = m.offset
	_, err := r.d.into(key, toKey)
	if err == nil {
		m.within.value = true
		r.start += int64(len(key))
		_, err = r.d.into(value, toValue)
	}
	return r.verdict(m, err)
}

// leave reads past what is left of an array or map whose items were read one by one.
func (r *Reader) leave() error {
	for r.within.open() {
		var key, item []byte
		var err error
		if r.within.kind == walk.Map {
			key, item, err = r.pair()
		} else {
			item, err = r.document()
		}
		if err != nil {
			return err
		}
		r.take(len(key) + len(item))
	}
	return nil
}
