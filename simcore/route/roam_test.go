package route

import (
	"testing"

	"toposearch/simcore"
	"toposearch/topology"
)

// What roaming (vcs.go) rests on, with channels congested at random and packets that stay on the VCs of first hops as long as they
// may: behind its first hop a packet may everywhere take a VC of its leg, too, and from these none leads back. Where packets choose
// their VC before they wait, as in cut-through, none is offered a VC of first hops behind its first hop.
func TestRoaming(t *testing.T) {
	for _, design := range []string{"hyperx(s1=3,s2=3,s3=3,t=3)", "dragonfly(p=2,a=4,h=2)", "dragonflyplus(l=3,m=3,p=3,h=3)"} {
		n, opt := built(t, design)
		opt.Want = 8
		for _, queueing := range []bool{false, true} {
			r := native(t, "par", n, opt)
			s := &still{used: map[topology.ChannelID]int{}, waiting: map[topology.ChannelID]int{}}
			v := simcore.NewView(n, s, nil)
			if queueing {
				v = v.Queueing()
			}
			roamed := 0
			for seed := range uint64(2000) {
				rng := simcore.NewRand(seed, 3)
				p := simcore.Packet{Src: topology.EndpointID(rng.IntN(n.Endpoints())), Dst: topology.EndpointID(rng.IntN(n.Endpoints())), Mid: -1, Rand: simcore.NewRand(seed, 4)}
				for c := range topology.ChannelID(n.Channels()) {
					s.used[c], s.waiting[c] = 80*rng.IntN(2), 8*rng.IntN(2)
				}
				_, _, ports := n.Group(n.GroupOf(p.Src))
				e := r.Inject(&p, &v)
				sw, before := ports[e.Port], uint8(probing)
				p.Port = uint8(e.Port)
				for h := r.Route(sw, &p, &v); h.Channel != simcore.Eject; h = r.Route(sw, &p, &v) {
					at := r.lanesOf(&p).at
					lo, hi := at[h.Lo], at[h.Hi]
					if p.Hops > 0 && (hi == probing || lo < before || queueing && lo == probing) {
						t.Fatalf("%s: behind %d hops and a VC of phase %d, VCs of phases %d to %d are offered", design, p.Hops, before, lo, hi)
					}
					if p.Hops > 0 && lo == probing {
						roamed++
					}
					p.VC, before = h.Lo, lo
					p.Hops++
					sw = n.To(h.Channel)
				}
			}
			if (roamed > 0) == queueing {
				t.Errorf("%s: %d packets roam; queueing: %t", design, roamed, queueing)
			}
		}
	}
}
