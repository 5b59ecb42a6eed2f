package samples

import "fmt"

// Ints returns an array of n integers of one byte each, -32 to 127 equally
// likely.
func Ints(n int) []byte {
	r := newRand(streamInts)
	b := AppendArray(make([]byte, 0, n+5), n)
	for range n {
		b = AppendInt(b, int64(r.IntN(160)-32))
	}
	return b
}

// Floats returns an array of n float64 values below 1000 in magnitude, whose
// mantissas use all their bits.
func Floats(n int) []byte {
	r := newRand(streamFloats)
	b := AppendArray(make([]byte, 0, 9*n+5), n)
	for range n {
		b = AppendFloat64(b, float64(r.Int64N(2e15)-1e15)/1e12)
	}
	return b
}

// Strs returns an array of n strings of 2 to 16 lower-case letters.
func Strs(n int) []byte {
	r := newRand(streamStrs)
	b := AppendArray(make([]byte, 0, 10*n+5), n)
	var s [16]byte
	for range n {
		text := s[:2+r.IntN(15)]
		for i := range text {
			text[i] = byte('a' + r.IntN(26))
		}
		b = AppendStr(b, string(text))
	}
	return b
}

// Map returns one map of n pairs, from distinct keys like key-00042 in no
// order to integers below a million.
func Map(n int) []byte {
	r := newRand(streamMap)
	b := AppendMap(make([]byte, 0, 16*n+5), n)
	for _, i := range r.Perm(n) {
		b = pairInt(b, fmt.Sprintf("key-%05d", i), r.Int64N(1e6))
	}
	return b
}
