package decode

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

// parser is the one pass that makes a Document.
type parser struct {
	d       *Decoder
	doc     *Document
	data    []byte
	off     int            // of the next header
	account bounds.Account // there
	memory  int64          // that may still be charged
	budget  int64          // that could be at first
	tape    []uint64       // as long as was charged
	n       int            // words of tape in use
	levels  int            // of frames that were charged
	steps   int64          // headers read by the header step
	seeded  bool           // doc.seed was made for this document
}

// docFrame is one open container.
type docFrame struct {
	done  int64  // items owed when it is complete
	seen  uint64 // of a small map, three bits for each key by its hash
	at    int    // its index in the tape
	first int    // that of its first item
	items int
	keyed bool // a map
}

// leastTape and mostTape are the words that the tape begins with, at least and at most.
const leastTape, mostTape = 8, 64 << 10

func (p *parser) parse() error {
	p.account = bounds.Open(len(p.data), &p.d.limits)
	p.budget = p.d.limits.Memory(len(p.data))
	p.memory, p.levels = p.budget, bounds.InlineLevels
	p.doc.open.SetLen(0)
	inline := tier.On(tier.DocumentInline)
	if err := p.charge(int64(price.Lone(uint64(len(p.data)), false)), 0); err != nil {
		return err
	}
	if err := p.makeRoom(int64(max(leastTape, min(mostTape, len(p.data)/8))), 0); err != nil {
		return err
	}
	for {
		for inline {
			if p.quick(); !p.quickText() {
				break
			}
		}
		var err error
		open := &p.doc.open
		switch {
		case open.Len() > 0 && open.Top().done == p.account.Owed():
			err = p.close(open.Top())
		case p.account.Owed() > 0:
			err = p.step()
		default:
			tier.Count(tier.DocumentInline, p.account.Claimed(&p.d.limits)-p.steps)
			if p.off < len(p.data) {
				return &Error{Offset: int64(p.off), Err: bounds.ErrTrailing}
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// final returns the error for a document that was refused with err: see state.final.
func (p *parser) final(err error) error {
	e, meaning := err.(*Error)
	if !meaning || e.Err == bounds.ErrTrailing {
		return err
	}
	if structure := walk.Check(p.data, p.d.limits); structure != nil {
		return structure
	}
	e = p.earliest(e)
	e.Path = walk.PathAt(p.data, e.Offset)
	return e
}

// earliest returns err, or the error of a duplicate key at a lower offset: the keys of large
// maps are told apart when the map is complete, so those of maps that are open may not have
// been noticed. All else is judged in the order of the bytes.
func (p *parser) earliest(err *Error) *Error {
	if p.d.duplicates != RefuseDuplicates {
		return err
	}
	for i := range p.doc.open.Len() {
		f := p.doc.open.At(i)
		if f.keyed && f.items > 2*smallContainer {
			end := p.n
			if i+1 < p.doc.open.Len() {
				end = p.doc.open.At(i + 1).at
			}
			if off := p.indexKeys(f, end); off >= 0 && int64(off) < err.Offset {
				err = p.duplicate(off)
			}
		}
	}
	return err
}

// charge takes n bytes for the item whose header is at off.
func (p *parser) charge(n int64, off int) error {
	if p.memory -= n; p.memory >= 0 {
		return nil
	}
	var wire walk.Kind
	if off < len(p.data) {
		wire = walk.KindOf(p.data[off])
	}
	return refuse(off, wire, &bounds.Error{
		Reason: bounds.ErrMaxMemory, Offset: int64(off),
		Limit: uint64(p.budget), Need: uint64(p.budget - p.memory),
	})
}

// makeRoom makes the tape long enough for words more, for the item whose header is at off.
func (p *parser) makeRoom(words int64, off int) error {
	need := int64(p.n) + words
	if need <= int64(len(p.tape)) {
		return nil
	}
	// No byte that is left can take more than three words.
	room := max(need, min(2*int64(len(p.tape)), need+3*int64(len(p.data)-p.off)))
	size := price.Lone(8*uint64(room), false)
	if size > math.MaxInt { // which no 32-bit platform has
		size = 2 * bounds.CeilingMaxMemory
	}
	if err := p.charge(int64(size), off); err != nil {
		return err
	}
	if room <= int64(cap(p.tape)) {
		p.tape = p.tape[:room]
		return nil
	}
	longer := make([]uint64, room)
	copy(longer, p.tape[:p.n])
	p.tape = longer
	return nil
}

// put appends the word of the item whose header is at off; there must be room.
func (p *parser) put(word uint64) {
	p.tape[p.n] = word
	p.n++
}

// step reads the next header by the header step, and what it says.
func (p *parser) step() error {
	off, open := p.off, &p.doc.open
	h, account, err := walk.Step(p.data, off, p.account, open.Len(), &p.d.limits)
	if err != nil {
		return err
	}
	if err := p.makeRoom(2, off); err != nil {
		return err
	}
	isKey := false
	if open.Len() > 0 {
		f := open.Top()
		isKey = f.keyed && (p.account.Owed()-f.done)%2 == 0
	}
	p.steps++
	start := off + h.Size
	p.account, p.off = account, start+h.Payload
	payload := p.data[start:p.off:p.off]
	switch {
	case isKey:
		return p.readKey(open.Top(), h, payload, off)
	case h.Items > 0:
		return p.enter(h, off)
	case h.Kind == walk.Str && p.d.utf8 == RefuseInvalidUTF8 && !isText(payload):
		return refuse(start+walk.ValidPrefix(payload), walk.Str, ErrUTF8)
	case h.Kind == walk.Ext:
		if err := p.checkTime(payload); err != nil {
			return refuse(off, walk.Ext, err)
		}
	}
	p.put(uint64(off))
	return nil
}

// checkTime refuses an ext that is to be a time.Time and cannot.
func (p *parser) checkTime(payload []byte) error {
	if int8(payload[0]) != timestampType {
		return nil
	}
	if _, known := p.d.exts[timestampType]; known {
		return nil
	}
	t, err := ParseTimestamp(payload[1:])
	if err == nil {
		_, err = t.Time()
	}
	return err
}

// enter opens the container h, which is not empty and whose header is at off.
func (p *parser) enter(h walk.Header, off int) error {
	open := &p.doc.open
	if open.Len() >= p.levels {
		// No byte that is left can open more than one level.
		p.levels = bounds.Grown(p.levels, min(p.d.limits.MaxDepth, open.Len()+len(p.data)-off))
		spill := uint64(p.levels-bounds.InlineLevels) * uint64(unsafe.Sizeof(docFrame{}))
		if err := p.charge(int64(price.Lone(spill, false)), off); err != nil {
			return err
		}
	}
	if open.Full() {
		open.Grow(p.levels)
	}
	word, slots := uint64(off)|holdsItems, int64(0)
	if h.Kind == walk.Map && h.Items > 2*smallContainer {
		word |= isIndexed
		slots = slotsFor(h.Items / 2)
		if !p.seeded {
			p.doc.seed, p.seeded = maphash.MakeSeed(), true
		}
	}
	// Each item will take a word at least.
	if err := p.makeRoom(2+slots+int64(h.Items), off); err != nil {
		return err
	}
	at := p.n
	p.put(word)
	p.n++
	p.n += int(slots)
	*open.Open() = docFrame{
		done: p.account.Owed() - int64(h.Items), at: at, first: p.n, items: h.Items, keyed: h.Kind == walk.Map,
	}
	return nil
}

// close closes f, the innermost container, whose items are complete.
func (p *parser) close(f *docFrame) error {
	if !f.keyed && f.items > smallContainer && p.n-f.first > f.items {
		if err := p.makeRoom(int64(f.items), int(p.tape[f.at]&offsetMask)); err != nil {
			return err
		}
		p.tape[f.at] |= isIndexed
		for at, i := f.first, 0; i < f.items; i++ {
			p.put(uint64(at))
			at = after(p.tape, at)
		}
	}
	if f.keyed && f.items > 2*smallContainer {
		if off := p.indexKeys(f, p.n); off >= 0 {
			return p.duplicate(off)
		}
	}
	p.tape[f.at+1] = uint64(p.n)
	p.doc.open.Pop()
	return nil
}

// quick reads as far as it can without the header step: fixint, nil, bool, numbers, fixstr
// and str 8 of ASCII, and fixarray and fixmap. It stops before anything that would be
// refused, or that it does not know, or that needs room. It calls nothing, so that its state
// stays in registers.
func (p *parser) quick() {
	data, tape, off, n, a := p.data, p.tape, p.off, p.n, p.account
	// Beyond these it stops: short loads take nine bytes, a container two words.
	lastOff, lastWord := len(data)-9, len(tape)-2
	open := &p.doc.open
	levels, most := open.Len(), min(open.Room(), p.d.limits.MaxDepth, p.levels)
	var f *docFrame
	done, keyed, seen := int64(0), false, uint64(0)
	if levels > 0 {
		f = open.At(levels - 1)
		done, keyed, seen = f.done, f.keyed, f.seen
	}
	for off <= lastOff && n <= lastWord {
		owed := a.Owed() - done
		if owed == 0 {
			if levels <= 1 || f.items > 2*smallContainer || f.items > smallContainer && !f.keyed {
				break
			}
			tape[f.at+1] = uint64(n)
			levels--
			f = open.At(levels - 1)
			done, keyed, seen = f.done, f.keyed, f.seen
			continue
		}
		b := data[off]
		isKey := keyed && owed%2 == 0
		if size := int(valueLen[b]); size > 0 && !isKey {
			if !a.Take(int64(size - 1)) {
				break
			}
			tape[n] = uint64(off)
			off += size
			n++
			continue
		}
		if b&0xe0 == 0xa0 {
			l := int(b & 0x1f)
			end := off + 1 + l
			if uint(end) > uint(len(data)) {
				break
			}
			lo, hi := binary.LittleEndian.Uint64(data[off+1:off+9]), uint64(0)
			any := lo
			if l <= 8 {
				lo &= 1<<(8*l) - 1
				any = lo
			} else {
				hi = binary.LittleEndian.Uint64(data[end-8 : end])
				any |= hi
				if l > 16 {
					any |= binary.LittleEndian.Uint64(data[off+9:off+17]) | binary.LittleEndian.Uint64(data[end-16:end-8])
				}
			}
			if any&high != 0 {
				break
			}
			if isKey && f.items <= 2*smallContainer {
				bits := keyBits(lo, hi, l)
				if seen&bits == bits {
					break
				}
				seen |= bits
			}
			if !a.Take(int64(l)) {
				break // and if it is a key, its bits do no harm
			}
			tape[n] = uint64(off)
			off = end
			n++
			continue
		}
		if isKey {
			break
		}
		if b >= 0x80 && b < 0xa0 {
			items := int64(b & 0x0f)
			if b < 0x90 {
				items *= 2
			}
			next := a.Container(0, items)
			if !next.Within() || levels >= most {
				break
			}
			a = next
			tape[n] = uint64(off)
			if items > 0 {
				if f != nil {
					f.seen = seen
				}
				f = open.At(levels)
				levels++
				done, keyed, seen = a.Owed()-items, b < 0x90, 0
				f.done, f.at, f.first, f.items, f.keyed = done, n, n+2, int(items), keyed
				tape[n] |= holdsItems
				n++
			}
			off++
			n++
			continue
		}
		if b != 0xd9 {
			break
		}
		l := int(data[off+1])
		end := off + 2 + l
		if l < 8 || uint(end) > uint(len(data)) {
			break
		}
		any := binary.LittleEndian.Uint64(data[end-8 : end])
		for at := off + 2; at < end-8; at += 8 {
			any |= binary.LittleEndian.Uint64(data[at : at+8])
		}
		if any&high != 0 || !a.Take(int64(end-off-1)) {
			break
		}
		tape[n] = uint64(off)
		off = end
		n++
	}
	if f != nil {
		f.seen = seen
	}
	open.SetLen(levels)
	p.off, p.n, p.account = off, n, a
}

// quickText reads the next item if it is a fixstr or str 8 that must be looked at more than
// quick does, and reports whether it did: without the header step, and only what that and
// readKey would accept.
func (p *parser) quickText() bool {
	data, off := p.data, p.off
	if off+1 >= len(data) || p.n >= len(p.tape) {
		return false
	}
	b := data[off]
	start := off + 1
	end := start + int(b&0x1f)
	switch {
	case b == 0xd9:
		start++
		end = start + int(data[off+1])
	case b&0xe0 != 0xa0:
		return false
	}
	if end > len(data) || !p.account.Scalar(int64(end-off-1)).Backed() || !isText(data[start:end]) {
		return false
	}
	if open := &p.doc.open; open.Len() > 0 {
		f := open.Top()
		switch owed := p.account.Owed() - f.done; {
		case owed == 0:
			return false
		case f.keyed && owed%2 == 0 && !p.addKey(f, docKey{class: strClass, text: data[start:end]}):
			return false
		}
	} else if p.account.Owed() == 0 {
		return false
	}
	p.account.Take(int64(end - off - 1))
	p.put(uint64(off))
	p.off = end
	return true
}

// valueLen is the length of a whole item by its marker: of nil, bool and the numbers.
var valueLen = func() (t [256]uint8) {
	for m := range t {
		switch {
		case m < 0x80 || m >= 0xe0 || m == 0xc0 || m == 0xc2 || m == 0xc3:
			t[m] = 1
		case numberLen[m] > 0:
			t[m] = 1 + numberLen[m]
		}
	}
	return t
}()
