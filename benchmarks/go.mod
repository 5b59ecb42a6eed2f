module github.com/boundpack/boundpack/benchmarks

go 1.26.0

require (
	github.com/boundpack/boundpack v0.0.0
	github.com/segmentio/asm v1.2.1
	github.com/tinylib/msgp v1.6.5
	github.com/ugorji/go/codec v1.3.2
	github.com/vmihailenco/msgpack/v5 v5.4.1
)

require (
	github.com/philhofer/fwd v1.2.0 // indirect
	github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace github.com/boundpack/boundpack => ../
