package envelope

import (
	"encoding/binary"
	"unicode/utf8"
)

// canonicalItems is how many items an envelope has as it is written: the array, the
// block, the array of eight ints, the size and the format.
const canonicalItems = 1 + 1 + 1 + 8 + 1 + 1

// readCanonical finds the parts of an envelope that is laid out as it is written, in one
// pass and without the pre-scan: each header it takes is one that the header step takes
// and the full read understands in the same way. It never refuses: ok is false for
// anything else, which the full read judges.
func readCanonical(env []byte) (p parts, ok bool) {
	// The shortest has 14 bytes: 94 c400 98 and eight ints, the size, a0.
	if len(env) < 14 || env[0] != 0x94 {
		return parts{}, false
	}
	var off, n int
	switch env[1] {
	case 0xc4:
		off, n = 3, int(env[2])
	case 0xc5:
		off, n = 4, int(binary.BigEndian.Uint16(env[2:]))
	case 0xc6:
		size := binary.BigEndian.Uint32(env[2:])
		if uint64(size) > uint64(len(env)) {
			return parts{}, false
		}
		off, n = 6, int(size)
	default:
		return parts{}, false
	}
	if n > len(env)-off {
		return parts{}, false
	}
	p.block, p.length = env[off:off+n:off+n], n
	tail := env[off+n:]

	if len(tail) < 11 || tail[0] != 0x98 {
		return parts{}, false
	}
	tail = tail[1:]
	for range 8 {
		// Two bytes for every int, one for the size and one for the format.
		if len(tail) < 2 {
			return parts{}, false
		}
		b, width := tail[0], 1
		if b >= 0x80 {
			if b != 0xcc {
				return parts{}, false
			}
			b, width = tail[1], 2
		}
		p.checksum = p.checksum<<8 | uint64(b)
		tail = tail[width:]
	}

	if len(tail) < 1 {
		return parts{}, false
	}
	switch b := tail[0]; {
	case b < 0x80:
		p.size, tail = uint32(b), tail[1:]
	case b == 0xcc && len(tail) > 1:
		p.size, tail = uint32(tail[1]), tail[2:]
	case b == 0xcd && len(tail) > 2:
		p.size, tail = uint32(binary.BigEndian.Uint16(tail[1:])), tail[3:]
	case b == 0xce && len(tail) > 4:
		p.size, tail = binary.BigEndian.Uint32(tail[1:]), tail[5:]
	default:
		return parts{}, false
	}

	if len(tail) < 1 {
		return parts{}, false
	}
	switch b := tail[0]; {
	case b&0xe0 == 0xa0:
		n, tail = int(b&0x1f), tail[1:]
	case b == 0xd9 && len(tail) > 1:
		n, tail = int(tail[1]), tail[2:]
	default:
		return parts{}, false
	}
	if n > len(tail) || !utf8.Valid(tail[:n]) {
		return parts{}, false
	}
	p.format = tail[:n:n]
	return p, true
}
