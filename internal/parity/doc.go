// Package parity holds decoding to any against two references, for tests only.
//
// The peer is github.com/vmihailenco/msgpack/v5, shown only what [walk.Check] accepts:
// another reading of the same bytes. Where it is known to answer otherwise, the
// difference has a name, a reason and an input that shows it; any other difference is
// a failure. Documents that were made without a flaw need no difference; of those with a
// flaw or edited bytes the differences explain about one in six, invalid UTF-8 most of all.
//
// The plain decoder of this package is the rules of package decode written down as
// simply as they can be, without a limit on memory, shortcuts or sharing: it says
// what a document must become, or why, and at which offset, it must be refused.
//
// [Compare] holds one input against the peer, [Laws] against the plain decoder and
// against decode's own promises. A [Set] is the options both are done under, a
// [Generator] makes the inputs.
package parity
