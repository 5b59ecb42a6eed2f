package decode

import (
	"math"
	"sync"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

// keepLevels is how many levels of frames beyond the inline ones an idle state may
// hold.
const keepLevels = 256

// state is what one call works with. It goes back to the pool empty.
type state struct {
	d      *Decoder
	data   []byte
	frames bounds.Stack[frame]
	inline bool  // tier.AnyInline is on
	steps  int64 // headers read by the header step
}

// noKey is beyond every offset.
const noKey = math.MaxInt

// frame is one open container.
type frame struct {
	m      map[string]any // nil for an array
	arr    []any
	key    string // of the pair being read
	keyOff int    // of that key's header, or noKey before it is accepted
	read   int    // elements or pairs complete
	n      int    // elements or pairs in all
}

var states = sync.Pool{New: func() any { return new(state) }}

func newState(d *Decoder, data []byte) *state {
	s := states.Get().(*state)
	s.d, s.data, s.steps = d, data, 0
	s.inline = tier.On(tier.AnyInline)
	return s
}

// free empties s and gives it back. After a panic in the caller's code s must be
// dropped instead.
func (s *state) free() {
	s.frames.Reset(keepLevels)
	s.d, s.data = nil, nil
	states.Put(s)
}

// refuse returns the error of the value or key whose header is at or before off. A
// duplicate key around it that was not noticed yet, because keys are looked up when
// their value is complete, stands at a lower offset and wins.
func (s *state) refuse(off int, wire walk.Kind, reason error) error {
	for i := range s.frames.Len() {
		f := s.frames.At(i)
		if _, twice := f.m[f.key]; twice && f.keyOff < off {
			off, wire, reason = f.keyOff, walk.Str, bounds.ErrDuplicateKey
			break
		}
	}
	return &Error{Offset: int64(off), Path: walk.PathAt(s.data, int64(off)), Wire: wire, Err: reason}
}
