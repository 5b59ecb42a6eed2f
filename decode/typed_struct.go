package decode

import (
	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// nextField reads keys of the struct of f up to one that names a field, skipping the values
// of others, and returns where that field's value goes.
func (s *state) nextField(f *typedFrame) (t target, more bool, err error) {
	table := f.plan.table
	for f.read < f.n {
		if f.more == nil {
			if t, named := s.quickFields(f); named || f.read == f.n {
				return t, named, nil
			}
		}
		off := s.off
		name, err := s.fieldName(f.plan, off)
		if err != nil {
			return target{}, false, err
		}
		i := f.guess
		if i >= len(table.fields) || table.fields[i].name != string(name) {
			var known bool
			if i, known = table.byName[string(name)]; !known {
				if s.d.refuseUnknown {
					return target{}, false, refuseFor(f.plan, walk.KindOf(s.data[off]), off, bounds.ErrUnknownField)
				}
				if err := s.skip(); err != nil {
					return target{}, false, s.typedError(f.plan, err)
				}
				f.read++
				continue
			}
		}
		f.guess = i + 1
		again := f.markSeen(i)
		switch {
		case again && s.d.duplicates == RefuseDuplicates:
			return target{}, false, refuseFor(f.plan, walk.KindOf(s.data[off]), off, bounds.ErrDuplicateKey)
		case again && s.d.duplicates == FirstWins:
			if err := s.skip(); err != nil {
				return target{}, false, s.typedError(f.plan, err)
			}
			f.read++
			continue
		}
		field := &table.fields[i]
		ptr, err := field.at(s, f, s.off)
		if again && err == nil {
			field.plan.at(ptr).SetZero() // the last value counts alone
		}
		return target{field.plan, ptr, field.limit}, true, err
	}
	return target{}, false, nil
}

// fieldName reads the key at off, which must be a str, or a bin that is valid UTF-8.
func (s *state) fieldName(p *plan, off int) ([]byte, error) {
	h, err := s.header()
	if err != nil {
		return nil, err
	}
	name := s.payload(h.Payload)
	if h.Kind != walk.Str && h.Kind != walk.Bin {
		return nil, refuseFor(p, h.Kind, off, bounds.ErrKeyType)
	}
	if (h.Kind == walk.Bin || s.d.utf8 == RefuseInvalidUTF8) && !isText(name) {
		return nil, refuseFor(p, h.Kind, s.off-len(name)+walk.ValidPrefix(name), bounds.ErrUTF8)
	}
	return name, nil
}

// startSeen prepares the bitmap of fields seen for the struct of f, whose header is at off.
func (s *state) startSeen(f *typedFrame, off int) error {
	if n := len(f.plan.table.fields); n > 64 {
		words := (n + 63) / 64
		if err := s.charge(int64(price.Lone(8*uint64(words), false)), off, walk.Map); err != nil {
			return err
		}
		f.more = make([]uint64, words)
	}
	return nil
}

// markSeen marks field i as read and reports whether it was before.
func (f *typedFrame) markSeen(i int) (before bool) {
	word := &f.seen
	if f.more != nil {
		word = &f.more[i/64]
	}
	bit := uint64(1) << (i % 64)
	before = *word&bit != 0
	*word |= bit
	return before
}
