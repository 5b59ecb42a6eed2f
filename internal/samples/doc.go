// Package samples makes the MessagePack documents that tests, fuzz targets and
// benchmarks of this module share, and holds the small append-style encoder
// they are made with.
//
// Every document is a pure function of its arguments: the generators draw from
// math/rand/v2's PCG with [Seed] and a stream number of their own, so the bytes
// are the same on every run, machine and architecture, and no document changes
// when another generator does. Floats are made of integers by one division,
// never by a sum of products, which some architectures would fuse and round
// differently.
//
// The documents are shaped after real traffic: [TwitterLike], [CitmLike] and
// [CanadaLike] follow the size, the nesting and the mix of values of three JSON
// files that decoders are commonly measured with. Their keys and their texts
// are this package's own.
package samples
