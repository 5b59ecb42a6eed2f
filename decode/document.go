package decode

import (
	"hash/maphash"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// Document is a document that was read once and whose values are made when they are asked
// for: a tape of where its items stand, with an index of every map of more than 16 pairs
// and every array of more than 16 elements. It is created by [Parse], [Decoder.Parse] or
// [Decoder.ParseInto]; the zero Document is empty and ready for the last. It is safe for
// concurrent reads, but not while it is parsed into.
//
// A Document has a copy of its bytes, or with [Options].AliasInput the input itself, which
// must not be changed then as long as the Document is in use. Strings and []byte values
// read from it are copies, or with AliasInput parts of the input.
type Document struct {
	d    *Decoder
	data []byte
	copy []byte // what data is, unless it is the input
	tape []uint64
	gen  uint64 // counts what was parsed into it, so that old nodes are known
	seed maphash.Seed
	open bounds.Stack[docFrame]
}

// Parse is [Decoder.Parse] of the default decoder.
func Parse(data []byte) (*Document, error) { return standard.Parse(data) }

// Parse reads data, which must be exactly one document, in one pass and makes no value of
// it yet.
//
// It refuses what [Decoder.Any] refuses of the structure, the limits, UTF-8, map keys of a
// kind that is not allowed, duplicate keys, timestamps, and bytes that follow, with the same
// error, or with ErrMaxMemory. It does not ask functions of the [Options]: what a [Marker]
// or [ExtType] refuses, and what values take of MaxMemory, shows when a value is made. (So
// if such a refusal comes first, Any and Parse may name different flaws of one document.)
//
// Of MaxMemory it takes the length of the document, 8 bytes for each item, another 8 for
// each array and map that is not empty, and 8 to 22 for each element or pair of the large
// ones; the tape begins as long as the document, at least 64 bytes and at most 512 KiB, is
// doubled when it is full, and each growth counts. Reading a value has MaxMemory to itself.
func (d *Decoder) Parse(data []byte) (*Document, error) {
	doc := new(Document)
	if err := d.ParseInto(doc, data); err != nil {
		return nil, err
	}
	return doc, nil
}

// ParseInto is [Decoder.Parse] into a Document that may have been used before, whose memory
// it uses: if that is enough, nothing is allocated. Nodes of what was there before are gone:
// every read of one refuses with [ErrMissing]. After an error doc is empty. The charges are
// those of a new Document.
func (d *Decoder) ParseInto(doc *Document, data []byte) error {
	doc.gen++
	doc.d, doc.data = d, nil
	p := parser{d: d, doc: doc, data: data, tape: doc.tape[:0]}
	err := p.parse()
	doc.tape = p.tape // which may have grown
	if err != nil {
		doc.tape = doc.tape[:0]
		return p.final(err)
	}
	if !d.alias {
		doc.copy = append(doc.copy[:0], data...)
		data = doc.copy
	}
	doc.data, doc.tape = data, doc.tape[:p.n]
	return nil
}

// Root returns the document's one value.
func (doc *Document) Root() Node {
	n := Node{doc: doc, gen: doc.gen}
	if len(doc.tape) == 0 {
		n.miss = &missing{why: noDocument}
	}
	return n
}

// The tape has a word for each item, in wire order: the offset of its header. A container
// that is not empty has two, the second the index of the word after all that is in it. Those
// of more than smallContainer pairs or elements are indexed: a map has its slots before its
// first key, an array of items that do not all take one word has where each begins after
// its last.
const (
	holdsItems = 1 << 63 // an array or map that is not empty
	isIndexed  = 1 << 62
	offsetBits = 40 // enough for every offset: MaxBytes is at most 1<<40
	offsetMask = 1<<offsetBits - 1

	smallContainer = 16
)

// offset returns the offset of the header of the item at index at of the tape.
func (doc *Document) offset(at int) int { return int(doc.tape[at] & offsetMask) }

// after returns the index of the word after the item at index at, and all that is in it.
func after(tape []uint64, at int) int {
	if tape[at]&holdsItems != 0 {
		return int(tape[at+1])
	}
	return at + 1
}

// headerAt returns the header at off of data, which was accepted, and its payload.
func headerAt(data []byte, off int) (h walk.Header, payload []byte) {
	h, _, _ = walk.Step(data, off, bounds.Open(widest.MaxBytes, &widest), 0, &widest)
	start := off + h.Size
	end := start + h.Payload
	return h, data[start:end:end]
}
