package samples

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Users returns a page of a user list, the shape of an ordinary service's
// answer:
//
//	{"users": [user, ...], "total": n, "page": 1, "next": "cursor-0000"}
//
// where a user is a map of eight keys: id, name, email, address, tags (two to
// four of ten words), active, verified and score (a float64). Users(m) begins
// with the users of Users(n) for every n below m.
func Users(n int) []byte {
	r := newRand(streamUsers)
	b := AppendMap(make([]byte, 0, 240*n+64), 4)
	b = pairArray(b, "users", n)
	for i := range n {
		b = appendUser(b, r, i)
	}
	b = pairInt(b, "total", int64(n))
	b = pairInt(b, "page", 1)
	return pairStr(b, "next", "cursor-0000")
}

func appendUser(b []byte, r *rand.Rand, i int) []byte {
	id := 1000 + i
	first, last := pick(r, firstNames), pick(r, lastNames)
	b = AppendMap(b, 8)
	b = pairInt(b, "id", int64(id))
	b = pairStr(b, "name", first.text+" "+last.text)
	b = pairStr(b, "email", fmt.Sprintf("%s.%s%d@example.com", first.ascii, last.ascii, id))
	b = pairStr(b, "address", address(r, i))
	b = appendTags(b, r)
	b = pairBool(b, "active", !oneIn(r, 5))
	b = pairBool(b, "verified", oneIn(r, 2))
	return pairFloat(b, "score", float64(r.IntN(100_000))/1000)
}

// address holds i in it, so that no two users of a document share the text: a
// decoder that keeps equal strings once must not win by it here.
func address(r *rand.Rand, i int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%d %s %s, ", 100+r.IntN(9900), pick(r, streetNames), pick(r, streetKinds))
	fmt.Fprintf(&s, "Building %c, Floor %d, Apartment %d, ", 'A'+rune(r.IntN(6)), 1+r.IntN(9), 10+r.IntN(90))
	fmt.Fprintf(&s, "%05d %s, %s", 10_000+i, pick(r, cities), pick(r, regions))
	return s.String()
}

// appendTags takes its words from a walk around the list, so that no tag stands
// twice in one user.
func appendTags(b []byte, r *rand.Rand) []byte {
	n := 2 + r.IntN(3)
	b = pairArray(b, "tags", n)
	at := r.IntN(len(tags))
	for range n {
		b = AppendStr(b, tags[at])
		at = (at + 1 + r.IntN(2)) % len(tags)
	}
	return b
}

// A name is written as people write it and as their mail address does.
type name struct{ text, ascii string }

var firstNames = []name{
	{"Alice", "alice"},
	{"Björn", "bjorn"},
	{"Carmen", "carmen"},
	{"Dmitri", "dmitri"},
	{"Élodie", "elodie"},
	{"Farouk", "farouk"},
	{"Grace", "grace"},
	{"Hiroshi", "hiroshi"},
	{"Ingrid", "ingrid"},
	{"José", "jose"},
	{"Łukasz", "lukasz"},
	{"美咲", "misaki"},
}

var lastNames = []name{
	{"Anderson", "anderson"},
	{"Bergström", "bergstrom"},
	{"Castillo", "castillo"},
	{"Dubois", "dubois"},
	{"Eriksen", "eriksen"},
	{"Fernández", "fernandez"},
	{"Gupta", "gupta"},
	{"Hoffmann", "hoffmann"},
	{"Ivanova", "ivanova"},
	{"佐藤", "sato"},
}

var (
	streetNames = []string{"Harbour", "Chestnut", "Willow", "Station", "Cathedral", "Meadow", "Foundry", "Orchard"}
	streetKinds = []string{"Street", "Avenue", "Lane", "Square", "Boulevard"}
	cities      = []string{"Northfield-on-Tye", "Riverton", "Ashbourne Cross", "Great Millbrook", "Lakeside Park", "Eastwick"}
	regions     = []string{"Upper Valley of Tamsin", "Coastal District of Marlow", "Central Province of Ost", "Western Highlands"}
	tags        = []string{"admin", "editor", "beta", "premium", "staff", "billing", "support", "archived", "mobile", "partner"}
)
