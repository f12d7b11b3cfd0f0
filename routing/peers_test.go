package routing

import (
	"slices"
	"testing"

	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// By hand: a server of bcube(n=3,l=3) has a port to a switch of each of three levels, all of other kinds, so that two are peers of the third; a switch has its two other servers. A switch of
// dragonfly(p=1,a=4,h=2) has two local peers of a local channel and one global peer of a global one; one of hyperx(s1=3,k1=2,t=1) two channels to its other neighbour, and not the one parallel.
func TestPeers(t *testing.T) {
	for _, x := range []struct {
		design string
		want   []int // numbers of peers that occur
	}{{"bcube(n=3,l=3)", []int{2}}, {"dragonfly(p=1,a=4,h=2)", []int{1, 2}}, {"hyperx(s1=3,k1=2,t=1)", []int{2}}} {
		d := familytest.Parse(t, x.design)
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		r, err := New(n, d.Family.Natural(d.V))
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for c := range topology.ChannelID(n.Channels()) {
			peers := slices.Collect(r.Peers(c, nil))
			for _, p := range peers {
				if n.From(p) != n.From(c) || n.To(p) == n.To(c) {
					t.Errorf("%s: channel %d has the peer %d", x.design, c, p)
				}
			}
			got = append(got, len(peers))
			for range r.Peers(c, nil) { // may be left
				break
			}
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, x.want) {
			t.Errorf("%s: %d peers, want %d", x.design, got, x.want)
		}
	}
}

// By hand: from switch 5 of torus(k1=4,k2=4) to switch 7, two further along the first dimension, ways begin with both channels of that ring, so that those of the second dimension are
// peers of either; without that each is the other's.
func TestPeersOfWay(t *testing.T) {
	d := familytest.Parse(t, "torus(k1=4,k2=4)")
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(n, d.Family.Natural(d.V))
	if err != nil {
		t.Fatal(err)
	}
	var ring, others []topology.ChannelID
	for c, end := n.Out(5); c < end; c++ {
		if to := n.To(c); to == 4 || to == 6 {
			ring = append(ring, c)
		} else {
			others = append(others, c)
		}
	}
	for _, c := range ring {
		begins := func(c topology.ChannelID) bool { return slices.Contains(ring, c) }
		if got := slices.Collect(r.Peers(c, begins)); !slices.Equal(got, others) {
			t.Errorf("channel %d has the peers %d, want %d", c, got, others)
		}
		// To a switch to which ways begin in both dimensions, but not with all channels of this one, those of this one are peers.
		if got := slices.Collect(r.Peers(c, func(x topology.ChannelID) bool { return x == c || x == others[0] })); len(got) != 1 || !slices.Contains(ring, got[0]) {
			t.Errorf("channel %d has the peers %d, want the other one of %d", c, got, ring)
		}
		if got := slices.Collect(r.Peers(c, func(topology.ChannelID) bool { return true })); len(got) != 1 || !slices.Contains(ring, got[0]) {
			t.Errorf("channel %d has the peers %d of ways that begin with all channels, want the other one of %d", c, got, ring)
		}
	}
}
