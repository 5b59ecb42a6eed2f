//go:build purego || !amd64

package asm

// Without kernels nothing is proved and nothing read: all is left to the twins.

func utf8Short([]byte) bool { return false }

func utf8Proved([]byte) int { return 0 }

func asciiKernel([]byte) int { return 0 }

func oneByteKernel([]byte) int { return 0 }

func strideKernel([]byte, byte, int) int { return 0 }

func loadKernel[T any](_ []T, _ []byte, _ byte) int { return 0 }

func fixintKernel[T any](_ []T, _ []byte) int { return 0 }
