module github.com/boundpack/boundpack

go 1.26
