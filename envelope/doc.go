// Package envelope reads and writes what CacheKit keeps in a cache: a payload,
// compressed, with its checksum and the name of its format, in a small MessagePack
// document.
//
// [Seal] writes an envelope and [Open] reads one. [Payload] and [PayloadAny] open an
// envelope and decode the MessagePack in it within the limits of package bounds.
// [ParseFrame] and [AppendFrame] are for the frame that CacheKit's Python library puts
// around an envelope, and [Codec.OpenFrame] for entries that are sealed, by encryption.
// The package-level functions use the default limits; [Options].New makes a [Codec] with
// lower ones.
//
// # Order
//
// Opening an envelope makes these checks, and the first that applies is the reason:
//
//	1  the envelope is longer than MaxEnvelope            ErrTooLarge
//	2  it is no well-formed document of 100 levels        ErrScan, and that of walk.Check
//	3  it is not laid out as an envelope                  ErrLayout
//	4  it declares a payload longer than MaxPayload       ErrTooLarge
//	5  its block is empty, or the payload declared is     ErrBomb
//	   longer than MaxRatio times the block
//	6  the block is no LZ4, or longer than declared       ErrDecompress
//	7  the payload is not what was sealed                 ErrChecksum
//	8  the payload is shorter than declared               ErrSize
//
// No byte of the payload is allocated before 6. Every refusal of an envelope is an
// [*Error]. What follows has errors of its own:
//
//	a frame is none, or its header is not one          ErrFrame
//	the header names another serializer                ErrSerializer
//	sealed and unsealed are not what they must be      ErrSuspicious
//	Unseal refuses                                     bounds.ErrHook
//	the payload does not decode                        those of package decode
//
// ErrTooLarge and ErrBomb are [bounds.ErrLimit] too.
//
// # Layouts
//
// An envelope is written as an array of four: the block as a bin, the checksum as an
// array of eight ints, the length of the payload, and the format as a str. This is read
// in one pass. Read too, by way of the pre-scan, is everything else that CacheKit reads:
// the block as an array of ints, which is how it was written first, or as a str; the
// checksum as the first eight bytes of a bin; the format as a bin; ints and headers of any
// width; and a map of the four by name (str or bin) or index (unsigned int), in any order,
// whose other keys are skipped. Bytes after the envelope are accepted.
//
// The checksum is the XXH3 (64 bits, seed 0) of the payload. It finds damage, not malice,
// and covers neither the format nor anything else.
//
// The block is whatever the LZ4 decoder takes: an offset of 0 or from before the start is
// refused, a last sequence that announces a match it has no room for too, and a block that
// ends with a match is taken.
//
// # Payloads
//
// PayloadAny returns the values of package decode, under the policies of CacheKit's Python
// library: of a key that is given twice the last value counts, keys are str or bin, and
// three kinds of maps stand for other values (see [Markers]):
//
//	{"__datetime__": true, "value": "2025-11-14T10:30:00+01:00"}    time.Time
//	{"__date__": true, "value": "2025-11-14"}                       Date
//	{"__time__": true, "value": "10:30:00"}                         TimeOfDay
//
// The value is what Python's fromisoformat takes, in versions 3.11 to 3.13. A datetime
// without an offset is in the zone [Naive]. A user's map that looks like one of these
// becomes one.
package envelope
