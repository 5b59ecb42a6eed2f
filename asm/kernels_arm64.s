//go:build !purego

#include "textflag.h"

// The tables of the generator for amd64: see firstHigh, firstLow and secondHigh there.
DATA firstHigh<>+0(SB)/8, $0x0202020202020202
DATA firstHigh<>+8(SB)/8, $0x4915012180808080
GLOBL firstHigh<>(SB), RODATA|NOPTR, $16
DATA firstLow<>+0(SB)/8, $0xcbcbcb8b8383a3e7
DATA firstLow<>+8(SB)/8, $0xcbcbdbcbcbcbcbcb
GLOBL firstLow<>(SB), RODATA|NOPTR, $16
DATA secondHigh<>+0(SB)/8, $0x0101010101010101
DATA secondHigh<>+8(SB)/8, $0x01010101babaaee6
GLOBL secondHigh<>(SB), RODATA|NOPTR, $16

// WRONG makes V4 not zero where V0 does not follow the bytes before it, which are those of
// V1, V2 and V3: by the tables, and by leads of three or more bytes two before and of four
// three before, that ask for a continuation. It spoils V1, V5 and V6.
#define WRONG \
	VUSHR $4, V1.B16, V4.B16 \
	VTBL  V4.B16, [V16.B16], V4.B16 \
	VAND  V19.B16, V1.B16, V1.B16 \
	VTBL  V1.B16, [V17.B16], V1.B16 \
	VUSHR $4, V0.B16, V5.B16 \
	VTBL  V5.B16, [V18.B16], V5.B16 \
	VAND  V1.B16, V4.B16, V4.B16 \
	VAND  V5.B16, V4.B16, V4.B16 \
	VUMAX V20.B16, V2.B16, V6.B16 \
	VCMEQ V6.B16, V2.B16, V6.B16 \
	VUMAX V21.B16, V3.B16, V5.B16 \
	VCMEQ V5.B16, V3.B16, V5.B16 \
	VORR  V5.B16, V6.B16, V6.B16 \
	VAND  V22.B16, V6.B16, V6.B16 \
	VEOR  V6.B16, V4.B16, V4.B16

// JUDGE is WRONG of the block at an offset from R2.
#define JUDGE(off, off1, off2, off3) \
	FMOVQ off(R2), F0 \
	FMOVQ off1(R2), F1 \
	FMOVQ off2(R2), F2 \
	FMOVQ off3(R2), F3 \
	WRONG

// WORDS makes R6 the union of the two words of a register.
#define WORDS(v) \
	VMOV v.D[0], R6 \
	VMOV v.D[1], R7 \
	ORR  R7, R6, R6

// func utf8BlocksNEON(p *byte, n int) int
// As utf8BlocksAVX2, with blocks of 16 bytes and groups of 64; the twin is utf8PrefixGo.
TEXT ·utf8BlocksNEON(SB), NOSPLIT, $0-24
	MOVD p+0(FP), R0
	MOVD n+8(FP), R1
	MOVD R0, R2 // the next block
	MOVD R1, R3 // bytes left
	CMP  $64, R3
	BLO  asciiBlock

ascii: // all before is proved and no sequence is open; a group is left
	VLD1 (R2), [V0.B16, V1.B16, V2.B16, V3.B16]
	VORR V0.B16, V1.B16, V1.B16
	VORR V2.B16, V3.B16, V3.B16
	VORR V1.B16, V3.B16, V3.B16
	WORDS(V3)
	TST  $0x8080808080808080, R6
	BNE  text
	ADD  $64, R2
	SUB  $64, R3
	CMP  $64, R3
	BHS  ascii

asciiBlock:
	CMP   $16, R3
	BLO   asciiTail
	FMOVQ (R2), F0
	WORDS(V0)
	TST   $0x8080808080808080, R6
	BNE   text
	ADD   $16, R2
	SUB   $16, R3
	B     asciiBlock

asciiTail: // the last block overlaps the one before it
	CBZ   R3, all
	ADD   R0, R1, R4
	FMOVQ -16(R4), F0
	WORDS(V0)
	TST   $0x8080808080808080, R6
	BEQ   all

text: // all before is proved, and a sequence may be open
	MOVD  $firstHigh<>(SB), R4
	VLD1  (R4), [V16.B16]
	MOVD  $firstLow<>(SB), R4
	VLD1  (R4), [V17.B16]
	MOVD  $secondHigh<>(SB), R4
	VLD1  (R4), [V18.B16]
	VMOVI $0x0f, V19.B16
	VMOVI $0xe0, V20.B16
	VMOVI $0xf0, V21.B16
	VMOVI $0x80, V22.B16
	CMP   R0, R2
	BNE   textGroup

	// The first block has nothing before it.
	FMOVQ (R2), F0
	VEOR  V7.B16, V7.B16, V7.B16
	VEXT  $15, V0.B16, V7.B16, V1.B16
	VEXT  $14, V0.B16, V7.B16, V2.B16
	VEXT  $13, V0.B16, V7.B16, V3.B16
	WRONG
	WORDS(V4)
	CBNZ  R6, end
	ADD   $16, R2
	SUB   $16, R3

textGroup:
	CMP  $64, R3
	BLO  textBlock
	JUDGE(0, -1, -2, -3)
	VMOV V4.B16, V7.B16
	JUDGE(16, 15, 14, 13)
	VORR V4.B16, V7.B16, V7.B16
	JUDGE(32, 31, 30, 29)
	VORR V4.B16, V7.B16, V7.B16
	JUDGE(48, 47, 46, 45)
	VORR V4.B16, V7.B16, V7.B16
	WORDS(V7)
	CBNZ R6, textBlock // which finds out which of the four it is
	ADD  $64, R2
	SUB  $64, R3
	B    textGroup

textBlock:
	CMP  $16, R3
	BLO  textTail
	JUDGE(0, -1, -2, -3)
	WORDS(V4)
	CBNZ R6, end
	ADD  $16, R2
	SUB  $16, R3
	B    textBlock

textTail: // the last block overlaps the one before it, and needs three bytes before itself
	CBZ  R3, all
	CMP  $19, R1
	BLO  end
	MOVD R2, R8
	ADD  R0, R1, R2
	SUB  $16, R2
	JUDGE(0, -1, -2, -3)
	MOVD R8, R2
	WORDS(V4)
	CBNZ R6, end

all:
	MOVD R1, ret+16(FP)
	RET

end:
	SUB  R0, R2, R2
	MOVD R2, ret+16(FP)
	RET

// func asciiNEON(p *byte, n int) int
// As asciiAVX2, from 16 bytes on; the twin is asciiPrefixGo.
TEXT ·asciiNEON(SB), NOSPLIT, $0-24
	MOVD p+0(FP), R0
	MOVD n+8(FP), R1
	MOVD R0, R2
	MOVD R1, R3

group:
	CMP  $64, R3
	BLO  block
	VLD1 (R2), [V0.B16, V1.B16, V2.B16, V3.B16]
	VORR V0.B16, V1.B16, V1.B16
	VORR V2.B16, V3.B16, V3.B16
	VORR V1.B16, V3.B16, V3.B16
	WORDS(V3)
	TST  $0x8080808080808080, R6
	BNE  block
	ADD  $64, R2
	SUB  $64, R3
	B    group

block:
	CMP   $16, R3
	BLO   tail
	FMOVQ (R2), F0
	VMOV  V0.D[0], R6
	VMOV  V0.D[1], R7
	ANDS  $0x8080808080808080, R6
	BNE   found
	ANDS  $0x8080808080808080, R7
	BNE   found8
	ADD   $16, R2
	SUB   $16, R3
	B     block

tail: // the last block overlaps the one before it
	CBZ   R3, all
	ADD   R0, R1, R2
	SUB   $16, R2
	FMOVQ (R2), F0
	VMOV  V0.D[0], R6
	VMOV  V0.D[1], R7
	ANDS  $0x8080808080808080, R6
	BNE   found
	ANDS  $0x8080808080808080, R7
	BNE   found8

all:
	MOVD R1, ret+16(FP)
	RET

found8:
	MOVD R7, R6
	ADD  $8, R2

found: // the byte of the lowest bit of R6
	RBIT R6, R6
	CLZ  R6, R6
	SUB  R0, R2, R2
	ADD  R6>>3, R2, R2
	MOVD R2, ret+16(FP)
	RET

// OTHER makes V4 all ones where V0 is no fixint, nil or bool: with the high bit, not above
// 0xdf, and none of c0, c2 and c3, which are all within that.
#define OTHER \
	VCMTST V22.B16, V0.B16, V4.B16 \
	VUMIN  V16.B16, V0.B16, V5.B16 \
	VCMEQ  V5.B16, V0.B16, V5.B16 \
	VAND   V5.B16, V4.B16, V4.B16 \
	VCMEQ  V17.B16, V0.B16, V5.B16 \
	VORR   V19.B16, V0.B16, V6.B16 \
	VCMEQ  V18.B16, V6.B16, V6.B16 \
	VORR   V5.B16, V6.B16, V6.B16 \
	VEOR   V6.B16, V4.B16, V4.B16

// func oneByteNEON(p *byte, n int) int
// As oneByteAVX2, from 16 bytes on; the twin is oneByteRunGo.
TEXT ·oneByteNEON(SB), NOSPLIT, $0-24
	MOVD  p+0(FP), R0
	MOVD  n+8(FP), R1
	MOVD  R0, R2
	MOVD  R1, R3
	VMOVI $0xdf, V16.B16
	VMOVI $0xc0, V17.B16
	VMOVI $0xc3, V18.B16
	VMOVI $0x01, V19.B16
	VMOVI $0x80, V22.B16

group:
	CMP   $64, R3
	BLO   block
	FMOVQ (R2), F0
	OTHER
	VMOV  V4.B16, V7.B16
	FMOVQ 16(R2), F0
	OTHER
	VORR  V4.B16, V7.B16, V7.B16
	FMOVQ 32(R2), F0
	OTHER
	VORR  V4.B16, V7.B16, V7.B16
	FMOVQ 48(R2), F0
	OTHER
	VORR  V4.B16, V7.B16, V7.B16
	WORDS(V7)
	CBNZ  R6, block
	ADD   $64, R2
	SUB   $64, R3
	B     group

block:
	CMP   $16, R3
	BLO   tail
	FMOVQ (R2), F0
	OTHER
	VMOV  V4.D[0], R6
	VMOV  V4.D[1], R7
	CBNZ  R6, found
	CBNZ  R7, found8
	ADD   $16, R2
	SUB   $16, R3
	B     block

tail: // the last block overlaps the one before it
	CBZ   R3, all
	ADD   R0, R1, R2
	SUB   $16, R2
	FMOVQ (R2), F0
	OTHER
	VMOV  V4.D[0], R6
	VMOV  V4.D[1], R7
	CBNZ  R6, found
	CBNZ  R7, found8

all:
	MOVD R1, ret+16(FP)
	RET

found8:
	MOVD R7, R6
	ADD  $8, R2

found: // the byte of the lowest bit of R6
	RBIT R6, R6
	CLZ  R6, R6
	SUB  R0, R2, R2
	ADD  R6>>3, R2, R2
	MOVD R2, ret+16(FP)
	RET

// func strideNEON(p *byte, groups int, marker byte, size int, masks *byte) int
// As strideAVX2; size is a multiple of 16; the twin is strideRunGo.
TEXT ·strideNEON(SB), NOSPLIT, $0-48
	MOVD  p+0(FP), R0
	MOVD  groups+8(FP), R1
	MOVBU marker+16(FP), R2
	MOVD  size+24(FP), R3
	MOVD  masks+32(FP), R4
	VDUP  R2, V16.B16
	MOVD  $0, R5 // groups done

group:
	CMP  R1, R5
	BHS  end
	MOVD R0, R8 // of the next vector
	MOVD R4, R9 // of its mask
	ADD  R0, R3, R10
	VEOR V7.B16, V7.B16, V7.B16

vector:
	VLD1.P 16(R8), [V0.B16]
	VLD1.P 16(R9), [V1.B16]
	VEOR   V16.B16, V0.B16, V0.B16
	VAND   V1.B16, V0.B16, V0.B16
	VORR   V0.B16, V7.B16, V7.B16
	CMP    R10, R8
	BLO    vector
	WORDS(V7)
	CBNZ   R6, end
	MOVD   R10, R0
	ADD    $1, R5
	B      group

end:
	MOVD R5, ret+40(FP)
	RET
