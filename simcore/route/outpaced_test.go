package route

import (
	"testing"

	"toposearch/simcore"
	"toposearch/topology"
)

// A server of two ports queues 20 flits of its own at one of them in an idle network: they have left within the two hops of 10 flits that a
// detour has more at the least, and nobody makes one. With 1000 flits ahead a detour is sooner. Where endpoints have one port,
// 200 flits call for detours, however long hops take.
func TestDetourIsSooner(t *testing.T) {
	for _, name := range []string{"ugal_l", "ugal_g", "par"} {
		for _, c := range []struct {
			design string
			queued int
			hop    int
			detour bool
		}{{"bcube(n=4,l=2)", 20, 10, false}, {"bcube(n=4,l=2)", 1000, 10, true}, {"hyperx(s1=5,t=2)", 200, 1000, true}} {
			n, opt := built(t, c.design)
			r := native(t, name, n, opt)
			s := &still{used: map[topology.ChannelID]int{}, waiting: map[topology.ChannelID]int{}, hop: c.hop}
			v := simcore.NewView(n, s, nil)
			dst := topology.EndpointID(3)
			_, _, ports := n.Group(n.GroupOf(0))
			h, _ := choose(r.t, int(r.setOf[dst]), r.t.Node(ports[0], 0), random, &simcore.Packet{Rand: simcore.NewRand(1, 2)}, nil)
			s.used[h.Channel] = c.queued
			detours := 0
			for seed := range uint64(100) {
				p := simcore.Packet{Dst: dst, Mid: -1, Phase: probing, Rand: simcore.NewRand(seed, 2)}
				if r.Route(ports[0], &p, &v); p.Phase == outward {
					detours++
				}
			}
			if c.detour && detours < 50 || !c.detour && detours > 0 {
				t.Errorf("%s on %s, %d flits ahead: %d of 100 packets make detours", name, c.design, c.queued, detours)
			}
		}
	}
}
