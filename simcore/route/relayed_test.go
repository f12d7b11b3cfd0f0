package route

import (
	"testing"

	"toposearch/simcore"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// On bcube(n=8,l=2) seven of eight detours begin like the direct way of a packet that has to change both digits, and part from it at the switch of level 0. A packet finds one that begins elsewhere
// all the same where the first channel is congested, and by par at that switch where the next one is: of 200 packets four in the mean draw none of the others in 32 draws.
func TestDetoursBehindARelaysPort(t *testing.T) {
	n, opt := built(t, "bcube(n=8,l=2)")
	for _, name := range []string{"ugal_l", "ugal_g", "par"} {
		r := native(t, name, n, opt)
		for _, second := range []bool{false, true} {
			if second && name != "par" {
				continue
			}
			direct := 0
			for seed := range uint64(200) {
				s := &still{used: map[topology.ChannelID]int{}, waiting: map[topology.ChannelID]int{}}
				v := simcore.NewView(n, s, nil).WithState(nil, s)
				p := simcore.Packet{Src: 0, Dst: 63, Mid: -1, Rand: simcore.NewRand(seed, 2)}
				_, _, ports := n.Group(int(r.groupOf[p.Src]))
				p.Port = uint8(r.Inject(&p, &v).Port)
				at := ports[p.Port]
				first, ok := choose(r.t, int(r.setOf[p.Dst]), r.t.Node(at, 0), random, &p, &v)
				if !ok {
					t.Fatal("no hop")
				}
				if !second {
					s.waiting[first.Channel] = 200
				} else {
					hop := r.Route(at, &p, &v)
					if hop.Channel != first.Channel || p.Phase != probing {
						t.Fatalf("%s: in an idle network a packet leaves by %d in phase %d", name, hop.Channel, p.Phase)
					}
					p.Hops, p.VC, at = 1, hop.Lo, n.To(hop.Channel)
					if first, ok = choose(r.t, int(r.setOf[p.Dst]), r.t.Node(at, p.State), random, &p, &v); !ok {
						t.Fatal("no second hop")
					}
					s.waiting[first.Channel] = 200
				}
				if r.Route(at, &p, &v); p.Mid < 0 {
					direct++
				}
			}
			if direct > 12 { // four standard deviations above four
				t.Errorf("%s, at the second switch: %t: %d of 200 packets go directly by a congested channel", name, second, direct)
			}
		}
	}
}

// A server of dcell(n=4,l=1) has a port to its switch and one to another server, by neither of which the other can be judged as if chance alone made them differ; those of bcube(n=3,l=2) lead to switches, both. The
// local channels of a dragonfly have peers of their kind.
func TestTimesOfMixedPeers(t *testing.T) {
	for _, x := range []struct {
		design string
		want   map[int]bool // number of peers: some channel with so many is mixed
	}{{"dcell(n=4,l=1)", map[int]bool{1: true, 3: false}}, {"bcube(n=3,l=2)", map[int]bool{1: false, 2: false}}, {"dragonfly(p=1,a=4,h=2)", map[int]bool{1: false, 2: false}}} {
		n, rule := familytest.Network(t, x.design)
		r := native(t, "par", n, Options{Natural: rule})
		for c := range topology.ChannelID(n.Channels()) {
			peers := 0
			for range r.t.Router.Peers(c, nil) {
				peers++
			}
			mixed, ok := x.want[peers]
			if !ok {
				t.Fatalf("%s: channel %d has %d peers", x.design, c, peers)
			}
			want := r.tune.peers(peers)
			if mixed {
				want = 1
			}
			if got := r.times(false, c, peers); got != want {
				t.Errorf("%s: channel %d of %d peers: %g times, want %g", x.design, c, peers, got, want)
			}
		}
		if l := native(t, "ugal_l", n, Options{Natural: rule}); l.times(false, 0, 1) != l.tune.peers(1) {
			t.Errorf("%s: ugal_l decides as par does", x.design)
		}
		set := 3.
		if r.tune.Peers = &set; r.times(false, 0, 1) != set {
			t.Errorf("%s: a setting does not count", x.design)
		}
	}
}

// Many intermediates are drawn where all channels of a switch with endpoints are of one sort, few where some lead to such switches and some to others.
func TestDrawsBySorts(t *testing.T) {
	for design, want := range map[string]int{"bcube(n=3,l=2)": manyDraws, "dragonfly(p=1,a=4,h=2)": manyDraws, "fattree(k=4,l=2)": manyDraws, "dcell(n=4,l=1)": fewDraws, "hammingmesh(a=2,b=2,x=2,y=2,k=16)": fewDraws} {
		n, rule := familytest.Network(t, design)
		if got := native(t, "ugal_l", n, Options{Natural: rule}).draws; got != want {
			t.Errorf("%s: %d draws, not %d", design, got, want)
		}
		set := 7
		if got := native(t, "ugal_l", n, Options{Natural: rule, Tuning: Tuning{Draws: &set}}).draws; got != set {
			t.Errorf("%s: %d draws, set to %d", design, got, set)
		}
	}
}
