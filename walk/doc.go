// Package walk is the grammar of MessagePack: it proves that bytes are one
// well-formed document within limits, without decoding and without allocating by
// what the document declares.
//
// [Check] says whether, [Len] also where the document ends, [Valid] adds UTF-8 and
// that nothing follows. [Cursor] reads a document header by header for people who
// write their own decoder: whatever comes next, or by typed reads and loops over arrays
// and maps. [Progress] walks one whose bytes are still arriving, and [PathAt] names the
// place of an offset.
//
// # Terms
//
// The words are those of the MessagePack specification, and code, errors and tests
// use only these.
//
//   - A marker is the first byte of an item. The format is what the marker fixes:
//     the kind and where the length stands. A header is the marker with its length
//     field; the payload is what follows the header.
//   - The kinds are nil, bool, int, float, str, bin, array, map and ext. A
//     timestamp is an ext of type -1.
//   - An array has elements, a map has pairs of a key and a value. An item is any
//     value that a container owes: an element, a key or a value, so a pair is two.
//     The root is an item too.
//   - Owed are the items that open containers promised and that were not read yet.
//     Each takes at least one byte, so a document that owes more items than there
//     are bytes left is refused at the header that said so.
//   - An offset is in bytes from the start of the document, a length in bytes, a
//     count in items (or elements, or pairs, as said).
//   - Depth is the number of arrays and maps that are open; an empty one counts.
//   - Well-formed is grammar: this package. Valid is meaning: UTF-8, timestamps,
//     keys, types; package decode.
//   - To refuse is to return an error that says where and why.
//
// # One gate
//
// [Step] is the meaning of a header, and it alone refuses. Loops may advance
// without it where they can see that it would accept, and hand anything else to it
// at the same offset.
package walk
