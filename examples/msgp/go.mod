module github.com/boundpack/boundpack/examples/msgp

go 1.26.0

replace github.com/boundpack/boundpack => ../..

tool github.com/tinylib/msgp

require (
	github.com/boundpack/boundpack v0.0.0-00010101000000-000000000000
	github.com/tinylib/msgp v1.6.5
)

require (
	github.com/philhofer/fwd v1.2.0 // indirect
	golang.org/x/mod v0.18.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/tools v0.22.0 // indirect
)
