package contend

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/boundpack/boundpack/asm"
	segmentio "github.com/segmentio/asm/utf8"
)

// texts are the texts that UTF-8 is checked in, repeated to any length: characters of one
// length each, and of all.
var texts = []struct{ name, text string }{
	{"ascii", "The quick brown fox jumps over the lazy dog. "},
	{"two", "съешь же ещё этих мягких французских булок, да выпей чаю "},
	{"three", "吾輩は猫である名前はまだ無い"},
	{"four", "😀🚀🌍🎉"},
	{"mixed", "Größe 12 µm, 東京 and 🎉: naïve, café, смысл; plain words too. "},
}

var textSizes = []int{8, 16, 32, 64, 256, 4096, 1 << 20}

// textNames returns the names of the texts, each with its length in bytes.
func textNames() (names []string) {
	for _, t := range texts {
		for _, n := range textSizes {
			names = append(names, fmt.Sprintf("%s-%d", t.name, n))
		}
	}
	return names
}

// text returns the text of that name, exactly as long as it says: filled with ASCII where a
// character does not fit.
func text(name string) ([]byte, bool) {
	if !slices.Contains(textNames(), name) {
		return nil, false
	}
	kind, size, _ := strings.Cut(name, "-")
	var n int
	_, _ = fmt.Sscan(size, &n)
	var b []byte
	for _, t := range texts {
		for t.name == kind && len(b) < n {
			for _, r := range t.text {
				if len(b)+utf8.RuneLen(r) <= n {
					b = utf8.AppendRune(b, r)
				} else if len(b) < n {
					b = append(b, '.')
				}
			}
		}
	}
	return b, true
}

var errText = errors.New("not UTF-8")

// utf8Workload checks texts, not documents.
func utf8Workload() Workload {
	check := func(name string, valid func(p []byte) bool) Contender {
		return Contender{Name: name, Run: func(p []byte) error {
			if !valid(p) {
				return errText
			}
			return nil
		}}
	}
	return Workload{Name: "utf8", Baseline: "go", Docs: textNames(), Texts: true, Contenders: []Contender{
		check("boundpack", func(p []byte) bool { return asm.UTF8Prefix(p) == len(p) }),
		check("go", utf8.Valid),
		check("segmentio", segmentio.Valid),
	}}
}
