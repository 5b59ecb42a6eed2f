package samples

import "math/rand/v2"

// Seed is the first word of every generator's PCG seed. Changing it changes
// every random sample, the pinned sums of the tests and the files below
// testdata.
const Seed = 1

// The second word of the seed: one stream for each generator, so that a change
// to one leaves the bytes of the others alone.
const (
	// streamUsers is chosen: with it Users(100) holds 300 tags and 2,009 values,
	// a mean user, and Users(4) 982 bytes.
	streamUsers = 98

	streamDates = 1 + iota
	streamInts
	streamFloats
	streamStrs
	streamMap
	streamASCII
	streamUTF8
	streamBin
	streamTwitter
	streamCitm
	streamCanada
)

func newRand(stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(Seed, stream))
}

// pick returns one element of from, all equally likely.
func pick[T any](r *rand.Rand, from []T) T {
	return from[r.IntN(len(from))]
}

// oneIn reports true once in n draws on average.
func oneIn(r *rand.Rand, n int) bool {
	return r.IntN(n) == 0
}
