// Package route writes the path of a value inside a document, such as
// users[3].name: an index in brackets, an identifier key after a dot, any other
// str key quoted in brackets, a key of another kind in braces.
package route

import (
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxLen is the greatest length of a path in bytes.
	MaxLen = 256
	// MaxKey is the greatest number of bytes of one key that a path shows.
	MaxKey = 32

	gap  = "..."
	head = 112
	tail = MaxLen - head - len(gap)
)

// A step takes at most 4 bytes for each byte of a cut key and the marks around
// it, so one always fits into the tail.
const _ = uint(tail - (4*MaxKey + len(`["`) + len(`"]`) + len(gap)))

// Join returns the path of n steps; step appends step i, the outermost being 0.
// Beyond 256 bytes the middle is replaced by "...". It takes time in proportion
// to the length of the path it returns, not to n.
func Join(n int, step func(b []byte, i int) []byte) string {
	var b []byte
	i := 0
	for ; i < n; i++ {
		longer := step(b, i)
		if len(longer) > head {
			break
		}
		b = longer
	}
	if i == n {
		return trimDot(b)
	}
	// The rest from the inside out, as much as fits. A whole path has no gap, which
	// may be just what its last step needs.
	var steps [][]byte
	room := MaxLen - len(b) - len(gap)
	for j := n - 1; j >= i; j-- {
		s := step(nil, j)
		if j == i && len(s) <= room+len(gap) {
			steps = append(steps, s)
			return finish(b, steps)
		}
		if len(s) > room {
			break
		}
		room -= len(s)
		steps = append(steps, s)
	}
	return finish(append(b, gap...), steps)
}

// finish appends steps, the innermost first, to the path b.
func finish(b []byte, steps [][]byte) string {
	for _, s := range slices.Backward(steps) {
		b = append(b, s...)
	}
	return trimDot(b)
}

func trimDot(b []byte) string {
	if len(b) > 0 && b[0] == '.' {
		b = b[1:]
	}
	return string(b)
}

// Index appends the step to element i of an array.
func Index(b []byte, i int64) []byte {
	b = append(b, '[')
	b = strconv.AppendInt(b, i, 10)
	return append(b, ']')
}

// Key appends the step to the value of a str key.
func Key[T string | []byte](b []byte, key T) []byte {
	if isIdentifier(string(key)) {
		b = append(b, '.')
		return append(b, key...)
	}
	b = append(b, '[')
	b = quote(b, string(key))
	return append(b, ']')
}

// Other appends the step to the value of a key that is no str, given in words.
func Other(b []byte, key string) []byte {
	b = append(b, '{')
	b = append(b, key...)
	return append(b, '}')
}

// Bin appends the step to the value of a bin key.
func Bin[T string | []byte](b []byte, key T) []byte {
	b = append(b, '{')
	b = quote(b, string(key))
	return append(b, '}')
}

func quote(b []byte, key string) []byte {
	whole := len(key) <= MaxKey
	if !whole {
		key = key[:MaxKey]
	}
	b = strconv.AppendQuoteToASCII(b, key)
	if !whole {
		b = append(b, gap...)
	}
	return b
}

func isIdentifier(key string) bool {
	if key == "" || len(key) > MaxKey || !utf8.ValidString(key) {
		return false
	}
	for i, r := range key {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return true
}
