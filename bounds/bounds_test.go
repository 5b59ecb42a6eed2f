package bounds

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
)

func TestLimitsResolve(t *testing.T) {
	got, err := Limits{}.Resolve()
	if want := (Limits{1024, 64 << 20, 1 << 22, 0}); got != want || err != nil {
		t.Errorf("the defaults are %+v, %v, want %+v", got, err, want)
	}
	set := Limits{1, 2, 3, 4}
	if got, err := set.Resolve(); got != set || err != nil {
		t.Errorf("Resolve changed %+v to %+v, %v", set, got, err)
	}
}

func TestLimitsValidate(t *testing.T) {
	wide := int64(1 << 40)
	if math.MaxInt < wide {
		wide = math.MaxInt32
	}
	for _, l := range []Limits{
		{MaxDepth: 1, MaxBytes: 1, MaxItems: 1, MaxMemory: 1},
		{MaxDepth: 65535, MaxBytes: int(wide), MaxItems: int(wide), MaxMemory: 1 << 40},
	} {
		if err := l.Validate(); err != nil {
			t.Errorf("%+v: %v", l, err)
		}
	}
	bad := map[string]Limits{
		"Limits.MaxDepth is -1, want 1..65535":                              {MaxDepth: -1},
		"Limits.MaxDepth is 65536, want 1..65535":                           {MaxDepth: 65536},
		fmt.Sprintf("Limits.MaxBytes is -1, want 1..%d", wide):              {MaxBytes: -1},
		fmt.Sprintf("Limits.MaxItems is %d, want 1..%d", math.MinInt, wide): {MaxItems: math.MinInt},
	}
	bad["Limits.MaxMemory is -1, want 1..1099511627776"] = Limits{MaxMemory: -1}
	bad["Limits.MaxMemory is 1099511627777, want 1..1099511627776"] = Limits{MaxMemory: 1<<40 + 1}
	if math.MaxInt > wide {
		over := int(wide)
		over++
		bad[fmt.Sprintf("Limits.MaxBytes is %d, want 1..%d", over, wide)] = Limits{MaxBytes: over}
		bad[fmt.Sprintf("Limits.MaxItems is %d, want 1..%d", over, wide)] = Limits{MaxItems: over}
	}
	for text, l := range bad {
		err := l.Validate()
		if !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), text) {
			t.Errorf("%+v: %v, want ErrOptions with %q", l, err, text)
		}
		if got, err := l.Resolve(); got != (Limits{}) || !errors.Is(err, ErrOptions) {
			t.Errorf("%+v resolves to %+v, %v", l, got, err)
		}
	}
}

func TestMemory(t *testing.T) {
	for given, want := range map[int]int64{
		0: 4 << 20, 1: 4<<20 + 192, 64 << 10: 16 << 20, 1 << 20: 196 << 20, 1376256: 256 << 20, 1376255: 256<<20 - 192,
		math.MaxInt: 256 << 20,
	} {
		if got := (&Limits{}).Memory(given); got != want {
			t.Errorf("the default memory for %d bytes is %d, want %d", given, got, want)
		}
	}
	if got := (&Limits{MaxMemory: 7}).Memory(1 << 30); got != 7 {
		t.Errorf("MaxMemory 7 gives %d", got)
	}
}

func TestErrorIs(t *testing.T) {
	limits := []error{ErrMaxDepth, ErrMaxBytes, ErrMaxItems, ErrMaxMemory}
	others := []error{
		ErrEmpty, ErrReserved, ErrPrefix, ErrShort, ErrOwed, ErrUTF8, ErrTrailing, ErrType, ErrOverflow, ErrInexact,
		ErrKeyType, ErrDuplicateKey, ErrUnknownField, ErrTimestamp, ErrExt, ErrOptions, ErrTarget, ErrHook,
	}
	seen := map[string]bool{}
	for _, reason := range append(limits, others...) {
		err := fmt.Errorf("wrapped: %w", &Error{Reason: reason, Offset: 7})
		if !errors.Is(err, reason) {
			t.Errorf("%v is not its own reason", reason)
		}
		for _, other := range append(limits, others...) {
			if other != reason && errors.Is(err, other) {
				t.Errorf("%v is %v too", reason, other)
			}
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%v is io.ErrUnexpectedEOF", reason)
		}
		if off, ok := OffsetOf(err); off != 7 || !ok {
			t.Errorf("OffsetOf(%v) = %d, %v", err, off, ok)
		}
		if seen[reason.Error()] {
			t.Errorf("two sentinels say %q", reason)
		}
		seen[reason.Error()] = true
	}
	for _, reason := range limits {
		if !errors.Is(reason, ErrLimit) || !errors.Is(&Error{Reason: reason}, ErrLimit) {
			t.Errorf("%v is no ErrLimit", reason)
		}
	}
	for _, reason := range others {
		if errors.Is(reason, ErrLimit) {
			t.Errorf("%v is an ErrLimit", reason)
		}
	}
	if off, ok := OffsetOf(ErrOptions); ok {
		t.Errorf("OffsetOf(ErrOptions) = %d", off)
	}
	if off, ok := OffsetOf(nil); ok {
		t.Errorf("OffsetOf(nil) = %d", off)
	}
	if !errors.Is(Incomplete(ErrShort, 1, 2, 3, true), io.ErrUnexpectedEOF) || errors.Is(Incomplete(ErrShort, 1, 2, 3, false), io.ErrUnexpectedEOF) {
		t.Error("Incomplete is io.ErrUnexpectedEOF whether or not more bytes could help")
	}
}

func TestErrorText(t *testing.T) {
	for _, c := range []struct {
		err  Error
		text string
	}{
		{Error{}, "is refused for no given reason"},
		{Error{Reason: ErrEmpty}, "ends before the document is complete"},
		{Error{Reason: ErrReserved}, "contains the reserved marker 0xc1"},
		{Error{Reason: ErrPrefix}, "ends inside a length prefix"},
		{Error{Reason: ErrShort, Limit: 3, Need: 9}, "declares more bytes than the input holds"},
		{Error{Reason: ErrOwed, Limit: 3, Need: 9}, "declares more elements than the input can back"},
		{Error{Reason: ErrMaxDepth, Limit: 100}, "nests deeper than 100 levels"},
		{Error{Reason: ErrMaxBytes, Limit: 101}, "is longer than 101 bytes"},
		{Error{Reason: ErrMaxItems, Limit: 102}, "holds more than 102 items"},
		{Error{Reason: ErrMaxMemory, Limit: 103}, "produces more than 103 bytes of memory"},
	} {
		c.err.Offset = 1 << 40
		if got := c.err.Text(); got != c.text {
			t.Errorf("Text() = %q, want %q", got, c.text)
		}
		if got, want := c.err.Error(), "msgpack document "+c.text+" (at byte 1099511627776)"; got != want {
			t.Errorf("Error() = %q, want %q", got, want)
		}
	}
}

// free returns the bytes within reach that nothing owed has a claim on: the longest
// payload that a is still good for; -1 if it is good for none.
func free(a Account) int64 {
	n := int64(-1)
	for a.Scalar(n + 1).Backed() {
		n++
	}
	return n
}

func TestAccount(t *testing.T) {
	l := Limits{MaxDepth: 1, MaxBytes: 10, MaxItems: 4}
	a := Open(20, &l)
	if free(a) != 9 || a.Owed() != 1 || a.Claimed(&l) != 1 || !a.Within() || !a.Backed() {
		t.Fatalf("a new account: %+v", a)
	}
	// An array of three of one byte each: nothing is free but what was.
	b := a.Container(0, 3)
	if free(b) != 6 || b.Owed() != 3 || b.Claimed(&l) != 4 || !b.Within() {
		t.Errorf("after an array of 3: %+v", b)
	}
	b = b.Scalar(0).Scalar(6)
	if free(b) != 0 || b.Owed() != 1 || !b.Within() {
		t.Errorf("after two elements of 7 bytes: %+v", b)
	}
	if c := b.Scalar(1); c.Backed() || c.Within() {
		t.Errorf("one byte too many is within: %+v", c)
	}
	if c := a.Container(0, 4); c.Within() || !c.Backed() {
		t.Errorf("one item too many is within: %+v", c)
	}
	if c := a.Container(2, 3); free(c) != 4 {
		t.Errorf("a length field of 2 bytes leaves %d free", free(c))
	}
	if c := a.Container(4, 1<<33); c.Within() || c.Backed() || c.Claimed(&l) != 1<<33+1 {
		t.Errorf("2^33 items are within: %+v", c)
	}
	if c := Open(5, &l); free(c) != 4 {
		t.Errorf("an input of 5 bytes has %d free", free(c))
	}
	if c := Open(0, &l); c.Backed() || free(c) != -1 {
		t.Errorf("an empty input backs a document: %+v", c)
	}
}

// TestAccountFit: as many fit as can be taken one by one with everything still backed, and
// a loop that counts itself comes to the same account.
func TestAccountFit(t *testing.T) {
	limits := Limits{MaxDepth: 9, MaxBytes: 60, MaxItems: 1000}
	for size := range 70 {
		for items := int64(1); items < 60; items++ {
			a := Open(size, &limits).Container(2, items)
			if !a.Within() {
				continue
			}
			for rest := range int64(18) {
				n, b := int64(0), a
				for next := b.Scalar(rest); b.Owed() > 0 && next.Backed(); next = b.Scalar(rest) {
					n, b = n+1, next
				}
				if got := a.Fit(rest); got != n {
					t.Fatalf("%d items in %d bytes: %d of %d bytes fit, want %d", items, size, got, 1+rest, n)
				}
				if got := a.Moved(n*(1+rest), items-n, 0); got != b {
					t.Fatalf("moved over %d items of %d bytes: %+v, want %+v", n, 1+rest, got, b)
				}
			}
		}
	}
}

func TestAccountMoved(t *testing.T) {
	limits := Limits{MaxDepth: 9, MaxBytes: 60, MaxItems: 100}
	a := Open(1000, &limits)
	b := a.Container(2, 7).Scalar(4).Container(0, 3).Scalar(0).Scalar(1)
	if got := a.Moved(3+5+1+1+2, 6, 10); got != b || got.Spare() != 89 || got.Owed() != 6 || got.Free() != 60-12-6 {
		t.Errorf("moved: %+v, want %+v", got, b)
	}
}

func TestStack(t *testing.T) {
	var s Stack[*int]
	values := make([]int, 200)
	for round := range 3 {
		for i := range values {
			values[i] = i
			if s.Full() != (i == s.Room()) {
				t.Fatalf("Full is %v at %d levels, room for %d", s.Full(), i, s.Room())
			}
			if s.Full() {
				s.Grow(Grown(s.Room(), len(values)))
			}
			s.Push(&values[i])
			if s.Len() != i+1 || *s.Top() != &values[i] || *s.At(i) != &values[i] || *s.At(0) != &values[0] {
				t.Fatalf("round %d: level %d is lost", round, i)
			}
		}
		for i := len(values) - 1; i >= 0; i-- {
			if **s.Top() != i {
				t.Fatalf("level %d holds %d", i, **s.Top())
			}
			s.Pop()
		}
	}
	lent := make([]*int, len(values))
	s.Push(&values[1])
	s.SetLen(9)
	s.Lend(lent)
	if s.Room() != InlineLevels+len(lent) || s.Len() != 9 || *s.At(0) != &values[1] || &lent[0] != s.At(8) || *s.At(8) != &values[8] {
		t.Errorf("lent a heap part: room for %d levels, %d open", s.Room(), s.Len())
	}
	if s.SetLen(0); s.Len() != 0 || s.Full() {
		t.Errorf("SetLen(0) leaves %d levels", s.Len())
	}
}

// TestStackRoom holds growth to its rule: eight levels inline, then eight on the
// heap, doubled, and never more than can be opened.
func TestStackRoom(t *testing.T) {
	for _, c := range []struct {
		most int
		room []int
	}{
		{1024, []int{8, 16, 24, 40, 72, 136, 264, 520, 1024}},
		{9, []int{8, 9}},
		{17, []int{8, 16, 17}},
	} {
		var s Stack[int]
		room := []int{s.Room()}
		for i := range c.most {
			if s.Full() {
				s.Grow(Grown(s.Room(), c.most))
				room = append(room, s.Room())
			}
			s.Push(i)
		}
		if fmt.Sprint(room) != fmt.Sprint(c.room) {
			t.Errorf("room for at most %d levels: %v, want %v", c.most, room, c.room)
		}
	}
	if n := testing.AllocsPerRun(100, func() {
		var s Stack[int]
		for i := range InlineLevels {
			s.Push(i)
		}
	}); n != 0 {
		t.Errorf("eight levels take %v allocations", n)
	}
}
