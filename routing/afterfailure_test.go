package routing

import (
	"context"
	"math/rand/v2"
	"testing"

	"toposearch/topology"
)

// TestVCsAfterFailure: by hand. A ring of 8 keeps its two VCs, since what remains after a failure is a line that a
// packet follows once round at most. In a complete graph of 4 a failed link makes one route two hops long. A dragonfly with
// one global link between two groups has no local-global-local route after it fails.
func TestVCsAfterFailure(t *testing.T) {
	for _, c := range []struct {
		name     string
		n        *topology.Network
		rule     topology.Rule
		vcs      int
		failures int
		rerouted bool
	}{
		{"ring of 8", torus(t, true, 8), balanced(1), 2, 16, false},
		{"complete graph of 4", hyperx(t, 1, 4), topology.Minimal(), 2, 10, false},
		{"complete graph of 4, one hop", hyperx(t, 1, 4), dor(1), 2, 10, true},
		{"dragonfly", dragonfly(t, 2, 4, 2), lgl(), 0, 9*6 + 36 + 36, true},
	} {
		f, err := VCsAfterFailure(context.Background(), c.n, c.rule)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if c.vcs > 0 && f.VCs != c.vcs || f.Failures != c.failures || (f.Rerouted > 0) != c.rerouted {
			t.Errorf("%s: %+v, want %+v", c.name, f, c)
		}
	}
}

// TestVCsAfterFailureTwin: with a VC per hop the need is the longest distance between connected endpoints after any
// failure, found here by walks from each switch on lists of links.
func TestVCsAfterFailureTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 40 {
		n := randomRing(t, rng)
		wide, one := bothWays(t, n)
		if wide != one {
			t.Errorf("%s: %v with 64 destinations at a time, %v one by one", n.Design, wide, one)
		}
		got, err := VCsAfterFailure(context.Background(), n, topology.Minimal())
		if err != nil {
			t.Fatal(err)
		}
		var links [][2]topology.SwitchID
		for _, c := range n.Cables() {
			links = append(links, [2]topology.SwitchID{n.From(c), n.To(c)})
		}
		want := longest(n.Switches(), links, -1)
		for i := range links {
			rest := append(append([][2]topology.SwitchID(nil), links[:i]...), links[i+1:]...)
			want = max(want, longest(n.Switches(), rest, -1))
		}
		for s := range n.Switches() {
			want = max(want, longest(n.Switches(), links, topology.SwitchID(s)))
		}
		if got.VCs != max(want, 1) {
			t.Errorf("%v: %+v, want %d", links, got, want)
		}
	}
}

// bothWays gives what leadsEverywhere finds with minimal routes and with none beyond one hop, and leadsFar.
func bothWays(t *testing.T, n *topology.Network) (wide, one [4]any) {
	t.Helper()
	for i, rule := range []topology.Rule{topology.Minimal(), dor(1)} {
		r, err := New(n, rule)
		if err != nil {
			t.Fatal(err)
		}
		a, ok, err := r.leadsEverywhere(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		wide[2*i], wide[2*i+1] = a, ok
		if a, ok, err = r.leadsFar(t.Context(), n.Parts()); err != nil {
			t.Fatal(err)
		}
		one[2*i], one[2*i+1] = a, ok
	}
	return wide, one
}

// longest is the largest finite distance over links, without a switch.
func longest(switches int, links [][2]topology.SwitchID, failed topology.SwitchID) int {
	most := 0
	for s := range topology.SwitchID(switches) {
		dist := map[topology.SwitchID]int{s: 0}
		for d := 0; s != failed; d++ {
			grown := false
			for _, l := range links {
				for _, e := range [][2]topology.SwitchID{l, {l[1], l[0]}} {
					from, ok := dist[e[0]]
					if _, seen := dist[e[1]]; ok && from == d && !seen && e[1] != failed {
						dist[e[1]], grown = d+1, true
						most = max(most, d+1)
					}
				}
			}
			if !grown {
				break
			}
		}
	}
	return most
}
