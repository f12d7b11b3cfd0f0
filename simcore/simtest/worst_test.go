package simtest_test

import (
	"context"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"
	"toposearch/topology/family"
)

// The worst permutation exists for every family: everyone sends to exactly one other, everyone
// receives from exactly one; no shift of the endpoints has more hops in all; and the simulator
// delivers it by the family's routing.
func TestWorstOnEveryFamily(t *testing.T) {
	ctx := context.Background()
	for i, f := range family.All() {
		if (testing.Short() || racing.On) && i%3 != 0 {
			continue
		}
		d, ok := small(f, 400, 2, 3, 4, 5, 6, 7)
		if !ok {
			d, ok = small(f, 2048, 1, 2, 4, 8, 16, 32)
		}
		if !ok {
			t.Errorf("%s: no small design found", f.Name)
			continue
		}
		n := build(t, d.String())
		worst, err := traffic.ByName("worst", traffic.Options{Network: n.Network})
		if err != nil {
			t.Errorf("%s: %v", d, err)
			continue
		}
		to, taken := worst.Permutation(), make([]bool, n.Endpoints())
		for e, x := range to {
			if x < 0 || int(x) == e || taken[x] {
				t.Fatalf("%s: endpoint %d sends to %d, taken %t", d, e, x, x >= 0 && taken[x])
			}
			taken[x] = true
		}
		router, err := route.RouterFor("minimal", n.Network, n.opt.Natural)
		if err != nil {
			t.Fatal(err)
		}
		dist := distance(n.Network, router)
		sum := func(partner func(e int) int) (hops int) {
			for e := range to {
				hops += dist(topology.EndpointID(e), topology.EndpointID(partner(e)))
			}
			return hops
		}
		most := sum(func(e int) int { return int(to[e]) })
		for shift := 1; shift < n.Endpoints(); shift += 1 + n.Endpoints()/16 {
			if h := sum(func(e int) int { return (e + shift) % n.Endpoints() }); h > most {
				t.Errorf("%s: a shift by %d has %d hops, the worst permutation %d", d, shift, h, most)
			}
		}
		r, err := route.ByName(ctx, "natural", n.Network, n.opt)
		if err != nil {
			t.Fatal(err)
		}
		cfg := flit.DefaultConfig()
		cfg.VCs, cfg.PacketFlits, cfg.Warmup, cfg.Measure = max(4, r.VCs()), 2, 100, 300
		s, err := flit.New(n.Network, r, worst, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := s.Run(ctx, 0.05); err != nil || p.Unreachable > 0 || p.Deadlocked || p.Packets == 0 {
			t.Errorf("%s under its worst permutation: %+v (%v)", d, p, err)
		}
	}
}
