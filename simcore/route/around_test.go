package route

import (
	"context"
	"testing"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// Pairs that a rule misses since links have failed go by way of an intermediate always, and all arrive: over a link that works at every hop, with the VCs of the whole network, and without a cycle. Of a
// torus's switch 0 both links in x have failed, so that dimension order leads nowhere from there but along y, and to it from its column alone (TestGaps).
func TestAround(t *testing.T) {
	for text, cut := range map[string][][2]topology.SwitchID{
		"dragonfly(p=2,a=4,h=2)":         {{0, 31}, {4, 5}},
		"dragonflyplus(l=2,m=2,p=2,h=2)": {{0, 10}},
		"torus(k1=4,k2=3,t=1)":           {{0, 1}, {0, 3}},
		"hyperx(s1=4,s2=4,t=2)":          {{0, 1}},
	} {
		n, opt := built(t, text)
		left := n
		for _, ends := range cut {
			var f topology.Failures
			first, end := left.Out(ends[0])
			for c := first; c < end; c++ {
				if left.To(c) == ends[1] {
					f.Links = append(f.Links, c)
				}
			}
			var err error
			if left, err = left.Without(&f); err != nil {
				t.Fatal(err)
			}
		}
		if left.Channels() == n.Channels() {
			t.Fatalf("%s: nothing failed", text)
		}
		for _, name := range []string{"valiant", "ugal_l", "ugal_g", "par", "valiant+endpoint"} {
			whole, r := native(t, name, n, opt), native(t, name, left, opt)
			if r.Rerouted() || r.Unreachable().Pairs > 0 || r.VCs() != whole.VCs() || r.Around() != r.t.Unreachable().Pairs {
				t.Errorf("%s %s: all by shortest paths %t, %+v unreachable, %d VCs of %d, %d pairs go round of %d", text, name, r.Rerouted(), r.Unreachable(), r.VCs(), whole.VCs(), r.Around(), r.t.Unreachable().Pairs)
			}
			if rep, err := r.CheckDeadlock(context.Background()); err != nil || !rep.Acyclic {
				t.Errorf("%s %s: %+v %v", text, name, rep, err)
			}
			round := 0
			for src := range left.Endpoints() {
				for dst := range left.Endpoints() {
					for seed := range uint64(3) {
						if src != dst && arrives(t, r, src, dst, seed) {
							round++
						}
					}
				}
			}
			if missed := r.Around(); missed == 0 && text != "hyperx(s1=4,s2=4,t=2)" || int64(round) < 3*missed {
				t.Errorf("%s %s: %d pairs are missed, %d packets went by way of an intermediate", text, name, missed, round)
			}
		}
	}
}

// What is drawn at a second switch leads on to the destination, too, where the rule misses pairs (Dragonfly+: decided at spines), or a switch has failed, so that some intermediates are none.
func TestAroundFromSecondSwitch(t *testing.T) {
	for text, f := range map[string]topology.Failures{
		"dragonflyplus(l=2,m=2,p=2,h=2)": {Links: []topology.ChannelID{0}},
		"dragonfly(p=2,a=4,h=2)":         {Switches: []topology.SwitchID{5}},
	} {
		n, opt := built(t, text)
		left, err := n.Without(&f)
		if err != nil {
			t.Fatal(err)
		}
		r, drawn := native(t, "par", left, opt), 0
		if r.missed == nil || r.Rerouted() {
			t.Fatalf("%s: no pair is missed, or all go by shortest paths", text)
		}
		for src := range left.Endpoints() {
			for dst := range left.Endpoints() {
				p := simcore.Packet{Src: topology.EndpointID(src), Dst: topology.EndpointID(dst), Mid: -1, Hops: 1, Rand: simcore.NewRand(1, uint64(src*1000+dst))}
				_, _, ports := left.Group(left.GroupOf(p.Src))
				if len(ports) == 0 || r.setOf[src] == r.setOf[dst] {
					continue
				}
				r.t.EachHop(int(r.setOf[dst]), r.t.Node(ports[0], 0), func(h routing.Hop) {
					if mid := r.drawFrom(left.To(h.Channel), &p); mid >= 0 {
						if drawn++; !r.goesOn(mid, int(r.setOf[dst])) {
							t.Errorf("%s: from %d to %d by way of %d, from where no route leads there", text, src, dst, mid)
						}
					}
				})
			}
		}
		if drawn == 0 {
			t.Errorf("%s: nothing was drawn", text)
		}
	}
}

// Groups remain intermediates where a failure parts some of their switches from a few others: most groups join each pair, and all packets arrive. The leaf of the Dragonfly+ that
// loses a link to a spine is no longer reached from three groups, whose global links end at that spine. A switch that has failed does not change how par draws at second switches.
func TestAroundByGroups(t *testing.T) {
	for text, link := range map[string][2]topology.SwitchID{
		"dragonflyplus(l=4,m=3,p=3,h=3)": {36, 69},
		"dragonfly(p=2,a=4,h=2)":         {0, 31},
	} {
		n, opt := built(t, text)
		var f topology.Failures
		first, end := n.Out(link[0])
		for c := first; c < end; c++ {
			if n.To(c) == link[1] {
				f.Links = append(f.Links, c)
			}
		}
		left, err := n.Without(&f)
		if err != nil || len(f.Links) != 1 {
			t.Fatalf("%s: %v, links %v", text, err, f.Links)
		}
		for _, name := range []string{"valiant+group", "ugal_l+group"} {
			r := native(t, name, left, opt)
			if r.missed == nil || r.Rerouted() {
				t.Fatalf("%s %s: no pair is missed, or all go by shortest paths", text, name)
			}
			if rep, err := r.CheckDeadlock(context.Background()); err != nil || !rep.Acyclic {
				t.Errorf("%s %s: %+v %v", text, name, rep, err)
			}
			for src := 0; src < left.Endpoints(); src += 2 {
				for dst := 1; dst < left.Endpoints(); dst += 2 {
					arrives(t, r, src, dst, 1)
				}
			}
			for b := range r.mids {
				if r.mids[b].dst < 0 {
					t.Errorf("%s %s: nothing goes by way of group %d", text, name, b)
				}
			}
			for src := range int32(len(r.t.Router.Sets)) {
				for dst := range int32(len(r.t.Router.Sets)) {
					from, to, joined := r.blockOfSet(src), r.blockOfSet(dst), 0
					for mid := range int32(len(r.mids)) {
						if mid != from && mid != to && r.joins(src, dst, mid) {
							joined++
						}
					}
					if less := len(r.mids) - 2 - joined; from != to && 2*less > len(r.mids) {
						t.Errorf("%s %s: %d of %d groups do not join sets %d and %d", text, name, less, len(r.mids), src, dst)
					}
				}
			}
		}
	}
	n, opt := built(t, "dragonfly(p=2,a=4,h=2)")
	left, err := n.Without(&topology.Failures{Switches: []topology.SwitchID{5}})
	if err != nil {
		t.Fatal(err)
	}
	if r := native(t, "par", left, opt); r.midsOf != nil {
		t.Error("dragonfly without a switch: intermediates of second switches are told apart, as if some that work reached not all")
	}
}

// arrives walks a packet of an idle network, and says whether it entered for an intermediate.
func arrives(t *testing.T, r *Native, src, dst int, seed uint64) (detour bool) {
	t.Helper()
	n := r.t.Router.Net
	p := simcore.Packet{Src: topology.EndpointID(src), Dst: topology.EndpointID(dst), Mid: -1, Rand: simcore.NewRand(seed, uint64(src*1000+dst))}
	e := r.Inject(&p, nil)
	if e.Port == simcore.NoPort {
		t.Fatalf("%s: %s: endpoint %d cannot send to %d", n.Design, r.Name(), src, dst)
	}
	p.Port = uint8(e.Port)
	_, _, ports := n.Group(n.GroupOf(p.Src))
	sw := ports[e.Port]
	detour = p.Mid >= 0
	for range 100 {
		h := r.Route(sw, &p, nil)
		if h.Channel == simcore.Eject {
			if _, _, at := n.Group(n.GroupOf(p.Dst)); at[0] != sw {
				t.Fatalf("%s: %s: a packet from %d to %d leaves at switch %d", n.Design, r.Name(), src, dst, sw)
			}
			return detour
		}
		p.Hops++
		p.VC = h.Lo
		sw = n.To(h.Channel)
	}
	t.Fatalf("%s: %s: a packet from %d to %d does not arrive", n.Design, r.Name(), src, dst)
	return false
}

// Of the few that join a pair each is drawn as often: to an endpoint of a rail-only network that has lost its leaf the three others of its server, of 128 endpoints.
func TestFewJoin(t *testing.T) {
	n, opt := built(t, "railonly(k=8,g=4)")
	var f topology.Failures
	for c := range n.Channels() {
		if id := topology.ChannelID(c); n.SwitchName(n.From(id)) == "relay[0]" && n.SwitchName(n.To(id)) == "leaf[0]" {
			f.Links = append(f.Links, id)
		}
	}
	left, err := n.Without(&f)
	if err != nil || len(f.Links) == 0 {
		t.Fatalf("links %v: %v", f.Links, err)
	}
	const packets = 3000
	r, few := native(t, "valiant", left, opt), 0
	for src := range topology.EndpointID(left.Endpoints()) {
		if joined := joinedBy(r, r.setOf[src], r.setOf[0]); joined != 3 || !r.missed.has(r.setOf[src], r.setOf[0]) {
			continue
		}
		few++
		drawn := map[int32]int{}
		for i := range uint64(packets) {
			p := simcore.Packet{Src: src, Mid: -1, Rand: simcore.NewRand(uint64(src), i)}
			drawn[r.drawAround(&p)]++
		}
		for mid, times := range drawn {
			if len(drawn) != 3 || times < packets/3-150 || times > packets/3+150 { // six standard deviations
				t.Fatalf("from %d: intermediate %d was drawn %d times of %d, as one of %d", src, mid, times, packets, len(drawn))
			}
		}
	}
	if few == 0 {
		t.Error("no pair is joined by three")
	}
}

func joinedBy(r *Native, src, dst int32) (n int) {
	for mid := range int32(len(r.mids)) {
		if r.joins(src, dst, mid) {
			n++
		}
	}
	return n
}
