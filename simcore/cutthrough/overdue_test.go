package cutthrough

import (
	"context"
	"math"
	"testing"
	"unsafe"

	"toposearch/simcore"
	"toposearch/simcore/route"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// asker is a routing that notes what it sees of a channel when a packet is routed at the switch where it begins.
type asker struct {
	simcore.Routing
	net     *topology.Network
	channel topology.ChannelID
	seen    *[]seen
}

type seen struct {
	ns    simcore.Cycle
	cells int
}

func (asker) Local() bool { return true }

func (a asker) Route(sw topology.SwitchID, p *simcore.Packet, v *simcore.View) simcore.Hop {
	if sw == a.net.From(a.channel) {
		*a.seen = append(*a.seen, seen{v.Now(), v.Used(a.channel)})
	}
	return a.Routing.Route(sw, p, v)
}

// toward sends each source's packets to one destination; -1: none.
type toward []topology.EndpointID

func (toward) Name() string { return "toward" }

func (t toward) Dest(src topology.EndpointID, _ *simcore.Rand) topology.EndpointID { return t[src] }

// Two flows come to a switch, from a link and from an endpoint, and leave it by one link. With credits the switch before sees in
// the buffer behind its link what waits there, what is more than half of the link that both share, whatever is on the cable. Where a flow is alone it
// sees nothing but the packet being sent, and with pauses it never sees anything behind its link.
func TestOverdue(t *testing.T) {
	n, rule := familytest.Network(t, "mesh(k1=7)")
	r, err := route.ByName(context.Background(), "natural", n, route.Options{Natural: rule, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	const gbps, load, ns = 400.0, 0.9, 60000
	channel := between(t, n, 1, 2)
	for _, c := range []struct {
		name string
		flow string
		to   toward
		want float64 // of what is sent, the part that waits
	}{
		{"two into one", Credit, toward{-1, 3, 3, -1, -1, -1, -1}, load - 0.5},
		{"each its own", Credit, toward{-1, 3, -1, -1, 6, -1, -1}, 0},
		{"two into one", PFC, toward{-1, 3, 3, -1, -1, -1, -1}, 0},
	} {
		var at []seen
		cfg := DefaultConfig()
		cfg.BandwidthGbps, cfg.FlowControl, cfg.Arrivals, cfg.VCs = gbps, c.flow, "constant", 2
		for range n.LinkClasses {
			cfg.ClassGbps, cfg.ClassCableNs = append(cfg.ClassGbps, gbps), append(cfg.ClassCableNs, 500) // cables of 100 m: 61 packets on them and back
		}
		s, err := New(n, asker{r, n, channel, &at}, c.to, cfg)
		if err != nil {
			t.Fatal(err)
		}
		s.Reset(load, 1)
		for s.now < ns*1000 {
			s.step()
		}
		if len(at) < 500 {
			t.Fatalf("%s, %s: only %d packets passed", c.name, c.flow, len(at))
		}
		last := at[len(at)-1]
		cells := c.want * gbps / 8 * float64(last.ns) / float64(cfg.CellBytes)
		packets := float64(cfg.MTUBytes / cfg.CellBytes)
		if d := math.Abs(float64(last.cells) - cells); d > 20*packets+0.05*cells {
			t.Errorf("%s, %s: %d cells are seen after %d ns, want %.0f", c.name, c.flow, last.cells, last.ns, cells)
		}
		for i := range s.overdue {
			if got := float64(unsafe.Sizeof(overdue{})) + float64(cap(s.overdue[i].sent))*float64(unsafe.Sizeof(sent{})); got > overdueBytes(&s.cfg) {
				t.Errorf("%s, %s: %.0f bytes of a port, predicted %.0f", c.name, c.flow, got, overdueBytes(&s.cfg))
			}
		}
		if c.want == 0 {
			for _, x := range at {
				if float64(x.cells) > packets {
					t.Fatalf("%s, %s: %d cells are seen after %d ns, where nothing waits", c.name, c.flow, x.cells, x.ns)
				}
			}
		}
	}
}

// between is the channel from one switch to another.
func between(t *testing.T, n *topology.Network, from, to topology.SwitchID) topology.ChannelID {
	for c, end := n.Out(from); c < end; c++ {
		if n.To(c) == to {
			return c
		}
	}
	t.Fatalf("no channel from switch %d to %d", from, to)
	return 0
}
