package family

import (
	"slices"
	"strings"
	"testing"

	"toposearch/topology"
)

// mapped are designs with automorphisms, of each kind: squares and others modulo q (spectralfly), odd, even and composite q.
var mapped = []string{"spectralfly(x=3,q=5,p=2)", "spectralfly(x=5,q=7,p=1)", "spectralfly(x=7,q=11,p=3)", "spectralfly(x=11,q=7,p=1)", "spectralfly(x=13,q=11,p=1)",
	"polarstar_iq(q=2,d=3,p=2)", "polarstar_iq(q=3,d=4,p=1)", "polarstar_iq(q=4,d=3,p=1)", "polarstar_iq(q=5,d=3,p=1)", "polarstar_iq(q=7,d=3,p=1)", "polarstar_iq(q=8,d=4,p=1)", "polarstar_iq(q=9,d=3,p=1)",
	"polarstar_iq(q=16,d=3,p=1)", "polarstar_iq(q=25,d=3,p=1)", "polarstar_iq(q=27,d=3,p=1)", "polarstar_iq(q=32,d=3,p=1)", "polarstar_iq(q=37,d=3,p=1)", "polarstar_iq(q=49,d=3,p=1)",
	"polarstar_paley(q=2,s=5,p=2)", "polarstar_paley(q=3,s=9,p=1)", "polarstar_paley(q=4,s=13,p=1)", "polarstar_paley(q=5,s=25,p=1)",
	"bundlefly(q=3,s=5,p=2)", "bundlefly(q=4,s=9,p=1)", "bundlefly(q=5,s=13,p=1)"}

// Maps are automorphisms of the networks as built, and make just the orbits of endpoints that are claimed.
func TestAutomorphisms(t *testing.T) {
	for _, name := range mapped {
		d, err := topology.ParseDesign(name, All())
		if err != nil {
			t.Fatal(err)
		}
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		maps := d.Family.Automorphisms(d.V)
		x, err := n.Equivalent(maps)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(maps) == 0 {
			t.Fatalf("%s: no maps", name)
		}
		got, want := counts(x.Endpoints), counts(d.Family.Orbits(d.V).Endpoints)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the maps make orbits of %d endpoints, claimed are %d", name, got, want)
		}
		// A map with two images exchanged is none: the two switches have other neighbours.
		m := slices.Clone(maps[0])
		m[0], m[len(m)-1] = m[len(m)-1], m[0]
		if _, err := n.Equivalent([][]topology.SwitchID{m}); err == nil || !strings.Contains(err.Error(), "is not one from") {
			t.Errorf("%s: a map that keeps no links is taken: %v", name, err)
		}
	}
}

func counts(orbits []topology.Orbit) (n []int64) {
	for _, o := range orbits {
		n = append(n, o.Count)
	}
	slices.Sort(n)
	return n
}
