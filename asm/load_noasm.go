//go:build purego || !amd64

package asm

// Without kernels nothing is read: all is left to the twins.

func loadKernel[T any](_ []T, _ []byte, _ byte) int { return 0 }

func fixintKernel[T any](_ []T, _ []byte) int { return 0 }
