package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A vec is a width of registers: kernels that are the same on both tiers are written once.
type vec struct {
	tier  string
	bytes int
}

var (
	avx1   = vec{"AVX", 16}
	avx2   = vec{"AVX2", 32}
	avx512 = vec{"AVX512", 64}
)

func (v vec) reg() VecVirtual {
	switch v.bytes {
	case 64:
		return ZMM()
	case 32:
		return YMM()
	}
	return XMM()
}

func (v vec) load(m Mem) VecVirtual {
	r := v.reg()
	v.loadTo(m, r)
	return r
}

func (v vec) loadTo(m Mem, r VecVirtual) {
	if v.bytes == 64 {
		VMOVDQU8(m, r)
	} else {
		VMOVDQU(m, r)
	}
}

// table fills a register with a table of 16 bytes, over and over.
func (v vec) table(m Mem) VecVirtual {
	r := v.reg()
	switch v.bytes {
	case 64:
		VBROADCASTI32X4(m, r)
	case 32:
		VBROADCASTI128(m, r)
	default:
		VMOVDQU(m, r)
	}
	return r
}

// each fills a register with the byte at m, which stands there four times: a word is
// loaded into all places at no cost, a byte is not.
func (v vec) each(m Mem) VecVirtual {
	r := v.reg()
	VPBROADCASTD(m, r)
	return r
}

// single returns what each wants.
func single(name string, c byte) Mem { return rodata(name, []byte{c, c, c, c}) }

// or makes dst a | b, where a may stand in memory.
func (v vec) or(a Op, b, dst VecVirtual) {
	if v.bytes == 64 {
		VPORD(a, b, dst)
	} else {
		VPOR(a, b, dst)
	}
}

func (v vec) and(a Op, b, dst VecVirtual) {
	if v.bytes == 64 {
		VPANDD(a, b, dst)
	} else {
		VPAND(a, b, dst)
	}
}

func (v vec) xor(a Op, b, dst VecVirtual) {
	if v.bytes == 64 {
		VPXORD(a, b, dst)
	} else {
		VPXOR(a, b, dst)
	}
}

// andOr makes dst (a & b) | dst, spoiling b, where a may stand in memory.
func (v vec) andOr(a Op, b, dst VecVirtual) {
	if v.bytes == 64 {
		VPTERNLOGD(U8(0xf8), a, b, dst)
	} else {
		VPAND(a, b, b)
		VPOR(b, dst, dst)
	}
}

// and3 makes dst a & b & dst, and orAnd (a | dst) & b.
func (v vec) and3(a, b, dst VecVirtual) {
	if v.bytes == 64 {
		VPTERNLOGD(U8(0x80), a, b, dst)
	} else {
		VPAND(a, dst, dst)
		VPAND(b, dst, dst)
	}
}

func (v vec) orAnd(a, b, dst VecVirtual) {
	if v.bytes == 64 {
		VPTERNLOGD(U8(0xa8), b, a, dst)
	} else {
		VPOR(a, dst, dst)
		VPAND(b, dst, dst)
	}
}

// shifted returns in moved up by n bytes, n from 1 to 3, with zeros before it; carry is
// what carry(in) returned.
func (v vec) shifted(in, carry VecVirtual, n int) VecVirtual {
	r := v.reg()
	if v.bytes == 16 {
		VPSLLDQ(U8(n), in, r)
	} else {
		VPALIGNR(U8(16-n), carry, in, r)
	}
	return r
}

// carry returns, for each 16 bytes of in, the 16 before them.
func (v vec) carry(in VecVirtual) VecVirtual {
	r := v.reg()
	switch v.bytes {
	case 64:
		zero := ZMM()
		VPXORD(zero, zero, zero)
		VALIGNQ(U8(6), zero, in, r)
	case 32:
		VPERM2I128(U8(0x08), in, in, r)
	}
	return r
}

// ifHigh jumps if a byte of r has its high bit set.
func (v vec) ifHigh(r VecVirtual, label string) {
	if v.bytes == 64 {
		k := K()
		VPMOVB2M(r, k)
		KORTESTQ(k, k)
	} else {
		m := GP32()
		VPMOVMSKB(r, m)
		TESTL(m, m)
	}
	JNZ(LabelRef(label))
}

// mask returns the high bits of the bytes of r, the first byte's in bit 0.
func (v vec) mask(r VecVirtual) GPVirtual {
	if v.bytes == 64 {
		k, m := K(), GP64()
		VPMOVB2M(r, k)
		KMOVQ(k, m)
		return m
	}
	m := GP32()
	VPMOVMSKB(r, m)
	return m
}

// ifAny jumps if a bit of r is set.
func (v vec) ifAny(r VecVirtual, label string) {
	v.test(r)
	JNZ(LabelRef(label))
}

// test sets the zero flag if r is zero.
func (v vec) test(r VecVirtual) {
	if v.bytes == 64 {
		k := K()
		VPTESTMB(r, r, k)
		KORTESTQ(k, k)
	} else {
		VPTEST(r, r)
	}
}

// leave ends a kernel that touched wide registers: whoever uses their lower halves next
// would pay for what stands in the upper ones.
func leave() {
	VZEROUPPER()
	RET()
}

// rodata returns the bytes as a read-only constant.
func rodata(name string, b []byte) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	i := 0
	for ; i+8 <= len(b); i += 8 {
		var w uint64
		for j, c := range b[i : i+8] {
			w |= uint64(c) << (8 * j)
		}
		DATA(i, U64(w))
	}
	for ; i < len(b); i++ {
		DATA(i, U8(b[i]))
	}
	return m
}
