package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/walk"
)

// check says of every file whether it is one valid document, or with --stream any
// number of them.
func (a *app) check(opt options) int {
	code := exitOK
	var s source
	for _, file := range opt.files {
		in, name, err := a.open(file)
		if err != nil {
			code = a.refuse(name, nil, err)
			continue
		}
		if opt.stream {
			code = max(code, a.checkStream(&s, in, name, opt))
		} else {
			code = max(code, a.checkOne(&s, in, name, opt))
		}
		if in != a.stdin {
			in.Close()
		}
	}
	return code
}

// checkOne says whether in is one valid document.
func (a *app) checkOne(s *source, in io.Reader, name string, opt options) int {
	s.Reset(in, opt.limits)
	doc, err := s.Whole()
	if err == nil && opt.memory {
		err = decodes(doc, opt.limits)
	}
	if err != nil {
		return a.refuse(name, doc, err)
	}
	depth, items := measure(doc, opt.limits)
	a.ok(name, opt, fmt.Sprintf("%d bytes, depth %d, items %d", len(doc), depth, items))
	return exitOK
}

// checkStream says whether in is valid documents, one after another. It goes on behind
// one that is refused for what it means: its end is known.
func (a *app) checkStream(s *source, in io.Reader, name string, opt options) int {
	m := a.meter(name, s, false)
	s.Reset(metered{in, m}, opt.limits)
	code, depth, items := exitOK, 0, int64(0)
	for {
		doc, err := s.Next()
		if err == io.EOF {
			break
		}
		whole := err == nil
		if whole && opt.memory {
			err = decodes(doc, opt.limits)
		}
		if err != nil {
			m.Clear()
			code = a.refuse(name, doc, err, s.place())
			if !whole && (!errors.Is(err, bounds.ErrUTF8) || s.Pass() != nil) {
				return code
			}
			continue
		}
		deep, n := measure(doc, opt.limits)
		depth, items = max(depth, deep), items+int64(n)
	}
	m.Clear()
	if code == exitOK {
		a.ok(name, opt, fmt.Sprintf("%d documents, %d bytes, depth %d, items %d", s.count, s.end, depth, items))
	}
	return code
}

// ok prints what was found.
func (a *app) ok(name string, opt options, found string) {
	if len(opt.files) > 1 {
		fmt.Fprintf(a.stdout, "%s: ", name)
	}
	fmt.Fprintf(a.stdout, "ok: %s\n", found)
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
