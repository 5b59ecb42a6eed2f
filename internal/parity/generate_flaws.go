package parity

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/samples"
	"github.com/boundpack/boundpack/walk"
)

// Flaws are what documents can be refused for under the options of the set, beside
// what follows them.
func (s *Set) Flaws() []string {
	o := &s.Options
	flaws := []string{NaNKey, TimestampKey, OtherKey, TimestampLength, TimestampNanoseconds}
	may := func(flaw string, can bool) {
		if can {
			flaws = append(flaws, flaw)
		}
	}
	may(DuplicateKey, o.DuplicateKeys == decode.RefuseDuplicates)
	may(InvalidUTF8, o.UTF8 == decode.RefuseInvalidUTF8)
	may(BinKey, o.MapKeys == decode.StringKeys)
	may(NilKey, o.MapKeys != decode.AnyKeys)
	may(TimestampSeconds, o.Exts == nil)
	may(Hook, o.Exts != nil || o.Markers != nil)
	return flaws
}

// Flawed returns a document that is refused for flaw, one of the set's.
func (g *Generator) Flawed(flaw string) []byte {
	for range 10_000 {
		doc := g.document(flaw)
		if walk.Check(doc, g.set.Options.Limits) != nil {
			continue
		}
		if _, _, f := Plain(doc, g.set); f != nil && f.What == flaw {
			return doc
		}
	}
	panic("no document has the flaw " + flaw)
}

// oddKey appends a key that hardly any set takes, if that is the document's flaw.
func (g *Generator) oddKey() bool {
	switch {
	case g.about(BinKey):
		g.b = samples.AppendBin(g.b, []byte(g.text()))
	case g.about(NilKey):
		g.b = samples.AppendNil(g.b)
	case g.about(NaNKey):
		g.b = samples.AppendFloat64(g.b, math.NaN())
	case g.about(TimestampKey):
		g.b = samples.AppendTime(g.b, time.Unix(int64(g.r.Uint32()), 0))
	case g.about(OtherKey):
		switch g.r.IntN(4) {
		case 0:
			g.b = append(g.b, 0x90)
		case 1:
			g.b = append(g.b, 0x81, 0xa1, 'k', 1)
		case 2:
			g.b = samples.AppendExt(g.b, int8(g.r.IntN(100)), []byte{1})
		default:
			g.int()
		}
	default:
		return false
	}
	return true
}

// text returns the content of a str: one that the document repeats, for most.
func (g *Generator) text() string {
	s := g.fresh()
	if !g.oneIn(4) {
		s = g.texts[g.r.IntN(len(g.texts))]
	}
	if g.about(InvalidUTF8) {
		at := g.r.IntN(len(s) + 1)
		bad := []string{"\xff", "\x80", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe0\x80\x80", "\xf0\x9f\x9a"}
		s = s[:at] + bad[g.r.IntN(len(bad))] + s[at:]
	}
	return s
}

// fresh returns a text of its own: around the lengths where formats and sharing
// change, and now and then long.
func (g *Generator) fresh() string {
	n := g.r.IntN(12)
	switch g.r.IntN(16) {
	case 0:
		n = 30 + g.r.IntN(5)
	case 1:
		n = 62 + g.r.IntN(5)
	case 2:
		n = g.r.IntN(300)
	case 3:
		if g.oneIn(8) {
			n = 500 + g.r.IntN(5000)
		}
	}
	var b strings.Builder
	wide := g.oneIn(5)
	for b.Len() < n {
		if wide && g.oneIn(2) {
			b.WriteRune([]rune("éß川🚲\u0000\uFFFD\U0010FFFF")[g.r.IntN(7)])
			continue
		}
		b.WriteByte(' ' + byte(g.r.IntN(95)))
	}
	return b.String()
}

// timestamp appends a timestamp in one of its three widths.
func (g *Generator) timestamp() {
	seconds := int64(g.r.Uint64()) >> (1 + g.r.IntN(40))
	nanoseconds := uint64(g.r.IntN(1e9))
	switch g.r.IntN(4) {
	case 0:
		nanoseconds = 0
	case 1:
		nanoseconds = 999_999_999
	}
	if g.about(TimestampNanoseconds) {
		nanoseconds = 1e9 + uint64(g.r.IntN(70e6))
	}
	outer := g.oneIn(3)
	if g.about(TimestampSeconds) {
		seconds, outer = math.MaxInt64-int64(g.r.Uint32()), true
		if g.oneIn(2) {
			seconds = math.MinInt64 + int64(g.r.Uint32())
		}
	}
	start := len(g.b)
	switch {
	case outer:
		g.b = g.bytes(byte(nanoseconds>>24), nanoseconds, 24)
		g.b = g.bytes(byte(seconds>>56), uint64(seconds), 56)
	case g.oneIn(2):
		v := nanoseconds<<34 | uint64(seconds)&(1<<34-1)
		g.b = g.bytes(byte(v>>56), v, 56)
	default:
		g.b = g.bytes(byte(seconds>>24), uint64(seconds), 24)
	}
	content := append([]byte{}, g.b[start:]...)
	g.b = g.b[:start]
	if g.about(TimestampLength) {
		content = make([]byte, []int{0, 1, 2, 3, 5, 7, 9, 11, 13, 16, 300}[g.r.IntN(11)])
	}
	g.extOf(-1, content)
}

// marker appends a map with the key of a marker: a time for most, or one that only
// looks like it.
func (g *Generator) marker(depth int) {
	keys := []string{"__datetime__", "__date__", "__time__"}
	texts := []string{"2025-11-14T10:30:00.123456", "2025-11-14", "10:30:00.5"}
	i := g.r.IntN(3)
	type pair struct {
		key   string
		value func()
	}
	yes := func() { g.b = samples.AppendBool(g.b, true) }
	pairs := []pair{{keys[i], yes}, {"value", func() { g.strOf(texts[i]) }}}
	shape := g.r.IntN(12)
	if g.about(InvalidUTF8) {
		shape = 2
	}
	switch shape {
	case 0: // not marked: the map stays, or a later marker takes it
		pairs[0].value = func() { g.b = append(g.b, "\xc2\x00\xc0\x80\x90\xa0"[g.r.IntN(6)]) }
		if i < 2 {
			pairs = append(pairs, pair{keys[2], yes})
		}
	case 1: // truthy
		pairs[0].value = func() { g.b = append(g.b, "\x01\xff\x7f"[g.r.IntN(3)]) }
	case 2: // further keys
		for j := range 1 + g.r.IntN(2)*g.r.IntN(4) {
			pairs = append(pairs, pair{strconv.Itoa(j) + g.text(), func() { g.value(depth) }})
		}
	case 3: // the key is no str
		g.b = append(g.b, 0x81)
		if g.set.Options.MapKeys != 0 {
			g.b = samples.AppendBin(g.b, []byte(keys[i]))
		} else {
			g.strOf(keys[i] + "_")
		}
		yes()
		return
	}
	if g.about(Hook) {
		switch g.r.IntN(3) {
		case 0:
			pairs = pairs[:1]
		case 1:
			pairs[1].value = func() { g.int() }
		default:
			pairs[1].value = func() { g.strOf("yesterday") }
		}
	}
	if g.about(DuplicateKey) {
		pairs = append(pairs, pairs[g.r.IntN(len(pairs))])
	}
	g.r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	g.count(len(pairs), 0x80, 0xde)
	for _, p := range pairs {
		g.strOf(p.key)
		p.value()
	}
}
