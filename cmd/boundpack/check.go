package main

import (
	"fmt"

	"github.com/boundpack/boundpack/bounds"
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
