//go:build race

package probe

// Race reports whether the race detector is on: it takes memory of its own and makes a
// [sync.Pool] drop things at random, so what is allocated says little.
const Race = true
