package decode

import (
	"errors"
	"io"
	"math"

	"github.com/boundpack/boundpack/walk"
)

const (
	// firstRoom is the room that a buffer starts with.
	firstRoom = 512
	// readAhead is the most that is read at a time behind what is needed.
	readAhead = 32 << 10
	// mostKept is the room of a buffer that is let go after a document.
	mostKept = 64 << 10
	// emptyReads is the number of reads in a row that may give nothing.
	emptyReads = 100
	// longestField is the length in bytes of the longest length field.
	longestField = 4
)

var errCount = errors.New("decode: the stream's Read returned a count out of range")

// document receives the next document and returns its bytes, which stay unread. It is
// what stands behind r.lead bytes.
func (r *Reader) document() ([]byte, error) {
	if r.stuck != nil {
		return nil, r.stuck
	}
	if !r.begun {
		if err := r.progress.Reset(r.d.limits); err != nil {
			return nil, err
		}
		r.begun = true
	}
	r.start = r.offset + int64(r.lead)
	for {
		received := r.received()
		if _, err := r.progress.Feed(received[r.progress.Fed():]); err != nil {
			return nil, r.refuse(err)
		}
		need := r.progress.Need()
		if need == 0 {
			n := int(r.progress.Fed())
			return received[:n:n], nil
		}
		if err := r.read(need); err == io.EOF {
			return nil, r.ended()
		} else if err != nil {
			return nil, err
		}
	}
}

// received returns what there is of the document and of what follows it.
func (r *Reader) received() []byte { return r.buf[r.next+r.lead:] }

// ended returns what the end of the stream means for the document there.
func (r *Reader) ended() error {
	doc := r.received()
	if len(doc) == 0 && !r.within.open() {
		return io.EOF
	}
	return r.refuse(walk.Check(doc, r.d.limits))
}

// refuse makes err, which says that there is no document, the answer to all calls.
func (r *Reader) refuse(err error) error {
	if r.within.open() {
		err = r.within.wrap(err)
	}
	r.stuck = err
	return err
}

// mark is where a Reader was before it took a document.
type mark struct {
	buf    []byte
	next   int
	lead   int
	offset int64
	within container
}

// take consumes the next document, of n bytes: of a map whose pairs are read one by one,
// the next pair.
func (r *Reader) take(n int) mark {
	m := mark{r.buf, r.next, r.lead, r.offset, r.within}
	r.consume(n)
	if r.within.open() {
		r.within.left--
		r.within.read++
	}
	return m
}

// verdict returns the error for the document taken at m, which was decoded with err. If
// that is not about the document, it is put back.
func (r *Reader) verdict(m mark, err error) error {
	if err == nil {
		return nil
	}
	if _, meaning := err.(*Error); !meaning {
		r.buf, r.next, r.lead, r.offset, r.within = m.buf, m.next, m.lead, m.offset, m.within
		return err
	}
	if m.within.open() {
		return m.within.wrap(err)
	}
	return err
}

// consume takes n bytes, which are whole documents, and lets go of a large buffer. Until
// the next read they stay where they are.
func (r *Reader) consume(n int) {
	r.begun, r.lead = false, 0
	r.next += n
	r.offset += int64(n)
	left := r.buf[r.next:]
	switch {
	case cap(r.buf) < mostKept:
		if len(left) == 0 {
			r.buf, r.next = r.buf[:0], 0
		}
	case len(left) == 0:
		r.buf, r.next = nil, 0
	default: // no more than was read ahead
		r.buf, r.next = append(make([]byte, 0, max(readAhead, len(left))), left...), 0
	}
}

// read receives more bytes, one at least. The document needs at least need.
func (r *Reader) read(need int) error {
	if err := r.pending; err != nil {
		r.pending = nil
		return err
	}
	if len(r.buf) == cap(r.buf) {
		r.makeRoom()
	}
	room := r.buf[len(r.buf):cap(r.buf)]
	if r.ahead {
		need = max(need, readAhead)
	}
	room = room[:min(len(room), need)]
	for range emptyReads {
		n, err := r.src.Read(room)
		if n < 0 || n > len(room) {
			r.stuck = errCount
			return errCount
		}
		if n > 0 {
			r.buf, r.pending = r.buf[:len(r.buf)+n], err
			return nil
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// makeRoom makes room behind what is unread, by moving it to the front if that frees
// half of the buffer, else by a buffer of double the size. So what is moved is in
// proportion to what is received.
func (r *Reader) makeRoom() {
	unread := r.buf[r.next:]
	room := r.larger()
	if r.next > 0 && (len(unread) <= cap(r.buf)/2 || room <= cap(r.buf)) {
		r.buf = r.buf[:copy(r.buf, unread)]
	} else {
		r.buf = append(make([]byte, 0, room), unread...)
	}
	r.next = 0
}

// larger returns the room of the buffer after this one: no more than double, and no more
// than a document is looked at.
func (r *Reader) larger() int {
	first := firstRoom
	if r.ahead && cap(r.buf) == 0 {
		first = readAhead
	}
	reach := r.lead + min(r.d.limits.MaxBytes, math.MaxInt-longestField-r.lead) + longestField
	if cap(r.buf) > reach/2 {
		return max(reach, first)
	}
	return max(2*cap(r.buf), first)
}

// more reports whether anything follows the document of n bytes at the front of the
// buffer, which stays where it is.
func (r *Reader) more(n int) (bool, error) {
	if len(r.buf) > n {
		return true, nil
	}
	// Not behind the document: its buffer may be full.
	rest := Reader{src: r.src, buf: make([]byte, 0, 1), pending: r.pending}
	err := rest.read(1)
	if err == io.EOF {
		return false, nil
	}
	return err == nil, err
}
