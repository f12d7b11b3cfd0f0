package cutthrough_test

import (
	"context"
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// build makes the network of a design.
func build(tb testing.TB, design string) (*topology.Network, topology.Rule) {
	tb.Helper()
	return familytest.Network(tb, design)
}

// config has endpoints of 400 Gb/s, lanes at their share of it, and cables of 10 ns times the
// number of the class, plus 10.
func config(n *topology.Network) cutthrough.Config {
	c := cutthrough.DefaultConfig()
	c.BandwidthGbps = 400
	for i := range n.LinkClasses {
		c.ClassGbps = append(c.ClassGbps, 400*float64(max(1, n.Lanes[i]))/float64(n.EndpointLanes))
		c.ClassCableNs = append(c.ClassCableNs, float64(10*(i+1)))
	}
	return c
}

func parts(tb testing.TB, design, name, pattern string, vcs int) (*topology.Network, simcore.Routing, simcore.Traffic) {
	tb.Helper()
	n, rule := build(tb, design)
	r, err := route.ByName(context.Background(), name, n, route.Options{Natural: rule, VCs: vcs, Workers: 2})
	if err != nil {
		tb.Fatalf("%s: %v", design, err)
	}
	t, err := traffic.ByName(pattern, traffic.Options{Network: n})
	if err != nil {
		tb.Fatalf("%s: %v", design, err)
	}
	return n, r, t
}

// sim makes a simulation; change, if not nil, alters its configuration.
func sim(tb testing.TB, design, name, pattern string, change func(*cutthrough.Config)) *cutthrough.Sim {
	tb.Helper()
	n, r, t := parts(tb, design, name, pattern, 0)
	c := config(n)
	if change != nil {
		change(&c)
	}
	s, err := cutthrough.New(n, r, t, c)
	if err != nil {
		tb.Fatalf("%s: %v", design, err)
	}
	return s
}

func run(tb testing.TB, s *cutthrough.Sim, load float64) cutthrough.Point {
	tb.Helper()
	p, err := s.Run(context.Background(), load)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}
