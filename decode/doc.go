// Package decode turns MessagePack documents into Go values, in one pass, without
// recursing on the input, and within the limits of package bounds.
//
// [Any] decodes to the Go value that each kind has; [Unmarshal] decodes into what a
// pointer points to. Both take exactly one document; [UnmarshalFirst] takes the first
// and returns the rest. The package-level functions use the default limits and
// policies; [Options.New] makes a [Decoder] with others.
//
// [NewReader] decodes documents from a stream, and takes no byte behind them; [Documents]
// is a loop over them, and [Elements] and [Pairs] read a huge array or map item by item.
// [UnmarshalRead] decodes a stream that is one document.
//
// # Values
//
// Decoded to any, nil is nil, bool is bool, an int is an int64 (a uint64 above
// math.MaxInt64), a float is a float64, a str a string, a bin a []byte, an array a
// []any, a map a map[string]any (or a map[any]any: see [MapKeys]), a timestamp a
// time.Time in UTC, and any other ext an [Ext]. [Marker] and [ExtType] put other values in
// place of maps and exts. Equal short strings of one document (keys up to 64 bytes, values
// up to 32) become one string as a rule; in Go types those up to 32 bytes, from the third on,
// in documents above 1 KiB.
//
// Slices of a value have no spare capacity, so appending to one changes no other. Small
// values of one document stand in slabs together; docs/limits.md says how much keeping one
// keeps alive.
//
// # Go types
//
// [Unmarshal], [To] and [As] decode into Go types by a plan that is compiled once for each
// type. nil zeroes its target, whatever that is. What is there before is overwritten, not
// merged: maps are made new, slices but []byte keep their backing array and have their elements
// zeroed first, a pointer is used at the root and replaced elsewhere (an embedded one by a copy); only fields of a struct that
// the document does not name keep their value, so presets work. Under
// [LastWins] a field that is named twice starts from zero the second time, so a preset inside it
// is lost; under [FirstWins] it stays.
//
//   - bool takes bool.
//   - Integers take an int in their range, else [ErrOverflow]; with WholeFloats also a float
//     that is whole.
//   - Floats take a float (a float32 rounds, unless ExactFloats is set; beyond its range is
//     [ErrOverflow]) and an int that they hold exactly, else [ErrInexact].
//   - Strings take a str, and a bin that is valid UTF-8. []byte and [N]byte take bin and str,
//     the array only one of N bytes.
//   - Slices and arrays take an array, an array only one of its own length.
//   - Maps take a map. Their keys are strings (of str and bin), bools, integers and floats by
//     the same rules, else [ErrKeyType]; map[any]T takes the keys that [AnyKeys] takes.
//   - Structs take a map whose keys are names of fields, or, tagged as_array, an array with
//     one item for each field.
//   - time.Time takes a timestamp that it can hold; [Timestamp] any; [Ext] any ext; a
//     [RawMessage] any value, as its bytes.
//   - Pointers take what they point to. any takes what [Any] makes; another interface takes
//     the value of a [Marker] or [ExtType] that implements it.
//   - A target of the type that a [Marker] gives as its Go takes the maps that the marker
//     replaces, and no others. An [ExtType]'s value goes into every type it is assignable
//     to, else it is [ErrExt]; time.Time and [Timestamp] take a timestamp in any case.
//
// Everything else is [ErrType], and a type that has a part of no kind listed is [ErrTarget].
//
// # Types that decode themselves
//
// A type, or a pointer to it, may have one of these methods; the first that there is, and that
// takes the value, is called:
//
//   - UnmarshalCursor([*walk.Cursor]) error, for any value. The Cursor covers exactly that
//     value, which the method must read whole; [Decoder.FromCursor] decodes an item of it. It
//     is dead when the method has returned. Depth, Offset and Path are those of the
//     document, and so are its limits. What the method reads is charged by its length, with
//     the Cursor, of half a KiB, once a call; what FromCursor decodes as ever. If the Cursor
//     or FromCursor refused, that is the refusal of the document, whatever the method returns.
//   - UnmarshalMsgpack([]byte) error, for any value, as vmihailenco/msgpack has it.
//   - UnmarshalMsg([]byte) (rest []byte, err error), for any value, as tinylib/msgp generates
//     it. It must leave nothing.
//   - UnmarshalBinary and UnmarshalText, of package encoding, for a bin and for a str; a type
//     that has only one of them gets both by it, and for UnmarshalText a bin must be valid
//     UTF-8. Other kinds go into such a type as if it had no method, if its type allows that,
//     and else are [ErrType].
//
// UnmarshalMsgpack and UnmarshalMsg get the bytes of one whole value that was walked before:
// well-formed, within the limits of the document, and with valid UTF-8 if that is the policy.
// All four get a part of the input, valid during the call only and not to be changed, and are
// charged its length. What a method allocates itself is outside MaxMemory. A value that such a
// method hands to [Unmarshal] again is walked again, so that those nested n deep are read n
// times; with UnmarshalCursor and FromCursor each header is read once.
//
// nil zeroes the target and calls no method. An error of a method refuses the document with
// [ErrHook] at the value, and stays reachable by errors.Is and errors.As; a panic passes
// through. time.Time and the types of this package have their own rules, whatever methods
// there are; a [Marker] or an [ExtType] that gives the type goes before its methods. A map key
// may be of a type with methods: the first three take any key that is no array, map, ext or
// nil. An embedded struct with such a method is a field of its own, not its fields, unless its
// tag says inline; a struct that has the method by embedding is decoded by it.
//
// Each level at which a method calls FromCursor or Unmarshal again takes about 5 KiB of stack.
// MaxDepth bounds them; one above 16,384 is not for types that nest so.
//
// # Tags
//
// A field is named by its tag, `msgpack:"name"`, or else by its Go name; names match exactly.
// "-" leaves it out. After the name may come omitempty (which is for encoders), inline (the
// fields of a struct count as those of the struct around it; embedded structs without a name
// do anyway, by the rules of encoding/json), noinline, alias:x (x is the same field), and
// limit=N: at most N elements of an array, pairs of a map, or bytes of a str or bin, else
// [ErrMaxItems] or [ErrMaxBytes] at its header, before anything is charged. A struct with a
// field `_msgpack struct{}` tagged ",as_array" is an array, its fields in order. Any other
// option is [ErrTarget]. Options.Tags names other keys to look under (codec, msg, json), of
// which the name, "-" and omitempty are understood.
//
// # Lazy documents
//
// [Parse] reads a document once, with every check but those of the caller's own functions,
// and makes nothing but a tape of where its items stand: [Document]. Values are made when a
// [Node] is asked: doc.Root().Get("users").Index(3).Get("name").Str(). What is missing on
// the way shows in the error at the end, which says what and where. Nodes are values as they
// stand in the document: a map that a [Marker] stands for is a map, a timestamp an ext; Any
// and Decode of a Node make of it what the Decoder makes.
//
// # Memory
//
// Everything is charged to [bounds.Limits].MaxMemory before it is made. The charge is a
// function of the document and the options, so the same document gets the same verdict
// always.
//
// # Refusals
//
// A document is decoded whole or refused with an error. What [walk.Check] refuses
// outranks everything else: if the decoder refuses for any reason, the structure is
// walked, and if the walk refuses, its error is returned. Among errors of meaning, and of
// memory, the one of lowest offset wins. After an error the Decoder is as before.
package decode
