package decode

import (
	"bytes"
	"errors"
	"io"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/walk"
)

// Reader decodes documents that stand one after another in a stream, with nothing between
// them. It is created by [NewReader] or [Decoder.NewReader], and is not safe for
// concurrent use, nor for use by a function of the [Options] that it is calling.
//
// It reads no byte behind the document that it is asked for, unless [Reader.ReadAhead]
// allows it to, so other traffic may follow on the same connection: it asks for what the
// document is known to need at least, and all of that belongs to it. The price is a read for
// each time that more becomes known, about one for every 30 to 100 bytes of nested maps.
//
// One document is held in memory. The buffer grows with the bytes received, never with
// bytes claimed: all that is allocated for it while a document arrives is less than four
// times its length, or 512 bytes (32 KiB reading ahead). A buffer of 64 KiB or more is let
// go after the document. With AliasInput every document has a buffer of its own, which its
// values keep alive.
//
// # Refusals
//
// A stream accepts exactly the documents that [Unmarshal] accepts, under the same limits.
// The default of MaxMemory follows the length of the document. Offsets in errors count from
// the start of the document; [Reader.Start] says where in the stream that is.
//
//   - [io.EOF]: the stream ended between documents.
//   - A [*bounds.Error]: the bytes are no document within limits, and where the next one
//     would begin is not known. If the stream ended inside the document, it is the
//     error of [walk.Check] on what there was, which is [io.ErrUnexpectedEOF] too. A header
//     that claims more than MaxBytes or MaxItems is refused at once, whatever would have
//     come; anything else as soon as [walk.Check] is sure to say the same. Every later
//     call returns this error again.
//   - An [*Error]: the document was received whole and refused for what it means, or for
//     MaxMemory. The next call reads the next document.
//   - [ErrTarget]: dst is of no use. The document stays, for the next call.
//   - Anything else is the error of the stream, as it is. What was received is kept, and
//     the next call reads on. [io.ErrNoProgress] says that a hundred reads gave nothing.
//
// [Reader.Resumable] tells those apart after which going on makes sense.
type Reader struct {
	d   *Decoder
	src io.Reader

	ahead    bool // it may read behind the document
	begun    bool // progress is about the document at buf[next+lead:]
	progress walk.Progress

	buf    []byte
	next   int   // buf[next:] was received and not consumed
	lead   int   // bytes there that are the key of the pair whose value comes next
	offset int64 // in the stream, of buf[next]
	start  int64 // in the stream, of the document last begun

	pending error // the stream's, given together with bytes
	stuck   error // returned by every call
	within  container
}

// NewReader is [Decoder.NewReader] of the default decoder.
func NewReader(src io.Reader) *Reader { return standard.NewReader(src) }

// NewReader returns a Reader of the documents in src, decoded as d does.
func (d *Decoder) NewReader(src io.Reader) *Reader { return &Reader{d: d, src: src} }

// Reset makes r read another stream from its start, with the same Decoder. It keeps
// whether it reads ahead, and its buffer.
func (r *Reader) Reset(src io.Reader) {
	r.src, r.buf = src, r.buf[:0]
	if cap(r.buf) >= mostKept {
		r.buf = nil
	}
	r.begun, r.next, r.lead, r.offset, r.start = false, 0, 0, 0, 0
	r.pending, r.stuck, r.within = nil, nil, container{}
}

// ReadAhead lets r read up to 32 KiB behind the document that it is asked for, which
// takes far fewer reads, and returns r. It is for files, and for connections that carry
// documents and nothing else. [Reader.Buffered] gives what was read too much.
func (r *Reader) ReadAhead() *Reader {
	r.ahead = true
	return r
}

// Decode decodes the next document into what dst points to, as [Decoder.Unmarshal] does.
// The documentation of [Reader] says what each error is, and what the next call does.
func (r *Reader) Decode(dst any) error {
	if err := r.leave(); err != nil {
		return err
	}
	doc, err := r.document()
	if err != nil {
		return err
	}
	return r.decode(dst, doc)
}

// Raw returns the next document as its bytes, which are well-formed within limits; UTF-8,
// keys and the like are not looked at. They are valid until the next call. It refuses as
// [Reader.Decode] does, except that there is no [*Error].
func (r *Reader) Raw() ([]byte, error) {
	if err := r.leave(); err != nil {
		return nil, err
	}
	doc, err := r.document()
	if err != nil {
		return nil, err
	}
	r.take(len(doc))
	return doc, nil
}

// Resumable reports whether to go on makes sense after r returned err: the document was
// refused for what it means and the next call reads the next one, or the stream has a
// deadline or a temporary error, one that says so by a method Timeout or Temporary, and the
// next call reads on in the same document. It is false for [io.EOF] and nil.
func (r *Reader) Resumable(err error) bool {
	if err == nil || r.stuck != nil {
		return false
	}
	if _, meaning := errors.AsType[*Error](err); meaning {
		return true
	}
	if t, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err); ok && t.Timeout() {
		return true
	}
	t, ok := errors.AsType[interface {
		error
		Temporary() bool
	}](err)
	return ok && t.Temporary()
}

// Start returns the offset in the stream, in bytes, of the document (or element, key or
// value) that was last decoded, refused or begun. Offsets in errors count from there.
func (r *Reader) Start() int64 { return r.start }

// Offset returns the number of bytes of the stream that were consumed: the offset where the
// document begins that the next call reads.
func (r *Reader) Offset() int64 { return r.offset }

// Buffered returns the bytes that were received and not consumed: those of a document
// that is not complete or was refused as no document, and what was read ahead. They are
// valid until the next call.
func (r *Reader) Buffered() []byte { return r.buf[r.next:len(r.buf):len(r.buf)] }

// decode decodes doc, which is the next document, and consumes it.
func (r *Reader) decode(dst any, doc []byte) error {
	doc = r.own(doc)
	m := r.take(len(doc)) // before the caller's own code runs, which may panic
	_, err := r.d.into(doc, dst)
	return r.verdict(m, err)
}

// UnmarshalRead is [Decoder.UnmarshalRead] of the default decoder.
func UnmarshalRead(src io.Reader, dst any) error { return standard.UnmarshalRead(src, dst) }

// UnmarshalRead reads src to its end, which must be exactly one document, and decodes it
// as [Decoder.Unmarshal] does. The limits hold while it reads: what is beyond them is
// refused as soon as that is known, and no more is read, so that src need not be limited
// otherwise. It refuses with what [Reader.Decode] does; [ErrEmpty] if there is nothing,
// and [ErrTrailing] if a byte follows the document, of which it reads no more than one
// read gives. The error of src is returned as it is.
func (d *Decoder) UnmarshalRead(src io.Reader, dst any) error {
	r := Reader{d: d, src: src, ahead: true, buf: make([]byte, 0, firstRoom)}
	doc, err := r.document()
	if err == io.EOF {
		return walk.Check(nil, d.limits)
	}
	if err != nil {
		return err
	}
	trailing, err := r.more(len(doc))
	if err != nil {
		return err
	}
	if p, ok := dst.(*any); ok && p != nil && trailing {
		_, _, err = d.first(doc) // and *p stays as it was
	} else {
		_, err = d.into(doc, dst)
	}
	if err == nil && trailing {
		return &Error{Offset: int64(len(doc)), Err: bounds.ErrTrailing}
	}
	return err
}

// own returns doc, which is the next document, in memory that the buffer does not use
// again, if its values will be parts of it.
func (r *Reader) own(doc []byte) []byte {
	if r.d.alias && cap(r.buf) < mostKept {
		return bytes.Clone(doc)
	}
	return doc // the buffer is let go
}
