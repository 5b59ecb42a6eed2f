package decode

import (
	"math"
	"sync"
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

// state is what one call works with. It stands on the caller's stack, so that writing to
// it costs the collector nothing.
type state struct {
	d       *Decoder
	data    []byte
	off     int            // of the next header
	account bounds.Account // there
	limits  *bounds.Limits
	base    int   // levels open around what is decoded: above 0 only in FromCursor
	memory  int64 // that may still be charged
	budget  int64 // that could be at first
	inline  bool  // tier.DecodeInline is on
	// replacing and plain say what d does, for the paths taken most: it replaces
	// invalid UTF-8; it refuses duplicate keys and knows no markers.
	replacing, plain bool
	steps            int64 // headers read by the header step and in bulk
	levels           int   // of frames that were charged
	slabs            slabs
	shared           shared
	frames           bounds.Stack[frame]
	typedFrames      bounds.Stack[typedFrame]
	typedLevels      int                // of typed frames that were charged
	quickLevels      int                // see setQuickLevels
	lent             *[lentLevels]frame // of frames, from the pool
	cursor           *walk.Cursor       // what UnmarshalCursor is given, once there was one
}

// frame is one open container.
type frame struct {
	kind   walk.Kind
	carved bool           // arr stands in a slab
	marked bool           // m has the key of a marker
	m      map[string]any // of a map whose keys are str so far
	keyed  map[any]any    // of any other map
	arr    []any          // of an array
	key    key            // of the pair being read
	off    int            // the container's header
	read   int            // elements or pairs complete
	n      int            // elements or pairs in all
}

// key is a map key that was read and accepted.
type key struct {
	str string // in frame.m
	any any    // in frame.keyed
	off int    // its header, or noKey
}

// lentLevels is how many levels beyond the inline ones are served from the pool.
const lentLevels = 128

// lentFrames are frames that no call is using, all clear.
var lentFrames = sync.Pool{New: func() any { return new([lentLevels]frame) }}

// noKey is beyond every offset.
const noKey = math.MaxInt

// begin prepares s for a call that was given data.
func (s *state) begin(d *Decoder, data []byte) {
	s.data, s.limits = data, &d.limits
	s.account = bounds.Open(len(data), &d.limits)
	s.budget = d.limits.Memory(len(data))
	s.memory = s.budget
	s.prepare(d)
	if len(data) > smallSize {
		s.shared.borrow(len(data))
	}
}

// prepare sets what follows from d.
func (s *state) prepare(d *Decoder) {
	s.d = d
	s.levels, s.typedLevels = bounds.InlineLevels, bounds.InlineLevels
	s.inline = tier.On(tier.DecodeInline)
	s.replacing = d.utf8 == ReplaceInvalidUTF8
	s.plain = d.duplicates == RefuseDuplicates && len(d.markers) == 0
	s.setQuickLevels()
}

// depth returns the number of levels open around the next item.
func (s *state) depth() int { return s.base + s.typedFrames.Len() + s.frames.Len() }

// read returns how many items of the document were read.
func (s *state) read() int64 { return s.account.Claimed(s.limits) - s.account.Owed() }

// end gives back what s borrowed. After a panic in the caller's code it is dropped
// instead.
func (s *state) end() {
	tier.Count(tier.DecodeInline, s.read()-s.steps)
	if s.shared.large != nil {
		s.shared.giveBack()
	}
	if s.lent != nil {
		clear(s.lent[:min(lentLevels, s.levels-bounds.InlineLevels)])
		lentFrames.Put(s.lent)
	}
}

// header reads the next header by the header step. What it announces is still to be
// read: s.off stands behind the header.
func (s *state) header() (walk.Header, error) {
	h, next, err := walk.Step(s.data, s.off, s.account, s.depth(), s.limits)
	if err != nil {
		return h, err
	}
	s.steps++
	s.account = next
	s.off += h.Size
	return h, nil
}

// payload reads the next n bytes, which the header step accepted.
func (s *state) payload(n int) []byte {
	p := s.data[s.off : s.off+n : s.off+n]
	s.off += n
	return p
}

// charge takes n bytes for the value whose header is at off, before it is made.
func (s *state) charge(n int64, off int, wire walk.Kind) error {
	s.memory -= n
	if s.memory < 0 {
		return s.refuseMemory(off, wire)
	}
	return nil
}

func (s *state) refuseMemory(off int, wire walk.Kind) error {
	return refuse(off, wire, &bounds.Error{
		Reason: bounds.ErrMaxMemory, Offset: int64(off),
		Limit: uint64(s.budget), Need: uint64(s.budget - s.memory),
	})
}

// chargeLevel pays for the frames of a container that is opened at off, where the
// document first goes beyond s.levels: for each growth of the stack as if it were new.
func (s *state) chargeLevel(off int, wire walk.Kind) error {
	// No byte that is left can open more than one level.
	s.levels = bounds.Grown(s.levels, min(s.limits.MaxDepth-s.base, s.frames.Len()+len(s.data)-off))
	spill := uint64(s.levels - bounds.InlineLevels)
	return s.charge(int64(price.Block(spill*uint64(unsafe.Sizeof(frame{})), true)), off, wire)
}

// refuse returns the error of the value or key whose header is at or before off.
func refuse(off int, wire walk.Kind, reason error) error {
	return &Error{Offset: int64(off), Wire: wire, Err: reason}
}

// final returns the error for a document that was refused with err. If that is about
// what a value means, the structure of the whole is walked, and outranks it. If the
// header step refused, it did so at the first header that it could: the walk, which
// takes the same steps, would say the same.
func (s *state) final(err error) error {
	e, meaning := err.(*Error)
	if !meaning {
		return err
	}
	if structure := walk.Check(s.data, *s.limits); structure != nil {
		return structure
	}
	e = s.earliest(e)
	e.Path = walk.PathAt(s.data, e.Offset)
	return e
}

// earliest returns err, or the error of a duplicate key at a lower offset: keys of maps
// are looked up when their value is complete, so those of the containers that are open
// may not have been noticed.
func (s *state) earliest(err *Error) *Error {
	if s.d.duplicates != RefuseDuplicates {
		return err
	}
	for i := range s.typedFrames.Len() {
		f := s.typedFrames.At(i)
		if f.plan.op == opMap && f.pair != nil && int64(f.pair.keyOff) < err.Offset && f.has() {
			e := s.duplicate(f.pair.keyOff)
			e.GoType = f.plan.typ
			return e
		}
	}
	for i := range s.frames.Len() {
		f := s.frames.At(i)
		if int64(f.key.off) < err.Offset && f.has() {
			return s.duplicate(f.key.off)
		}
	}
	return err
}

// duplicate returns the error of the second key at off.
func (s *state) duplicate(off int) *Error {
	return &Error{Offset: int64(off), Wire: walk.KindOf(s.data[off]), Err: bounds.ErrDuplicateKey}
}

// has reports whether f is a map that holds the key last read.
func (f *frame) has() bool {
	if f.keyed != nil {
		_, has := f.keyed[f.key.any]
		return has
	}
	_, has := f.m[f.key.str]
	return has
}
