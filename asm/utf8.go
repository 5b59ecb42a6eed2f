package asm

import (
	"encoding/binary"
	"unicode/utf8"
)

// maxCall is the most bytes that one call of a kernel is given: while it runs, the
// goroutine cannot be stopped.
const maxCall = 256 << 10

// high has the high bit of every byte: set somewhere in a word that is not all ASCII.
const high = 0x8080808080808080

// UTF8Prefix returns the length in bytes of the longest prefix of p that is valid UTF-8
// by Go's rules: no overlong forms, no surrogates, nothing above U+10FFFF.
func UTF8Prefix(p []byte) int {
	n := len(p)
	switch {
	case n >= 32:
		if n <= maxCall && utf8Proved(p) == n && complete(p) == n {
			return n
		}
	case n >= 8:
		or := word(p, 0) | word(p, n-8)
		if n > 16 {
			or |= word(p, 8) | word(p, n-16)
		}
		if or&high == 0 || utf8Short(p) {
			return n
		}
	case fewASCII(p):
		return n
	}
	return utf8PrefixSlow(p)
}

// utf8PrefixSlow is UTF8Prefix for what is too short for a kernel, longer than one call
// of it may be, or not valid.
//
//go:noinline
func utf8PrefixSlow(p []byte) int {
	at := 0
	for len(p)-at >= 32 {
		given := p[at:min(len(p), at+maxCall)]
		proved := utf8Proved(given)
		at += complete(given[:proved])
		if proved < len(given) {
			break // the rest of at most a few blocks, if it is not in error
		}
	}
	return at + utf8PrefixGo(p[at:])
}

// word returns the eight bytes of p from i on.
func word(p []byte, i int) uint64 { return binary.LittleEndian.Uint64(p[i:]) }

// fewASCII reports whether p, of less than 8 bytes, is ASCII.
func fewASCII(p []byte) bool {
	n := len(p)
	switch {
	case n >= 4:
		return (binary.LittleEndian.Uint32(p)|binary.LittleEndian.Uint32(p[n-4:]))&(high>>32) == 0
	case n > 0:
		return p[0]|p[n/2]|p[n-1] < utf8.RuneSelf
	}
	return true
}

// complete returns the length of p without a sequence that is open at its end. p is
// valid otherwise.
func complete(p []byte) int {
	n := len(p)
	switch {
	case n >= 1 && p[n-1] >= 0xc0:
		return n - 1
	case n >= 2 && p[n-2] >= 0xe0:
		return n - 2
	case n >= 3 && p[n-3] >= 0xf0:
		return n - 3
	}
	return n
}

// utf8PrefixGo is the twin of the kernels behind UTF8Prefix.
func utf8PrefixGo(p []byte) int {
	if utf8.Valid(p) {
		return len(p)
	}
	n := 0
	for n < len(p) {
		r, size := utf8.DecodeRune(p[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}
