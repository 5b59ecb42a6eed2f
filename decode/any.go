package decode

import (
	"encoding/binary"
	"math"

	"github.com/boundpack/boundpack/asm"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/internal/tier"
	"github.com/boundpack/boundpack/walk"
)

// Values that cost nothing: no one can write through them.
var (
	emptyArray any = []any{}
	emptyBin   any = []byte{}
	zeroFloat  any = float64(0)

	// smallInts are the ints from -32 to 255.
	smallInts = func() (t [minSmall + 256]any) {
		for i := range t {
			t[i] = int64(i - minSmall)
		}
		return t
	}()
)

const minSmall = 32 // smallInts[0] is -minSmall

// any decodes the next item, and what it contains, without recursion: open containers
// are frames.
func (s *state) any() (v any, err error) {
	var f *frame // innermost, nil at the root
	for {
		if f != nil && f.kind == walk.Map {
			if err := s.key(f); err != nil {
				return nil, err
			}
		}
		at := s.off
		b := byte(0xc1) // which no shortcut takes
		if s.inline && uint(at) < uint(len(s.data)) {
			b = s.data[at]
		}
		switch {
		case int8(b) >= -minSmall: // both fixints
			v = smallInts[int(int8(b))+minSmall]
			s.account.Take(0)
			s.off++
		case b&0xe0 == 0xa0 && s.scalar(int(b&0x1f)): // fixstr
			if v, err = s.str(s.payload(int(b&0x1f)), at); err != nil {
				return nil, err
			}
		case b == 0xc0:
			v = nil
			s.account.Take(0)
			s.off++
		case b == 0xc2 || b == 0xc3:
			v = b == 0xc3
			s.account.Take(0)
			s.off++
		case numberLen[b] > 0 && s.scalar(int(numberLen[b])):
			p := s.payload(int(numberLen[b]))
			if b <= 0xcb {
				v, err = s.float(p, at)
			} else {
				v, err = s.int(p, at)
			}
			if err != nil {
				return nil, err
			}
		default:
			h, err := s.header()
			if err != nil {
				return nil, err
			}
			if h.Items > 0 {
				taken := false
				if h.Kind == walk.Map && s.d.rawMarkers {
					if v, taken = s.rawMarker(at, h.Items/2); taken {
						s.uncarve(f) // v may hold anything
					}
				}
				if !taken {
					if f, err = s.open(f, h, at); err != nil {
						return nil, err
					}
					if f.n >= leastBulk && f.kind == walk.Array {
						s.oneByteRun(f)
					}
					continue
				}
			} else if v, err = s.value(f, h, at); err != nil {
				return nil, err
			}
		}

		// v is complete, and with it perhaps the containers around it.
		for {
			if f == nil {
				return v, nil
			}
			if f.kind == walk.Array {
				f.arr[f.read] = v
			} else if s.plain && f.keyed == nil {
				f.m[f.key.str] = v
				if len(f.m) <= f.read {
					return nil, s.duplicate(f.key.off)
				}
			} else if !s.insert(f, v) {
				return nil, s.duplicate(f.key.off)
			}
			f.read++
			if f.read < f.n {
				break
			}
			if v, err = s.close(f); err != nil {
				return nil, err
			}
			f = nil
			if s.frames.Len() > 0 {
				f = s.frames.Top()
			}
		}
	}
}

// oneByteRun reads the first elements of the array of f that are one byte each, but for its
// last, which completes it: a shortcut as DecodeInline is, by a kernel.
func (s *state) oneByteRun(f *frame) {
	if !s.inline || !tier.On(tier.DecodeBulk) {
		return
	}
	// Every element is backed by a byte.
	run := s.data[s.off : s.off+f.n-1]
	run = run[:asm.OneByteRun(run)]
	for i, b := range run {
		f.arr[i] = oneByte[b]
	}
	f.read = len(run)
	s.account.TakeItems(int64(len(run)), int64(len(run)))
	s.off += len(run)
	s.steps += int64(len(run))
	tier.Count(tier.DecodeBulk, int64(len(run)))
}

// oneByte is the value of the items of one byte, by that.
var oneByte = func() (t [256]any) {
	for b := range t {
		if int8(b) >= -minSmall {
			t[b] = smallInts[int(int8(b))+minSmall]
		}
	}
	t[0xc2], t[0xc3] = false, true
	return t
}()

// scalar reads a header of one byte, of an item that owes nothing and has a payload of n
// bytes, if the header step would accept it, without it.
func (s *state) scalar(n int) bool {
	if !s.account.Take(int64(n)) {
		return false
	}
	s.off++
	return true
}

// numberLen is the length of the payload by marker, of a float or of an int that is not
// all in its marker.
var numberLen = [256]uint8{
	0xca: 4, 0xcb: 8, 0xcc: 1, 0xcd: 2, 0xce: 4, 0xcf: 8, 0xd0: 1, 0xd1: 2, 0xd2: 4, 0xd3: 8,
}

// value reads the scalar or empty container h, whose header is at off, in the container
// of f.
func (s *state) value(f *frame, h walk.Header, off int) (any, error) {
	p := s.payload(h.Payload)
	switch h.Kind {
	case walk.Bool:
		return s.data[off] == 0xc3, nil
	case walk.Int:
		return s.int(p, off)
	case walk.Float:
		return s.float(p, off)
	case walk.Str:
		return s.str(p, off)
	case walk.Bin:
		return s.bin(p, off)
	case walk.Ext:
		return s.ext(f, p, off)
	case walk.Array:
		return emptyArray, nil
	case walk.Map:
		s.uncarve(f)
		return s.emptyMap(off)
	}
	return nil, nil
}

// int returns the int at off.
func (s *state) int(payload []byte, off int) (any, error) {
	t := walk.Token{Kind: walk.Int, Marker: s.data[off], Payload: payload}
	v, signed := t.Int()
	if signed && uint64(v+minSmall) < uint64(len(smallInts)) {
		return smallInts[v+minSmall], nil
	}
	if err := s.charge(price.Number, off, walk.Int); err != nil {
		return nil, err
	}
	p := s.slabs.numbers.take(s, &numberSlabs)
	if signed {
		return boxInt(p, v), nil
	}
	u, _ := t.Uint()
	return boxUint(p, u), nil
}

// float returns the float at off.
func (s *state) float(payload []byte, off int) (any, error) {
	var v float64
	if len(payload) == 8 {
		v = math.Float64frombits(binary.BigEndian.Uint64(payload))
	} else {
		v = float64(math.Float32frombits(binary.BigEndian.Uint32(payload)))
	}
	if math.Float64bits(v) == 0 {
		return zeroFloat, nil
	}
	if err := s.charge(price.Number, off, walk.Float); err != nil {
		return nil, err
	}
	return boxFloat(s.slabs.numbers.take(s, &numberSlabs), v), nil
}

// bin returns the bin at off.
func (s *state) bin(content []byte, off int) (any, error) {
	if len(content) == 0 {
		return emptyBin, nil
	}
	if err := s.charge(price.Slice+price.Content(len(content)), off, walk.Bin); err != nil {
		return nil, err
	}
	if !s.d.alias {
		content = s.content(content)
	}
	if len(content) > price.MaxInChunks {
		return content, nil // its own header
	}
	h := s.slabs.bytes.take(s, &sliceSlabs)
	*h = content
	return box(bytesWord, h), nil
}

// emptyMap returns the empty map at off.
func (s *state) emptyMap(off int) (any, error) {
	_, cost := price.AnyMap.Plan(0)
	if err := s.charge(int64(cost), off, walk.Map); err != nil {
		return nil, err
	}
	if s.d.keys == AnyKeys {
		return map[any]any{}, nil
	}
	return map[string]any{}, nil
}
