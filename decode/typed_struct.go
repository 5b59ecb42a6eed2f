package decode

import (
	"math"
	"unsafe"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// structItems decodes the fields of the struct of f that are left: see items.
func (s *state) structItems(f *typedFrame) (opened bool, err error) {
	for f.read < f.n {
		var t target
		named := false
		if s.inline {
			for {
				t, named, opened = s.quickFields(f)
				if opened {
					return true, nil
				}
				if named || f.read == f.n || !s.quickGuess(f) {
					break
				}
			}
		}
		if !named {
			if f.read == f.n {
				break
			}
			if t, named, err = s.nextField(f); err != nil || !named {
				return false, err
			}
		}
		if opened, err = s.into(t); opened || err != nil {
			return opened, err
		}
		f.read++
	}
	return false, nil
}

// quickGuess makes the field that the next key names the one that comes next, if the key is
// the fixstr of its name and quickFields will take it.
func (s *state) quickGuess(f *typedFrame) bool {
	b := s.next()
	n := int(b & 0x1f)
	if b&0xe0 != 0xa0 || len(s.data)-s.off < max(8, 1+n) || s.account.Free() < int64(n) {
		return false
	}
	name, table := s.data[s.off+1:s.off+1+n], f.plan.table
	i, known := table.names.field(name)
	if !known || table.quick[i].size != 1+n || table.fields[i].name != string(name) || *f.seenWord(i)&(1<<(i&63)) != 0 {
		return false
	}
	f.guess = i
	return true
}

// quickFields decodes the next fields of the struct of f as long as quick would take their
// names and values: a shortcut past the header step and the general path. If a name was read
// whose value it did not take, it returns where that goes, or has opened it.
func (s *state) quickFields(f *typedFrame) (t target, named, opened bool) {
	if f.guess >= len(f.plan.table.quick) {
		return target{}, false, false
	}
	// One word of fields seen at a time.
	marks := f.seenWord(f.guess)
	fields := f.plan.table.quick
	stop := min(len(fields), (f.guess|63)+1, f.guess+f.n-f.read)
	data, off := s.data, s.off
	reach := off + int(s.account.Free()) // see runStrings
	start, i, seen := f.guess, f.guess, *marks
	for i < stop && len(data)-off >= 8 {
		// The key, which is that of the next field as a rule. Nothing is called here, so that
		// the loop stays in registers.
		fd := &fields[i]
		size := fd.size
		if word(data, off)&fd.mask != fd.first || size > 8 &&
			(len(data)-off < size || word(data, off+size-8) != fd.last ||
				size > 16 && (word(data, off+8) != fd.mid[0] || size > 24 && word(data, off+16) != fd.mid[1])) {
			break
		}
		bit := uint64(1) << (i & 63)
		if seen&bit != 0 || off+size > reach+1 || size == 0 {
			break
		}
		seen |= bit
		i++
		off += size
		reach++

		// Its value, which is there, as it is owed.
		b := data[off]
		ptr := unsafe.Add(f.ptr, fd.off)
		switch fd.op {
		case opString:
			start, n, ok := shortStr(data, off)
			end := start + n
			if !ok || end > reach+1 {
				goto value
			}
			str, ok := s.quickText(start, n)
			if !ok {
				goto value
			}
			*(*string)(ptr) = str
			off = end
		case opBool:
			if b != 0xc2 && b != 0xc3 {
				goto value
			}
			*(*bool)(ptr) = b == 0xc3
			off++
		case opInt, opUint:
			if int8(b) >= 0 || int8(b) >= -32 && fd.op == opInt {
				storeInt(ptr, fd.plan.size, int64(int8(b)))
				off++
				break
			}
			if b < 0xcc || b > 0xd3 || len(data)-off < 9 || fd.plan.size != 8 {
				goto value
			}
			v := bigInt(b, bigWord(data, off+1))
			end := off + 1 + int(numberLen[b])
			if v < 0 && (fd.op == opInt) == (b == 0xcf) || end > reach+1 {
				goto value
			}
			*(*int64)(ptr) = v
			off = end
		case opFloat:
			if b != 0xcb || reach-off < 8 || len(data)-off < 9 || fd.plan.size != 8 {
				goto value
			}
			*(*float64)(ptr) = math.Float64frombits(bigWord(data, off+1))
			off += 9
		default:
			goto value
		}
		reach++
		continue

	value:
		*marks = seen
		s.quickDone(f, off, i, i-start-1, 1)
		if opened, done := s.quickOpen(fd.plan, ptr); !done {
			return target{fd.plan, ptr, -1}, true, false
		} else if opened {
			return target{}, false, true
		}
		f.read++
		start = i
		off = s.off
		reach = off + int(s.account.Free())
	}
	*marks = seen
	s.quickDone(f, off, i, i-start, 0)
	return target{}, false, false
}

// quickDone ends quickFields at off, after so many fields and perhaps the name of one more.
func (s *state) quickDone(f *typedFrame, off, guess, fields, names int) {
	s.account.TakeItems(int64(2*fields+names), int64(off-s.off))
	s.off = off
	f.guess, f.read = guess, f.read+fields
}

// tupleItems decodes the fields of the struct of f, one for each element of an array, that are
// left: see items.
func (s *state) tupleItems(f *typedFrame) (opened bool, err error) {
	for f.read < f.n {
		field := &f.plan.table.fields[f.read]
		ptr, err := field.at(s, f, s.off)
		if err != nil {
			return false, err
		}
		if field.limit < 0 && s.quick(field.plan, ptr) {
			f.read++
			continue
		}
		if opened, err = s.into(target{field.plan, ptr, field.limit}); opened || err != nil {
			return opened, err
		}
		f.read++
	}
	return false, nil
}

// nextField reads keys of the struct of f up to one that names a field, skipping the values
// of others, and returns where that field's value goes; named = false if none is left.
func (s *state) nextField(f *typedFrame) (t target, named bool, err error) {
	table := f.plan.table
	for f.read < f.n {
		off := s.off
		name, err := s.fieldName(f.plan, off)
		if err != nil {
			return target{}, false, err
		}
		i, known := table.names.field(name)
		if !known {
			if s.d.refuseUnknown {
				return target{}, false, refuseFor(f.plan, walk.KindOf(s.data[off]), off, bounds.ErrUnknownField)
			}
			if err := s.skip(); err != nil {
				return target{}, false, s.typedError(f.plan, err)
			}
			f.read++
			continue
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
	word := f.seenWord(i)
	bit := uint64(1) << (i % 64)
	before = *word&bit != 0
	*word |= bit
	return before
}

// seenWord returns the word in which field i is marked.
func (f *typedFrame) seenWord(i int) *uint64 {
	if f.more != nil {
		return &f.more[i/64]
	}
	return &f.seen
}
