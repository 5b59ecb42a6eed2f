package walk

import (
	"errors"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/hexdoc"
)

// TestLentReads: a lent Cursor charges an item when it is read, not when a typed read refuses
// it or Peek looks, and checks text for every read; it has no parts.
func TestLentReads(t *testing.T) {
	limits := resolved(t, bounds.Limits{})
	doc := hexdoc.Must("93 07 a26162 a2ff61")
	lent := func(memory int64) *Cursor {
		c := new(Cursor)
		Lend(c, Loan{Data: doc, Account: bounds.Open(len(doc), &limits), Limits: &limits, Memory: memory, Budget: memory, Text: true})
		return c
	}
	for memory, reason := range map[int64]error{5: nil, 4: bounds.ErrMaxMemory} {
		c := lent(memory)
		for range 3 {
			if err := c.ReadNil(); !errors.Is(err, ErrType) {
				t.Errorf("ReadNil of an array: %v", err)
			}
		}
		if n, err := c.ReadArrayLen(); n != 3 || err != nil {
			t.Errorf("ReadArrayLen: %d, %v", n, err)
		}
		if v, err := c.ReadInt8(); v != 7 || err != nil {
			t.Errorf("ReadInt8: %d, %v", v, err)
		}
		if err := c.Sub(new(Cursor)); !errors.Is(err, bounds.ErrHook) {
			t.Errorf("Sub: %v, want ErrHook", err)
		}
		_, err := c.ReadRawStr()
		if off, _ := bounds.OffsetOf(err); !errors.Is(err, reason) || err != nil && off != 2 {
			t.Errorf("with %d bytes: %v, want %v at 2", memory, err, reason)
		}
	}
	c := lent(100)
	for range 3 {
		_, _ = c.Next()
	}
	_, err := c.ReadRawStr()
	if off, _ := bounds.OffsetOf(err); !errors.Is(err, ErrUTF8) || off != 6 {
		t.Errorf("%v, want ErrUTF8 at 6", err)
	}
}
