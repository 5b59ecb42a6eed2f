package asm

import "encoding/binary"

// ASCIIPrefix returns the length in bytes of the longest prefix of p that is ASCII.
func ASCIIPrefix(p []byte) int {
	n := len(p)
	at := 0
	for n-at >= 32 {
		given := p[at:min(n, at+maxCall)]
		proved := asciiKernel(given)
		at += proved
		if proved < len(given) {
			break
		}
	}
	return at + asciiPrefixGo(p[at:])
}

// asciiPrefixGo is the twin of the kernels behind ASCIIPrefix.
func asciiPrefixGo(p []byte) int {
	n := 0
	for len(p)-n >= 8 && binary.LittleEndian.Uint64(p[n:])&high == 0 {
		n += 8
	}
	for n < len(p) && p[n] < 0x80 {
		n++
	}
	return n
}

// OneByteRun returns the number of items that stand at the start of p one after another
// and are one byte each: fixints, nils and bools.
func OneByteRun(p []byte) int {
	at := 0
	for len(p)-at >= 32 {
		given := p[at:min(len(p), at+maxCall)]
		proved := oneByteKernel(given)
		at += proved
		if proved < len(given) {
			break
		}
	}
	return at + oneByteRunGo(p[at:])
}

// oneByteRunGo is the twin of the kernels behind OneByteRun.
func oneByteRunGo(p []byte) int {
	for n, b := range p {
		if int8(b) < -32 && b != 0xc0 && b|1 != 0xc3 {
			return n
		}
	}
	return len(p)
}

// MaxStride is the length in bytes of the longest item of fixed length: fixext 16.
const MaxStride = 18

// StrideRun returns the number of items that stand at the start of p one after another
// and are stride bytes each, the first of them marker. stride is from 2 to [MaxStride];
// for any other the run is empty. An item that p cuts short does not count.
func StrideRun(p []byte, marker byte, stride int) int {
	if stride < 2 || stride > MaxStride {
		return 0
	}
	done := strideKernel(p, marker, stride)
	return done + strideRunGo(p[done*stride:], marker, stride)
}

// strideRunGo is the twin of the kernels behind StrideRun.
func strideRunGo(p []byte, marker byte, stride int) int {
	n := 0
	for len(p) >= stride && p[0] == marker {
		p = p[stride:]
		n++
	}
	return n
}
