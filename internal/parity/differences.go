package parity

// Difference is one way in which the peer is known to answer otherwise: it makes a
// value of what decode refuses.
type Difference struct {
	What  string // the flaw for which decode refuses the document
	Why   string
	Shows string // a document that shows it, as package hexdoc reads it
	Set   string // under the options of this set
}

// Differences are all of them.
var Differences = []Difference{
	{
		DuplicateKey, "the peer's maps keep the last value; decode refuses unless told which one to keep",
		"82a16b01a16b02", "default",
	},
	{
		InvalidUTF8, "the peer takes the bytes of a str as they are; decode refuses unless told to",
		"a2c328", "default",
	},
	{
		BinKey, "the peer makes a str key of a bin key; to decode they are two keys",
		"81c4016b01", "default",
	},
	{
		NilKey, `the peer makes the key "" of nil; to decode nil is no str`,
		"81c001", "default",
	},
	{
		NaNKey, "Go maps take a NaN key, under which nothing is found; decode refuses it",
		"81cb7ff800000000000001", "last wins, any keys",
	},
	{
		TimestampKey, "time.Time is a key to Go maps, but not the same key for the same time; decode refuses it",
		"81d6ff0000000001", "last wins, any keys",
	},
	{
		TimestampNanoseconds, "the peer carries nanoseconds above 999,999,999 into the seconds; the specification forbids them",
		"d7ffee6b280000000001", "default",
	},
	{
		TimestampSeconds, "seconds that time.Time cannot hold wrap in the peer; decode refuses them",
		"c70cff000000007fffffffffffffff", "default",
	},
}

// named returns the difference that what is, nil if there is none.
func named(what string) *Difference {
	for i := range Differences {
		if Differences[i].What == what {
			return &Differences[i]
		}
	}
	return nil
}
