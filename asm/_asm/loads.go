package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// Where the fields of a loadPlan stand.
const (
	planIndex   = 0
	planShift   = 64
	planForbid  = 128
	planKeep    = 192
	planMarks   = 200
	planMarks2  = 208
	planMarker  = 216
	planStep    = 224
	planSecond  = 232
	loadedBytes = 64 // what a group makes
)

func loads() {
	for _, bits := range []int{16, 32, 64} {
		fixed(bits)
	}
	for _, v := range []vec{avx2, avx512} {
		for _, lane := range []int{1, 2, 4, 8} {
			fixints(v, lane)
		}
	}
}

// fixed writes the load of numbers of one format, marker and payload, into lanes: a
// permutation turns the payloads round and puts them into their lanes, the signed ones at
// the top, from where a shift takes them down.
func fixed(bits int) {
	TEXT(fmt.Sprintf("loadAVX512x%d", bits), NOSPLIT, "func(dst, p *byte, groups int, plan *byte) int")
	Pragma("noescape")
	Doc(fmt.Sprintf("loadAVX512x%d stores what plan makes of each group at p, lanes of %d bits, and returns", bits, bits),
		"how many: up to the first group with another marker or with a number that plan forbids.")
	dst, p := Load(Param("dst"), GP64()), Load(Param("p"), GP64())
	groups, plan := Load(Param("groups"), GP64()), Load(Param("plan"), GP64())
	field := func(d int) Mem { return Mem{Base: plan, Disp: d} }
	index, shift, forbid, marker := ZMM(), ZMM(), ZMM(), ZMM()
	VMOVDQU8(field(planIndex), index)
	VMOVDQU8(field(planShift), shift)
	VMOVDQU8(field(planForbid), forbid)
	VPBROADCASTB(field(planMarker), marker)
	keep, marks, marks2 := K(), K(), K()
	KMOVQ(field(planKeep), keep)
	KMOVQ(field(planMarks), marks)
	KMOVQ(field(planMarks2), marks2)
	step, second, done := GP64(), GP64(), GP64()
	MOVQ(field(planStep), step)
	MOVQ(field(planSecond), second)
	XORQ(done, done)
	TESTQ(groups, groups)
	JZ(LabelRef("end"))
	Label("group")
	a, b, out := ZMM(), ZMM(), ZMM()
	bad, bad2 := K(), K()
	VMOVDQU8(Mem{Base: p}, a)
	VMOVDQU8(Mem{Base: p, Index: second, Scale: 1}, b)
	VPCMPUB(U8(4), marker, a, marks, bad)
	VPCMPUB(U8(4), marker, b, marks2, bad2)
	KORQ(bad, bad2, bad)
	VMOVDQA64(index, out)
	VPERMI2B_Z(b, a, keep, out)
	switch bits {
	case 16:
		VPSRAVW(shift, out, out)
	case 32:
		VPSRAVD(shift, out, out)
	case 64:
		VPSRAVQ(shift, out, out)
	}
	VPTESTMB(forbid, out, bad2)
	KORTESTQ(bad, bad2)
	JNZ(LabelRef("end"))
	VMOVDQU8(out, Mem{Base: dst})
	ADDQ(I32(loadedBytes), dst)
	ADDQ(step, p)
	INCQ(done)
	CMPQ(done, groups)
	JB(LabelRef("group"))
	Label("end")
	Store(done, ReturnIndex(0))
	leave()
}

// fixints writes the load of fixints into lanes of some bytes.
func fixints(v vec, lane int) {
	TEXT(fmt.Sprintf("fixints%sx%d", v.tier, 8*lane), NOSPLIT, "func(dst, p *byte, groups int, below byte) int")
	Pragma("noescape")
	Doc(fmt.Sprintf("fixints%sx%d stores the groups of %d fixints at p as lanes of %d bits and returns how many:", v.tier, 8*lane, v.bytes, 8*lane),
		"up to the first group with a byte that is less than -below.")
	dst, p, groups := Load(Param("dst"), GP64()), Load(Param("p"), GP64()), Load(Param("groups"), GP64())
	b, err := Param("below").Resolve()
	if err != nil {
		panic(err)
	}
	below := v.reg()
	VPBROADCASTB(b.Addr, below)
	done := GP64()
	XORQ(done, done)
	TESTQ(groups, groups)
	JZ(LabelRef("end"))
	Label("group")
	in, sum := v.load(Mem{Base: p}), v.reg()
	VPADDSB(below, in, sum)
	v.ifHigh(sum, "end")
	for i := 0; i < lane; i++ {
		out, from := v.reg(), Mem{Base: p, Disp: i * v.bytes / lane}
		switch lane {
		case 1:
			out = in
		case 2:
			VPMOVSXBW(from, out)
		case 4:
			VPMOVSXBD(from, out)
		case 8:
			VPMOVSXBQ(from, out)
		}
		to := Mem{Base: dst, Disp: i * v.bytes}
		if v.bytes == 64 {
			VMOVDQU8(out, to)
		} else {
			VMOVDQU(out, to)
		}
	}
	ADDQ(I32(lane*v.bytes), dst)
	ADDQ(I32(v.bytes), p)
	INCQ(done)
	CMPQ(done, groups)
	JB(LabelRef("group"))
	Label("end")
	Store(done, ReturnIndex(0))
	leave()
}
