package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

const (
	// chunk is the room a source starts with, and the least that it reads at a time.
	chunk = 64 << 10
	// longest is the length of the longest length field.
	longest = 4
	// reserve is the most room that is made before the bytes for it are there: 1 GiB,
	// and 512 MiB where an int has 32 bits. It costs address space; memory is what is
	// written to.
	reserve = min(1<<30, math.MaxInt/4+1) + longest
)

// source reads documents from a file or a stream and judges them. It holds at
// most MaxBytes of one document, and what was read behind it, in one buffer: what
// a document claims, or a file, is never allocated beyond the reserve.
//
// The verdict depends on the bytes alone, not on how they arrive, and no more of
// them are waited for than it depends on. Whole gives that of [walk.Valid] on all of
// the input, except that a document which needs more than MaxBytes is refused with
// ErrMaxBytes when the input is too long to tell whether it holds them. Next, which
// does not know what will come, refuses a header that claims more than MaxBytes or
// MaxItems at once, whatever would have come; else it gives that of walk.Valid.
type source struct {
	r      io.Reader
	limits bounds.Limits
	// reach is as much of a document as is ever looked at: MaxBytes and the
	// length field of a header that begins within them.
	reach int
	buf   []byte // buf[next:] was read and not handed out
	next  int
	done  error // why r gives no more; io.EOF at its end

	progress walk.Progress

	// count is the number of documents that Next handed out or refused, and
	// start where the last of them starts in the stream.
	count, start, end int64
}

// Reset starts on another input and keeps the buffer. limits must be resolved.
func (s *source) Reset(r io.Reader, limits bounds.Limits) {
	s.r, s.limits, s.reach = r, limits, min(limits.MaxBytes, math.MaxInt-longest)+longest
	s.buf, s.next, s.done = s.buf[:0], 0, nil
	s.count, s.start, s.end = 0, 0, 0
}

// fit makes room for all of a regular file, as far as it is looked at, and for
// the read that finds its end: no more than the reserve, as a file may have holes and
// its size be no more than a claim.
func (s *source) fit() {
	f, ok := s.r.(*os.File)
	if !ok {
		return
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		if room := min(info.Size()+1, int64(s.reach), reserve); room > int64(cap(s.buf)) {
			s.buf = make([]byte, 0, room)
		}
	}
}

// Whole reads the input as far as the verdict depends on it, and returns what it read.
// If that is a regular file, the buffer is made to fit it. The error is the verdict, a
// [*bounds.Error], or that of the reader. The bytes are valid until the next Reset.
func (s *source) Whole() (data []byte, err error) {
	s.fit()
	if _, err := s.await(false); err != nil {
		return nil, err
	}
	data = s.unread()
	if err := s.judge(data); err != nil {
		return data, err
	}
	end := len(data)
	if err := s.fill(uint64(end) + 1); err != nil {
		return nil, err
	}
	if data = s.unread(); len(data) > end {
		return data, &bounds.Error{Reason: bounds.ErrTrailing, Offset: int64(end)}
	}
	return data, nil
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
	doc = s.unread()
	if err = s.judge(doc); cut(err) {
		over, failure := s.await(true)
		doc = s.unread()
		switch {
		case failure != nil:
			return nil, failure
		case over != nil:
			return doc, over
		}
		err = s.judge(doc)
	}
	e, ok := errors.AsType[*bounds.Error](err)
	switch {
	case !ok:
		return s.take(doc), err
	case e.Reason == bounds.ErrTrailing:
		return s.take(doc[:e.Offset]), nil
	}
	return doc, err
}

// await reads until the verdict on the document that is unread is known, or the input
// ends or is beyond what is ever looked at. In a stream that is also where a header
// claims more than a limit allows: the refusal is over. It takes one walk, however the
// bytes arrive, and waits for none that decides nothing.
func (s *source) await(stream bool) (over *bounds.Error, err error) {
	if err := s.progress.Reset(s.limits); err != nil {
		return nil, err
	}
	for {
		have := len(s.unread())
		_, err := s.progress.Feed(s.unread()[s.progress.Fed():])
		need := uint64(s.progress.Need())
		if e, refused := errors.AsType[*bounds.Error](err); refused {
			if stream && (e.Reason == bounds.ErrMaxBytes || e.Reason == bounds.ErrMaxItems) {
				return e, nil
			}
			return nil, s.fill(uint64(have) + need)
		}
		if need == 0 {
			return nil, nil
		}
		if err := s.fill(uint64(have) + 1); err != nil || len(s.unread()) == have {
			return nil, err
		}
	}
}

// place says which document of the stream Next handed out or refused last.
func (s *source) place() string {
	return fmt.Sprintf(", document %d, which starts at byte %d", s.count, s.start)
}

// Pass makes the document that Next refused, which is well-formed, one that was handed
// out.
func (s *source) Pass() error {
	n, err := walk.Len(s.unread(), s.limits)
	s.take(s.unread()[:n])
	return err
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

// cut reports whether err says that bytes are missing. Its Need is then the least
// length of the document.
func cut(err error) bool {
	if e, ok := errors.AsType[*bounds.Error](err); ok {
		switch e.Reason {
		case bounds.ErrEmpty, bounds.ErrPrefix, bounds.ErrShort, bounds.ErrOwed:
			return true
		}
	}
	return false
}

// unread returns what was read and not handed out, as far as it is looked at.
func (s *source) unread() []byte {
	read := s.buf[s.next:]
	return read[:min(len(read), s.reach)]
}

// fill reads until at least want bytes, or all that is ever looked at, are unread, or
// the input ends. It fails where the reader does before that.
func (s *source) fill(want uint64) error {
	enough := int(min(want, uint64(s.reach)))
	for len(s.buf)-s.next < enough {
		if s.done != nil && s.done != io.EOF {
			return s.done
		}
		if s.done != nil {
			return nil
		}
		have := len(s.buf) - s.next
		if len(s.buf) == cap(s.buf) || s.next > max(chunk, have) {
			s.makeRoom()
		}
		// No more at a time than is wanted or was there: a little that decides
		// costs little, whatever follows it.
		room := s.buf[len(s.buf):cap(s.buf)]
		n, err := s.r.Read(room[:min(len(room), max(chunk, enough-have, have))])
		s.buf, s.done = s.buf[:len(s.buf)+n], err
	}
	return nil
}

// makeRoom moves what is unread to the front of the buffer, or makes a larger one if
// that is full of it: of a chunk, then of all that one document may take within the
// reserve, and only then by doubling. What is moved is no more than what was handed out
// since the last time, or one unfinished document, so moving takes linear time in all.
func (s *source) makeRoom() {
	if s.next > 0 {
		s.buf = s.buf[:copy(s.buf, s.buf[s.next:])]
		s.next = 0
		return
	}
	buf := make([]byte, len(s.buf), larger(int64(cap(s.buf)), int64(s.reach)))
	copy(buf, s.buf)
	s.buf = buf
}

// larger returns the room of the buffer that follows a full one of the given room,
// below reach.
func larger(room, reach int64) int64 {
	switch {
	case room < chunk:
		return chunk
	case room < reserve:
		return min(reserve, reach)
	}
	return min(2*room, reach)
}
