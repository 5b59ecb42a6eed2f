package decode

import (
	"fmt"
	"reflect"
	"time"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// Node is one value of a [Document], or one that is missing: [Node.Get] and [Node.Index] of
// something that is not there give a missing Node, whose Get and Index do too, and whose
// every read refuses with an [*Error] that says what is missing and where. So a chain of
// them needs one look at an error, at its end. The zero Node is missing.
//
// Nodes are small values: copy them freely. They are good as long as their Document is, and
// for concurrent reads. Reading by Get, Index and the methods named after kinds allocates
// nothing but the strings and slices that they return.
type Node struct {
	doc  *Document
	at   int // on the tape
	gen  uint64
	miss *missing // nil if it is there
}

// missing is what was looked for in vain.
type missing struct {
	why   reason
	at    int // of what it was looked for in
	key   string
	index int
}

type reason uint8

const (
	noDocument reason = iota
	lacksKey
	lacksElement
	isNoMap   // what a key was looked for in is no map
	isNoArray // what an element was looked for in is no array
)

// is reports whether n is there.
func (n Node) is() bool { return n.miss == nil && n.doc != nil && n.doc.gen == n.gen }

// Err returns nil if n is there. Else it says what is missing: [ErrMissing] for a key or
// element that its map or array does not have, with the offset and path of that;
// [ErrType] where a key was asked of something that is no map, or an element of something
// that is no array; ErrMissing also for a node of no document, or of one that was parsed
// into since.
func (n Node) Err() error {
	if n.is() {
		return nil
	}
	if n.doc == nil || n.doc.gen != n.gen || n.miss.why == noDocument {
		return &Error{Err: fmt.Errorf("%w: there is no document", bounds.ErrMissing)}
	}
	m := n.miss
	off := n.doc.offset(m.at)
	e := &Error{Offset: int64(off), Path: walk.PathAt(n.doc.data, int64(off)), Wire: walk.KindOf(n.doc.data[off])}
	switch m.why {
	case lacksKey:
		e.Err = fmt.Errorf("%w: the map has no key %s", bounds.ErrMissing, quoted(m.key))
	case lacksElement:
		e.Err = fmt.Errorf("%w: the array of %d has no element %d", bounds.ErrMissing, Node{doc: n.doc, at: m.at, gen: n.gen}.Len(), m.index)
	case isNoMap:
		e.Err = fmt.Errorf("%w: key %s of %v", bounds.ErrType, quoted(m.key), e.Wire)
	default:
		e.Err = fmt.Errorf("%w: element %d of %v", bounds.ErrType, m.index, e.Wire)
	}
	return e
}

// quoted returns key, which is the caller's, in quotes and cut at 32 bytes.
func quoted(key string) string {
	if len(key) > 32 {
		return fmt.Sprintf("%q...", key[:32])
	}
	return fmt.Sprintf("%q", key)
}

// Exists reports whether n is there: [Node.Err] is nil.
func (n Node) Exists() bool { return n.is() }

// lacks returns the missing Node that was looked for in n.
func (n Node) lacks(why reason, key string, index int) Node {
	if !n.is() {
		return n
	}
	n.miss = &missing{why, n.at, key, index}
	return n
}

// Get returns the value of the str key of the map n; missing if it has none, or n is no
// map. If a key may be given twice (see [DuplicateKeys]) it is the value of the first or
// the last, as that says. Up to 16 pairs are looked through, larger maps have an index.
func (n Node) Get(key string) Node {
	if n.Kind() != walk.Map {
		return n.lacks(isNoMap, key, 0)
	}
	doc, found := n.doc, -1
	first, end := doc.items(n.at)
	switch {
	case first == end:
	case doc.tape[n.at]&isIndexed != 0:
		found = doc.find(doc.tape[n.at+2:first], key)
	default:
		for at := first; at < end; at = after(doc.tape, at+1) {
			if doc.isKey(at, key) {
				if found = at; doc.d.duplicates != LastWins {
					break
				}
			}
		}
	}
	if found < 0 {
		return n.lacks(lacksKey, key, 0)
	}
	return Node{doc: doc, at: found + 1, gen: n.gen}
}

// Index returns element i of the array n, counted from 0; missing if it has no such, or n
// is no array. It takes the same time for every i.
func (n Node) Index(i int) Node {
	if n.Kind() != walk.Array {
		return n.lacks(isNoArray, "", i)
	}
	doc := n.doc
	first, end := doc.items(n.at)
	count := n.Len()
	if i < 0 || i >= count {
		return n.lacks(lacksElement, "", i)
	}
	at := first
	switch {
	case end-first == count: // each takes one word
		at += i
	case doc.tape[n.at]&isIndexed != 0:
		at = int(doc.tape[end+i])
	default:
		for range i {
			at = after(doc.tape, at)
		}
	}
	return Node{doc: doc, at: at, gen: n.gen}
}

// items returns the indexes of the first word of the items of the container at index at of
// the tape, and of the word after them, which are equal if it is empty.
func (doc *Document) items(at int) (first, end int) {
	word := doc.tape[at]
	if word&holdsItems == 0 {
		return at + 1, at + 1
	}
	first, end = at+2, int(doc.tape[at+1])
	if word&isIndexed != 0 {
		n := int(word & offsetMask)
		h, _ := headerAt(doc.data, n)
		if h.Kind == walk.Map {
			first += int(slotsFor(h.Items / 2))
		} else {
			end -= h.Items
		}
	}
	return first, end
}

// Kind returns the kind of n as it stands in the document; 0 if n is missing. A map that a
// [Marker] would replace is a map, and a timestamp an ext.
func (n Node) Kind() walk.Kind {
	if !n.is() {
		return 0
	}
	return walk.KindOf(n.doc.data[n.doc.offset(n.at)])
}

// Len returns the number of elements of an array, or of pairs of a map as they stand in the
// document, and the length in bytes of the content of a str, bin or ext; 0 for any other
// kind, and if n is missing.
func (n Node) Len() int {
	if !n.is() {
		return 0
	}
	h, payload := n.header()
	switch h.Kind {
	case walk.Array:
		return h.Items
	case walk.Map:
		return h.Items / 2
	case walk.Str, walk.Bin:
		return len(payload)
	case walk.Ext:
		return len(payload) - 1
	}
	return 0
}

func (n Node) header() (walk.Header, []byte) {
	return headerAt(n.doc.data, n.doc.offset(n.at))
}

// Offset returns the offset in the document of n's header; -1 if n is missing.
func (n Node) Offset() int64 {
	if !n.is() {
		return -1
	}
	return int64(n.doc.offset(n.at))
}

// Path returns where n stands, as [walk.PathAt] writes it, and takes as long; "" for the
// root and if n is missing.
func (n Node) Path() string {
	if !n.is() {
		return ""
	}
	return walk.PathAt(n.doc.data, n.Offset())
}

// scalar returns the payload of n, which must be of the kind; target is what it is for.
func scalar[T any](n Node, kind walk.Kind) (walk.Token, error) {
	if !n.is() {
		return walk.Token{}, n.Err()
	}
	off := n.doc.offset(n.at)
	h, payload := headerAt(n.doc.data, off)
	if h.Kind != kind {
		return walk.Token{}, n.refuse(reflect.TypeFor[T](), bounds.ErrType)
	}
	return walk.Token{Kind: kind, Marker: n.doc.data[off], Offset: off, N: len(payload), Payload: payload}, nil
}

// refuse returns the error of n, which is there, for a target of the given type.
func (n Node) refuse(target reflect.Type, err error) error {
	return &Error{Offset: n.Offset(), Path: n.Path(), Wire: n.Kind(), GoType: target, Err: err}
}

// IsNil reports whether n is there and nil.
func (n Node) IsNil() bool { return n.Kind() == walk.Nil }

// Bool returns the bool n. Like all these methods it refuses another kind with [ErrType],
// and a missing node as [Node.Err] says, both in an [*Error] with the offset and path.
func (n Node) Bool() (bool, error) {
	t, err := scalar[bool](n, walk.Bool)
	return t.Bool(), err
}

// Int returns the int n; [ErrOverflow] if it is above math.MaxInt64.
func (n Node) Int() (int64, error) {
	t, err := scalar[int64](n, walk.Int)
	if err != nil {
		return 0, err
	}
	v, ok := t.Int()
	if !ok {
		return 0, n.refuse(reflect.TypeFor[int64](), bounds.ErrOverflow)
	}
	return v, nil
}

// Uint returns the int n; [ErrOverflow] if it is negative.
func (n Node) Uint() (uint64, error) {
	t, err := scalar[uint64](n, walk.Int)
	if err != nil {
		return 0, err
	}
	v, ok := t.Uint()
	if !ok {
		return 0, n.refuse(reflect.TypeFor[uint64](), bounds.ErrOverflow)
	}
	return v, nil
}

// Float returns the float n, a float 32 widened. An int is [ErrType].
func (n Node) Float() (float64, error) {
	t, err := scalar[float64](n, walk.Float)
	return t.Float(), err
}

// Str returns the str n: a copy, or with AliasInput a part of the input.
func (n Node) Str() (string, error) {
	t, err := scalar[string](n, walk.Str)
	switch {
	case err != nil:
		return "", err
	case n.doc.d.utf8 == ReplaceInvalidUTF8 && !isText(t.Payload):
		return string(appendReplaced(nil, t.Payload)), nil
	case n.doc.d.alias:
		return asString(t.Payload), nil
	}
	return string(t.Payload), nil
}

// Bytes returns the content of the bin n: a copy, or with AliasInput a part of the input;
// never nil.
func (n Node) Bytes() ([]byte, error) {
	t, err := scalar[[]byte](n, walk.Bin)
	if err != nil || n.doc.d.alias {
		return t.Payload, err
	}
	return append(make([]byte, 0, len(t.Payload)), t.Payload...), nil
}

// Time returns the timestamp n in UTC. An ext of another type is [ErrType].
func (n Node) Time() (time.Time, error) {
	t, err := scalar[time.Time](n, walk.Ext)
	if err != nil {
		return time.Time{}, err
	}
	typ, content := t.Ext()
	if typ != timestampType {
		return time.Time{}, n.refuse(reflect.TypeFor[time.Time](), bounds.ErrType)
	}
	stamp, err := ParseTimestamp(content)
	if err == nil {
		v, err := stamp.Time()
		if err == nil {
			return v, nil
		}
	}
	return time.Time{}, n.refuse(reflect.TypeFor[time.Time](), bounds.ErrTimestamp)
}

// Ext returns the ext n, a timestamp too, its content as [Node.Bytes] returns that of a bin.
func (n Node) Ext() (Ext, error) {
	t, err := scalar[Ext](n, walk.Ext)
	if err != nil {
		return Ext{}, err
	}
	typ, content := t.Ext()
	if !n.doc.d.alias {
		content = append(make([]byte, 0, len(content)), content...)
	}
	return Ext{Type: typ, Data: content}, nil
}
