package route

import (
	"context"
	"testing"

	"toposearch/routing"
	"toposearch/topology"
)

// A 4-ary ring in x by 3 in y with dimension order: without the link between switches 0 and 1,
// packets of row 0 that have to go from 0 to 1 or over that link find another way round the ring
// (0 to 1 by 3 and 2), as dimension order allows both directions; minimal and updown do too.
// Without both links of switch 0 in x it is reached in y only, which dimension order takes last:
// from 0 nothing leads to the 9 endpoints of other columns, and from the other 3 of row 0 nothing
// to the 3 of column 0; other rows reach it, going along x first.
func TestGaps(t *testing.T) {
	n, opt := built(t, "torus(k1=4,k2=3,t=1)")
	rule := opt.Natural
	cut := func(pairs ...[2]topology.SwitchID) *topology.Network {
		var f topology.Failures
		for _, p := range pairs {
			first, end := n.Out(p[0])
			for c := first; c < end; c++ {
				if n.To(c) == p[1] {
					f.Links = append(f.Links, c)
				}
			}
		}
		m, err := n.Without(&f)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	two := cut([2]topology.SwitchID{0, 1}, [2]topology.SwitchID{0, 3})
	for _, c := range []struct {
		net     *topology.Network
		routing string
		want    int64
	}{
		{n, "natural", 0}, {cut([2]topology.SwitchID{0, 1}), "natural", 0},
		{two, "natural", 9 + 3*3},
		{two, "minimal", 0}, {two, "updown", 0},
	} {
		r := native(t, c.routing, c.net, Options{Natural: rule})
		if gap := r.Unreachable(); gap.Pairs != c.want {
			t.Errorf("%s: %+v, want %d pairs", c.routing, gap, c.want)
		}
		if rep, err := r.CheckDeadlock(context.Background()); err != nil || !rep.Acyclic {
			t.Errorf("%s: %+v %v", c.routing, rep, err)
		}
	}
	if gap := native(t, "natural", two, Options{Natural: rule}).Unreachable(); gap.From != 0 || gap.To != 1 {
		t.Errorf("first pair %+v, want 0 to 1", gap)
	}
	if gap := routing.Disconnected(two); gap.Pairs != 0 {
		t.Errorf("connected, but %+v", gap)
	}
}

// A switch fails: its endpoint is cut off from the 11 others, both ways, whatever the routing.
func TestGapsSwitch(t *testing.T) {
	n, _ := built(t, "torus(k1=4,k2=3,t=1)")
	m, err := n.Without(&topology.Failures{Switches: []topology.SwitchID{5}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"minimal", "updown"} {
		if gap := native(t, name, m, Options{}).Unreachable(); gap.Pairs != 22 || gap.NoPort != 1 {
			t.Errorf("%s: %+v", name, gap)
		}
	}
	if gap := routing.Disconnected(m); gap.Pairs != 22 || gap.NoPort != 1 {
		t.Errorf("disconnected %+v", gap)
	}
}
