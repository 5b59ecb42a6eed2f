package main

import (
	"bufio"
	"errors"
	"io"
	"strconv"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// json prints the document, or with --stream the documents, of one file as JSON.
// Nothing of a document is printed before all of it was found valid.
func (a *app) json(opt options) int {
	file, name, err := a.open(opt.files[0])
	if err != nil {
		return a.refuse(name, nil, err)
	}

	p := printer{w: a.stdout}
	var s source
	if !opt.stream {
		s.Reset(file, opt.limits)
		doc, err := s.Whole()
		if err == nil {
			err = p.Print(doc, opt.limits)
		}
		if err != nil {
			return a.refuse(name, doc, err)
		}
		return exitOK
	}
	m := a.meter(name, &s, true)
	defer m.Clear()
	s.Reset(metered{flushing{file, a.stdout}, m}, opt.limits)
	for {
		doc, err := s.Next()
		if err == nil {
			err = p.Print(doc, opt.limits)
		}
		if err == nil {
			continue
		}
		m.Clear()
		switch {
		case errors.Is(err, io.EOF):
			return exitOK
		case errors.Is(err, errOutput):
			return a.refuse("boundpack", nil, err)
		}
		return a.refuse(name, doc, err, s.place())
	}
}

// flushing is a reader that lets out what was printed before it may have to wait
// for more input.
type flushing struct {
	io.Reader
	w *bufio.Writer
}

func (f flushing) Read(p []byte) (int, error) {
	if err := f.w.Flush(); err != nil {
		return 0, output(err)
	}
	return f.Reader.Read(p)
}

// printer prints documents as JSON, each on a line. Its memory is a frame for
// each open container and a small scratch, whatever the size of the document. An
// error of the writer shows when it is flushed.
type printer struct {
	w      *bufio.Writer
	cursor walk.Cursor
	open   bounds.Stack[frame] // empty between documents
	b      []byte              // scratch
}

// frame is a container whose end was not printed yet.
type frame struct {
	object bool
	begun  bool
	left   int // items not printed yet
}

// Print prints doc, which is one document that [walk.Valid] accepts within limits.
// It returns the error of [walk.Cursor] if it is not; half of it is printed then, and
// p must not be used further.
func (p *printer) Print(doc []byte, limits bounds.Limits) error {
	if err := p.cursor.Reset(doc, limits); err != nil {
		return err
	}
	for {
		t, err := p.cursor.Next()
		if errors.Is(err, io.EOF) {
			p.w.WriteByte('\n')
			return nil
		}
		if err != nil {
			return err
		}
		switch key := p.separate(); {
		case t.Kind != walk.Array && t.Kind != walk.Map:
			p.scalar(t, key)
		case key:
			if err := p.containerKey(t); err != nil {
				return err
			}
		default:
			p.begin(t)
		}
		p.finish()
	}
}

// separate prints what stands between the last item and the next, which it takes
// from its container, and reports whether the next is a key.
func (p *printer) separate() (key bool) {
	if p.open.Len() == 0 {
		return false
	}
	in := p.open.Top()
	key = in.object && in.left%2 == 0
	switch {
	case in.object && !key:
		p.w.WriteByte(':')
	case in.begun:
		p.w.WriteByte(',')
	}
	in.begun = true
	in.left--
	return key
}

// begin prints the start of a container.
func (p *printer) begin(t walk.Token) {
	start := byte('[')
	if t.Kind == walk.Map {
		start = '{'
	}
	p.w.WriteByte(start)
	if p.open.Full() {
		p.open.Grow(bounds.Grown(p.open.Room(), bounds.CeilingMaxDepth))
	}
	p.open.Push(frame{object: t.Kind == walk.Map, left: t.Items()})
}

// finish prints the end of every container that is complete.
func (p *printer) finish() {
	for p.open.Len() > 0 && p.open.Top().left == 0 {
		end := byte(']')
		if p.open.Top().object {
			end = '}'
		}
		p.w.WriteByte(end)
		p.open.Pop()
	}
}

// containerKey prints an array or map that is a key as the place where it stands
// and reads past its items. To print the container itself as a string would double
// its escapes with every container key inside a container key.
func (p *printer) containerKey(t walk.Token) error {
	p.b = append(p.b[:0], `"[`...)
	p.b = append(p.b, t.Kind.String()...)
	p.b = append(p.b, " at byte "...)
	p.b = strconv.AppendInt(p.b, int64(t.Offset), 10)
	p.b = append(p.b, `]"`...)
	p.w.Write(p.b)
	for owed := t.Items(); owed > 0; owed-- {
		t, err := p.cursor.Next()
		if err != nil {
			return err
		}
		owed += t.Items()
	}
	return nil
}
