package samples

import "math/rand/v2"

const (
	canadaRings  = 480
	canadaPoints = 55_563
)

// CanadaLike returns one polygon of about 1.06 MB in the shape of the JSON
// benchmark file canada: 480 closed rings, most of them of 9 to 40 points and
// every tenth of hundreds, of 55,563 pairs of float64 together.
func CanadaLike() []byte {
	r := newRand(streamCanada)
	b := AppendMap(make([]byte, 0, 1_060_000), 2)
	b = pairStr(b, "kind", "OutlineCollection")
	b = pairArray(b, "outlines", 1)
	b = AppendMap(b, 3)
	b = pairStr(b, "kind", "Outline")
	b = pairMap(b, "details", 1)
	b = pairStr(b, "label", "Islands")
	b = pairMap(b, "shape", 2)
	b = pairStr(b, "kind", "Polygon")
	b = pairArray(b, "rings", canadaRings)
	for _, points := range ringSizes(r) {
		b = appendRing(b, r, points)
	}
	return b
}

// ringSizes draws the rings and gives what is left of the points to the last.
func ringSizes(r *rand.Rand) []int {
	sizes := make([]int, canadaRings)
	left := canadaPoints
	for i := range sizes {
		sizes[i] = 9 + r.IntN(32)
		if i%10 == 0 {
			sizes[i] = 100 + r.IntN(1500)
		}
		left -= sizes[i]
	}
	sizes[canadaRings-1] += left
	return sizes
}

// appendRing appends a walk of small steps that ends where it began. It counts
// in billionths of a degree, so that the coordinates fill the mantissa and are
// the same on every machine.
func appendRing(b []byte, r *rand.Rand, points int) []byte {
	const degree = 1_000_000_000
	startX, startY := r.Int64N(80*degree)-140*degree, 42*degree+r.Int64N(40*degree)
	x, y := startX, startY
	b = AppendArray(b, points)
	for range points - 1 {
		b = appendPoint(b, x, y)
		x += r.Int64N(degree/10) - degree/20
		y += r.Int64N(degree/10) - degree/20
	}
	return appendPoint(b, startX, startY)
}

func appendPoint(b []byte, x, y int64) []byte {
	b = AppendArray(b, 2)
	b = AppendFloat64(b, float64(x)/1e9)
	return AppendFloat64(b, float64(y)/1e9)
}
