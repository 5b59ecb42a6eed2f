//go:build !purego

package asm

const pure = false
