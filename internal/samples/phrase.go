package samples

import (
	"math/rand/v2"
	"strings"
)

// phrase returns n characters of something that looks like a Japanese post:
// mostly kana and kanji, now and then ASCII, a line break or an emoji.
func phrase(r *rand.Rand, n int) string {
	var s strings.Builder
	for range n {
		switch k := r.IntN(40); {
		case k == 0:
			s.WriteRune(pick(r, emoji))
		case k == 1:
			s.WriteByte('\n')
		case k < 8:
			s.WriteByte(byte('a' + r.IntN(26)))
		default:
			s.WriteRune(pick(r, japanese))
		}
	}
	return s.String()
}

// letters returns n letters and digits, as short links and file names have.
func letters(r *rand.Rand, n int) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

func handle(r *rand.Rand) string { return letters(r, 6+r.IntN(9)) }

var (
	japanese = []rune("あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん" +
		"アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモ、。！？ー" +
		"日月火水木金土人大小上下中山川田今年時分前後見行来出入食話手心名語")
	emoji = []rune("😊✨🌸🎵🍣🚃💡🎉☔❄")
)
