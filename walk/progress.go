package walk

import (
	"math"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/tier"
)

// Progress is the walk of a document whose bytes arrive one part after another: fed
// each part once, it says that the document is complete, that it is refused, or how many
// bytes it needs at least. It keeps none of them, takes time in proportion to them, and
// allocates nothing for up to eight open levels. It is created by [NewProgress] or
// [Progress.Reset], must not be copied, and is not safe for concurrent use.
//
// What it says depends on the bytes alone, not on how they are split. It accepts exactly
// what [Check] accepts, and refuses with the reason and the offset that Check gives, except
// in two ways. A header that claims more than MaxBytes or MaxItems is refused
// at once with [ErrMaxBytes] or [ErrMaxItems], whatever would have come; Check, which knows how much
// comes, may have a reason of lower offset. And that bytes are missing is not
// for it to say: if the input ends while Need is not 0, the answer is Check's on the
// bytes received.
type Progress struct {
	walker  walker
	limits  bounds.Limits
	account bounds.Account // before the header at next, as if MaxBytes were there
	next    int64          // offset of the next header
	fed     int64
	need    int64               // the length on which what to say next depends
	head    [longestHeader]byte // what has arrived of the header at next
	arrived int                 // bytes in head; 0 if none of it, or all, arrived
	refusal *bounds.Error       // due when need bytes are fed
	err     error               // to be said now
}

// longestHeader is the length in bytes of a header with the longest length field.
const longestHeader = 5

// mostKept is the room of a stack that Reset keeps.
const mostKept = 256

// NewProgress returns a Progress before the first byte of a document. The error is
// [ErrOptions], for limits out of range.
func NewProgress(limits bounds.Limits) (*Progress, error) {
	p := new(Progress)
	if err := p.Reset(limits); err != nil {
		return nil, err
	}
	return p, nil
}

// Reset puts p before the first byte of another document, as [NewProgress] does. It keeps
// the memory of a stack of up to 256 levels. After an error Feed returns that error.
func (p *Progress) Reset(limits bounds.Limits) error {
	limits, err := limits.Resolve()
	p.limits = limits
	p.walker.limits = &p.limits
	p.walker.open.SetLen(0)
	if p.walker.open.Room() > mostKept {
		p.walker.open = bounds.Stack[int64]{}
	}
	p.account = bounds.Open(limits.MaxBytes, &limits)
	p.next, p.fed, p.need, p.arrived, p.refusal, p.err = 0, 0, 1, 0, nil, err
	return err
}

// Need returns how many more bytes are needed at least, 0 when the document is complete.
// So many belong to the document, if it is one within limits: every item that is owed
// costs a byte. Reading no more than Need before each Feed therefore never reads past
// the end. After a refusal it is the number of bytes that would have to follow for Check to refuse
// for the same reason: 0 except after ErrMaxBytes and ErrMaxItems.
func (p *Progress) Need() int { return int(max(0, min(p.need-p.fed, math.MaxInt))) }

// Fed returns the number of bytes of the document that were fed, and its length when it
// is complete.
func (p *Progress) Fed() int64 { return p.fed }

// Feed takes the bytes that follow those it was fed before, and returns how many of them
// belong to the document: all of b, unless the document is complete before its end. It
// refuses with a [*bounds.Error] that further calls return again: ErrReserved,
// ErrMaxDepth, ErrMaxBytes or ErrMaxItems, at the offset of the header. n is then 0. Feed
// does not keep b.
func (p *Progress) Feed(b []byte) (n int, err error) {
	if p.err != nil {
		return 0, p.err
	}
	n = len(b)
	if p.refusal == nil {
		n = p.walk(b)
	}
	p.fed += int64(n)
	if p.refusal != nil && p.fed >= p.need {
		p.err = p.refusal
	}
	if p.err != nil {
		return 0, p.err
	}
	return n, nil
}

// walk reads the headers in b, and returns how many of its bytes are the document's.
func (p *Progress) walk(b []byte) int {
	off := p.next - p.fed // in b, of the next header, and maybe beyond b
	if p.arrived > 0 {
		size := headerSize(p.head[0])
		had := p.arrived
		p.arrived += copy(p.head[had:size], b)
		if p.arrived < size {
			return len(b)
		}
		p.arrived = 0
		if !p.step(p.head[:size]) {
			return len(b)
		}
		off = p.next - p.fed
	}
	inline, taken := tier.On(tier.WalkInline), int64(0)
	p.walker.data = b
	for off < int64(len(b)) && p.account.Owed() > 0 {
		if inline {
			owed, claimed := p.account.Owed(), p.account.Claimed(&p.limits)
			var at int
			at, p.account = p.walker.inline(int(off), p.account)
			off = int64(at)
			p.next = p.fed + off
			taken += owed - p.account.Owed() + p.account.Claimed(&p.limits) - claimed
			if off >= int64(len(b)) || p.account.Owed() == 0 {
				break
			}
		}
		head := b[off:]
		size := headerSize(head[0])
		if len(head) < size {
			p.arrived = copy(p.head[:], head)
			p.need = p.next + int64(size) + p.account.Owed() - 1
			break
		}
		if !p.step(head[:size]) {
			break
		}
		off = p.next - p.fed
	}
	p.walker.data = nil
	tier.Count(tier.WalkInline, taken)
	if p.refusal != nil {
		return len(b)
	}
	if p.arrived == 0 {
		p.need = p.next + p.account.Owed()
	}
	if p.account.Owed() == 0 {
		return int(min(off, int64(len(b))))
	}
	return len(b)
}

// step moves over the header at p.next, which is head, by the header step. If that does
// not accept it, p.refusal is the reason.
func (p *Progress) step(head []byte) (accepted bool) {
	w := &p.walker
	w.close(p.account.Owed())
	h, next, err := Step(head, 0, p.account, w.open.Len(), &p.limits)
	if err != nil {
		p.refuse(head)
		return false
	}
	if h.Items > 0 {
		if w.open.Full() {
			// How many bytes are left to open levels is not known.
			w.open.Grow(bounds.Grown(w.open.Room(), p.limits.MaxDepth))
		}
		w.open.Push(p.account.Owed() - 1)
	}
	p.account = next
	p.next += int64(h.Size) + int64(h.Payload)
	p.need = p.next + next.Owed()
	return true
}

// refuse sets the reason why the header at p.next, which is head, is not accepted: what
// it is in an input without end.
func (p *Progress) refuse(head []byte) {
	const endless = 1 << 62
	e := reason(head, int(p.next), endless, p.account, p.walker.open.Len(), &p.limits)
	p.refusal = e
	switch e.Reason {
	case bounds.ErrMaxBytes, bounds.ErrMaxItems:
		p.err = e
		p.need = p.next + implied(head, p.account)
	default:
		// The bytes owed before may turn out to be missing, and that comes first.
		p.need = p.next + max(int64(len(head)), p.account.Owed())
	}
}

// implied returns the number of bytes that the document takes at least from the header
// head on.
func implied(head []byte, account bounds.Account) int64 {
	f := formats[head[0]]
	n := int64(f.fixed) + int64(length(head[1:]))
	if f.kind == Map {
		n *= 2
	}
	return int64(len(head)) + n + account.Owed() - 1
}

// headerSize returns the length in bytes of a header with the given marker.
func headerSize(marker byte) int { return 1 + int(formats[marker].width) }
