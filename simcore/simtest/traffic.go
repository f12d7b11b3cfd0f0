package simtest

import (
	"math"
	"testing"

	"toposearch/simcore"
	"toposearch/topology"
)

// TrafficCase says how to test a traffic.
type TrafficCase struct {
	Network *topology.Network
	Traffic simcore.Traffic
	// Self reports whether a source may be its own destination.
	Self bool
	// Silent reports whether a source may send nothing.
	Silent bool
	// Share, if not nil, is the probability with which src sends to dst.
	Share func(src, dst topology.EndpointID) float64
}

// Traffic draws from every source and checks the contract: destinations exist; the source itself
// and nothing at all come up only where allowed; a stream gives the same destinations again and
// whatever else was drawn meanwhile; nothing is allocated; shares are as stated, within six
// standard deviations.
func Traffic(t testing.TB, c TrafficCase) {
	t.Helper()
	const draws = 400
	n := topology.EndpointID(c.Network.Endpoints())
	name := c.Traffic.Name() + " on " + c.Network.Design
	first := make([][]topology.EndpointID, n)
	for src := range n {
		r := simcore.NewRand(11, uint64(src))
		count := make(map[topology.EndpointID]int)
		for range draws {
			d := c.Traffic.Dest(src, &r)
			if d < -1 || d >= n || d == -1 && !c.Silent || d == src && !c.Self {
				t.Fatalf("%s: %d sends to %d of %d", name, src, d, n)
			}
			first[src] = append(first[src], d)
			count[d]++
		}
		for dst := topology.EndpointID(0); c.Share != nil && dst < n; dst++ {
			want := c.Share(src, dst)
			slack := 6*math.Sqrt(want*(1-want)/draws) + 1e-9
			if got := float64(count[dst]) / draws; math.Abs(got-want) > slack {
				t.Errorf("%s: %d sends %v of its packets to %d, want %v", name, src, got, dst, want)
			}
		}
	}
	// All streams again, this time in step, last source first.
	rands := make([]simcore.Rand, n)
	for src := range n {
		rands[src] = simcore.NewRand(11, uint64(src))
	}
	for k := range draws {
		for src := n - 1; src >= 0; src-- {
			if d := c.Traffic.Dest(src, &rands[src]); d != first[src][k] {
				t.Fatalf("%s: draw %d of %d is %d, before it was %d", name, k, src, d, first[src][k])
			}
		}
	}
	r := simcore.NewRand(1, 1)
	if got := testing.AllocsPerRun(50, func() { c.Traffic.Dest(0, &r) }); got != 0 {
		t.Errorf("%s: %v allocations per draw", name, got)
	}
}
