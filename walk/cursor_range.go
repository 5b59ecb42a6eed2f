package walk

import (
	"iter"

	"github.com/boundpack/boundpack/bounds"
)

// Array returns a loop over the elements of the next item, which must be an array: its
// header is read when the loop starts, and in each round the next element is what c reads
// next. The index counts from 0. What a round does not read of its element is skipped; a
// round that reads further has read the elements it read.
//
//	for i, err := range c.Array() {
//		if err != nil {
//			return err
//		}
//		sum[i], err = c.ReadInt64()
//		...
//	}
//
// An error, of the header or of what is skipped, is that of [Cursor.ReadArrayLen] or
// [Cursor.Skip]; it comes in a round of its own, the last. After a break c stands where
// the round left it. The loop allocates nothing.
func (c *Cursor) Array() iter.Seq2[int, error] {
	return func(yield func(int, error) bool) { c.array(yield) }
}

func (c *Cursor) array(yield func(int, error) bool) {
	n, err := c.ReadArrayLen()
	if err != nil {
		yield(0, err)
		return
	}
	in := c.inside(n)
	for read := 0; read < n; read = in.read(c) {
		if !yield(read, nil) {
			return
		}
		if err := in.pass(c, read, 1); err != nil {
			yield(in.read(c), err)
			return
		}
	}
}

// Map returns a loop over the pairs of the next item, which must be a map: its header is
// read when the loop starts, and in each round the key is read and given, and its value is
// what c reads next. What a round does not read of the value is skipped. A key that is an
// array or map is refused with [ErrKeyType] in an [*Error]; any other is given, a str
// unchecked: decoders that compare keys with names they know need not check them.
//
//	for key, err := range c.Map() {
//		if err != nil {
//			return err
//		}
//		switch string(key.Payload) {
//		case "id":
//			u.ID, err = c.ReadInt64()
//			...
//		}
//	}
//
// An error, of the header, of a key or of what is skipped, comes in a round of its own,
// the last. After a break c stands where the round left it. Keys given twice are not
// noticed. The loop allocates nothing.
func (c *Cursor) Map() iter.Seq2[Token, error] {
	return func(yield func(Token, error) bool) { c.pairs(yield) }
}

func (c *Cursor) pairs(yield func(Token, error) bool) {
	n, err := c.readLen(Map, "map")
	if err != nil {
		yield(Token{}, err)
		return
	}
	in := c.inside(n)
	for read := 0; read < n; read = in.read(c) {
		key, err := c.key()
		if err != nil {
			yield(Token{}, err)
			return
		}
		if !yield(key, nil) {
			return
		}
		if err := in.pass(c, read, 2); err != nil {
			yield(Token{}, err)
			return
		}
	}
}

// key reads the next item, which is a key and must be no container.
func (c *Cursor) key() (Token, error) {
	if kind, err := c.Peek(); err != nil || kind != Array && kind != Map {
		return c.Next()
	}
	h, _, _, err := c.look()
	if err == nil {
		err = c.refuse(h.Kind, "key", bounds.ErrKeyType)
	}
	return Token{}, err
}

// inside is a container that a loop goes through.
type inside struct {
	off   int // its header
	items int
	done  int64 // items owed when it is complete
	depth int   // levels of the cursor around its items
}

// inside returns the container of so many items that was read last.
func (c *Cursor) inside(items int) inside {
	return inside{c.at, items, c.account.Owed() - int64(items), c.open.Len()}
}

// read returns how many items were read; all, if c is not in it any more.
func (in inside) read(c *Cursor) int {
	if c.open.Len() < in.depth || c.open.At(in.depth-1).off != in.off {
		return in.items
	}
	return in.items - int(c.account.Owed()-in.done)
}

// pass reads on until a round that began after from items is over: those of the round are
// read, which are one or, in pairs, two, and all that is in them.
func (in inside) pass(c *Cursor, from, round int) error {
	for {
		read := in.read(c)
		if read == in.items || c.around() == in.depth && read > from && (read-from)%round == 0 {
			return nil
		}
		if err := c.Skip(); err != nil {
			return err
		}
	}
}
