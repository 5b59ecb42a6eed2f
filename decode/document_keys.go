package decode

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/bits"
	"unicode/utf8"

	"github.com/boundpack/boundpack/bounds"
	"github.com/boundpack/boundpack/internal/price"
	"github.com/boundpack/boundpack/walk"
)

// docKey is a map key as it is compared: by its class and its text, or its number.
type docKey struct {
	class  uint8
	text   []byte // of a str or bin, after replacement
	number uint64 // of any other
}

// The classes of keys. Those of two classes are never equal.
const (
	strClass uint8 = iota + 1
	binClass
	nilClass
	boolClass
	intClass   // of an int64
	uintClass  // above it
	floatClass // its bits, -0 as 0
)

// keyAt returns the key whose header is at off of data and which was accepted. Its text is
// as it stands there: not yet replaced.
func keyAt(data []byte, off int) docKey {
	if b := data[off]; b&0xe0 == 0xa0 {
		end := off + 1 + int(b&0x1f)
		return docKey{class: strClass, text: data[off+1 : end]}
	}
	h, payload := headerAt(data, off)
	return keyOf(h, payload, data[off])
}

// keyOf returns the key with header h and marker.
func keyOf(h walk.Header, payload []byte, marker byte) docKey {
	t := walk.Token{Kind: h.Kind, Marker: marker, Payload: payload}
	switch h.Kind {
	case walk.Str:
		return docKey{class: strClass, text: payload}
	case walk.Bin:
		return docKey{class: binClass, text: payload}
	case walk.Nil:
		return docKey{class: nilClass}
	case walk.Bool:
		return docKey{class: boolClass, number: uint64(marker)}
	case walk.Int:
		if v, ok := t.Int(); ok {
			return docKey{class: intClass, number: uint64(v)}
		}
		v, _ := t.Uint()
		return docKey{class: uintClass, number: v}
	case walk.Float:
		v := t.Float()
		if v == 0 {
			v = 0 // -0, too
		}
		return docKey{class: floatClass, number: math.Float64bits(v)}
	}
	return docKey{}
}

// readKey accepts the key of f's next pair, with header h at off, and puts it on the tape,
// or refuses it.
func (p *parser) readKey(f *docFrame, h walk.Header, payload []byte, off int) error {
	k := keyOf(h, payload, p.data[off])
	switch {
	case k.class == strClass:
		if p.d.utf8 != AllowInvalidUTF8 && !isText(payload) {
			if p.d.utf8 == RefuseInvalidUTF8 {
				return refuse(off+h.Size+walk.ValidPrefix(payload), walk.Str, ErrUTF8)
			}
			// Replaced it is made when it is looked up.
			if err := p.charge(int64(price.Lone(uint64(replacedLen(payload)), false)), off); err != nil {
				return err
			}
		}
	case k.class == 0, k.class == floatClass && math.IsNaN(math.Float64frombits(k.number)),
		p.d.keys == StringKeys, p.d.keys == StringOrBinKeys && k.class != binClass:
		return refuse(off, h.Kind, bounds.ErrKeyType)
	}
	if !p.addKey(f, k) {
		return p.duplicate(off)
	}
	p.put(uint64(off))
	return nil
}

// duplicate returns the error of the second key at off.
func (p *parser) duplicate(off int) *Error {
	return &Error{Offset: int64(off), Wire: walk.KindOf(p.data[off]), Err: bounds.ErrDuplicateKey}
}

// addKey adds k, which stands next on the tape, to the keys of f. It reports false if it is
// there and the policy refuses that. Of a large map it leaves that to indexKeys.
func (p *parser) addKey(f *docFrame, k docKey) bool {
	if f.items > 2*smallContainer || p.d.duplicates != RefuseDuplicates {
		return true
	}
	k = p.replaced(k)
	bits := keyBits(k.words())
	if f.seen&bits == bits && p.holds(p.tape, f.first, p.n, k) {
		return false
	}
	f.seen |= bits
	return true
}

// words returns what is hashed of k: its first and last bytes.
func (k docKey) words() (lo, hi uint64, n int) {
	if k.class > binClass {
		return k.number, 0, int(k.class)
	}
	n = len(k.text)
	if n > 8 {
		return binary.LittleEndian.Uint64(k.text), binary.LittleEndian.Uint64(k.text[n-8:]), n
	}
	var w [8]byte
	copy(w[:], k.text)
	return binary.LittleEndian.Uint64(w[:]), 0, n
}

// keyBits returns the three bits of a key in docFrame.seen. A key of which one is not there
// yet is new; of maps of eight keys, one in twenty has a key that must be compared with those
// before it. That all of an attacker's must costs no more than the comparisons of a small map.
func keyBits(lo, hi uint64, n int) uint64 {
	h := (lo ^ bits.RotateLeft64(hi, 29) ^ uint64(n)) * 0x9e3779b97f4a7c15
	return 1<<(h>>58) | 1<<(h>>52&63) | 1<<(h>>46&63)
}

// holds reports whether k is a key of the pairs that stand on tape from index at to end.
func (p *parser) holds(tape []uint64, at, end int, k docKey) bool {
	for at < end {
		if p.equal(k, int(tape[at]&offsetMask)) {
			return true
		}
		at = after(tape, at+1)
	}
	return false
}

// equal reports whether k is the key whose header is at off.
func (p *parser) equal(k docKey, off int) bool {
	return k.equal(keyAt(p.data, off), p.d.utf8 == ReplaceInvalidUTF8)
}

// equal reports whether k is other, whose text is as it stands in the document.
func (k docKey) equal(other docKey, replacing bool) bool {
	if k.class != other.class || k.number != other.number {
		return false
	}
	if string(k.text) == string(other.text) {
		return true
	}
	return replacing && k.class == strClass && isReplaced(string(k.text), other.text)
}

// isReplaced reports whether text is p with U+FFFD for each byte that is not part of valid
// UTF-8.
func isReplaced(text string, p []byte) bool {
	for _, want := range text {
		got, size := utf8.DecodeRune(p)
		if size == 0 || got != want {
			return false
		}
		p = p[size:]
	}
	return len(p) == 0
}

// slotsFor returns how many slots the index of a map of so many pairs has: a power of two,
// of which three in four are taken at most.
func slotsFor(pairs int) int64 { return 1 << bits.Len64(uint64(pairs)+uint64(pairs)/3) }

// hash returns the hash of k, of which the lower bits say where it is looked for, and those
// from offsetBits on stand in its slot.
func (k docKey) hash(seed maphash.Seed) uint64 {
	if k.class <= binClass {
		return maphash.Bytes(seed, k.text)
	}
	b := [9]byte{8: k.class}
	binary.LittleEndian.PutUint64(b[:], k.number)
	return maphash.Bytes(seed, b[:])
}

// replaced returns k as it is compared, if it is as it stands in the document.
func (p *parser) replaced(k docKey) docKey {
	if p.d.utf8 == ReplaceInvalidUTF8 && k.class == strClass && !isText(k.text) {
		k.text = appendReplaced(make([]byte, 0, replacedLen(k.text)), k.text)
	}
	return k
}

// indexKeys makes the index of the large map of f of its keys before the index end of the
// tape, up to which its pairs are complete but for the last. It returns the offset of the
// first key that the policy refuses, as it is there; -1 if none is.
func (p *parser) indexKeys(f *docFrame, end int) int {
	slots := p.tape[f.at+2 : f.first]
	clear(slots)
	short := docKey{class: strClass} // of every fixstr, as a key is dear to copy
	for at := f.first; at < end; {
		off := int(p.tape[at] & offsetMask)
		if b := p.data[off]; b&0xe0 == 0xa0 && p.d.utf8 != ReplaceInvalidUTF8 {
			short.text = p.data[off+1 : off+1+int(b&0x1f)]
			if !p.index(slots, at, maphash.Bytes(p.doc.seed, short.text), &short) {
				return off
			}
		} else {
			k := p.replaced(keyAt(p.data, off))
			if !p.index(slots, at, k.hash(p.doc.seed), &k) {
				return off
			}
		}
		if at++; at < end {
			at = after(p.tape, at)
		}
	}
	return -1
}

// index puts k, the key at index at of the tape, into slots: tape indexes plus one. It
// reports false if k is there and the policy refuses that.
func (p *parser) index(slots []uint64, at int, hash uint64, k *docKey) bool {
	mask := uint64(len(slots) - 1)
	word := hash&^offsetMask | uint64(at+1)
	for i := hash & mask; ; i = (i + 1) & mask {
		slot := slots[i]
		switch {
		case slot == 0:
			slots[i] = word
			return true
		case (slot^word)&^offsetMask != 0 || !p.equal(*k, int(p.tape[slot&offsetMask-1]&offsetMask)):
			continue
		case p.d.duplicates == LastWins:
			slots[i] = word
		}
		return p.d.duplicates != RefuseDuplicates
	}
}

// find returns the index on the tape of the str key in the map that slots are the index of;
// -1 if it is not there.
func (doc *Document) find(slots []uint64, key string) int {
	hash, mask := maphash.String(doc.seed, key), uint64(len(slots)-1)
	for i := hash & mask; slots[i] != 0; i = (i + 1) & mask {
		at := int(slots[i]&offsetMask) - 1
		if (slots[i]^hash)&^offsetMask == 0 && doc.isKey(at, key) {
			return at
		}
	}
	return -1
}

// isKey reports whether the key at index at of the tape is the str key.
func (doc *Document) isKey(at int, key string) bool {
	k := keyAt(doc.data, doc.offset(at))
	if k.class != strClass {
		return false
	}
	return string(k.text) == key || doc.d.utf8 == ReplaceInvalidUTF8 && isReplaced(key, k.text)
}
