package decode

import (
	"encoding/binary"
	"time"
	"unsafe"
)

// What this file makes Go itself would not: an any out of a pointer into a slab, where the
// conversion would allocate for each value, a string out of bytes that nothing writes to
// any more, and words out of bytes without a compare. All other uses of unsafe in the package are
// pointers to parts of a target.

// iface is how Go holds an any: a type and a pointer to the value.
type iface struct {
	typ  unsafe.Pointer
	data unsafe.Pointer
}

// typeWord returns the type of v as an any holds it.
func typeWord(v any) unsafe.Pointer { return (*iface)(unsafe.Pointer(&v)).typ }

var (
	int64Word   = typeWord(int64(0))
	uint64Word  = typeWord(uint64(0))
	float64Word = typeWord(float64(0))
	stringWord  = typeWord("")
	bytesWord   = typeWord([]byte(nil))
	arrayWord   = typeWord([]any(nil))
	timeWord    = typeWord(time.Time{})
	extWord     = typeWord(Ext{})
)

// box returns the any of the value at p, whose type has the word typ. Nothing may
// write to p afterwards.
func box[T any](typ unsafe.Pointer, p *T) (v any) {
	*(*iface)(unsafe.Pointer(&v)) = iface{typ, unsafe.Pointer(p)}
	return v
}

// boxInt returns any(v) in the slot p.
func boxInt(p *int64, v int64) any { *p = v; return box(int64Word, p) }

// boxUint returns any(v) in the slot p.
func boxUint(p *int64, v uint64) any { *p = int64(v); return box(uint64Word, p) }

// boxFloat returns any(v) in the slot p.
func boxFloat(p *int64, v float64) any {
	*(*float64)(unsafe.Pointer(p)) = v
	return box(float64Word, p)
}

// asString returns b as a string, without a copy. Nothing may write to b afterwards.
func asString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// word returns the 8 bytes of data from off on, the first the least significant. There must
// be as many: the caller has compared. The compiler's own compare and the masks with which it
// keeps an empty slice's pointer inside its object cost as much as the rest of a short loop.
func word(data []byte, off int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), off))[:])
}

// bigWord is word with the first byte the most significant.
func bigWord(data []byte, off int) uint64 {
	return binary.BigEndian.Uint64((*[8]byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), off))[:])
}
