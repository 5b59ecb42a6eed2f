//go:build race

package price

const raceEnabled = true
