package parity

import (
	"math/rand/v2"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// BinAsStr returns doc with every bin packed as a str of the same length. The walk
// accepts doc.
func BinAsStr(doc []byte) []byte {
	doc = append([]byte{}, doc...)
	c, err := walk.NewCursor(doc, bounds.Limits{})
	if err != nil {
		panic(err)
	}
	for {
		t, err := c.Next()
		if err != nil {
			return doc
		}
		if t.Kind == walk.Bin {
			doc[t.Offset] += 0xd9 - 0xc4 // the markers of both stand in the same order
		}
	}
}

// Edit returns doc after one to three random edits of its bytes.
func Edit(r *rand.Rand, doc []byte) []byte {
	doc = append([]byte{}, doc...)
	for range 1 + r.IntN(3) {
		if len(doc) == 0 {
			return []byte{randomByte(r)}
		}
		i := r.IntN(len(doc))
		switch r.IntN(6) {
		case 0:
			doc = append(doc[:i], doc[i+1:]...)
		case 1:
			doc = append(doc[:i], append([]byte{randomByte(r)}, doc[i:]...)...)
		case 2: // bytes from elsewhere
			j := r.IntN(len(doc))
			copy(doc[i:], append([]byte{}, doc[j:min(len(doc), j+1+r.IntN(8))]...))
		case 3:
			doc[i] ^= 1 << r.IntN(7) // text stays ASCII, ints stay ints
		default:
			doc[i] = randomByte(r)
		}
	}
	return doc
}

// randomByte returns a byte that stands in text for most, or a marker.
func randomByte(r *rand.Rand) byte {
	if r.IntN(4) > 0 {
		return byte(r.IntN(128))
	}
	return byte(128 + r.IntN(128))
}
