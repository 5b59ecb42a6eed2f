package decode

import (
	"iter"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// Elements returns a loop over the elements of the array n, in order, with their indexes.
// If n is no array the loop has one round, with the missing Node that says so.
func (n Node) Elements() iter.Seq2[int, Node] {
	return func(yield func(int, Node) bool) { n.elements(yield) }
}

func (n Node) elements(yield func(int, Node) bool) {
	if n.Kind() != walk.Array {
		yield(0, n.lacks(isNoArray, "", 0))
		return
	}
	first, end := n.doc.items(n.at)
	for i, at := 0, first; at < end; i++ {
		if !yield(i, Node{doc: n.doc, at: at, gen: n.gen}) {
			return
		}
		at = after(n.doc.tape, at)
	}
}

// Pairs returns a loop over the pairs of the map n, key and value, as they stand in the
// document: also those that [LastWins] or [FirstWins] passes over. If n is no map the loop
// has one round, with the missing Node that says so.
func (n Node) Pairs() iter.Seq2[Node, Node] {
	return func(yield func(key, value Node) bool) { n.pairs(yield) }
}

func (n Node) pairs(yield func(key, value Node) bool) {
	if n.Kind() != walk.Map {
		no := n.lacks(isNoMap, "", 0)
		yield(no, no)
		return
	}
	first, end := n.doc.items(n.at)
	for at := first; at < end; at = after(n.doc.tape, at+1) {
		key := Node{doc: n.doc, at: at, gen: n.gen}
		if !yield(key, Node{doc: n.doc, at: at + 1, gen: n.gen}) {
			return
		}
	}
}

// Raw returns the bytes of n and all that is in it: a part of the Document, good until the
// Document is parsed into, and not to be changed. It takes a walk over them.
func (n Node) Raw() ([]byte, error) {
	if !n.is() {
		return nil, n.Err()
	}
	data, off := n.doc.data, n.doc.offset(n.at)
	end, _, err := walk.Skip(data, off, bounds.Open(len(data), &widest), 0, &widest)
	if err != nil {
		return nil, err // which an accepted document does not give
	}
	return data[off:end:end], nil
}

// Any returns the Go value of n, as [Decoder.Any] of the Decoder that parsed the Document
// decodes it, with markers and exts: for the root the same value, or the same error.
// Offsets and paths of errors are those of the Document. MaxMemory is for this value alone,
// and its default follows the length of n.
func (n Node) Any() (any, error) {
	raw, err := n.Raw()
	if err != nil {
		return nil, err
	}
	v, err := n.doc.d.Any(raw)
	return v, n.place(err)
}

// Decode decodes n into what dst points to, as [Decoder.Unmarshal] does. Offsets and paths
// of errors, and MaxMemory, are as for [Node.Any]. The depth of n and what it holds was
// within limits counted from the root.
func (n Node) Decode(dst any) error {
	raw, err := n.Raw()
	if err != nil {
		return err
	}
	return n.place(n.doc.d.Unmarshal(raw, dst))
}

// place returns err, of decoding n by itself, with the place of n in the document.
func (n Node) place(err error) error {
	base := n.Offset()
	switch e := err.(type) {
	case *Error:
		moved := *e
		moved.Offset += base
		moved.Path = walk.PathAt(n.doc.data, moved.Offset)
		if limit, ok := e.Err.(*bounds.Error); ok {
			at := *limit
			at.Offset += base
			moved.Err = &at
		}
		return &moved
	case *bounds.Error:
		moved := *e
		moved.Offset += base
		return &moved
	}
	return err
}
