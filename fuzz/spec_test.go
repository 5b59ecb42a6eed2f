package fuzz

import "github.com/boundpack/boundpack/bounds"

// verdict is what a walk says: where the document ends, or why and where it is refused.
type verdict struct {
	end    int
	reason error
	offset int
}

// layout is what the specification fixes for a marker: the bytes of its length field,
// the payload bytes beside what that field says, and the items beside what it says.
type layout struct {
	field, payload, items uint64
	container             uint64 // items that each one counted stands for; 0 if it holds none
}

func layoutOf(m byte) (l layout, ok bool) {
	switch {
	case m == 0xc1:
		return l, false
	case m >= 0x80 && m <= 0x8f:
		return layout{items: 2 * uint64(m-0x80), container: 2}, true
	case m >= 0x90 && m <= 0x9f:
		return layout{items: uint64(m - 0x90), container: 1}, true
	case m >= 0xa0 && m <= 0xbf:
		return layout{payload: uint64(m - 0xa0)}, true
	case m >= 0xc4 && m <= 0xc6: // bin
		return layout{field: 1 << (m - 0xc4)}, true
	case m >= 0xc7 && m <= 0xc9: // ext
		return layout{field: 1 << (m - 0xc7), payload: 1}, true
	case m == 0xca || m == 0xcb: // float
		return layout{payload: 4 << (m - 0xca)}, true
	case m >= 0xcc && m <= 0xcf: // uint
		return layout{payload: 1 << (m - 0xcc)}, true
	case m >= 0xd0 && m <= 0xd3: // int
		return layout{payload: 1 << (m - 0xd0)}, true
	case m >= 0xd4 && m <= 0xd8: // fixext
		return layout{payload: 1 + 1<<(m-0xd4)}, true
	case m >= 0xd9 && m <= 0xdb: // str
		return layout{field: 1 << (m - 0xd9)}, true
	case m == 0xdc || m == 0xdd: // array
		return layout{field: 2 << (m - 0xdc), container: 1}, true
	case m == 0xde || m == 0xdf: // map
		return layout{field: 2 << (m - 0xde), container: 2}, true
	}
	return l, true // fixint, nil, bool
}

// specified walks data as the specification and the order of package bounds say, one
// check after the other. limits are resolved.
func specified(data []byte, limits bounds.Limits) verdict {
	var (
		at, size      = uint64(0), uint64(len(data))
		owed, claimed = uint64(1), uint64(1)
		open          []uint64 // items that each open container owes
	)
	for owed > 0 {
		for len(open) > 0 && open[len(open)-1] == 0 {
			open = open[:len(open)-1]
		}
		header := int(at)
		refuse := func(reason error) verdict { return verdict{0, reason, header} }
		if at == size {
			return refuse(bounds.ErrEmpty)
		}
		l, ok := layoutOf(data[at])
		at++
		owed--
		if len(open) > 0 {
			open[len(open)-1]--
		}
		if !ok {
			return refuse(bounds.ErrReserved)
		}
		if l.field > size-at {
			return refuse(bounds.ErrPrefix)
		}
		n := uint64(0)
		for range l.field {
			n = n<<8 + uint64(data[at])
			at++
		}
		if l.container > 0 {
			l.items += n * l.container
			if len(open) >= limits.MaxDepth {
				return refuse(bounds.ErrMaxDepth)
			}
		} else {
			l.payload += n
		}
		if l.payload > size-at {
			return refuse(bounds.ErrShort)
		}
		at += l.payload
		owed += l.items
		claimed += l.items
		if l.items > 0 {
			open = append(open, l.items)
		}
		switch {
		case owed > size-at:
			return refuse(bounds.ErrOwed)
		case at+owed > uint64(limits.MaxBytes):
			return refuse(bounds.ErrMaxBytes)
		case claimed > uint64(limits.MaxItems):
			return refuse(bounds.ErrMaxItems)
		}
	}
	return verdict{end: int(at)}
}
