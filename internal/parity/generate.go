package parity

import (
	"math"
	"math/rand/v2"

	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/samples"
)

// Generator makes random documents for a set.
type Generator struct {
	r     *rand.Rand
	set   *Set
	b     []byte
	items int    // that may still be made, about
	flaw  string // that the document is to have; "" for none
	texts []string
}

// NewGenerator returns a Generator that draws from r.
func NewGenerator(r *rand.Rand, s *Set) *Generator {
	return &Generator{r: r, set: s}
}

// Document returns a document that is mostly taken under the options of the set.
func (g *Generator) Document() []byte { return g.document("") }

func (g *Generator) document(flaw string) []byte {
	g.b, g.flaw, g.items = nil, flaw, 1+g.r.IntN(60)
	g.texts = g.texts[:0]
	for range 6 {
		g.texts = append(g.texts, g.fresh())
	}
	switch {
	case g.oneIn(12):
		g.scalar()
	case g.oneIn(10): // deep: beyond the levels that the stack holds inline
		for range g.r.IntN(24) {
			g.b = samples.AppendArray(g.b, 1)
		}
		g.value(3)
	default:
		g.container(1 + g.r.IntN(7))
	}
	return g.b
}

func (g *Generator) oneIn(n int) bool { return g.r.IntN(n) == 0 }

// about reports whether here is a place for the flaw, if it is the document's.
func (g *Generator) about(flaw string) bool { return g.flaw == flaw && g.oneIn(3) }

func (g *Generator) value(depth int) {
	if depth > 0 && g.items > 0 && g.oneIn(3) {
		g.container(depth)
		return
	}
	g.scalar()
}

func (g *Generator) container(depth int) {
	n := g.r.IntN(7)
	if g.oneIn(12) {
		n = g.r.IntN(40)
	}
	g.items -= n
	switch {
	case g.about(Hook) || g.oneIn(6) || g.set.Options.Markers != nil && g.oneIn(3):
		g.marker(depth - 1)
	case g.oneIn(2):
		g.count(n, 0x90, 0xdc)
		for range n {
			g.value(depth - 1)
		}
	default:
		g.dict(n, depth-1)
	}
}

func (g *Generator) scalar() {
	g.items--
	if g.about(TimestampLength) || g.about(TimestampNanoseconds) || g.about(TimestampSeconds) {
		g.timestamp()
		return
	}
	switch g.r.IntN(20) {
	case 0:
		g.b = samples.AppendNil(g.b)
	case 1:
		g.b = samples.AppendBool(g.b, g.oneIn(2))
	case 2, 3, 4, 5, 6:
		g.int()
	case 7, 8:
		g.float()
	case 9:
		g.bin()
	case 10:
		g.ext()
	case 11:
		g.timestamp()
	default:
		g.str()
	}
}

// edges are the ints around which formats and Go types change.
var edges = []int64{
	0, 127, 128, 255, 256, 32767, 32768, 65535, 65536, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32,
	math.MaxUint32 + 1, math.MaxInt64, -1, -32, -33, -128, -129, -32768, -32769, math.MinInt32, math.MinInt32 - 1, math.MinInt64,
}

// int appends an int, in the shortest format for half of them.
func (g *Generator) int() {
	v := int64(g.r.IntN(300)) - 40
	switch g.r.IntN(4) {
	case 0:
		v = edges[g.r.IntN(len(edges))]
	case 1:
		v = int64(g.r.Uint64()) >> g.r.IntN(64)
	case 2:
		if g.oneIn(4) { // beyond int64
			g.b = samples.AppendUint(g.b, g.r.Uint64()|1<<63)
			return
		}
	}
	g.b = g.wider(v)
}

// wider appends v in a random format that holds it.
func (g *Generator) wider(v int64) []byte {
	width := g.r.IntN(8) // of the log of the number of bytes; 4 and above for the shortest
	bits := uint(8) << min(width, 3)
	switch {
	case width > 3:
	case v >= 0 && g.oneIn(2) && (bits == 64 || v>>bits == 0):
		return g.bytes(0xcc+byte(width), uint64(v), bits)
	case v >= math.MinInt64>>(64-bits) && v <= math.MaxInt64>>(64-bits):
		return g.bytes(0xd0+byte(width), uint64(v), bits)
	}
	return samples.AppendInt(g.b, v)
}

// bytes appends marker and the low bits of v, big-endian.
func (g *Generator) bytes(marker byte, v uint64, bits uint) []byte {
	b := append(g.b, marker)
	for bits > 0 {
		bits -= 8
		b = append(b, byte(v>>bits))
	}
	return b
}

func (g *Generator) float() {
	v := g.r.NormFloat64()
	switch g.r.IntN(8) {
	case 0:
		v = 0
	case 1:
		v = math.Copysign(0, -1)
	case 2:
		v = math.Inf(1 - 2*g.r.IntN(2))
	case 3: // NaN of any payload, signalling ones too
		g.b = g.bytes(0xcb, 0x7ff0000000000001|g.r.Uint64()>>12|g.r.Uint64()<<63, 64)
		return
	case 4:
		g.b = g.bytes(0xca, 0x7f800001|g.r.Uint64()>>41, 32)
		return
	}
	if g.oneIn(2) {
		g.b = samples.AppendFloat32(g.b, float32(v))
		return
	}
	g.b = samples.AppendFloat64(g.b, v)
}

// count appends the header of a container of n, in the shortest format for most.
func (g *Generator) count(n int, fix, first16 byte) {
	switch {
	case n < 16 && !g.oneIn(5):
		g.b = append(g.b, fix|byte(n))
	case g.oneIn(2):
		g.b = g.bytes(first16, uint64(n), 16)
	default:
		g.b = g.bytes(first16+1, uint64(n), 32)
	}
}

// length appends the header of n bytes, in the shortest format for most; first8 is the
// marker of that with a length field of one byte.
func (g *Generator) length(n int, first8 byte) {
	width := byte(g.r.IntN(9)) / 6
	for width < 2 && n>>(8<<width) != 0 {
		width++
	}
	if g.oneIn(10) {
		width = 2
	}
	g.b = g.bytes(first8+width, uint64(n), 8<<width)
}

func (g *Generator) bin() {
	if g.oneIn(30) { // no text
		n := g.r.IntN(20)
		g.length(n, 0xc4)
		for range n {
			g.b = append(g.b, byte(g.r.Uint32()))
		}
		return
	}
	s := g.text()
	g.length(len(s), 0xc4)
	g.b = append(g.b, s...)
}

func (g *Generator) ext() {
	typ := int8(g.r.Uint32())
	if g.oneIn(2) {
		typ = []int8{5, -3, 0, 127, -128, 13}[g.r.IntN(6)]
	}
	if typ == -1 {
		typ = 1
	}
	n := []int{0, 1, 2, 3, 4, 5, 8, 12, 16, 17, 40, 300}[g.r.IntN(12)]
	if _, takesTwo := g.set.ext(5); typ == 5 && takesTwo && !g.about(Hook) {
		n = 2
	}
	content := make([]byte, n)
	for i := range content {
		content[i] = byte(g.r.Uint32())
	}
	g.extOf(typ, content)
}

// extOf appends an ext, in the shortest format for half of them.
func (g *Generator) extOf(typ int8, content []byte) {
	if g.oneIn(2) {
		g.b = samples.AppendExt(g.b, typ, content)
		return
	}
	g.length(len(content), 0xc7)
	g.b = append(append(g.b, byte(typ)), content...)
}

// str appends a str, in the shortest format for most.
func (g *Generator) str() {
	g.strOf(g.text())
}

func (g *Generator) strOf(s string) {
	if len(s) < 32 && !g.oneIn(6) {
		g.b = append(append(g.b, 0xa0|byte(len(s))), s...)
		return
	}
	g.length(len(s), 0xd9)
	g.b = append(g.b, s...)
}

// dict appends a map of n pairs.
func (g *Generator) dict(n, depth int) {
	g.count(n, 0x80, 0xde)
	seen := map[any]bool{}
	for range n {
		g.key(seen)
		g.value(depth)
	}
}

// key appends a key that is not in seen, or one that may be, if the set takes a key twice
// or that is the document's flaw.
func (g *Generator) key(seen map[any]bool) {
	if g.oddKey() {
		return
	}
	o := &g.set.Options
	twice := g.about(DuplicateKey) || o.DuplicateKeys != decode.RefuseDuplicates && g.oneIn(4)
	for try := 0; ; try++ {
		start := len(g.b)
		id := g.plainKey(try)
		if !seen[id] || twice {
			seen[id] = true
			return
		}
		g.b = g.b[:start]
	}
}

// plainKey appends a key of a kind that the set takes and returns what it is as a key.
// The more tries, the longer it is.
func (g *Generator) plainKey(try int) (id any) {
	s := g.text()
	if try > 2 {
		s += g.fresh()
	}
	keys := g.set.Options.MapKeys
	if keys != decode.StringKeys && g.oneIn(6) {
		g.length(len(s), 0xc4)
		g.b = append(g.b, s...)
		return decode.Bin(s)
	}
	if keys == decode.AnyKeys && g.oneIn(3) {
		switch g.r.IntN(8) {
		case 0:
			g.b = samples.AppendNil(g.b)
			return nil
		case 1:
			v := g.oneIn(2)
			g.b = samples.AppendBool(g.b, v)
			return v
		case 2:
			v := math.Copysign(float64(g.r.IntN(3))/4, g.r.NormFloat64()) // -0.0 too
			g.b = samples.AppendFloat64(g.b, v)
			return v
		}
		v := int64(g.r.IntN(200 << min(try, 40)))
		g.b = g.wider(v)
		return v
	}
	g.strOf(s)
	return replaced(s)
}
