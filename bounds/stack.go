package bounds

// InlineLevels is the number of levels a [Stack] holds without the heap.
const InlineLevels = 8

// Stack is the stack of open containers: the first eight frames stand in the
// value itself, deeper ones on the heap, which stays untouched until the ninth.
// The zero Stack is empty and ready. A Stack must not be copied after its first
// use, and is not safe for concurrent use.
type Stack[F any] struct {
	inline [InlineLevels]F
	spill  []F // as long as there is room; levels beyond n are stale
	n      int
}

// Len returns the number of open levels.
func (s *Stack[F]) Len() int { return s.n }

// Room returns the number of levels that fit without growing, 8 at least.
func (s *Stack[F]) Room() int { return InlineLevels + len(s.spill) }

// Push opens a level. There must be room for it: see [Stack.Grow].
func (s *Stack[F]) Push(f F) {
	*s.At(s.n) = f
	s.n++
}

// Pop closes the innermost level. The stack must not be empty.
func (s *Stack[F]) Pop() { s.n-- }

// SetLen makes n levels the open ones, 0 <= n <= Room: for loops that keep the
// count in a register and the frames by [Stack.At].
func (s *Stack[F]) SetLen(n int) { s.n = n }

// Top returns the innermost level, valid until the next Push, Pop or Grow. The
// stack must not be empty.
func (s *Stack[F]) Top() *F { return s.At(s.n - 1) }

// At returns level i, the outermost being 0, valid until the next Grow. It panics
// unless 0 <= i < Room; a level from Len on is stale.
func (s *Stack[F]) At(i int) *F {
	if i < InlineLevels {
		return &s.inline[i]
	}
	return &s.spill[i-InlineLevels]
}

// Full reports whether [Stack.Grow] is due before the next Push.
func (s *Stack[F]) Full() bool { return s.n == s.Room() }

// Grow makes room for at least one more level: the heap part is doubled, from
// eight, but never beyond what most levels need. most is the greatest depth the
// document can still reach (its depth limit, or a level for every byte left,
// whichever is less) and must exceed Len.
func (s *Stack[F]) Grow(most int) {
	spill := make([]F, min(max(InlineLevels, 2*len(s.spill)), most-InlineLevels))
	copy(spill, s.spill)
	s.spill = spill
}

// Reset empties the stack, clears every frame it held and lets the heap part go
// if it has room for more than keep levels.
func (s *Stack[F]) Reset(keep int) {
	clear(s.inline[:])
	if len(s.spill) > keep {
		s.spill = nil
	}
	clear(s.spill)
	s.n = 0
}
