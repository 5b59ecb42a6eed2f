package parity

import (
	"encoding/hex"
	"fmt"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// Shrink returns a document as short as it finds quickly for which fails still holds,
// starting from doc, for which it does.
func Shrink(doc []byte, fails func([]byte) bool) []byte {
	tries := 2000
	try := func(smaller []byte) bool {
		tries--
		if tries < 0 || !fails(smaller) {
			return false
		}
		doc = smaller
		return true
	}
	// Any item of it alone, or without what any item holds.
	for at := 0; at < len(doc); at++ {
		n, err := walk.Len(doc[at:], bounds.Limits{})
		if err != nil || n == 0 {
			continue
		}
		end := at + n
		if at > 0 && try(append([]byte{}, doc[at:end]...)) {
			at = -1
		} else if n > 1 {
			try(append(append(append([]byte{}, doc[:at]...), 0xc0), doc[end:]...))
		}
	}
	for size := len(doc) / 2; size > 0 && tries > 0; {
		shrunk := false
		for at := 0; at+size <= len(doc); {
			if !try(append(append([]byte{}, doc[:at]...), doc[at+size:]...)) {
				at += max(1, size/2)
				continue
			}
			shrunk = true
		}
		if !shrunk {
			size /= 2
		}
	}
	// What does not matter becomes nil, or zero.
	for at := range doc {
		for _, b := range []byte{0xc0, 0} {
			if doc[at] == b {
				break
			}
			edited := append([]byte{}, doc...)
			edited[at] = b
			if try(edited) {
				break
			}
		}
	}
	return doc
}

// Dump writes doc for a failure message.
func Dump(doc []byte) string {
	const most = 512
	if len(doc) > most {
		return fmt.Sprintf("%d bytes:\n%s...", len(doc), hex.Dump(doc[:most]))
	}
	return fmt.Sprintf("%x\n%s", doc, hex.Dump(doc))
}
