package samples

import "unicode/utf8"

// ASCII returns one str of n bytes of English-looking words.
func ASCII(n int) []byte {
	return AppendStr(nil, text(streamASCII, n, latinWords))
}

// UTF8 returns one str of n bytes of words in six scripts, ASCII among them,
// and emoji: characters of one, two, three and four bytes in turn.
func UTF8(n int) []byte {
	return AppendStr(nil, text(streamUTF8, n, worldWords))
}

// Bin returns one bin of n random bytes.
func Bin(n int) []byte {
	r := newRand(streamBin)
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(r.IntN(256))
	}
	return AppendBin(nil, data)
}

// text joins random words to exactly n bytes. A word that does not fit ends
// where its last whole character does, so that the text is valid UTF-8.
func text(stream uint64, n int, words []string) string {
	r := newRand(stream)
	b := make([]byte, 0, n)
	for len(b) < n {
		for _, c := range pick(r, words) {
			if len(b)+utf8.RuneLen(c) > n {
				break
			}
			b = utf8.AppendRune(b, c)
		}
		if len(b) < n {
			b = append(b, ' ')
		}
	}
	return string(b)
}

var latinWords = []string{
	"the", "a", "of", "and", "river", "market", "winter", "quiet", "between", "carries",
	"letters", "under", "bridge", "morning", "harbour", "without", "reason", "several", "window", "travelling",
}

var worldWords = []string{
	"river", "under", "between", "the", "Straße", "été", "mañana", "żółw", "река", "письмо", "вечер",
	"ποταμός", "γράμμα", "川", "手紙", "夕方に", "さくら", "カタカナ", "다리", "편지", "🚲", "🌊🌉", "✉",
}
