package routing

import (
	"testing"

	"toposearch/topology"
)

// slowEscape follows every packet through everything it can do, with the escape channel that it took last, and
// collects which it takes next in a map.
func slowEscape(e *Escape) map[[2]int]bool {
	arcs := map[[2]int]bool{}
	type at struct {
		s     topology.SwitchID
		state int // of the escape rule; -1: not on an escape channel
		last  int
	}
	vcs := e.VCs()
	for set := range e.Channels.Sets {
		near, far := e.Adaptive.Field(set), e.Channels.Field(set)
		seen := map[at]bool{}
		var follow func(x at)
		follow = func(x at) {
			if seen[x] || near.Dist[x.s] == 0 {
				return
			}
			seen[x] = true
			if x.state < 0 || e.Back {
				for _, h := range e.Adaptive.Next(near, x.s, 0, nil) {
					follow(at{e.Adaptive.Net.To(h.Channel), -1, x.last})
				}
			}
			for _, h := range e.Channels.Next(far, x.s, uint8(max(x.state, 0)), nil) {
				for vc := int(h.VC); vc <= int(h.Top); vc++ {
					state := int(h.State)
					if vc > int(h.VC) {
						state = int(e.Channels.rest[h.State])
					}
					v := int(h.Channel)*vcs + vc
					if x.last >= 0 {
						arcs[[2]int{x.last, v}] = true
					}
					follow(at{e.Channels.Net.To(h.Channel), state, v})
				}
			}
		}
		for src := range e.Adaptive.Sets {
			ports, _ := e.Adaptive.Inject(near, src, nil)
			for _, i := range ports {
				follow(at{e.Adaptive.Sets[src].Ports[i].Switch, -1, -1})
			}
		}
	}
	return arcs
}

// TestEscapeTwin compares dependencies, direct and indirect, with those of the plain search, and their number.
func TestEscapeTwin(t *testing.T) {
	check := func(n *topology.Network, adaptive, channels *Router) {
		t.Helper()
		for _, back := range []bool{false, true} {
			e := &Escape{Adaptive: adaptive, Channels: channels, Back: back}
			why, err := e.prove(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if e.Report == nil { // not connected, or no shortest paths
				if why == "" {
					t.Fatalf("%s: proven without a report", n.Design)
				}
				continue
			}
			want := slowEscape(e)
			if int64(len(want)) != e.Report.Dependencies {
				t.Errorf("%s, back %v: %d dependencies, want %d", n.Design, back, e.Report.Dependencies, len(want))
			}
			succ := depMap{}
			for a := range want {
				succ.add([]topology.ChannelID{topology.ChannelID(a[0]), topology.ChannelID(a[1])})
			}
			if succ.cyclic() == e.Report.Acyclic || (why == "") != e.Report.Acyclic {
				t.Errorf("%s, back %v: acyclic %v (%s), want %v", n.Design, back, e.Report.Acyclic, why, !succ.cyclic())
			}
		}
	}
	for seed := range uint64(40) {
		n := anyNet(t, seed)
		a, err := New(n, topology.Minimal())
		if err != nil {
			t.Fatal(err)
		}
		up, err := UpDown(n)
		if err != nil {
			t.Fatal(err)
		}
		check(n, a, up)
		check(n, a, a) // shortest paths on one VC, with cycles
	}
	for _, wrap := range []bool{false, true} {
		n := torus(t, wrap, 4, 5)
		a, err := New(n, topology.Minimal())
		if err != nil {
			t.Fatal(err)
		}
		dor, err := New(n, torusDOR(2))
		if err != nil {
			t.Fatal(err)
		}
		check(n, a, dor)
	}
}

// TestEscapeKnown: on a mesh with dimension order, packets may come back (Duato 1993, the example of the paper). On a
// ring whose rule starts anew on VC 0 behind the dateline they may not: escape on VC 0, round the dateline
// adaptively and on with VC 0 closes a circle. Up*/down* routes are no shortest paths on a ring of 6.
func TestEscapeKnown(t *testing.T) {
	for _, c := range []struct {
		name string
		n    *topology.Network
		rule topology.Rule
		back bool
		vcs  int
	}{
		{"mesh", torus(t, false, 5, 5), torusDOR(2), true, 3},
		{"torus", torus(t, true, 5, 5), torusDOR(2), false, 3},
		{"ring without a rule", ringOf(t, 6), topology.Rule{}, false, 2},
		{"ring, one VC for each hop", ringOf(t, 6), topology.Minimal(), false, 2},
	} {
		e, err := NewEscape(t.Context(), c.n, c.rule)
		if err != nil || e.Back != c.back || !e.Report.Acyclic || !e.Report.Proven || e.VCs()+1 != c.vcs {
			t.Errorf("%s: %v, %+v", c.name, err, e)
		}
	}
}
