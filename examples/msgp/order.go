// Package msgp shows types with methods that tinylib/msgp generated, decoded by package
// decode under its limits, as they are: no method is generated anew.
package msgp

//go:generate go tool msgp -file order.go -o order_gen.go -io=false -tests=false

// Order is a type of somebody who uses msgp.
type Order struct {
	ID       int64    `msg:"id"`
	Customer string   `msg:"customer"`
	Lines    []Line   `msg:"lines"`
	Replaces *Order   `msg:"replaces"`
	Tags     []string `msg:"tags"`
}

// Line is a part of an [Order].
type Line struct {
	SKU      string  `msg:"sku"`
	Quantity int     `msg:"quantity"`
	Price    float64 `msg:"price"`
}
