//go:build !race

package asm

import "unsafe"

func sees([]byte) {}

func stores(unsafe.Pointer, int) {}
