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
	for off := 0; uint(off) < uint(len(doc)); {
		b := doc[off]
		if b&0xe0 == 0xa0 { // fixstr
			n := int(b & 0x1f)
			off++
			if end := off + n; end >= 8 && end <= len(doc) && n <= 8 {
				// The eight bytes that end with it, without those before it.
				w := binary.LittleEndian.Uint64(doc[end-8:]) >> (64 - 8*uint(n))
				if w&high == 0 {
					off = end
					continue
				}
			}
			if at := invalid(doc, off, n); at >= 0 {
				return at
			}
			off += n
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
		payload := uint64(f.fixed) + length(doc[off+1:off+size])
		off += size
		if f.kind == Array || f.kind == Map {
			continue
		}
		if payload > uint64(len(doc)-off) {
			return -1
		}
		if f.kind == Str {
			if at := invalid(doc, off, int(payload)); at >= 0 {
				return at
			}
		}
		off += int(payload)
	}
	return -1
}

// high has the high bit of every byte.
const high = 0x8080808080808080

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
