package simtest_test

import (
	"context"
	"reflect"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
)

// stateful are the routings whose switches keep state.
var stateful = []string{"pb", "par_ph", "ectn", "dgb", "q_adaptive"}

// What switches learn and tell each other does not depend on how many cores they are simulated on, nor on what was
// simulated before.
func TestStatefulRoutingsOnCores(t *testing.T) {
	n := build(t, "dragonfly(p=4,a=8,h=4)")
	for _, name := range stateful {
		for _, speedup := range []float64{1, flit.DefaultSpeedup} {
			if testing.Short() && speedup == 1 {
				continue
			}
			var points []simcore.Point
			for _, parts := range []int{1, 2, 3, 4} {
				if testing.Short() && parts == 2 {
					continue
				}
				s := simulation(t, n, name, "group_shift", func(c *flit.Config) { c.InternalSpeedup, c.Warmup, c.Measure = speedup, 40, 80 })
				if got := s.Split(parts); got != parts {
					t.Fatalf("%s: %d parts made of %d", name, got, parts)
				}
				if parts == 3 {
					if _, err := s.Run(context.Background(), 0.9); err != nil { // what it has learnt is forgotten
						t.Fatal(err)
					}
				}
				p, err := s.Run(context.Background(), 0.35)
				if err != nil {
					t.Fatal(err)
				}
				if points = append(points, p); !reflect.DeepEqual(p, points[0]) {
					t.Errorf("%s, speedup %g: %d cores: %+v, one: %+v", name, speedup, parts, p, points[0])
				}
			}
		}
	}
}

// simulation makes one of a routing by its name.
func simulation(t *testing.T, n network, name, text string, set func(*flit.Config)) *flit.Sim {
	t.Helper()
	ctx := context.Background()
	tr, err := traffic.ByName(text, traffic.Options{Network: n.Network, Blocks: n.blocks, Context: ctx})
	if err != nil {
		t.Fatal(err)
	}
	cfg := flit.SwitchConfig()
	opt := n.opt
	opt.Want = cfg.VCs
	r, err := route.ByName(ctx, name, n.Network, opt)
	if err != nil {
		t.Fatal(err)
	}
	cfg.VCs, cfg.PacketFlits, cfg.DrainLimit = max(cfg.VCs, r.VCs()), 4, 1
	set(&cfg)
	s, err := flit.New(n.Network, r, tr, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The routings that remember carry a load against minimal routes that Valiant's carries, and a uniform one that minimal
// routing carries, all but 3 %, in Dragonflies of three sizes.
func TestStatefulRoutingsCarry(t *testing.T) {
	if racing.On {
		t.Skip("nothing in it runs in parallel")
	}
	for i, design := range []string{"dragonfly(p=2,a=4,h=2)", "dragonfly(p=2,a=6,h=3)", "dragonfly(p=3,a=6,h=3)"} {
		if testing.Short() && i > 0 {
			break
		}
		n := build(t, design)
		for _, x := range []struct {
			traffic, than string
			load, share   float64
		}{{"group_shift", "valiant", 0.36, 0.97}, {"uniform", "natural", 0.75, 0.97}} {
			base := byDefault(t, n, x.than, x.traffic, x.load).Accepted
			for _, name := range stateful {
				load := x.load
				if name == "q_adaptive" { // it learns: 1,500 cycles suffice for so much, 10,000 or more for what the others carry
					if load *= 0.66; i > 0 && x.traffic != "uniform" {
						continue
					}
				}
				got := byDefault(t, n, name, x.traffic, load).Accepted
				t.Logf("%s, %s at %.2f: %s %.3f, %s %.3f", design, x.traffic, load, name, got, x.than, base)
				if want := min(base, load) * x.share; got < want-0.005 {
					t.Errorf("%s, %s: %s accepts %.3f of %.2f, want %.3f", design, x.traffic, name, got, load, want)
				}
			}
		}
	}
}
