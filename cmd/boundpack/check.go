package main

import (
	"fmt"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/walk"
)

// check says of every file whether it is one valid document.
func (a *app) check(opt options) int {
	code := exitOK
	var s source
	for _, file := range opt.files {
		in, name, err := a.open(file)
		if err != nil {
			code = a.refuse(name, nil, err)
			continue
		}
		s.Reset(in, opt.limits)
		doc, err := s.Whole()
		if in != a.stdin {
			in.Close()
		}
		if err == nil && opt.memory {
			err = decodes(doc, opt.limits)
		}
		if err != nil {
			code = a.refuse(name, doc, err)
			continue
		}
		if len(opt.files) > 1 {
			fmt.Fprintf(a.stdout, "%s: ", name)
		}
		depth, items := measure(doc, opt.limits)
		fmt.Fprintf(a.stdout, "ok: %d bytes, depth %d, items %d\n", len(doc), depth, items)
	}
	return code
}

// decodes reports whether a valid document decodes to any within limits, keys of every
// kind and duplicates allowed.
func decodes(doc []byte, limits bounds.Limits) error {
	d, err := decode.Options{Limits: limits, DuplicateKeys: decode.LastWins, MapKeys: decode.AnyKeys, AliasInput: true}.New()
	if err != nil {
		return err
	}
	_, err = d.Any(doc)
	return err
}

// measure returns the depth of a valid document and the number of its items.
func measure(doc []byte, limits bounds.Limits) (depth, items int) {
	c, err := walk.NewCursor(doc, limits)
	for err == nil {
		var t walk.Token
		if t, err = c.Next(); err == nil {
			items++
			if t.Kind == walk.Array || t.Kind == walk.Map {
				depth = max(depth, c.Depth()+1)
			}
		}
	}
	return depth, items
}
