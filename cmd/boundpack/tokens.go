package main

import (
	"encoding/hex"
	"strconv"

	"github.com/boundpack/boundpack/walk"
)

const (
	// previewStr and previewBin are the bytes that a preview shows of a str, and
	// of a bin or ext.
	previewStr = 32
	previewBin = 16
	// indents is the depth beyond which lines are not indented further.
	indents = 40
)

// tokens lists the headers of a document, and then says what check says of it, so
// that a document which is refused is listed up to the header that is refused, or
// in full where its structure is sound.
func (a *app) tokens(opt options) int {
	file, name, err := a.open(opt.files[0])
	if err != nil {
		return a.refuse(name, nil, err)
	}

	var s source
	s.Reset(file, opt.limits)
	data, verdict := s.Whole()
	c, err := walk.NewCursor(data, opt.limits)
	var line []byte
	for err == nil {
		var t walk.Token
		if t, err = c.Next(); err == nil {
			line = appendToken(line[:0], t, c.Depth())
			a.stdout.Write(line)
		}
	}
	if verdict != nil {
		return a.refuse(name, data, verdict)
	}
	return exitOK
}

// appendToken appends the line of t, which stands inside depth containers.
func appendToken(b []byte, t walk.Token, depth int) []byte {
	b = appendColumn(b, t.Offset, 8)
	b = appendColumn(b, depth, 6)
	b = append(b, "  "...)
	for range min(depth, indents) {
		b = append(b, "  "...)
	}
	b = append(b, t.Kind.String()...)
	switch t.Kind {
	case walk.Nil:
	case walk.Str:
		b = append(b, ' ')
		b = strconv.AppendQuoteToASCII(b, string(t.Payload[:min(t.N, previewStr)]))
		if t.N > previewStr {
			b = append(b, "... "...)
			b = appendLen(b, t.N)
		}
	case walk.Bin:
		b = append(b, ' ')
		b = appendLen(b, t.N)
		b = appendHex(b, t.Payload)
	case walk.Ext:
		typ, content := t.Ext()
		b = append(b, " type "...)
		b = strconv.AppendInt(b, int64(typ), 10)
		b = append(b, ", "...)
		b = appendLen(b, len(content))
		b = appendHex(b, content)
		if ts, ok := timestamp(typ, content); ok {
			if text, ok := appendTime(append(b, ' '), ts); ok {
				b = text
			}
		}
	case walk.Array:
		b = append(b, " of "...)
		b = strconv.AppendInt(b, int64(t.N), 10)
	case walk.Map:
		b = append(b, " of "...)
		b = strconv.AppendInt(b, int64(t.N), 10)
		b = append(b, " pairs"...)
	default:
		b = append(b, ' ')
		b = appendPlain(b, t)
	}
	return append(b, '\n')
}

// appendColumn appends n to the right of a column of the given width.
func appendColumn(b []byte, n, width int) []byte {
	var digits [20]byte
	text := strconv.AppendInt(digits[:0], int64(n), 10)
	for range width - len(text) {
		b = append(b, ' ')
	}
	return append(b, text...)
}

func appendLen(b []byte, n int) []byte {
	b = strconv.AppendInt(b, int64(n), 10)
	return append(b, " bytes"...)
}

// appendHex appends the first bytes of content.
func appendHex(b, content []byte) []byte {
	if len(content) == 0 {
		return b
	}
	b = append(b, ' ')
	b = hex.AppendEncode(b, content[:min(len(content), previewBin)])
	if len(content) > previewBin {
		b = append(b, "..."...)
	}
	return b
}
