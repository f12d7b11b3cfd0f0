package route

import (
	"context"
	"slices"
	"strings"
	"testing"

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
		ring, err := ringOfBlocks(n, opt.Blocks, int(slices.Max(opt.Blocks))+1)
		if err != nil {
			t.Fatal(err)
		}
		at, seen := topology.SwitchID(0), make([]bool, n.Switches())
		for i := range n.Switches() {
			c := ring[at]
			if first, end := n.Out(at); c < first || c >= end || seen[at] {
				t.Fatalf("%s: step %d: switch %d, seen %t, is left by channel %d of %d to %d", design, i, at, seen[at], c, first, end-1)
			}
			seen[at], at = true, n.To(c)
		}
		if at != 0 {
			t.Errorf("%s: the ring ends at switch %d", design, at)
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
