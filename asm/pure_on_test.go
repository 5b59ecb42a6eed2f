//go:build purego

package asm

const pure = true
