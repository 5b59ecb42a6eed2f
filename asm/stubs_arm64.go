//go:build !purego

package asm

// utf8BlocksNEON returns how far the n bytes at p were proved: to n, or to a block of 16
// bytes that holds or follows an error, or to what is left after the last whole block if
// that is two bytes at most. A sequence that is open there may begin before it. n is 16 or
// more.
//
//go:noescape
func utf8BlocksNEON(p *byte, n int) int

// asciiNEON returns the offset of the first of n bytes at p that is not ASCII, n if there
// is none. n is 16 or more.
//
//go:noescape
func asciiNEON(p *byte, n int) int

// oneByteNEON returns the offset of the first of n bytes at p that is no fixint, nil or
// bool, n if there is none. n is 16 or more.
//
//go:noescape
func oneByteNEON(p *byte, n int) int

// strideNEON returns how many of the groups at p, each of size bytes, have the marker where
// masks is not zero, up to the first that does not. size is a multiple of 16.
//
//go:noescape
func strideNEON(p *byte, groups int, marker byte, size int, masks *byte) int
