package main

import (
	"errors"
	"io"
	"math"
	"os"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

const (
	// chunk is the room a source starts with.
	chunk = 64 << 10
	// longest is the length of the longest length field.
	longest = 4
)

// source reads documents from a file or a stream and judges them. It holds at
// most MaxBytes of one document, and what was read behind it, in one buffer that
// grows only when it is full: what a document claims is never allocated.
//
// The verdict depends on the bytes alone, not on how they arrive. It is that of
// [walk.Valid] on all of the input, except that a document which needs more than
// MaxBytes is refused with ErrMaxBytes when the input is too long to tell whether
// it holds them.
type source struct {
	r      io.Reader
	limits bounds.Limits
	// reach is as much of a document as is ever looked at: MaxBytes and the
	// length field of a header that begins within them.
	reach int
	buf   []byte // buf[next:] was read and not handed out
	next  int
	eof   bool

	// count is the number of documents that Next handed out or refused, and
	// start where the last of them starts in the stream.
	count, start, end int64
}

// Reset starts on another input and keeps the buffer. limits must be resolved.
func (s *source) Reset(r io.Reader, limits bounds.Limits) {
	*s = source{r: r, limits: limits, reach: min(limits.MaxBytes, math.MaxInt-longest) + longest, buf: s.buf[:0]}
}

// fit makes room for all of a regular file, as far as it is looked at, and for
// the read that finds its end.
func (s *source) fit() {
	f, ok := s.r.(*os.File)
	if !ok {
		return
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if room := min(info.Size()+1, int64(s.reach)); room > int64(cap(s.buf)) {
			s.buf = make([]byte, 0, room)
		}
	}
}

// Whole reads all of the input, or as much as is ever looked at, and returns it. If
// that is a regular file, the buffer is made to fit it and never doubled. The error is
// the verdict, a [*bounds.Error], or that of the reader. The bytes are valid until the
// next Reset.
func (s *source) Whole() (data []byte, err error) {
	s.fit()
	if err := s.fill(s.reach); err != nil {
		return nil, err
	}
	data = s.unread()
	return data, s.judge(data)
}

// Next returns the next document of a stream. The error is the verdict, with what
// was read of the document, that of the reader, or [io.EOF] after the last
// document. The bytes are valid until the next call.
func (s *source) Next() (doc []byte, err error) {
	if err := s.fill(1); err != nil {
		return nil, err
	}
	if len(s.unread()) == 0 {
		return nil, io.EOF
	}
	s.count++
	s.start = s.end
	for {
		doc = s.unread()
		err = s.judge(doc)
		e, ok := errors.AsType[*bounds.Error](err)
		switch {
		case !ok:
			return s.take(doc), err
		case e.Reason == bounds.ErrTrailing:
			return s.take(doc[:e.Offset]), nil
		case !cut(e) || s.eof || len(doc) == s.reach:
			return doc, err
		}
		if err := s.await(e.Need); err != nil {
			return nil, err
		}
	}
}

// await reads until there may be another verdict on the document that is unread,
// of which need bytes are implied: it is complete, a header of it is refused, all
// that is ever looked at is there, or the input ends. It takes one walk, however
// the bytes arrive, and no byte more than the document where they arrive slowly.
func (s *source) await(need uint64) error {
	x := extent{limits: &s.limits, account: bounds.Open(s.limits.MaxBytes, &s.limits)}
	for settled := false; ; {
		if err := s.fill(int(min(need, uint64(s.reach)))); err != nil {
			return err
		}
		doc := s.unread()
		if settled || s.eof || len(doc) == s.reach {
			return nil
		}
		need, settled = x.Follow(doc)
	}
}

// take hands doc out.
func (s *source) take(doc []byte) []byte {
	s.next += len(doc)
	s.end += int64(len(doc))
	return doc
}

// judge is [walk.Valid] on data, which is what was read.
func (s *source) judge(data []byte) error {
	err := walk.Valid(data, s.limits)
	if e, ok := errors.AsType[*bounds.Error](err); ok && cut(e) && len(data) == s.reach {
		// The header is there in full, and it claims more than MaxBytes.
		return &bounds.Error{Reason: bounds.ErrMaxBytes, Offset: e.Offset, Limit: uint64(s.limits.MaxBytes), Need: e.Need}
	}
	return err
}

// cut reports whether e says that bytes are missing. Need is then the least length
// of the document.
func cut(e *bounds.Error) bool {
	switch e.Reason {
	case bounds.ErrEmpty, bounds.ErrPrefix, bounds.ErrShort, bounds.ErrOwed:
		return true
	}
	return false
}

// unread returns what was read and not handed out, as far as it is looked at.
func (s *source) unread() []byte {
	read := s.buf[s.next:]
	return read[:min(len(read), s.reach)]
}

// fill reads until at least want bytes, no more than reach, are unread or the
// input ends.
func (s *source) fill(want int) error {
	for len(s.buf)-s.next < want && !s.eof {
		if len(s.buf) == cap(s.buf) {
			s.makeRoom()
		}
		n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
		switch {
		case errors.Is(err, io.EOF):
			s.eof = true
		case err != nil:
			return err
		}
	}
	return nil
}

// makeRoom moves what is unread to the front of the buffer, or doubles a buffer
// that is full of it. What is unread is one unfinished document and is moved once
// at most before it is handed out, so moving takes linear time in all.
func (s *source) makeRoom() {
	if s.next > 0 {
		s.buf = s.buf[:copy(s.buf, s.buf[s.next:])]
		s.next = 0
		return
	}
	// The odd byte keeps the last step to a limit that is a power of two from
	// being one of a few bytes.
	room := min(2*int64(cap(s.buf))+1, int64(s.reach))
	buf := make([]byte, len(s.buf), max(chunk, room))
	copy(buf, s.buf)
	s.buf = buf
}
