package samples

import (
	"math/rand/v2"
	"time"
)

// dateLayout has microseconds and no zone: the form in which services that know
// no timestamp ext commonly write a time.
const dateLayout = "2006-01-02T15:04:05.000000"

// Dates returns n records that hold a time as a marker map, the form in which
// systems without a timestamp type carry one:
//
//	{"records": [{"id": 0, "at": {"__datetime__": true, "value": "2026-..."}}, ...]}
func Dates(n int) []byte {
	r := newRand(streamDates)
	b := AppendMap(make([]byte, 0, 57*n+32), 1)
	b = pairArray(b, "records", n)
	for i := range n {
		b = AppendMap(b, 2)
		b = pairInt(b, "id", int64(i))
		b = pairMap(b, "at", 2)
		b = pairBool(b, "__datetime__", true)
		b = pairStr(b, "value", momentOf2026(r).Format(dateLayout))
	}
	return b
}

func momentOf2026(r *rand.Rand) time.Time {
	const year = 365 * 24 * time.Hour
	start := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	return start.Add(time.Duration(r.Int64N(int64(year))))
}
