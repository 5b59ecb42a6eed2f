// Package decode turns MessagePack documents into Go values, in one pass, without
// recursing on the input, and within the limits of package bounds.
//
// [Any] decodes to the Go value that each kind has; [Unmarshal] decodes into what a
// pointer points to. Both take exactly one document; [UnmarshalFirst] takes the first
// and returns the rest. The package-level functions use the default limits and
// policies; [Options.New] makes a [Decoder] with others.
//
// # Refusals
//
// A document is decoded whole or refused with an error. What [walk.Check] refuses
// outranks everything else: if the decoder refuses for any reason, the structure is
// walked, and if the walk refuses, its error is returned. Among errors of meaning the
// one of lowest offset wins. After an error the Decoder is as before.
package decode
