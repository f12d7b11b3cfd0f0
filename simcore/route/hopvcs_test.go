package route

import (
	"testing"

	"toposearch/simcore"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// Where VCs follow hops, a packet on the direct way takes those of last legs, too, until flits stand on them: then it keeps to those that first legs would take
// with as many hops to go, or the next one above what it has come on. Detours, and packets of an idle network, have what there is.
func TestDirectLeavesLastLegs(t *testing.T) {
	_, n := familytest.Build(t, "slimfly(q=5)") // two hops a leg, four VCs
	r := native(t, "ugal_l", n, Options{Natural: topology.Minimal()})
	if !r.hopVC || r.need != 4 || r.top != 3 {
		t.Fatalf("VCs follow hops: %v, %d needed, %d the highest", r.hopVC, r.need, r.top)
	}
	s := &still{used: map[topology.ChannelID]int{}, waiting: map[topology.ChannelID]int{}}
	v := simcore.NewView(n, s, nil).WithState(nil, s)
	h, ok := choose(r.t, int(r.setOf[n.Endpoints()-1]), r.t.Node(0, 0), random, &simcore.Packet{Rand: simcore.NewRand(1, 2)}, nil)
	if !ok {
		t.Fatal("no way")
	}
	for _, c := range []struct {
		each       int // flits on every VC; 12 flow
		mid        int32
		phase      uint8
		hops       uint8
		on         uint8 // the VC on which it has come
		left       int   // hops
		low, until uint8
	}{
		{12, -1, homeward, 0, 0, 2, 0, 2}, {12, -1, homeward, 0, 0, 1, 0, 3}, {12, -1, homeward, 1, 0, 1, 1, 3},
		{13, -1, homeward, 0, 0, 2, 0, 0}, {13, -1, homeward, 0, 0, 1, 0, 1}, {13, -1, homeward, 1, 0, 1, 1, 1},
		{13, -1, homeward, 1, 2, 1, 3, 3}, // it has come on a VC of last legs before they filled
		{13, 7, homeward, 2, 1, 2, 2, 2}, {13, 7, homeward, 2, 0, 1, 1, 3}, {13, 7, outward, 0, 0, 1, 0, 1},
	} {
		s.used[h.Channel] = 4 * c.each
		p := simcore.Packet{Mid: c.mid, Phase: c.phase, Hops: uint16(c.hops), VC: c.on}
		if got := r.vcsByHop(&p, &v, h, c.left); got.lo != c.low || got.hi != c.until {
			t.Errorf("%+v: VCs %d to %d", c, got.lo, got.hi)
		}
		if got := r.vcsByHop(&p, nil, h, c.left); got.hi < c.until || c.mid < 0 && int(got.hi) != r.need-c.left {
			t.Errorf("%+v, idle: VCs %d to %d", c, got.lo, got.hi)
		}
	}
}
