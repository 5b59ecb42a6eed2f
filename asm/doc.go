// Package asm is the kernels: what moves over many bytes at once, in assembly where that
// is faster, for the packages above.
//
// Kernels advance, they never refuse: each returns how far it came, and what it did not
// take is for the header step of package walk, at the same offset. None touches a byte
// outside the slices it was given, before or after, and none keeps them.
//
// [UTF8Prefix] and [ASCIIPrefix] look at text. [OneByteRun] and [StrideRun] move over runs
// of headers. [LoadFloat64s], [LoadFloat32s], [LoadInts] and [LoadIntRun] read runs of
// numbers into slices. All are safe for concurrent use and allocate nothing.
//
// # Twins
//
// Behind each is a function in Go that does the same, its twin: it says what the kernel
// must do, takes what is too short for it, and is all there is with the build tag purego
// and where there is no kernel. The sets of kernels are listed in internal/tier, where a
// test can choose between them: AVX2 and AVX-512 on amd64, written by the generator in
// _asm, and NEON on arm64. Not every set has every kernel: runs of numbers wider than a byte
// are read by AVX-512 alone, and on arm64 none is. A set is offered only if golang.org/x/sys/cpu reports every
// feature that it uses, so GODEBUG=cpu.avx512vbmi=off takes the AVX-512 set away and
// GODEBUG=cpu.avx2=off both.
//
// While assembly runs its goroutine cannot be stopped, so one call of it is given 256 KiB
// at most.
//
// It is machinery of this module: nothing is promised about its compatibility.
package asm

//go:generate go -C _asm run . -out ../kernels_amd64.s -stubs ../stubs_amd64.go -pkg asm
