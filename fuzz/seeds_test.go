package fuzz

import (
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/parity"
	"github.com/boundpack/boundpack/internal/samples"
	"github.com/boundpack/boundpack/internal/vectors"
)

// maxSize is the length of the longest input that is looked at. Everything that
// documents do to each other happens in fewer bytes.
const maxSize = 12 << 10

// written are seeds by hand: one for each thing that a mutation could hardly find.
var written = []string{
	"", "c1", "c0c1", "d9", "da00", "dd0000", "cb00", "d80500", "a36162",
	"91*8 c0", "91*9 c0", "91*40 c0", "81a0*17 c0", "92 91*10 c0 91*10 c0",
	"93 a26162 a26162 c4026162", "82 a141 01 d90141 02", "82 a141 01 c40141 02", "82 01 c0 cc01 c0",
	"82 a16b 91a1ff a16b 91a1ff", "82 01 c0 01 a1ff", "82 c4016b c0 c4016b a1ff",
	"84 cb0000000000000000 01 cb8000000000000000 02 ca7fc00000 03 c2 04",
	"92 a1ff a1fe", "82 a1ff 01 a1fe 02", "82 a1ff 01 a3efbfbd 02", "d920 ff*32", "d941 ff*65",
	"d6ff00000001", "d7ffee6b27fc00000001", "d7ffee6b280000000001", "c70cff00000000 7ffffff1886e0900", "c700ff",
	"c7000a", "d50501ff", "d4fd61", "c8000105 00",
	"82 ac5f5f6461746574696d655f5f c3 a576616c7565 aa323032352d31312d3134",
	"91 82 a576616c7565 a831303a33303a3030 a85f5f74696d655f5f c3",
	"82 a85f5f646174655f5f c2 a576616c7565 aa323032352d31312d3134", "81 a85f5f646174655f5f c3",
	"83 a85f5f646174655f5f c3 a576616c7565 aa323032352d31312d3134 a576616c7565 c0",
	"92 82 a85f5f646174655f5f c3 a576616c7565 01 c1",
	"83 a85f5f646174655f5f c3 a576616c7565 aa323032352d31312d3134 a16b a261ff",
	"83 a85f5f646174655f5f c3 a576616c7565 aa323032352d31312d3134 a2ff61 a16b",
	"84 a85f5f646174655f5f c3 a576616c7565 aa323032352d31312d3134 a3616263 c40161 a16b cd1234",
	"84 a85f5f646174655f5f c3 a576616c7565 aa323032352d31312d3134 a3616263 cb8000000000000000 a16b d6ff00000001",
	"9f 91c0*7 80*8", "dc0040 01*64", "dc0040 cc80*64", "dc0002 d940 41*64 d940 41*64", "98 93010203*8", "97 93a1610203*7",
}

// seeds returns the documents that every target starts from.
func seeds(tb testing.TB) [][]byte {
	tb.Helper()
	docs := [][]byte{
		samples.Users(1), samples.Dates(2), samples.Formats(), samples.Deep(20), samples.Stream(),
	}
	for _, s := range written {
		docs = append(docs, hexdoc.Must(s))
	}
	for _, v := range vectors.DecodeBounds {
		docs = append(docs, hexdoc.Must(v.Hex))
	}
	for _, s := range samples.Files() {
		docs = append(docs, s.Make())
	}
	for _, d := range parity.Differences {
		docs = append(docs, hexdoc.Must(d.Shows))
	}
	for i, s := range parity.Sets {
		g := parity.NewGenerator(rand.New(rand.NewPCG(0, uint64(i))), s)
		docs = append(docs, g.Document(), g.Document())
		for _, flaw := range s.Flaws() {
			docs = append(docs, g.Flawed(flaw))
		}
	}
	short := docs[:0]
	for _, doc := range docs {
		if len(doc) <= 2<<10 {
			short = append(short, doc)
		}
	}
	return short
}

// derived returns a number that data alone decides, for choices that need not be
// mutated by themselves.
func derived(data []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(data)
	return h.Sum64()
}
