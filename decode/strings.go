package decode

import (
	"unicode/utf8"

	"github.com/boundpack/boundpack/asm"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// Strings of one byte, and the empty one, cost nothing.
var (
	byteStrings = func() (t [256]string) {
		for i := range t {
			t[i] = string([]byte{byte(i)})
		}
		return t
	}()
	boxedBytes = func() (t [utf8.RuneSelf]any) {
		for i := range t {
			t[i] = byteStrings[i]
		}
		return t
	}()
	emptyString any = ""
)

// high has the high bit of every byte: set somewhere in a word that is not all ASCII.
const high = 0x8080808080808080

// textPrice returns what the content of the str p costs, after replacement if that is
// the policy: the price of content, but a single byte, which needs no copy, is free.
func (s *state) textPrice(p []byte) int64 {
	if len(p) < len(textPrices) && !s.replacing {
		return int64(textPrices[uint8(len(p))])
	}
	return s.otherTextPrice(p)
}

// otherTextPrice is textPrice, for any p.
//
//go:noinline
func (s *state) otherTextPrice(p []byte) int64 {
	n := len(p)
	if s.replacing && !isText(p) {
		n = replacedLen(p)
	}
	if n <= 1 {
		return 0
	}
	return price.Content(n)
}

var textPrices = func() (t [256]uint16) {
	for n := 2; n < len(t); n++ {
		t[n] = uint16(price.Content(n))
	}
	return t
}()

// str returns the str p, whose header is at off and whose payload was read last.
func (s *state) str(p []byte, off int) (any, error) {
	if len(p) == 0 {
		return emptyString, nil
	}
	if err := s.charge(price.String+s.textPrice(p), off, walk.Str); err != nil {
		return nil, err
	}
	return s.boxText(p)
}

// keyText returns the str key p, which was charged and read last: shared with equal keys
// if it is short. It refuses what is not UTF-8, if that is the policy.
func (s *state) keyText(p []byte) (string, error) {
	n := len(p)
	if n < 2 || n > sharedKey {
		return s.text(p)
	}
	lo, hi := words(p)
	e, hit := s.shared.at(p, lo, hi, hash(n, lo, hi))
	if hit {
		return e.s, nil // it went through the policy when it came in
	}
	if (n > 16 || (lo|hi)&high != 0) && !isText(p) {
		return s.text(p)
	}
	str := s.copyText(p)
	e.set(lo, hi, str, nil)
	return str, nil
}

// boxText returns the str value p, which was charged and read last and is not empty, as
// an any: shared with equal values if it is short.
func (s *state) boxText(p []byte) (any, error) {
	n := len(p)
	switch {
	case n == 1 && p[0] < utf8.RuneSelf:
		return boxedBytes[p[0]], nil
	case n > 1 && n <= sharedValue:
		lo, hi := words(p)
		e, hit := s.shared.at(p, lo, hi, hash(n, lo, hi))
		if hit && e.boxed != nil {
			return box(stringWord, e.boxed), nil
		}
		if !hit && (n > 16 || (lo|hi)&high != 0) && !isText(p) {
			break
		}
		str := e.s
		if !hit {
			str = s.copyText(p)
		}
		h := s.slabs.strings.take(s, &stringSlabs)
		*h = str
		e.set(lo, hi, str, h)
		return box(stringWord, h), nil
	}
	str, err := s.text(p)
	if err != nil {
		return nil, err
	}
	if len(str) > price.MaxInChunks {
		return str, nil // its own header
	}
	return s.boxString(str), nil
}

// boxString returns str, which was charged, as an any.
func (s *state) boxString(str string) any {
	if str == "" {
		return emptyString
	}
	h := s.slabs.strings.take(s, &stringSlabs)
	*h = str
	return box(stringWord, h)
}

// text returns the str p, which was charged and read last, by the policy for UTF-8.
func (s *state) text(p []byte) (string, error) {
	if s.d.utf8 == AllowInvalidUTF8 || isText(p) {
		return s.copyText(p), nil
	}
	if s.d.utf8 == ReplaceInvalidUTF8 {
		return asString(s.replaced(p)), nil
	}
	return "", refuse(s.off-len(p)+walk.ValidPrefix(p), walk.Str, ErrUTF8)
}

// copyText returns p, the payload that was read last, as a string.
func (s *state) copyText(p []byte) string {
	switch {
	case s.d.alias:
		return asString(p)
	case len(p) == 0:
		return ""
	case len(p) == 1:
		return byteStrings[p[0]]
	}
	return asString(s.content(p))
}

// isText reports whether p is valid UTF-8.
func isText(p []byte) bool { return asm.UTF8Prefix(p) == len(p) }

// replacedLen returns the length of p with U+FFFD, of three bytes, in place of each
// byte that is not part of valid UTF-8.
func replacedLen(p []byte) int {
	n := 0
	for len(p) > 0 {
		r, size := utf8.DecodeRune(p)
		if r == utf8.RuneError && size == 1 {
			n += 3
		} else {
			n += size
		}
		p = p[size:]
	}
	return n
}

// replaced returns p, the payload that was read last, with U+FFFD in place of each byte
// that is not part of valid UTF-8.
func (s *state) replaced(p []byte) []byte {
	return appendReplaced(s.carve(replacedLen(p))[:0], p)
}

// appendReplaced appends to b p with U+FFFD for each byte that is not part of valid UTF-8.
func appendReplaced(b, p []byte) []byte {
	for len(p) > 0 {
		r, size := utf8.DecodeRune(p)
		b = utf8.AppendRune(b, r)
		p = p[size:]
	}
	return b
}
