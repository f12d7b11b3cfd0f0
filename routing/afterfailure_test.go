package routing

import (
	"context"
	"maps"
	"math/rand/v2"
	"testing"

	"toposearch/topology"
	"toposearch/topology/family/familytest"
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

// TestVCsAfterFailureRails: in rails that meet in the scale-up mesh of servers alone, against walks by hand. A route takes one scale-up hop at most, and that first: a failure that
// leaves a relay without its rail, or a server without a scale-up link, needs others, on which VCs count every hop, scale-up hops too: by the mesh to another rail, up
// and down there, and by the mesh to the relay that has lost its own, six hops.
func TestVCsAfterFailureRails(t *testing.T) {
	for _, design := range []string{"railonly(k=4,g=2)", "railonly(k=4,g=3)", "railonly(k=4,g=4,leaves=2)"} {
		n, rule := familytest.Network(t, design)
		got, err := VCsAfterFailure(t.Context(), n, rule)
		if err != nil {
			t.Fatal(err)
		}
		want, rerouted := 1, 0
		for _, f := range singleFailures(n) {
			down := map[topology.ChannelID]bool{}
			for c := range topology.ChannelID(n.Channels()) {
				for _, l := range f.Links {
					down[c] = down[c] || c == l || c == n.Rev(l)
				}
				for _, s := range f.Switches {
					down[c] = down[c] || n.From(c) == s || n.To(c) == s
				}
			}
			if longest, ok := railsAfter(n, down); !ok {
				rerouted++
				want = max(want, longest)
			}
		}
		if got.VCs != want || got.Rerouted != rerouted || want != 6 {
			t.Errorf("%s: %+v, walked %d VCs, %d failures that the rule cannot avoid", design, got, want, rerouted)
		}
	}
}

// railsAfter is the longest of the shortest ways between relays that are connected, and whether one scale-up hop at most and then up and down a rail lead between all of these.
func railsAfter(n *topology.Network, down map[topology.ChannelID]bool) (longest int, ok bool) {
	// Links by their ends' classes: 0 leaf, 1 spine, 2 relay.
	to := func(at map[topology.SwitchID]bool, from, class int) map[topology.SwitchID]bool {
		out := map[topology.SwitchID]bool{}
		for c := range topology.ChannelID(n.Channels()) {
			if !down[c] && at[n.From(c)] && n.Class(n.From(c)) == from && n.Class(n.To(c)) == class {
				out[n.To(c)] = true
			}
		}
		return out
	}
	join := func(sets ...map[topology.SwitchID]bool) map[topology.SwitchID]bool {
		out := map[topology.SwitchID]bool{}
		for _, s := range sets {
			maps.Copy(out, s)
		}
		return out
	}
	ok = true
	for s := range topology.SwitchID(n.Switches()) {
		if n.Class(s) != 2 {
			continue
		}
		start := map[topology.SwitchID]bool{s: true}
		rails := join(start, to(start, 2, 2))
		leaves := to(rails, 2, 0)
		ruled := join(rails, to(join(leaves, to(to(leaves, 0, 1), 1, 0)), 0, 2))
		reached := join(start)
		for hops, front := 0, start; len(front) > 0; hops++ {
			next := map[topology.SwitchID]bool{}
			for x := range front {
				if n.Class(x) == 2 {
					longest = max(longest, hops)
					ok = ok && ruled[x]
				}
			}
			for c := range topology.ChannelID(n.Channels()) {
				if !down[c] && front[n.From(c)] && !reached[n.To(c)] {
					next[n.To(c)], reached[n.To(c)] = true, true
				}
			}
			front = next
		}
	}
	return longest, ok
}
