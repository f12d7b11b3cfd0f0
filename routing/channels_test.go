package routing

import (
	"context"
	"math"
	"testing"

	"toposearch/topology"
	"toposearch/topology/family"
)

// Loads by automorphisms are those of all destinations, channel by channel.
func TestLoadsByAutomorphisms(t *testing.T) {
	for _, name := range []string{"spectralfly(x=3,q=5,p=2)", "spectralfly(x=7,q=11,p=3)", "spectralfly(x=11,q=7,p=1)", "polarstar_iq(q=3,d=4,p=2)", "polarstar_iq(q=4,d=3,p=1)", "polarstar_iq(q=5,d=3,p=1)",
		"polarstar_paley(q=3,s=9,p=2)", "polarstar_paley(q=4,s=13,p=1)", "bundlefly(q=3,s=5,p=2)", "bundlefly(q=4,s=9,p=1)"} {
		d, err := topology.ParseDesign(name, family.All())
		if err != nil {
			t.Fatal(err)
		}
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		x, err := n.Equivalent(d.Family.Automorphisms(d.V))
		if err != nil {
			t.Fatal(err)
		}
		all, err := UniformLoads(context.Background(), n, topology.Minimal(), LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		some, err := UniformLoads(context.Background(), n, topology.Minimal(), LoadOptions{Orbits: x.Endpoints, Channels: x.Channels})
		if err != nil {
			t.Fatal(err)
		}
		for c, want := range all.Channel {
			if got := some.Channel[c]; math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s: load of channel %d = %.12g by automorphisms, want %.12g", name, c, got, want)
				break
			}
		}
		for i, k := range all.Kinds {
			if got := some.Kinds[i]; got.Channels != k.Channels || math.Abs(got.Max-k.Max) > 1e-9*k.Max || math.Abs(got.Total-k.Total) > 1e-9*k.Total {
				t.Errorf("%s: kind %d is %+v by automorphisms, want %+v", name, i, got, k)
			}
		}
		if !some.Exact || math.Abs(some.MeanHops-all.MeanHops) > 1e-12*all.MeanHops || math.Abs(some.Pairs-all.Pairs) > 1e-9*all.Pairs {
			t.Errorf("%s: %v, %g hops, %g pairs, want %g, %g", name, some.Exact, some.MeanHops, some.Pairs, all.MeanHops, all.Pairs)
		}
	}
}
