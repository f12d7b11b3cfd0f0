package route

import (
	"context"
	"strings"
	"testing"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/simcore/traffic"
	"toposearch/topology"
)

// The escape ring passes through every switch once, whatever the arrangement of global links, the number of groups or of
// links between two.
func TestRing(t *testing.T) {
	for _, design := range []string{
		"dragonfly(p=1,a=2,h=1)", "dragonfly(p=1,a=4,h=2)", "dragonfly(p=1,a=4,h=2,g=2)", "dragonfly(p=1,a=4,h=2,g=4)", "dragonfly(p=1,a=6,h=3)", "dragonfly(p=1,a=1,h=5)",
		"dragonfly(p=1,a=4,h=2,arrangement=absolute)", "dragonfly(p=1,a=6,h=3,arrangement=absolute)", "dragonfly(p=1,a=4,h=2,arrangement=relative)",
		"dragonfly(p=1,a=8,h=4,arrangement=circulant)", "dragonfly(p=1,a=5,h=3,g=12,arrangement=absolute)", "dragonfly(p=2,a=16,h=8)",
	} {
		n, opt := built(t, design)
		checkRing(t, n, opt.Blocks)
	}
}

// Where links or a switch have failed it goes round them, and passes through all that work; blocks that are no full meshes to begin with have none.
func TestRingOfWhatIsLeft(t *testing.T) {
	for design, fs := range map[string][]topology.Failures{
		"dragonfly(p=2,a=4,h=2)": {{Links: []topology.ChannelID{0}}, {Links: []topology.ChannelID{2}}, {Links: []topology.ChannelID{4}}, {Switches: []topology.SwitchID{0}}, {Switches: []topology.SwitchID{5, 6}},
			{Switches: []topology.SwitchID{4, 5, 6, 7}}},
		"dragonfly(p=1,a=3,h=2)": {{Links: []topology.ChannelID{0}}, {Links: []topology.ChannelID{1}}},
	} {
		n, opt := built(t, design)
		for _, f := range fs {
			left, err := n.Without(&f)
			if err != nil {
				t.Fatal(err)
			}
			checkRing(t, left, opt.Blocks)
		}
	}
	n, opt := built(t, "dragonflyplus(l=1,m=2,p=1,h=1)")
	if _, err := ringOfBlocks(n, opt.Blocks); err == nil || !strings.Contains(err.Error(), "all linked") {
		t.Errorf("leaves and spines: %v", err)
	}
}

func checkRing(t *testing.T, n *topology.Network, blocks []int32) {
	t.Helper()
	ring, err := ringOfBlocks(n, blocks)
	if err != nil {
		t.Fatal(err)
	}
	works, start := 0, topology.SwitchID(0)
	for s := range topology.SwitchID(n.Switches()) {
		if len(n.Neighbors(s)) > 0 {
			works, start = works+1, s
		}
	}
	at, seen := start, make([]bool, n.Switches())
	for i := range works {
		c := ring[at]
		if first, end := n.Out(at); c < first || c >= end || seen[at] {
			t.Fatalf("%s: step %d: switch %d, seen %t, is left by channel %d of %d to %d", n.Design, i, at, seen[at], c, first, end-1)
		}
		seen[at], at = true, n.To(c)
	}
	if at != start {
		t.Errorf("%s: the ring ends at switch %d", n.Design, at)
	}
}

// Of a network with failures packets go by all shortest paths where its own routes do not lead on from everywhere, and all arrive, at any load: no deadlock, and by q_adaptive on VCs that rise.
func TestFailuresOfThoseThatLeaveTheWay(t *testing.T) {
	n, opt := built(t, "dragonfly(p=2,a=4,h=2)")
	for _, f := range []topology.Failures{{Links: []topology.ChannelID{4}}, {Links: []topology.ChannelID{0, 9, 40}}, {Switches: []topology.SwitchID{5}}} {
		left, err := n.Without(&f)
		if err != nil {
			t.Fatal(err)
		}
		tr, err := traffic.ByName("uniform", traffic.Options{Network: left})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"ofar", "q_adaptive"} {
			opt.VCs = 7 // by q_adaptive the most that these failures ask for: two choices and five hops
			r := native(t, name, left, opt)
			if !r.Rerouted() || r.Unreachable() != routing.Disconnected(left) {
				t.Errorf("%s %+v: by shortest paths %t, %+v unreachable, %+v not connected", name, f, r.Rerouted(), r.Unreachable(), routing.Disconnected(left))
			}
			if rep, err := r.CheckDeadlock(context.Background()); err != nil || !rep.Acyclic || !rep.Proven {
				t.Errorf("%s %+v: %+v %v", name, f, rep, err)
			}
			cfg := flit.SwitchConfig()
			cfg.VCs, cfg.PacketFlits, cfg.Warmup, cfg.Measure = opt.VCs, 4, 500, 3000
			s, err := flit.New(left, r, tr, cfg)
			if err != nil {
				t.Fatal(err)
			}
			for load, least := range map[float64]float64{0.3: 0.29, 1: 0.5} {
				p, err := s.Run(context.Background(), load)
				if err != nil || p.Deadlocked || p.Accepted < least*float64(left.Endpoints()-2)/float64(left.Endpoints()) {
					t.Errorf("%s %+v, load %g: %v, deadlocked %t, accepted %g", name, f, load, err, p.Deadlocked, p.Accepted)
				}
			}
		}
	}
}

// hopCounter counts what ofar makes of the way of each packet; its number stands above the routing's part of Aux.
type hopCounter struct {
	*Native
	t               *testing.T
	ways            [][2]int // on links, on the ring
	misrouted, rode int
}

func (h *hopCounter) Inject(p *simcore.Packet, v *simcore.View) simcore.Entry {
	e := h.Native.Inject(p, v)
	p.Aux = uint32(len(h.ways)) << 8
	h.ways = append(h.ways, [2]int{})
	return e
}

func (h *hopCounter) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	id := p.Aux >> 8
	w := &h.ways[id]
	if p.Hops > 0 {
		onRing := 0
		if p.VC == h.top {
			onRing = 1
		}
		w[onRing]++
	}
	p.Aux &= 255
	hop := h.Native.Route(sw, p, v)
	p.Aux |= id << 8
	if hop.Channel == simcore.Eject {
		if w[0] > 8+3*ringExits || w[1] == 0 && w[0] > 8 || w[1] > (ringExits+1)*(h.Native.t.Router.Net.Switches()-1) {
			h.t.Errorf("a packet from %d to %d made %d hops, and %d on the ring", p.Src, p.Dst, w[0], w[1])
		}
		if w[0] > 3 {
			h.misrouted++
		}
		if w[1] > 0 {
			h.rode++
		}
	}
	return hop
}

func (h *hopCounter) Again(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	id := p.Aux >> 8
	p.Aux &= 255
	hop := h.Native.Again(sw, p, v)
	p.Aux |= id << 8
	return hop
}

// However much is offered, a packet makes at most 8 hops besides the ring, and 3 more each time it has left that.
func TestOFARWays(t *testing.T) {
	n, opt := built(t, "dragonfly(p=2,a=4,h=2)")
	opt.VCs = 2
	tr, err := traffic.ByName("group_adversarial", traffic.Options{Network: n, Blocks: 9})
	if err != nil {
		t.Fatal(err)
	}
	h := &hopCounter{Native: native(t, "ofar", n, opt), t: t}
	cfg := flit.DefaultConfig()
	cfg.VCs, cfg.PacketFlits, cfg.BufferFlits, cfg.Warmup, cfg.Measure = 2, 4, 8, 100, 3000
	s, err := flit.New(n, h, tr, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := s.Run(context.Background(), 0.9); err != nil || p.Deadlocked {
		t.Fatalf("deadlocked %t, %v", p.Deadlocked, err)
	}
	if h.misrouted < 100 || h.rode < 100 {
		t.Errorf("of %d packets %d made more than 3 hops and %d came by the ring: too few to tell", len(h.ways), h.misrouted, h.rode)
	}
}

// An idle network sees minimal routes alone.
func TestOFARIdle(t *testing.T) {
	n, opt := built(t, "dragonfly(p=2,a=4,h=2)")
	r, c := native(t, "ofar", n, opt), native(t, "natural", n, opt)
	for dst := range topology.EndpointID(n.Endpoints()) {
		var hops [2]int
		for i, r := range []*Native{r, c} {
			p := simcore.Packet{Dst: dst, Mid: -1}
			sw := topology.SwitchID(0)
			p.Port = uint8(r.Inject(&p, nil).Port)
			for ; ; p.Hops++ {
				h := r.Route(sw, &p, nil)
				if h.Channel == simcore.Eject {
					break
				}
				sw = n.To(h.Channel)
			}
			hops[i] = int(p.Hops)
		}
		if hops[0] != hops[1] {
			t.Errorf("to %d: %d hops, natural %d", dst, hops[0], hops[1])
		}
	}
}

// Networks and models that ofar does not fit are refused, with the reason.
func TestOFARNeeds(t *testing.T) {
	ctx := context.Background()
	for design, want := range map[string]string{
		"torus(k1=4,k2=4)":               "not made of groups",
		"dragonflyplus(p=2,l=2,m=2,h=2)": "all linked",
		"fattree(k=4,l=3)":               "not made of groups",
	} {
		n, opt := built(t, design)
		if _, err := ByName(ctx, "ofar", n, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", design, err, want)
		}
	}
	n, opt := built(t, "dragonfly(p=2,a=4,h=2)")
	if _, err := ByName(ctx, "ofar+group", n, opt); err == nil {
		t.Error("ofar+group is made")
	}
	bias := 4
	tuned := opt
	tuned.Tuning.Bias = &bias
	if _, err := ByName(ctx, "ofar", n, tuned); err == nil {
		t.Error("ofar takes a bias of UGAL")
	}
	one := opt
	one.VCs = 1
	if _, err := ByName(ctx, "ofar", n, one); err == nil || !strings.Contains(err.Error(), "needs 2") {
		t.Errorf("one VC: %v", err)
	}
	tr, err := traffic.ByName("uniform", traffic.Options{Network: n})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cutthrough.New(n, native(t, "ofar", n, opt), tr, cutthrough.Config{}); err == nil || !strings.Contains(err.Error(), "only the flit model") {
		t.Errorf("cut-through: %v", err)
	}
	rep, err := native(t, "ofar", n, opt).CheckDeadlock(ctx)
	if err != nil || !rep.Acyclic || !strings.Contains(rep.Method, "all 36 switches") {
		t.Errorf("proof %+v, %v", rep, err)
	}
}
