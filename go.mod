module github.com/boundpack/boundpack

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/klauspost/cpuid/v2 v2.4.2
	github.com/pierrec/lz4/v4 v4.1.33
	github.com/vmihailenco/msgpack/v5 v5.4.1
	github.com/zeebo/xxh3 v1.1.0
	golang.org/x/sys v0.50.0
)

require github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
