// Package hexdoc reads the notation in which tests write documents: hex bytes,
// where GROUP*N repeats a group N times and spaces only separate groups, so that
// "91*3 c0" is 91 91 91 c0.
package hexdoc

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// Parse returns the bytes that s writes.
func Parse(s string) ([]byte, error) {
	doc := []byte{}
	for group := range strings.FieldsSeq(s) {
		digits, times, repeated := strings.Cut(group, "*")
		b, err := hex.DecodeString(digits)
		if err != nil {
			return nil, fmt.Errorf("hexdoc: group %q: %w", group, err)
		}
		n := 1
		if repeated {
			if n, err = strconv.Atoi(times); err != nil || n < 0 {
				return nil, fmt.Errorf("hexdoc: group %q: bad count", group)
			}
		}
		doc = append(doc, bytes.Repeat(b, n)...)
	}
	return doc, nil
}

// Must is Parse for constants; it panics on an error.
func Must(s string) []byte {
	doc, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return doc
}
