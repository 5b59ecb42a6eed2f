// Code generated from ../types.go by generate.sh. DO NOT EDIT.

// Package generated holds the types of package types with methods that msgp generated.
package generated

// User is one of a Page: the record of samples.Users.
type User struct {
	ID       int64    `msg:"id" msgpack:"id"`
	Name     string   `msg:"name" msgpack:"name"`
	Email    string   `msg:"email" msgpack:"email"`
	Address  string   `msg:"address" msgpack:"address"`
	Tags     []string `msg:"tags" msgpack:"tags"`
	Active   bool     `msg:"active" msgpack:"active"`
	Verified bool     `msg:"verified" msgpack:"verified"`
	Score    float64  `msg:"score" msgpack:"score"`
}

// Page is the document of samples.Users.
type Page struct {
	Users []User `msg:"users" msgpack:"users"`
	Total int64  `msg:"total" msgpack:"total"`
	Page  int64  `msg:"page" msgpack:"page"`
	Next  string `msg:"next" msgpack:"next"`
}

// Ints is the document of samples.Ints.
type Ints []int64

// Floats is the document of samples.Floats.
type Floats []float64

// Strs is the document of samples.Strs.
type Strs []string

// Counts is the document of samples.Pairs.
type Counts map[string]int64

// Rings are the outlines of CanadaLike and Geo.
type Rings [][][2]float64

// Outlines is the document of samples.CanadaLike.
type Outlines struct {
	Kind     string    `msg:"kind" msgpack:"kind"`
	Outlines []Outline `msg:"outlines" msgpack:"outlines"`
}

// Outline is one of Outlines.
type Outline struct {
	Kind    string            `msg:"kind" msgpack:"kind"`
	Details map[string]string `msg:"details" msgpack:"details"`
	Shape   Shape             `msg:"shape" msgpack:"shape"`
}

// Shape is what an Outline looks like.
type Shape struct {
	Kind  string `msg:"kind" msgpack:"kind"`
	Rings Rings  `msg:"rings" msgpack:"rings"`
}

// Geo is a GeoJSON FeatureCollection of polygons, as the well-known file canada is one.
type Geo struct {
	Type     string    `msg:"type" msgpack:"type"`
	Features []Feature `msg:"features" msgpack:"features"`
}

// Feature is one of Geo.
type Feature struct {
	Type       string            `msg:"type" msgpack:"type"`
	Properties map[string]string `msg:"properties" msgpack:"properties"`
	Geometry   Geometry          `msg:"geometry" msgpack:"geometry"`
}

// Geometry is where a Feature is.
type Geometry struct {
	Type        string `msg:"type" msgpack:"type"`
	Coordinates Rings  `msg:"coordinates" msgpack:"coordinates"`
}

// Log is the document of samples.Dates.
type Log struct {
	Records []Record `msg:"records" msgpack:"records"`
}

// Record is one of a Log.
type Record struct {
	ID int64 `msg:"id" msgpack:"id"`
	At Date  `msg:"at" msgpack:"at"`
}

// Date is a marker map.
type Date struct {
	IsDate bool   `msg:"__datetime__" msgpack:"__datetime__"`
	Value  string `msg:"value" msgpack:"value"`
}
