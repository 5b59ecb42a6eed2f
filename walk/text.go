package walk

import (
	"encoding/binary"

	"github.com/boundpack/boundpack/asm"
)

// ValidPrefix returns the length of the longest prefix of s that is valid UTF-8
// by Go's rules: no overlong forms, no surrogates, nothing above U+10FFFF. It is
// where an invalid str is refused.
func ValidPrefix(s []byte) int { return asm.UTF8Prefix(s) }

// InvalidUTF8 returns the offset in doc, which is one whole document that was walked, of the
// first byte of a str that cannot belong to a valid UTF-8 sequence; -1 if there is none.
//
// As the walk has judged every header, this goes from one to the next and keeps no account.
func InvalidUTF8(doc []byte) int {
	bias := fixstrBias
	for off := 0; uint(off) < uint(len(doc)); {
		b := doc[off]
		if int8(b) >= -32 { // both fixints
			off++
			continue
		}
		if b&0xe0 == 0xa0 { // fixstr
			n := int(b & 0x1f)
			if len(doc)-off > 32 {
				s, mask := doc[off+1:off+33], &fixstrMasks[n]
				if binary.LittleEndian.Uint64(s)&mask[0]|binary.LittleEndian.Uint64(s[8:])&mask[1]|
					binary.LittleEndian.Uint64(s[16:])&mask[2]|binary.LittleEndian.Uint64(s[24:])&mask[3] == 0 {
					off = off - bias + int(b)
					continue
				}
			}
			if at := invalid(doc, off+1, n); at >= 0 {
				return at
			}
			off += 1 + n
			continue
		}
		if b == 0xcb { // float 64
			off += 9
			continue
		}
		if b < 0xa0 { // fixmap, fixarray
			off++
			continue
		}
		if n := int(plain[b]); n > 0 {
			off += n
			continue
		}
		f := formats[b]
		size := 1 + int(f.width)
		if f.kind == 0 || size > len(doc)-off {
			return -1 // doc was not walked
		}
		n := uint64(f.fixed) + length(doc[off+1:off+size])
		off += size
		switch {
		case f.kind == Array:
			off += skipRuns(doc[off:], n)
			continue
		case f.kind == Map:
			continue
		case n > uint64(len(doc)-off):
			return -1
		case f.kind == Str:
			if at := invalid(doc, off, int(n)); at >= 0 {
				return at
			}
		}
		off += int(n)
	}
	return -1
}

// skipRuns returns how many bytes at the start of p, where the items of an array begin, are
// runs that hold no str.
func skipRuns(p []byte, items uint64) int {
	off := 0
	for items >= leastRun && off < len(p) && p[off]&0xe0 != 0xa0 {
		n, size := run(p[off:], int(min(items, uint64(len(p)))))
		off += n * size
		if items -= uint64(n); n < leastRun {
			break
		}
	}
	return off
}

// fixstrMasks has for each length the high bits of that many bytes.
var fixstrMasks = func() (t [32][4]uint64) {
	for n := range t {
		for i := range n {
			t[n][i/8] |= 0x80 << (i % 8 * 8)
		}
	}
	return t
}()

// invalid returns the offset of the first byte that is not valid UTF-8 in the str of n bytes
// at off; -1 if there is none.
func invalid(doc []byte, off, n int) int {
	if n > len(doc)-off {
		return -1
	}
	s := doc[off : off+n]
	if at := asm.UTF8Prefix(s); at < n {
		return off + at
	}
	return -1
}
