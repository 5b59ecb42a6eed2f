package bounds

// InlineLevels is the number of levels a [Stack] holds without the heap. It is
// machinery: see the package documentation.
const InlineLevels = 8

// Stack is the stack of open containers: the first eight frames stand in the
// value itself, deeper ones on the heap, which stays untouched until the ninth.
// The zero Stack is empty and ready. A Stack must not be copied after its first
// use, and is not safe for concurrent use. It is machinery: see the package
// documentation.
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
func (s *Stack[F]) Push(f F) { *s.Open() = f }

// Open opens a level and returns its frame, which holds what an earlier level left there.
// There must be room for it: see [Stack.Grow].
func (s *Stack[F]) Open() *F {
	s.n++
	return s.At(s.n - 1)
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

// Grow makes room for room levels, more than there is. [Grown] says how many.
func (s *Stack[F]) Grow(room int) {
	spill := make([]F, room-InlineLevels)
	copy(spill, s.spill)
	s.spill = spill
}

// Lend gives s a heap part for len(spill) levels beyond eight, more than it has, that its
// owner takes back when s is done with.
func (s *Stack[F]) Lend(spill []F) {
	copy(spill, s.spill)
	s.spill = spill
}

// Grown returns the room of a stack after it grew from room: the part beyond eight
// levels is doubled, from eight, but never beyond what most levels need. most is the
// greatest depth the document can still reach (its depth limit, or a level for every
// byte left, whichever is less) and must exceed room. It is machinery: see the package
// documentation.
func Grown(room, most int) int {
	return min(InlineLevels+max(InlineLevels, 2*(room-InlineLevels)), most)
}
