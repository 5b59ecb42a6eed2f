// Package typedparity holds decoding into Go types against two references, for tests
// only. The types are built by reflection from a seed: every kind, tags and policies of
// package decode included, nested to four levels.
//
// The plain decoder here is the rules of package decode for Go types written down as
// simply as they can be: it says what a document must become in what a target holds
// before, or for which reason, at which offset and for which Go type it must be refused.
//
// The peer is github.com/vmihailenco/msgpack/v5, shown only what [walk.Check] accepts.
// Where it is known to answer otherwise, the difference has a name, a reason and an input
// that shows it; any other difference is a failure, and so is one that no random document of a
// run shows. Of right documents the differences may explain 2 %. Of those that are wrong in one
// place they explain about a third, as most such places (a key twice, no UTF-8, bytes behind)
// are what decode refuses and the peer takes; each is held to the plain decoder all the same.
package typedparity
