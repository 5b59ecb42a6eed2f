// Package types holds the Go types of the workload struct, with the methods that msgp generates
// for them.
package types

//go:generate go run github.com/tinylib/msgp@v1.6.5 -tests=false -io=false

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
