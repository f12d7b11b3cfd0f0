// Package familytest makes designs and their networks by name, for tests.
package familytest

import (
	"testing"

	"toposearch/topology"
	"toposearch/topology/family"
)

// Parse is the design of a name; any other text ends the test.
func Parse(tb testing.TB, name string) topology.Design {
	tb.Helper()
	d, err := topology.ParseDesign(name, family.Known())
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// Build makes the network of the design of a name.
func Build(tb testing.TB, name string) (topology.Design, *topology.Network) {
	tb.Helper()
	d := Parse(tb, name)
	n, err := d.Build()
	if err != nil {
		tb.Fatal(err)
	}
	return d, n
}

// Network makes the network of the design of a name, and its natural rule.
func Network(tb testing.TB, name string) (*topology.Network, topology.Rule) {
	tb.Helper()
	d, n := Build(tb, name)
	return n, Natural(d)
}

// Natural is the natural rule of a design, shortest paths if its family has none.
func Natural(d topology.Design) topology.Rule {
	if d.Family.Natural == nil {
		return topology.Minimal()
	}
	return d.Family.Natural(d.V)
}
