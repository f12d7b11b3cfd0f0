package topotest

import (
	"testing"

	"toposearch/topology"
)

// Options tune the contract test of a family. The zero value suits most families.
type Options struct {
	// Planes is the number of connected components that the family claims; nil: one.
	Planes func(v []int) int
	// Points are tuples to test besides those of the grid.
	Points [][]int
	// SlowSize lifts the limits on time and allocation of Size (families with cached fields).
	SlowSize bool
	// Unreachable allows pairs without a natural route.
	Unreachable bool
	// Small is the number of grid points tested in full; 0 means 100.
	Small int
	Seed  uint64
}

const (
	smallSwitches  = 200
	smallEndpoints = 1200
	largeSwitches  = 5000
	largeEndpoints = 100_000
	largePoints    = 6
)

func build(t testing.TB, d topology.Design) *topology.Network {
	t.Helper()
	n, err := d.Build()
	if err != nil {
		t.Errorf("%s: Build: %v", d, err)
		return nil
	}
	return n
}
