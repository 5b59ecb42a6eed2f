// Command _asm writes the amd64 kernels of package asm and their declarations:
//
//	go generate ./asm
//
// What a kernel must do is said by its twin in Go, in package asm.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/buildtags"
)

func main() {
	Constraints(buildtags.Not("purego").ToConstraints())
	utf8()
	runs()
	loads()
	Generate()
}
