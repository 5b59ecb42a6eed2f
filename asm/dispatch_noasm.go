//go:build purego || !(amd64 || arm64)

package asm

// Without kernels nothing is proved: all is left to the twins.

func utf8Short([]byte) bool { return false }

func utf8Proved([]byte) int { return 0 }

func asciiKernel([]byte) int { return 0 }

func oneByteKernel([]byte) int { return 0 }

func strideKernel([]byte, byte, int) int { return 0 }
