package samples

import (
	"fmt"
	"math/rand/v2"
)

// The tables a catalogue's nights refer to by number.
const (
	citmShows      = 184
	citmNights     = 243
	citmClasses    = 64
	citmSubThemes  = 19
	citmZones      = 17
	citmThemes     = 4
	citmFirstShow  = 138_600_001
	citmFirstZone  = 205_800_003
	citmFirstTheme = 324_900_007
	citmFirstSub   = 337_200_011
	citmFirstClass = 338_900_013
	citmFirstNight = 339_900_017
	citmAudience   = 337_100_019
)

// CitmLike returns a concert catalogue of about 342 kB in the shape of the JSON
// benchmark file citm_catalog: some 9,600 maps of two keys, 8,700 empty arrays
// and 13,000 numbers of 32 bits, with hardly any text but keys.
func CitmLike() []byte {
	r := newRand(streamCitm)
	b := AppendMap(make([]byte, 0, 360<<10), 11)
	b = appendNames(b, "zoneNames", citmFirstZone, citmZones, zoneName)
	b = appendNames(b, "audienceSubgroupNames", citmAudience, 1, func(int) string { return "Abonnés" })
	b = pairMap(b, "rowNames", 0)
	b = appendShows(b, r)
	b = appendNights(b, r)
	b = appendNames(b, "seatingClassNames", citmFirstClass, citmClasses, className)
	b = appendNames(b, "subThemeNames", citmFirstSub, citmSubThemes, subThemeName)
	b = pairMap(b, "subjectNames", 0)
	b = appendNames(b, "themeNames", citmFirstTheme, citmThemes, themeName)
	b = appendThemeTree(b, r)
	b = pairMap(b, "houseNames", 1)
	return pairStr(b, "GRANDE_SALLE", "Grande salle")
}

// appendNames appends a map from numbers, written as strings, to names.
func appendNames(b []byte, key string, first, n int, nameOf func(i int) string) []byte {
	b = pairMap(b, key, n)
	for i := range n {
		b = pairStr(b, fmt.Sprint(first+i), nameOf(i))
	}
	return b
}

func appendShows(b []byte, r *rand.Rand) []byte {
	b = pairMap(b, "shows", citmShows)
	for i := range citmShows {
		id := showID(i)
		b = AppendStr(b, fmt.Sprint(id))
		b = AppendMap(b, 8)
		b = pairNil(b, "abstract")
		b = pairInt(b, "id", id)
		icon := ""
		if oneIn(r, 2) {
			icon = fmt.Sprintf("/pictures/UE0AAAAA%08XVRN", r.Uint32())
		}
		b = pairStrOrNil(b, "icon", icon)
		b = pairStr(b, "name", fmt.Sprintf("%s n° %d", pick(r, showNames), 1+r.IntN(90)))
		b = appendIDs(b, r, "subThemeIds", citmFirstSub, citmSubThemes, 1+r.IntN(5))
		b = pairNil(b, "subjectKey")
		b = pairNil(b, "caption")
		b = appendIDs(b, r, "themeIds", citmFirstTheme, citmThemes, 1+r.IntN(4))
	}
	return b
}

// showID leaves gaps of four between shows, as numbers of a shared sequence do.
func showID(i int) int64 { return int64(citmFirstShow + 4*i) }

// appendIDs appends an array of n different numbers of a table.
func appendIDs(b []byte, r *rand.Rand, key string, first, table, n int) []byte {
	b = pairArray(b, key, n)
	for _, i := range r.Perm(table)[:n] {
		b = AppendInt(b, int64(first+i))
	}
	return b
}

func appendNights(b []byte, r *rand.Rand) []byte {
	b = pairArray(b, "concerts", citmNights)
	for i := range citmNights {
		classes := 1 + r.IntN(13)/2
		firstClass := int64(citmFirstClass + r.IntN(citmClasses-classes))
		b = AppendMap(b, 9)
		b = pairInt(b, "showId", showID(r.IntN(citmShows)))
		b = pairInt(b, "id", int64(citmFirstNight+13*i))
		b = pairNil(b, "icon")
		b = pairNil(b, "name")
		b = appendPrices(b, r, firstClass, classes)
		b = appendSeating(b, r, firstClass, classes)
		b = pairNil(b, "seatPlanImage")
		b = pairInt(b, "start", 1_372_701_600_000+int64(r.IntN(350))*86_400_000)
		b = pairStr(b, "houseCode", "GRANDE_SALLE")
	}
	return b
}

func appendPrices(b []byte, r *rand.Rand, firstClass int64, classes int) []byte {
	b = pairArray(b, "prices", classes)
	for c := range classes {
		b = AppendMap(b, 3)
		// Prices come in cents and steps of 250; the cheap ones fit 16 bits.
		b = pairInt(b, "amount", 250*int64(40+r.IntN(1000)/(1+c)))
		b = pairInt(b, "audienceSubgroupingId", citmAudience)
		b = pairInt(b, "seatingClassId", firstClass+int64(c))
	}
	return b
}

func appendSeating(b []byte, r *rand.Rand, firstClass int64, classes int) []byte {
	b = pairArray(b, "seatingZones", classes)
	for c := range classes {
		zones := 4 + r.IntN(13)
		b = AppendMap(b, 2)
		b = pairArray(b, "zones", zones)
		for _, z := range r.Perm(citmZones)[:zones] {
			b = AppendMap(b, 2)
			b = pairInt(b, "zoneId", int64(citmFirstZone+z))
			b = pairArray(b, "rowLists", 0)
		}
		b = pairInt(b, "seatingClassId", firstClass+int64(c))
	}
	return b
}

func appendThemeTree(b []byte, r *rand.Rand) []byte {
	b = pairMap(b, "themeSubThemes", citmThemes)
	for i := range citmThemes {
		b = appendIDs(b, r, fmt.Sprint(citmFirstTheme+i), citmFirstSub, citmSubThemes, 1+r.IntN(12))
	}
	return b
}

func zoneName(i int) string {
	return fmt.Sprintf("%s, côté %s", [...]string{"Parterre", "Corbeille", "Premier balcon", "Second balcon"}[i/2%4], [...]string{"cour", "jardin"}[i%2])
}

func className(i int) string { return fmt.Sprintf("Catégorie %d", 1+i) }

func subThemeName(i int) string { return fmt.Sprintf("Musique, genre %d", 1+i) }

func themeName(i int) string {
	return [...]string{"Genre", "Type de public", "Activité", "Saison"}[i]
}

var showNames = []string{
	"Concert du soir à la grande salle", "Quatuor à cordes de la maison", "Grand orchestre et ses invités",
	"Récital de piano", "Symphony night with the youth orchestra", "Matinée en famille", "Chœur de chambre et orgue",
	"Jazz at the hall", "Opera gala", "An hour at the organ, introduced by the organist",
}
