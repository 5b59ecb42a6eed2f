package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A scan finds the first byte that is not wanted.
type scan struct {
	name, finds string
	consts      []Mem // bytes that quick and exact get in all places of a register
	// quick makes of four vectors one that has a high bit if one of them may hold such a
	// byte, and spoils them. exact returns a mask of those bytes, in the order of the bits.
	quick func(v vec, consts, in []VecVirtual) VecVirtual
	exact func(v vec, consts []VecVirtual, in VecVirtual) GPVirtual
}

func runs() {
	ascii := scan{
		name: "ascii", finds: "is not ASCII",
		quick: func(v vec, _, in []VecVirtual) VecVirtual {
			v.or(in[0], in[1], in[1])
			v.or(in[2], in[3], in[3])
			v.or(in[1], in[3], in[3])
			return in[3]
		},
		exact: func(v vec, _ []VecVirtual, in VecVirtual) GPVirtual { return v.mask(in) },
	}
	oneByte := scan{
		name: "oneByte", finds: "is no fixint, nil or bool",
		consts: []Mem{single("oneByteFix", 32), single("oneByteNil", 0xc0), single("oneByteTrue", 0xc3), single("oneByteOne", 1)},
		quick: func(_ vec, c, in []VecVirtual) VecVirtual {
			VPMINSB(in[0], in[1], in[1])
			VPMINSB(in[2], in[3], in[3])
			VPMINSB(in[1], in[3], in[3])
			VPADDSB(c[0], in[3], in[3]) // below zero if one is below -32
			return in[3]
		},
		exact: func(v vec, c []VecVirtual, in VecVirtual) GPVirtual {
			other, bools := v.reg(), v.reg()
			VPADDSB(c[0], in, other)
			v.or(c[3], in, bools)
			if v.bytes == 64 {
				k, k2, m := K(), K(), GP64()
				VPMOVB2M(other, k)
				VPCMPUB(U8(4), c[1], in, k, k2)    // of those, what is not nil
				VPCMPUB(U8(4), c[2], bools, k2, k) // and not a bool
				KMOVQ(k, m)
				return m
			}
			VPCMPEQB(c[1], in, in)
			VPCMPEQB(c[2], bools, bools)
			VPOR(in, bools, bools)
			VPANDN(other, bools, other)
			return v.mask(other)
		},
	}
	for _, s := range []scan{ascii, oneByte} {
		s.write(avx2)
		s.write(avx512)
	}
	strides(avx2)
	strides(avx512)
}

func (s scan) write(v vec) {
	TEXT(s.name+v.tier, NOSPLIT, "func(p *byte, n int) int")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s%s returns the offset of the first of n bytes at p that %s, n if there is none.", s.name, v.tier, s.finds),
		fmt.Sprintf("n is %d or more.", v.bytes))
	p, n := Load(Param("p"), GP64()), Load(Param("n"), GP64())
	off, left := GP64(), GP64()
	XORQ(off, off)
	MOVQ(n, left)
	var consts []VecVirtual
	for _, m := range s.consts {
		consts = append(consts, v.each(m))
	}
	at := func(d int) Mem { return Mem{Base: p, Index: off, Scale: 1, Disp: d} }
	CMPQ(left, I32(4*v.bytes))
	JB(LabelRef("block"))
	Label("group")
	v.ifHigh(s.quick(v, consts, []VecVirtual{v.load(at(0)), v.load(at(v.bytes)), v.load(at(2 * v.bytes)), v.load(at(3 * v.bytes))}), "block")
	ADDQ(I32(4*v.bytes), off)
	SUBQ(I32(4*v.bytes), left)
	CMPQ(left, I32(4*v.bytes))
	JAE(LabelRef("group"))

	mask := GP64()
	stop := func() {
		m := s.exact(v, consts, v.load(at(0)))
		if m.Size() == 8 {
			MOVQ(m, mask)
		} else {
			MOVL(m, mask.As32())
		}
		TESTQ(mask, mask)
		JNZ(LabelRef("found"))
	}
	Label("block")
	CMPQ(left, I32(v.bytes))
	JB(LabelRef("tail"))
	stop()
	ADDQ(I32(v.bytes), off)
	SUBQ(I32(v.bytes), left)
	JMP(LabelRef("block"))
	Label("tail")
	TESTQ(left, left)
	JZ(LabelRef("all"))
	Comment("The last block overlaps the one before it.")
	LEAQ(Mem{Base: n, Disp: -v.bytes}, off)
	stop()
	Label("all")
	Store(n, ReturnIndex(0))
	leave()
	Label("found")
	TZCNTQ(mask, mask)
	ADDQ(mask, off)
	Store(off, ReturnIndex(0))
	leave()
}

// strides compares every stride-th byte with a marker: in a group of as many items as a
// register has bytes, which are stride registers, by a mask for each of those.
func strides(v vec) {
	TEXT("stride"+v.tier, NOSPLIT, "func(p *byte, groups int, marker byte, size int, masks *byte) int")
	Pragma("noescape")
	Doc(fmt.Sprintf("stride%s returns how many of the groups at p, each of size bytes, have the marker where", v.tier),
		fmt.Sprintf("masks is not zero, up to the first that does not. size is a multiple of %d.", v.bytes))
	p, groups := Load(Param("p"), GP64()), Load(Param("groups"), GP64())
	size, masks := Load(Param("size"), GP64()), Load(Param("masks"), GP64())
	m, err := Param("marker").Resolve()
	if err != nil {
		panic(err)
	}
	marker := v.reg()
	VPBROADCASTB(m.Addr, marker)
	done, off, differ := GP64(), GP64(), v.reg()
	XORQ(done, done)
	TESTQ(groups, groups)
	JZ(LabelRef("end"))
	Label("group")
	v.xor(differ, differ, differ)
	XORQ(off, off)
	Label("vector")
	in := v.load(Mem{Base: p, Index: off, Scale: 1})
	v.xor(marker, in, in)
	v.andOr(Mem{Base: masks, Index: off, Scale: 1}, in, differ)
	ADDQ(I32(v.bytes), off)
	CMPQ(off, size)
	JB(LabelRef("vector"))
	v.ifAny(differ, "end")
	ADDQ(size, p)
	INCQ(done)
	CMPQ(done, groups)
	JB(LabelRef("group"))
	Label("end")
	Store(done, ReturnIndex(0))
	leave()
}
