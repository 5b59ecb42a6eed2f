//go:build !race && (amd64 || arm64) && !purego

package asm

func sees([]byte) {}
