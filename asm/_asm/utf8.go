package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The look-ups of Keiser and Lemire, "Validating UTF-8 in less than one instruction per
// byte" (2021). Every bit is one way in which two bytes in a row are wrong; a pair is
// wrong if the three tables, by the nibbles of the first byte and the high one of the
// second, agree on a bit. Two continuations in a row are wrong unless a longer sequence
// asks for the second, which is held against the bytes two and three before.
const (
	tooShort    = 1 << 0 // a lead, then no continuation
	tooLong     = 1 << 1 // ASCII, then a continuation
	overlong3   = 1 << 2 // E0, then 80..9F
	tooLarge    = 1 << 3 // F4, then 90..BF; F5..FF, then 90..BF
	surrogate   = 1 << 4 // ED, then A0..BF
	overlong2   = 1 << 5 // C0 or C1, then a continuation
	tooLarge80  = 1 << 6 // F5..FF, then 80..8F
	overlong4   = 1 << 6 // F0, then 80..8F
	twoConts    = 1 << 7 // a continuation, then a continuation
	whateverLow = tooShort | tooLong | twoConts
)

var firstHigh = []byte{
	tooLong, tooLong, tooLong, tooLong, tooLong, tooLong, tooLong, tooLong,
	twoConts, twoConts, twoConts, twoConts,
	tooShort | overlong2,
	tooShort,
	tooShort | overlong3 | surrogate,
	tooShort | tooLarge | tooLarge80 | overlong4,
}

var firstLow = []byte{
	whateverLow | overlong2 | overlong3 | overlong4,
	whateverLow | overlong2,
	whateverLow,
	whateverLow,
	whateverLow | tooLarge,
	whateverLow | tooLarge | tooLarge80,
	whateverLow | tooLarge | tooLarge80,
	whateverLow | tooLarge | tooLarge80,
	whateverLow | tooLarge | tooLarge80,
	whateverLow | tooLarge | tooLarge80,
	whateverLow | tooLarge | tooLarge80,
	whateverLow | tooLarge | tooLarge80,
	whateverLow | tooLarge | tooLarge80,
	whateverLow | tooLarge | tooLarge80 | surrogate,
	whateverLow | tooLarge | tooLarge80,
	whateverLow | tooLarge | tooLarge80,
}

const anyCont = tooLong | twoConts | overlong2

var secondHigh = []byte{
	tooShort, tooShort, tooShort, tooShort, tooShort, tooShort, tooShort, tooShort,
	anyCont | overlong3 | tooLarge80 | overlong4,
	anyCont | overlong3 | tooLarge,
	anyCont | surrogate | tooLarge,
	anyCont | surrogate | tooLarge,
	tooShort, tooShort, tooShort, tooShort,
}

// lastBytes are the greatest last bytes of a block after which no sequence is open.
func lastBytes(width int) []byte {
	b := make([]byte, width)
	for i := range b {
		b[i] = 0xff
	}
	b[width-1], b[width-2], b[width-3] = 0xbf, 0xdf, 0xef
	return b
}

// tables is what judging a block takes.
type tables struct {
	firstHigh, firstLow, secondHigh, nibble, high, e0, f0 Mem
	last                                                  map[int]Mem
}

// loaded is tables in registers.
type loaded struct{ firstHigh, firstLow, secondHigh, nibble, high, e0, f0 VecVirtual }

func (t tables) load(v vec) loaded {
	return loaded{
		v.table(t.firstHigh), v.table(t.firstLow), v.table(t.secondHigh),
		v.each(t.nibble), v.each(t.high), v.each(t.e0), v.each(t.f0),
	}
}

// wrong returns what is not zero where in does not follow the bytes before it, which
// are those of prev1, prev2 and prev3. It spoils in and them.
func (t loaded) wrong(v vec, in, prev1, prev2, prev3 VecVirtual) VecVirtual {
	pair := v.reg()
	VPSRLW(U8(4), prev1, pair)
	v.and(t.nibble, pair, pair)
	VPSHUFB(pair, t.firstHigh, pair)
	v.and(t.nibble, prev1, prev1)
	VPSHUFB(prev1, t.firstLow, prev1)
	VPSRLW(U8(4), in, in)
	v.and(t.nibble, in, in)
	VPSHUFB(in, t.secondHigh, in)
	v.and3(prev1, in, pair)
	// A high bit where a lead two or three bytes before asks for a continuation.
	VPSUBUSB(t.e0, prev2, prev2)
	VPSUBUSB(t.f0, prev3, prev3)
	v.orAnd(prev3, t.high, prev2)
	v.xor(prev2, pair, pair)
	return pair
}

func utf8() {
	t := tables{
		rodata("utf8FirstHigh", firstHigh), rodata("utf8FirstLow", firstLow), rodata("utf8SecondHigh", secondHigh),
		single("utf8Nibble", 0x0f), single("utf8High", 0x80), single("utf8E0", 0xe0-0x80), single("utf8F0", 0xf0-0x80),
		map[int]Mem{32: rodata("utf8Last32", lastBytes(32)), 64: rodata("utf8Last64", lastBytes(64))},
	}
	utf8Blocks(avx2, t)
	utf8Blocks(avx512, t)
	utf8ShortAVX2(t)
}

func utf8Blocks(v vec, t tables) {
	TEXT("utf8Blocks"+v.tier, NOSPLIT, "func(p *byte, n int) int")
	Pragma("noescape")
	Doc(fmt.Sprintf("utf8Blocks%s returns how far the n bytes at p were proved: to n, or to a block of", v.tier),
		fmt.Sprintf("%d bytes that holds or follows an error, or to what is left after the last whole", v.bytes),
		"block if that is two bytes at most. A sequence that is open there may begin before it.",
		fmt.Sprintf("n is %d or more.", v.bytes))
	p, n := Load(Param("p"), GP64()), Load(Param("n"), GP64())
	off, left := GP64(), GP64()
	XORQ(off, off)
	MOVQ(n, left)
	size, group := v.bytes, 4*v.bytes
	at := func(d int) Mem { return Mem{Base: p, Index: off, Scale: 1, Disp: d} }
	advance := func(d int) {
		ADDQ(I32(d), off)
		SUBQ(I32(d), left)
	}
	ifLess := func(d int, label string) {
		CMPQ(left, I32(d))
		JB(LabelRef(label))
	}
	// union is the bytes of a whole group, or-ed.
	union := func() VecVirtual {
		a, b := v.load(at(0)), v.load(at(2*size))
		v.or(at(size), a, a)
		v.or(at(3*size), b, b)
		v.or(a, b, b)
		return b
	}

	ifLess(group, "asciiBlock")
	Label("ascii") // all before is proved and no sequence is open; a group is left
	v.ifHigh(union(), "text")
	advance(group)
	CMPQ(left, I32(group))
	JAE(LabelRef("ascii"))
	Label("asciiBlock")
	ifLess(size, "asciiTail")
	v.ifHigh(v.load(at(0)), "text")
	advance(size)
	JMP(LabelRef("asciiBlock"))
	Label("asciiTail")
	TESTQ(left, left)
	JZ(LabelRef("all"))
	v.ifHigh(v.load(Mem{Base: p, Index: n, Scale: 1, Disp: -size}), "text")
	JMP(LabelRef("all"))

	Label("text") // all before is proved, and a sequence may be open
	c := t.load(v)
	TESTQ(off, off)
	JNZ(LabelRef("textGroup"))
	Comment("The first block has nothing before it.")
	in := v.load(at(0))
	carry := v.carry(in)
	v.ifAny(c.wrong(v, in, v.shifted(in, carry, 1), v.shifted(in, carry, 2), v.shifted(in, carry, 3)), "end")
	advance(size)
	judge := func(d int) VecVirtual {
		return c.wrong(v, v.load(at(d)), v.load(at(d-1)), v.load(at(d-2)), v.load(at(d-3)))
	}

	Label("textGroup")
	ifLess(group, "textBlock")
	sum := judge(0)
	for i := 1; i < 4; i++ {
		v.or(judge(i*size), sum, sum)
	}
	v.ifAny(sum, "textBlock") // which finds out which of the four it is
	advance(group)
	ifLess(group, "textBlock")
	v.ifHigh(union(), "textGroup")
	open := v.load(at(-size))
	VPSUBUSB(t.last[size], open, open)
	v.test(open)
	JZ(LabelRef("ascii"))
	JMP(LabelRef("end"))

	Label("textBlock")
	ifLess(size, "textTail")
	v.ifAny(judge(0), "end")
	advance(size)
	JMP(LabelRef("textBlock"))
	Label("textTail")
	TESTQ(left, left)
	JZ(LabelRef("all"))
	Comment("The last block overlaps the one before it, and needs three bytes before itself.")
	tail := GP64()
	LEAQ(Mem{Base: n, Disp: -size}, tail)
	CMPQ(tail, I8(3))
	JB(LabelRef("end"))
	before := func(d int) VecVirtual { return v.load(Mem{Base: p, Index: tail, Scale: 1, Disp: -d}) }
	v.ifAny(c.wrong(v, before(0), before(1), before(2), before(3)), "end")

	Label("all")
	MOVQ(n, off)
	Label("end")
	Store(off, ReturnIndex(0))
	leave()
}

func utf8ShortAVX2(t tables) {
	// down[16-k:] moves the last k bytes of 16 to the front, with zeros after them.
	window := make([]byte, 32)
	for i := range window {
		window[i] = 0x80
		if i < 16 {
			window[i] = byte(i)
		}
	}
	down := rodata("down", window)

	TEXT("utf8ShortAVX2", NOSPLIT, "func(p *byte, n int) int")
	Pragma("noescape")
	Doc("utf8ShortAVX2 returns n if the n bytes at p are valid UTF-8, and 0 if not. n is 8 to 31.")
	p, n := Load(Param("p"), GP64()), Load(Param("n"), GP64())
	end := func(d int) Mem { return Mem{Base: p, Index: n, Scale: 1, Disp: -d} }
	CMPQ(n, I8(16))
	JAE(LabelRef("sixteen"))
	Comment("Eight bytes, and of the last eight those that come after them: moved down by",
		"8 (16-n) bits, one of them apart, as a move by 64 would be none.")
	low, shift, rest := XMM(), GP64(), GP64()
	VMOVQ(Mem{Base: p}, low)
	MOVQ(end(8), rest)
	IMUL3Q(I8(-8), n, shift)
	ADDQ(I8(127), shift)
	SHRQ(U8(1), rest)
	SHRXQ(shift, rest, rest)
	VPINSRQ(U8(1), rest, low, low)
	utf8Single(avx1, t, low, n, func() { RET() })

	Label("sixteen")
	Comment("The same with sixteen.")
	in, high, at := YMM(), XMM(), GP64()
	VMOVDQU(Mem{Base: p}, in.AsX())
	VMOVDQU(end(16), high)
	LEAQ(down, at)
	SUBQ(n, at)
	VPSHUFB(Mem{Base: at, Disp: 32}, high, high)
	VINSERTI128(U8(1), high, in, in)
	utf8Single(avx2, t, in, n, leave)
}

// utf8Single returns n if the block in, which is all there is, is right, and else 0.
func utf8Single(v vec, t tables, in VecVirtual, n Register, leave func()) {
	text, all := "text"+v.tier, "all"+v.tier
	v.ifHigh(in, text)
	Label(all)
	Store(n, ReturnIndex(0))
	leave()
	Label(text)
	c := t.load(v)
	carry := v.carry(in)
	v.test(c.wrong(v, in, v.shifted(in, carry, 1), v.shifted(in, carry, 2), v.shifted(in, carry, 3)))
	JZ(LabelRef(all))
	XORQ(n, n)
	JMP(LabelRef(all))
}
