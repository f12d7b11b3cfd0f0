package routing

import (
	"context"
	"math"
	"testing"

	"toposearch/topology"
)

// TestMeanLag: three switches in a row, a slow link and a fast one, an endpoint on each. Behind the slow
// link the last flit is 12 cycles late, of which each switch makes good 2, the destination's own too:
// 10 cycles are left where it is the last link and 8 where the fast one follows, never less than 3.
func TestMeanLag(t *testing.T) {
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "s"}}, []topology.LinkClass{{Name: topology.ClassNic}, {Name: "slow"}, {Name: "fast"}})
	b.Lanes(0, 4)
	b.Lanes(1, 1)
	b.Lanes(2, 4)
	b.Switch(0, 3)
	b.Link(1, 0, 1)
	b.Link(2, 1, 2)
	for s := range topology.SwitchID(3) {
		b.Endpoints(1, []topology.SwitchID{s})
	}
	n, err := b.Build("row")
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(n, topology.Minimal())
	if err != nil {
		t.Fatal(err)
	}
	lag := Lag{Catch: 2, Least: 3}
	lag.Link[0], lag.Link[1], lag.Link[2] = 3, 12, 3
	for _, c := range []struct {
		flows []Flow
		want  float64
	}{
		{nil, (10 + 10 + 8 + 10 + 3 + 3) / 6.}, // to and from neighbours over slow, there and back over both, over fast
		{[]Flow{{0, 2, 1}}, 8}, {[]Flow{{2, 0, 1}}, 10}, {[]Flow{{0, 2, 3}, {1, 2, 1}}, (3*8 + 3) / 4.},
	} {
		got, err := r.MeanLag(context.Background(), &lag, c.flows)
		if err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("flows %v: lag %v (%v), want %v", c.flows, got, err, c.want)
		}
	}
}
