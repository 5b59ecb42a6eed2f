// Package fuzz holds the native fuzz targets of the module. It has no code of its own
// but tests:
//
//	FuzzWalk     every form of the structure walk against the specification's, written plainly
//	FuzzStream   Progress and Reader, fed at every split point, against Check and slices
//	FuzzAny      decoding to any against its own promises, under every set of options
//	FuzzMemory   what decoding allocates against what it charges
//	FuzzMarkers  markers with their Raw forms against the same without
//	FuzzAgree    every way to a value against decoding to any: typed, by a cursor, by a Document
//	FuzzParity   decoding to any against the peer
//	FuzzDoors    types that decode themselves against the walk
//
// The seeds are the vectors, the small samples and the tables of differences, and run
// with the ordinary tests. testdata holds only what was caught. run.sh runs every
// target by count.
package fuzz
