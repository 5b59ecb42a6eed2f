package walk

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/boundpack/boundpack/bounds"
)

// Error refuses an item for what a typed read of a [Cursor] wanted of it. It is returned by
// pointer. Structure and limits are refused with [*bounds.Error] instead, and outrank it.
type Error struct {
	// Offset is the item's header, in bytes from the start of the document; for
	// [ErrUTF8] the first byte that cannot belong to a valid sequence. [PathAt] names
	// the place.
	Offset int64

	// Wire is the kind of the item.
	Wire Kind

	// Want is what the read was for: a Go type, or a kind.
	Want string

	// Err is the sentinel: [ErrType], [ErrOverflow], [ErrInexact], [ErrUTF8] or
	// [ErrKeyType].
	Err error
}

// Error returns the reason with the types and the offset. It holds no value of the
// document.
func (e *Error) Error() string {
	return fmt.Sprintf("msgpack document %v: %v into %s (at byte %d)", e.Err, e.Wire, e.Want, e.Offset)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// ByteOffset returns Offset; [bounds.OffsetOf] finds it.
func (e *Error) ByteOffset() int64 { return e.Offset }

// Peek returns the kind of the next item and moves nothing. It looks at the marker only:
// the read that follows may still refuse the item. After the last item it returns
// [io.EOF]; if no byte is left, or the marker is the reserved one, it refuses as
// [Cursor.Next] does.
func (c *Cursor) Peek() (Kind, error) {
	if !c.ready() {
		return 0, c.err
	}
	if c.off < len(c.data) {
		if kind := KindOf(c.data[c.off]); kind != 0 {
			return kind, nil
		}
	}
	_, _, _, err := c.look()
	return 0, err
}

// ReadNil reads the next item, which must be nil. Like all typed reads it refuses an item
// of another kind with an [*Error] that is [ErrType], and then moves nothing; structure
// and limits as [Cursor.Next] does; and returns [io.EOF] after the last item.
func (c *Cursor) ReadNil() error {
	_, _, err := c.read(Nil, "nil")
	return err
}

// ReadBool reads the next item, which must be a bool.
func (c *Cursor) ReadBool() (bool, error) {
	marker, _, err := c.read(Bool, "bool")
	return err == nil && marker == 0xc3, err
}

// ReadRawStr reads the next item, which must be a str, and returns its content, a part of
// the input. UTF-8 is not checked: see [Cursor.ReadStr].
func (c *Cursor) ReadRawStr() ([]byte, error) {
	_, content, err := c.read(Str, "str")
	return content, err
}

// ReadStr reads the next item, which must be a str of valid UTF-8, else [ErrUTF8], and
// returns its content, a part of the input.
func (c *Cursor) ReadStr() ([]byte, error) {
	it, err := c.item(Str, "str")
	if err != nil {
		return nil, err
	}
	if n := ValidPrefix(it.payload); n < len(it.payload) {
		return nil, &Error{Offset: int64(c.off + it.header.Size + n), Wire: Str, Want: "str", Err: bounds.ErrUTF8}
	}
	c.take(it.header, it.account, it.depth)
	return it.payload, nil
}

// ReadBin reads the next item, which must be a bin, and returns its content, a part of the
// input.
func (c *Cursor) ReadBin() ([]byte, error) {
	_, content, err := c.read(Bin, "bin")
	return content, err
}

// ReadExt reads the next item, which must be an ext, and returns its type and its content,
// a part of the input. Type -1 is the timestamp; decode.ParseTimestamp reads its content.
func (c *Cursor) ReadExt() (typ int8, content []byte, err error) {
	_, payload, err := c.read(Ext, "ext")
	if err != nil {
		return 0, nil, err
	}
	return int8(payload[0]), payload[1:], nil
}

// ReadArrayLen reads the header of the next item, which must be an array, and returns the
// number of its elements. They are what is read next.
func (c *Cursor) ReadArrayLen() (int, error) { return c.readLen(Array, "array") }

// ReadMapLen reads the header of the next item, which must be a map, and returns the number
// of its pairs. Their keys and values, in turn, are what is read next.
func (c *Cursor) ReadMapLen() (int, error) {
	items, err := c.readLen(Map, "map")
	return items / 2, err
}

// readLen reads the header of the next item, which must be a container of the kind, and
// returns how many items it has.
func (c *Cursor) readLen(kind Kind, want string) (items int, err error) {
	it, err := c.item(kind, want)
	if err != nil {
		return 0, err
	}
	c.take(it.header, it.account, it.depth)
	return it.header.Items, nil
}

// ReadInt reads the next item, which must be an int that a Go int holds, else
// [ErrOverflow], as for all typed reads of integers.
func (c *Cursor) ReadInt() (int, error) {
	v, err := c.readInt("int", math.MinInt, math.MaxInt)
	return int(v), err
}

// ReadInt8 reads the next item, which must be an int that an int8 holds.
func (c *Cursor) ReadInt8() (int8, error) {
	v, err := c.readInt("int8", math.MinInt8, math.MaxInt8)
	return int8(v), err
}

// ReadInt16 reads the next item, which must be an int that an int16 holds.
func (c *Cursor) ReadInt16() (int16, error) {
	v, err := c.readInt("int16", math.MinInt16, math.MaxInt16)
	return int16(v), err
}

// ReadInt32 reads the next item, which must be an int that an int32 holds.
func (c *Cursor) ReadInt32() (int32, error) {
	v, err := c.readInt("int32", math.MinInt32, math.MaxInt32)
	return int32(v), err
}

// ReadInt64 reads the next item, which must be an int that an int64 holds.
func (c *Cursor) ReadInt64() (int64, error) {
	return c.readInt("int64", math.MinInt64, math.MaxInt64)
}

// ReadUint8 reads the next item, which must be an int that a uint8 holds.
func (c *Cursor) ReadUint8() (uint8, error) {
	v, err := c.readInt("uint8", 0, math.MaxUint8)
	return uint8(v), err
}

// ReadUint16 reads the next item, which must be an int that a uint16 holds.
func (c *Cursor) ReadUint16() (uint16, error) {
	v, err := c.readInt("uint16", 0, math.MaxUint16)
	return uint16(v), err
}

// ReadUint32 reads the next item, which must be an int that a uint32 holds.
func (c *Cursor) ReadUint32() (uint32, error) {
	v, err := c.readInt("uint32", 0, math.MaxUint32)
	return uint32(v), err
}

// ReadUint64 reads the next item, which must be an int that a uint64 holds.
func (c *Cursor) ReadUint64() (uint64, error) {
	v, err := c.readInt("uint64", 0, math.MaxUint64)
	return uint64(v), err
}

// ReadFloat64 reads the next item, which must be a float, or an int that a float64 holds
// exactly, else [ErrInexact].
func (c *Cursor) ReadFloat64() (float64, error) {
	if kind, err := c.Peek(); err != nil || kind != Int {
		marker, payload, err := c.read(Float, "float64")
		return Token{Marker: marker, Payload: payload}.Float(), err
	}
	it, err := c.item(Int, "float64")
	if err != nil {
		return 0, err
	}
	v, negative := uint64(it.value), it.value < 0 && it.marker != 0xcf
	if negative {
		v = -v
	}
	f := float64(v)
	if bits.Len64(v)-bits.TrailingZeros64(v) > 53 {
		return 0, c.refuse(Int, "float64", bounds.ErrInexact)
	}
	if negative {
		f = -f
	}
	c.take(it.header, it.account, it.depth)
	return f, nil
}

// read reads the next item, which must be of the kind that want names.
func (c *Cursor) read(kind Kind, want string) (marker byte, payload []byte, err error) {
	off := c.off
	if c.account.Owed() > c.gate && uint(off) < uint(len(c.data)) {
		marker := c.data[off]
		if q := quick[marker]; q.kind == kind && c.account.Take(int64(q.payload)) {
			end := off + 1 + int(q.payload)
			c.before, c.at, c.off = c.at, off, end
			return marker, c.data[off+1 : end : end], nil
		}
	}
	it, err := c.item(kind, want)
	if err != nil {
		return 0, nil, err
	}
	c.take(it.header, it.account, it.depth)
	return it.marker, it.payload, nil
}

// readInt reads the next item, which must be an int from least to most.
func (c *Cursor) readInt(want string, least int64, most uint64) (int64, error) {
	off := c.off
	if c.account.Owed() > c.gate && uint(off) < uint(len(c.data)) {
		// Every target holds 0..127.
		if b := c.data[off]; b < 0x80 && c.account.Take(0) {
			c.before, c.at, c.off = c.at, off, off+1
			return int64(b), nil
		}
	}
	it, err := c.item(Int, want)
	if err != nil {
		return 0, err
	}
	if it.value < 0 && it.marker != 0xcf {
		if it.value < least {
			return 0, c.refuse(Int, want, bounds.ErrOverflow)
		}
	} else if uint64(it.value) > most {
		return 0, c.refuse(Int, want, bounds.ErrOverflow)
	}
	c.take(it.header, it.account, it.depth)
	return it.value, nil
}

// looked is the next item, which was looked at and not read.
type looked struct {
	header  Header
	account bounds.Account // after it
	depth   int            // levels of the cursor around it
	marker  byte
	payload []byte
	value   int64 // of an int: its bits
}

// item returns the next item, which must be of the kind that want names, and moves nothing.
func (c *Cursor) item(kind Kind, want string) (it looked, err error) {
	it.header, it.account, it.depth, err = c.look()
	if err != nil {
		return it, err
	}
	if it.header.Kind != kind {
		return it, c.refuse(it.header.Kind, want, bounds.ErrType)
	}
	start := c.off + it.header.Size
	end := start + it.header.Payload
	it.marker, it.payload = c.data[c.off], c.data[start:end:end]
	if kind == Int {
		it.value = integer(it.marker, it.payload)
	}
	return it, nil
}

// refuse returns the error of the next item, of kind wire, which was wanted as something
// else.
func (c *Cursor) refuse(wire Kind, want string, reason error) error {
	return &Error{Offset: int64(c.off), Wire: wire, Want: want, Err: reason}
}
