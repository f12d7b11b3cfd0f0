package topology_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/graph/path"
	"gonum.org/v1/gonum/graph/simple"

	"toposearch/topology"
)

// shortest is all distances between the switches of a network, by gonum.
func shortest(n *topology.Network) path.AllShortest {
	g := simple.NewDirectedGraph()
	for s := range topology.SwitchID(n.Switches()) {
		if g.Node(int64(s)) == nil {
			g.AddNode(simple.Node(s))
		}
		for _, v := range n.Neighbors(s) {
			g.SetEdge(g.NewEdge(simple.Node(s), simple.Node(v)))
		}
	}
	return path.DijkstraAllPaths(g)
}

// TestDistancesGonum: the numbers of pairs of endpoints by distance, between their best ports, and the
// diameter are those of gonum's shortest paths.
func TestDistancesGonum(t *testing.T) {
	for seed := range uint64(40) {
		n := random(t, seed, seed%4 == 0, seed%5 == 0)
		all := shortest(n)
		pairs, apart := make([]int64, n.Switches()), int64(0)
		for i := range n.Groups() {
			first, end, from := n.Group(i)
			for j := range n.Groups() {
				first2, end2, to := n.Group(j)
				count := int64(end-first) * int64(end2-first2)
				if i == j {
					count -= int64(end - first)
				}
				best := math.Inf(1)
				for _, a := range from {
					for _, b := range to {
						best = min(best, all.Weight(int64(a), int64(b)))
					}
				}
				if math.IsInf(best, 1) {
					apart += count
				} else {
					pairs[int(best)] += count
				}
			}
		}
		d, err := n.Distances(context.Background(), topology.DistanceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Unreachable != apart {
			t.Errorf("%s: %d pairs unreachable, want %d", n.Design, d.Unreachable, apart)
		}
		for l, want := range pairs {
			if got := at(d.Pairs, l); got != want {
				t.Errorf("%s: %d pairs at distance %d, want %d", n.Design, got, l, want)
			}
		}
		most, whole := 0.0, true
		for a := range n.Switches() {
			for b := range n.Switches() {
				if x := all.Weight(int64(a), int64(b)); math.IsInf(x, 1) {
					whole = false
				} else {
					most = max(most, x)
				}
			}
		}
		if got, connected, err := n.Diameter(context.Background(), nil, 1); err != nil || got != int(most) || connected != whole {
			t.Errorf("%s: diameter %d, connected %v (%v), want %g, %v", n.Design, got, connected, err, most, whole)
		}
		for _, searches := range []int{1, 3, n.Switches()} {
			lo, hi, connected, err := n.DiameterWithin(context.Background(), searches)
			if err != nil || connected != whole && (connected == false || searches == n.Switches()) || whole && (lo > int(most) || hi < int(most) ||
				searches == n.Switches() && lo != hi && !n.Unidirectional) {
				t.Errorf("%s: diameter within %d and %d after %d searches, connected %v (%v), want %g, %v", n.Design, lo, hi, searches, connected, err, most, whole)
			}
		}
	}
}
