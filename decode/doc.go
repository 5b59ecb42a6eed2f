// Package decode turns MessagePack documents into Go values, in one pass, without
// recursing on the input, and within the limits of package bounds.
//
// [Any] decodes to the Go value that each kind has; [Unmarshal] decodes into what a
// pointer points to. Both take exactly one document; [UnmarshalFirst] takes the first
// and returns the rest. The package-level functions use the default limits and
// policies; [Options.New] makes a [Decoder] with others.
//
// # Values
//
// Decoded to any, nil is nil, bool is bool, an int is an int64 (a uint64 above
// math.MaxInt64), a float is a float64, a str a string, a bin a []byte, an array a
// []any, a map a map[string]any (or a map[any]any: see [MapKeys]), a timestamp a
// time.Time in UTC, and any other ext an [Ext]. [Marker] and [ExtType] put other values in
// place of maps and exts. Equal short strings of one document (keys up to 64 bytes, values
// up to 32) become one string as a rule.
//
// Slices of a value have no spare capacity, so appending to one changes no other. Small
// values of one document stand in slabs together; docs/limits.md says how much keeping one
// keeps alive.
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
