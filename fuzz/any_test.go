package fuzz

import (
	"errors"
	"runtime"
	"testing"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/decode"
	"github.com/boundpack/boundpack/internal/hexdoc"
	"github.com/boundpack/boundpack/internal/parity"
	"github.com/boundpack/boundpack/internal/tier"
)

func FuzzAny(f *testing.F) {
	for _, doc := range seeds(f) {
		f.Add(doc)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > maxSize {
			return
		}
		emptied := derived(data) >> 40 % uint64(16*len(parity.Sets))
		for i, s := range parity.Sets {
			if err := parity.Laws(data, s); err != nil {
				t.Fatalf("%s: %v\n%s", s.Name, err, parity.Dump(data))
			}
			chargedTheSame(t, data, s, emptied == uint64(i))
		}
	})
}

// dirt is a document that leaves a decoder's state as used as it can be: deep, with
// shared strings, slabs of all kinds, and refused at the end.
var dirt = hexdoc.Must("dc0010 91*30 c0 a26162 a4616263 64 c403616263 cbffffffffffffffff cf8000000000000000" +
	"82a2616201a2626302 9301a26162c0 d6ff00000001 c7020a0000 d940 61*64 d941 62*65 a1ff c0*5")

// chargedTheSame decodes data with little memory, of which it derives how much, and
// holds the verdict to be the same whatever was decoded before: with emptied, nothing.
func chargedTheSame(t *testing.T, data []byte, s *parity.Set, emptied bool) {
	free, freeErr := s.Decoder().Any(data)
	h := derived(data)
	for _, memory := range []int64{1 + int64(h%64), 1 + int64(h>>8%(64*uint64(len(data))+512))} {
		o := s.Options
		o.Limits.MaxMemory = memory
		d := o.Must()
		if emptied {
			runtime.GC() // twice empties every pool
			runtime.GC()
		}
		cold, coldErr := d.Any(data)
		_, _ = decode.Any(dirt)
		_, _ = d.Any(dirt)
		warm, warmErr := d.Any(data)
		restore := tier.Set(tier.DecodeInline, s.NoInline)
		switched, switchedErr := d.Any(data)
		restore()
		if !parity.Same(coldErr, warmErr) || !parity.Same(coldErr, switchedErr) {
			t.Fatalf("%s, MaxMemory %d: %v, then %v, inline switched %v", s.Name, memory, coldErr, warmErr, switchedErr)
		}
		if parity.Diff(cold, warm) != "" || parity.Diff(cold, switched) != "" {
			t.Fatalf("%s, MaxMemory %d: %v, then %v, inline switched %v", s.Name, memory, cold, warm, switched)
		}
		if !errors.Is(coldErr, decode.ErrMaxMemory) {
			if !parity.Same(coldErr, freeErr) || parity.Diff(cold, free) != "" {
				t.Fatalf("%s, MaxMemory %d: %v, %v, and without it %v, %v", s.Name, memory, cold, coldErr, free, freeErr)
			}
			continue
		}
		if err := plausible(coldErr, freeErr, memory); err != "" {
			t.Fatalf("%s, MaxMemory %d: %v, and without it %v: %s", s.Name, memory, coldErr, freeErr, err)
		}
	}
}

// plausible says what is wrong with the refusal err for memory, where without the limit
// it was free.
func plausible(err, free error, memory int64) string {
	var e *bounds.Error
	if !errors.As(err, &e) || e.Limit != uint64(memory) || e.Need <= e.Limit {
		return "limit and need"
	}
	var meaning *decode.Error
	if free != nil && !errors.As(free, &meaning) {
		return "the structure is refused first"
	}
	off, _ := decode.OffsetOf(err)
	freeOff, _ := decode.OffsetOf(free)
	// A hook is asked when its map is complete, and refuses at the map's header.
	if free != nil && off > freeOff && !errors.Is(free, decode.ErrHook) {
		return "the flaw stands before it"
	}
	return ""
}
