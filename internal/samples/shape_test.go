package samples

import (
	"encoding/binary"
	"fmt"
)

// A shape is what a document consists of, found by a reader that shares nothing
// with the encoder it checks.
type shape struct {
	values  int // keys included
	depth   int // levels of array and map
	maps    map[int]int
	arrays  map[int]int
	strs    int
	floats  int
	markers [256]bool
}

// shapeOf reads one document from the start of b and returns its shape and what
// follows it.
func shapeOf(b []byte) (s shape, rest []byte, err error) {
	s.maps, s.arrays = map[int]int{}, map[int]int{}
	rest, err = s.read(b, 0)
	return s, rest, err
}

func (s *shape) read(b []byte, depth int) ([]byte, error) {
	if len(b) == 0 {
		return nil, fmt.Errorf("no byte for value %d", s.values)
	}
	m := b[0]
	s.values++
	s.markers[m] = true
	switch {
	case m <= 0x7f || m >= 0xe0:
		return b[1:], nil
	case m <= 0x8f:
		return s.readItems(b[1:], int(m&15), true, depth)
	case m <= 0x9f:
		return s.readItems(b[1:], int(m&15), false, depth)
	case m <= 0xbf:
		s.strs++
		return skip(b, 1+int(m&31))
	}
	if n, ok := fixedSizes[m]; ok {
		if m == 0xca || m == 0xcb {
			s.floats++
		}
		return skip(b, n)
	}
	width, ok := fieldWidths[m]
	if !ok {
		return nil, fmt.Errorf("marker %#x", m)
	}
	if len(b) < 1+width {
		return nil, fmt.Errorf("length of %#x is cut", m)
	}
	var field [8]byte
	copy(field[8-width:], b[1:])
	n := int(binary.BigEndian.Uint64(field[:]))
	switch {
	case m >= 0xdc:
		return s.readItems(b[1+width:], n, m >= 0xde, depth)
	case m >= 0xd9:
		s.strs++
	case m >= 0xc7:
		n++ // the type byte
	}
	return skip(b, 1+width+n)
}

var (
	// fixedSizes has the formats that always take the same number of bytes.
	fixedSizes = map[byte]int{
		0xc0: 1, 0xc2: 1, 0xc3: 1, 0xca: 5, 0xcb: 9,
		0xcc: 2, 0xcd: 3, 0xce: 5, 0xcf: 9, 0xd0: 2, 0xd1: 3, 0xd2: 5, 0xd3: 9,
		0xd4: 3, 0xd5: 4, 0xd6: 6, 0xd7: 10, 0xd8: 18,
	}
	fieldWidths = map[byte]int{
		0xc4: 1, 0xc5: 2, 0xc6: 4, 0xc7: 1, 0xc8: 2, 0xc9: 4, 0xd9: 1, 0xda: 2, 0xdb: 4,
		0xdc: 2, 0xdd: 4, 0xde: 2, 0xdf: 4,
	}
)

func (s *shape) readItems(b []byte, n int, isMap bool, depth int) (rest []byte, err error) {
	s.depth = max(s.depth, depth+1)
	items := n
	if isMap {
		s.maps[n]++
		items *= 2
	} else {
		s.arrays[n]++
	}
	for range items {
		if b, err = s.read(b, depth+1); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func skip(b []byte, n int) ([]byte, error) {
	if n < 0 || n > len(b) {
		return nil, fmt.Errorf("payload of %d bytes is cut", n)
	}
	return b[n:], nil
}

func total(counts map[int]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}
