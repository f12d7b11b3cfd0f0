package placed

import (
	"math"
	"slices"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// TestCubeRuns: what rows of ZCubes load is what messages load one by one, of all levels, of any ranks on the first endpoints, by shifts and by all-to-alls.
func TestCubeRuns(t *testing.T) {
	rng, turned := stream.New(8, "cubes"), 0
	for trial := range 800 {
		levels := 2 + trial%4
		side := []int{0, 0, 2 + rng.IntN(9), 2 + rng.IntN(5), 2 + rng.IntN(3), 2 + rng.IntN(2)}[levels]
		c := NewCubes(side, side, levels)
		if trial%8 == 0 { // of two levels, shorter rows
			c = NewCubes(1+trial%side, side, levels)
		}
		of := workload.Group{Stride: 1 + rng.IntN(1<<rng.IntN(6)), Size: 2 + rng.IntN(6)}
		if trial%5 == 0 { // what leaves all values of the highest digit alike
			of = workload.Group{Stride: 1 << rng.IntN(8), Size: 2 << rng.IntN(3)}
			if trial%2 == 0 {
				for of.Size = side; side%of.Size > 0; of.Size = 2 + rng.IntN(side-1) {
				}
				of.Stride = c.power[levels] / of.Size
			}
		}
		block := of.Stride * of.Size
		ranks := c.Row * c.power[levels-1]
		if trial%5 > 0 && rng.IntN(2) == 0 {
			ranks -= rng.IntN(ranks)
		}
		if ranks -= ranks % block; ranks == 0 {
			continue
		}
		p := pattern{Shift: 1 + rng.IntN(of.Size-1)}
		if rng.IntN(4) == 0 {
			p = pattern{All: true}
		}
		if levels > 2 && c.turned(of, p, ranks) {
			turned++
		}
		got, l := c.byRuns(of, p, ranks, false).levels, c.loads()
		for r := range ranks {
			p.each(of, func(shift int) {
				place := r / of.Stride % of.Size
				l.add(r, r+((place+shift)%of.Size-place)*of.Stride, 1)
			})
		}
		for i, want := range l.levels() {
			if math.Abs(got[i]-want) > 1e-12*want {
				t.Fatalf("zcube(n=%d,k=%d) with rows of %d, %d ranks, %+v by %+v: levels carry %v, one by one %v", c.Side, levels, c.Row, ranks, of, p, got, l.levels())
			}
		}
	}
	if turned < 60 {
		t.Errorf("only %d of values of the highest digit that are alike", turned)
	}
}

// TestCountingEndsEarly: a schedule on ZCubes is known to take less than a limit exactly where it does when every step is counted whole, and then as long, whatever limit lets counting end before.
func TestCountingEndsEarly(t *testing.T) {
	rng, early, within := stream.New(9, "early"), 0, 0
	for trial := range 600 {
		levels := 2 + trial%3
		side := []int{0, 0, 3 + rng.IntN(7), 2 + rng.IntN(4), 2 + rng.IntN(2)}[levels]
		c := NewCubes(side, side, levels)
		if trial%6 == 0 { // of two levels, shorter rows
			c = NewCubes(1+rng.IntN(side), side, levels)
		}
		for i := range c.Carry {
			c.Carry[i] = 0.1 + rng.Float64()
		}
		ends := c.Row * c.power[levels-1]
		g := workload.Group{Stride: 1 + rng.IntN(4), Size: 2 + rng.IntN(min(ends/4+1, 16))}
		ranks := ends / (g.Stride * g.Size) * g.Stride * g.Size
		network := func() *Network {
			n := &Network{Link: collective.Link{Alpha: rng.Float64(), BytesPerS: 1}, Domain: 1, Shape: c, Endpoint: make([]topology.EndpointID, ranks)}
			for e := range n.Endpoint {
				n.Endpoint[e] = topology.EndpointID(e)
			}
			return n
		}
		for _, a := range []collective.Algorithm{collective.Ring{N: g.Size}, collective.Direct{N: g.Size}, collective.HalvingDoubling{N: g.Size}} {
			s, err := a.Schedule([]collective.Kind{collective.AllReduce, collective.AllGather, collective.AllToAll}[rng.IntN(3)])
			if err != nil || ranks == 0 {
				continue // there are kinds that an algorithm does not do
			}
			n, bytes := network(), 1000*rng.Float64()
			want, err := n.stages(t.Context(), g, s, bytes)
			if err != nil {
				t.Fatal(err)
			}
			took := n.time(want, bytes)
			for _, part := range []float64{0.3, 0.9, 1 - 1e-7, 1, 1 + 1e-7, 1.1, 3} {
				limit := took * part
				again := &Network{Link: n.Link, Domain: 1, Shape: c, Endpoint: n.Endpoint, Known: new(Stages)}
				for range 2 { // the second time with what the first has kept
					got, ok, err := again.stagesWithin(t.Context(), g, s, bytes, limit)
					if err != nil || ok != (took < limit) || ok && !slices.Equal(got, want) {
						t.Fatalf("zcube(n=%d,k=%d) with rows of %d carrying %v, %+v of %d ranks, %s: takes %v within %v: %t, %v instead of %v, error %v",
							c.Side, levels, c.Row, c.Carry, g, ranks, a.Name(), took, limit, ok, got, want, err)
					}
					if again.known = nil; ok {
						within++
					}
				}
			}
		}
		p := pattern{Shift: 1 + rng.IntN(g.Size-1)}
		whole := network().carries(c.byRuns(g, p, ranks, false))
		l, done := c.byRows(g, p, ranks, func(far float64) bool { return far >= whole/2 })
		if !done && network().carries(l) < whole {
			early++
		}
	}
	if early < 50 || within < 1000 {
		t.Errorf("%d countings ended early, %d schedules were within their limit", early, within)
	}
}
