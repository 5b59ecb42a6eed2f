#!/bin/sh
# Makes package generated: the same types with the methods that msgp generates.
set -eu
cd "$(dirname "$0")"
{
	echo '// Code generated from ../types.go by generate.sh. DO NOT EDIT.'
	echo
	echo '// Package generated holds the types of package types with methods that msgp generated.'
	sed -n '/^package types$/,$p' types.go | grep -v '^//go:generate' | sed 's/^package types$/package generated/'
} | gofmt >generated/types.go
cd generated
go run github.com/tinylib/msgp@v1.6.5 -file types.go -o types_gen.go -tests=false -io=false
