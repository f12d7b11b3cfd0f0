package flit

import (
	"math"
	"testing"
	"unsafe"

	"toposearch/simcore"
	"toposearch/topology"
)

// pair is two switches with n endpoints each, joined by parallel links; every packet crosses.
func pair(t *testing.T, n, links int, laneNic, laneLink int32) *topology.Network {
	t.Helper()
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "switch"}}, []topology.LinkClass{{Name: topology.ClassNic}, {Name: "link"}})
	b.Switch(0, 2)
	for range links {
		b.Link(1, 0, 1)
	}
	b.Endpoints(n, []topology.SwitchID{0})
	b.Endpoints(n, []topology.SwitchID{1})
	b.Lanes(0, laneNic)
	b.Lanes(1, laneLink)
	b.EndpointLanes(laneNic)
	net, err := b.Build("pair")
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// across takes the parallel links in turn, by destination.
type across struct {
	n   *topology.Network
	vcs uint8
}

func (across) Name() string { return "across" }
func (across) VCs() int     { return 1 }
func (a across) Inject(p *simcore.Packet, v *simcore.View) simcore.Entry {
	return simcore.Entry{Hi: a.vcs - 1}
}
func (a across) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	_, _, ports := a.n.Group(a.n.GroupOf(p.Dst))
	if ports[0] == sw {
		return simcore.Hop{Channel: simcore.Eject, Hi: a.vcs - 1}
	}
	first, end := a.n.Out(sw)
	// Two VCs per destination: no packet waits behind one for another endpoint, and one follows the
	// other without a gap.
	vc := uint8(p.Dst) % 4 * 2
	return simcore.Hop{Channel: first + topology.ChannelID(p.Dst)%(end-first), Lo: vc, Hi: vc + 1}
}

// A line of fewer lanes, or fewer parallel lines, carries in proportion: n endpoints share links *
// lanes / nic lanes of the bandwidth of an endpoint. Random arrivals at just that rate leave some
// of it unused.
func TestLinkRates(t *testing.T) {
	for _, c := range []struct {
		n, links  int
		nic, link int32
		want      float64 // accepted at load 1
	}{
		{4, 4, 1, 1, 1}, {4, 2, 1, 1, 0.5}, {2, 2, 2, 1, 0.5}, {2, 2, 3, 2, 2.0 / 3}, {4, 4, 5, 4, 0.8}, {4, 2, 1, 2, 1}, {3, 3, 3, 1, 1.0 / 3},
	} {
		net := pair(t, c.n, c.links, c.nic, c.link)
		to := make(fixed, 2*c.n)
		for i := range to {
			to[i] = topology.EndpointID((i + c.n) % (2 * c.n))
		}
		cfg := shortConfig()
		cfg.VCs, cfg.BufferFlits, cfg.PacketFlits = 8, 32, 8 // VC allocation must not be the limit
		s, err := New(net, across{net, 8}, to, cfg)
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Run(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if p.Accepted > c.want+0.005 || p.Accepted < 0.92*c.want {
			t.Errorf("%d endpoints of %d lanes over %d links of %d lanes: accepted %.3f, want %.3f", c.n, c.nic, c.links, c.link, p.Accepted, c.want)
		}
	}
}

// railed has endpoints with a port on each of two switches that are not joined.
type railed struct{ n *topology.Network }

func (railed) Name() string { return "railed" }
func (railed) VCs() int     { return 1 }
func (r railed) Inject(p *simcore.Packet, v *simcore.View) simcore.Entry {
	return simcore.Entry{Port: p.Rand.IntN(2), Hi: 3}
}
func (r railed) Route(topology.SwitchID, *simcore.Packet, *simcore.View) simcore.Hop {
	return simcore.Hop{Channel: simcore.Eject, Hi: 3}
}

// Load 1 of an endpoint with two ports is two flits per cycle, and both planes carry it: a
// permutation through one switch has no conflicts.
func TestTwoPlanes(t *testing.T) {
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "switch"}}, []topology.LinkClass{{Name: topology.ClassNic}})
	b.Switch(0, 2)
	b.Endpoints(8, []topology.SwitchID{0, 1})
	b.EndpointLanes(2)
	net, err := b.Build("planes")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(net, railed{net}, fixed{1, 2, 3, 4, 5, 6, 7, 0}, shortConfig())
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Run(t.Context(), 0.95)
	if err != nil || p.Saturated || math.Abs(p.Accepted-0.95) > 0.02 {
		t.Errorf("load 0.95 over two planes: accepted %.3f, saturated %t (%v)", p.Accepted, p.Saturated, err)
	}
}

// An endpoint with an embedded switch sends as much as the links of that switch carry: the
// internal link is no bottleneck (a single port would carry a load of 1/3).
func TestEmbeddedSwitch(t *testing.T) {
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "npu", Embedded: true}},
		[]topology.LinkClass{{Name: topology.ClassInternal}, {Name: "mesh"}})
	b.Switch(0, 4) // a full mesh of four: three links each
	for i := range topology.SwitchID(4) {
		for j := range i {
			b.Link(1, i, j)
		}
		b.Endpoints(1, []topology.SwitchID{i})
	}
	b.EndpointLanes(3)
	net, err := b.Build("npus")
	if err != nil {
		t.Fatal(err)
	}
	cfg := shortConfig()
	cfg.VCs, cfg.BufferFlits, cfg.PacketFlits = 8, 32, 4
	s, err := New(net, direct{net}, uniform{4}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Run(t.Context(), 0.6)
	if err != nil || p.Saturated || math.Abs(p.Accepted-0.6) > 0.02 {
		t.Errorf("load 0.6 of three links: accepted %.3f, saturated %t (%v)", p.Accepted, p.Saturated, err)
	}
}

type direct struct{ n *topology.Network }

func (direct) Name() string { return "direct" }
func (direct) VCs() int     { return 1 }
func (direct) Inject(_ *simcore.Packet, v *simcore.View) simcore.Entry {
	return simcore.Entry{Hi: uint8(simOf(v).vcs - 1)}
}
func (d direct) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	hi := uint8(simOf(v).vcs - 1)
	first, end := d.n.Out(sw)
	for c := first; c < end; c++ {
		if int(d.n.To(c)) == int(p.Dst) {
			return simcore.Hop{Channel: c, Hi: hi}
		}
	}
	return simcore.Hop{Channel: simcore.Eject, Hi: hi}
}

// A packet is one cache line: the engine touches one per hop of its head.
func TestPacketSize(t *testing.T) {
	if n := unsafe.Sizeof(packet{}); n != 64 {
		t.Errorf("a packet has %d bytes, want 64", n)
	}
}
