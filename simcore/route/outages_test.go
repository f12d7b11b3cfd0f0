package route_test

import (
	"context"
	"slices"
	"testing"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/simcore/route"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// plan has the first link of a network fail at 10 and return at 30; tables follow after 5.
func plan(t *testing.T, design, routing string) (*topology.Network, *route.Plan) {
	t.Helper()
	d, n := familytest.Build(t, design)
	x := route.Outages{List: []route.Outage{{Failures: topology.Failures{Links: []topology.ChannelID{0}}, From: 10, Until: 30}}, Repair: 5}
	p, err := x.Plan(context.Background(), routing, n, 100, func(*topology.Network) route.Options {
		opt := route.Options{}
		if d.Family.Natural != nil {
			opt.Natural = d.Family.Natural(d.V)
		}
		return opt
	}, nil)
	if err != nil {
		t.Fatalf("%s: %v", design, err)
	}
	return n, p
}

// Stages are when something fails, is known, returns and is known. Packets under way are handed over where no mixture of
// routes can deadlock: on trees, whose rule knows no way down and up again, and where VCs follow hops; on a torus under
// datelines walks may go round and round, up*/down* is ordered anew, and detours have lost what they go by.
func TestPlan(t *testing.T) {
	for _, c := range []struct {
		design, routing string
		carry           bool
	}{
		{"fattree(k=4,l=3)", "natural", true},
		{"fattree(k=4,l=3)", "natural+adaptive", true},
		{"torus(k1=4,k2=4)", "minimal", true},
		{"torus(k1=4,k2=4)", "natural", false},
		{"torus(k1=4,k2=4)", "updown", false},
		{"dragonfly(p=2,a=4,h=2)", "valiant", false},
		{"slimfly(q=5)", "valiant", false},
		{"slimfly(q=5)", "par", false},
		{"hyperx(s1=4,s2=4,t=4)", "lash", false}, // one layer, and two of what is left
	} {
		n, p := plan(t, c.design, c.routing)
		var at []int64
		for _, st := range p.Stages {
			at = append(at, st.At)
			if st.New && st.Carry != c.carry {
				t.Errorf("%s %s: packets are carried over: %t", c.design, c.routing, st.Carry)
			}
			if st.Routing.VCs() != p.Left[0].Options.VCs || p.Left[0].Options.VCs != p.Left[1].Options.VCs { // simulations have what the first says
				t.Errorf("%s %s: VCs %d, %d of which the whole network has %d", c.design, c.routing, st.Routing.VCs(), p.Left[1].Options.VCs, p.Left[0].Options.VCs)
			}
		}
		if !slices.Equal(at, []int64{0, 10, 15, 30, 35}) || p.Discards() == c.carry {
			t.Errorf("%s %s: stages at %v, discards %t", c.design, c.routing, at, p.Discards())
		}
		s := p.Stages
		for i, want := range []bool{false, true, true, false, false} {
			if down := len(s[i].Down.Links) > 0; down != want || s[i].New != (i == 2 || i == 4) {
				t.Errorf("%s: stage %d: down %t, new tables %t", c.design, i, down, s[i].New)
			}
		}
		if got, want := len(s[1].DownChannels(n)), 2; got != want {
			t.Errorf("%s: %d channels are down, want %d", c.design, got, want)
		}
	}
}

// Parts that fail twice, and tables that lag behind more than one failure.
func TestPlanOfSeveral(t *testing.T) {
	x := route.Outages{List: []route.Outage{
		{Failures: topology.Failures{Switches: []topology.SwitchID{1}}, From: 10, Until: 30},
		{Failures: topology.Failures{Switches: []topology.SwitchID{1, 2}}, From: 20, Until: route.Never},
	}, Repair: 15}
	_, n := familytest.Build(t, "torus(k1=4,k2=4)")
	p, err := x.Plan(context.Background(), "minimal", n, 100, func(*topology.Network) route.Options { return route.Options{} }, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Switch 1 is down from 10 on, as the second outage holds it when the first ends; tables know 15 later.
	var got [][3]int64
	for i, st := range p.Stages {
		got = append(got, [3]int64{st.At, int64(len(st.Down.Switches)), int64(len(p.Known[i].Known.Switches))})
	}
	want := [][3]int64{{0, 0, 0}, {10, 1, 0}, {20, 2, 0}, {25, 2, 1}, {35, 2, 2}}
	if !slices.Equal(got, want) {
		t.Errorf("time, switches down, switches known: %v, want %v", got, want)
	}
	// Two neighbours of degree 4 take 7 links with them.
	if got, want := len(p.Stages[4].DownChannels(n)), 14; got != want {
		t.Errorf("%d channels are down, want %d", got, want)
	}
}

// Channels and ports of what is left lead where those of the same name lead in the whole network.
func TestLeftNumbering(t *testing.T) {
	_, n := familytest.Build(t, "multirail(k=4,l=2,r=2)")
	_, _, ports := n.Group(n.GroupOf(3))
	f := &topology.Failures{Switches: []topology.SwitchID{1}, Links: []topology.ChannelID{0}, Ports: []topology.PortFailure{{Endpoint: 3, Switch: ports[0]}}}
	m, num, err := n.Left(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(num.Channels) != m.Channels() || m.Channels() >= n.Channels() {
		t.Fatalf("%d channels of %d are left, and %d have names", m.Channels(), n.Channels(), len(num.Channels))
	}
	for c := range topology.ChannelID(m.Channels()) {
		if w := num.Channels[c]; n.From(w) != m.From(c) || n.To(w) != m.To(c) || n.LinkClass(w) != m.LinkClass(c) {
			t.Errorf("channel %d is %d of the whole network, which leads elsewhere", c, w)
		}
	}
	lost := 0
	for e := range topology.EndpointID(n.Endpoints()) {
		g := m.GroupOf(e)
		_, _, left := m.Group(g)
		_, _, all := n.Group(n.GroupOf(e))
		lost += len(all) - len(left)
		for i, place := range num.Ports(g) {
			if left[i] != all[place] {
				t.Errorf("endpoint %d: port %d is %d of the whole network, on switch %d instead of %d", e, i, place, all[place], left[i])
			}
		}
	}
	if lost == 0 {
		t.Error("no port is lost")
	}
}

// A packet to an endpoint whose switch has failed is not sent, whatever the routing, and one to another endpoint is.
func TestEndpointOfFailedSwitch(t *testing.T) {
	d, n := familytest.Build(t, "slimfly(q=5)")
	last := n.Endpoints() - 1
	_, _, ports := n.Group(n.GroupOf(topology.EndpointID(last)))
	left, err := n.Without(&topology.Failures{Switches: ports})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"minimal", "valiant", "ugal_l", "par", "adaptive_escape", "lash", "dfsssp"} {
		r, err := route.ByName(context.Background(), name, left, route.Options{Blocks: routing.BlocksOf(left, d.Family.Place(d.V))})
		if err != nil {
			t.Fatal(err)
		}
		// 4 endpoints of 200 reach none, and none reaches them.
		if got, want := r.Unreachable().Pairs, int64(200*199-196*195); got != want {
			t.Errorf("%s: %d pairs without a route, want %d", name, got, want)
		}
		for dst, want := range map[int]bool{last: false, last / 2: true} {
			p := simcore.Packet{Dst: topology.EndpointID(dst), Mid: -1, Rand: simcore.NewRand(1, 2)}
			e := r.Inject(&p, nil)
			if got := e.Port != simcore.NoPort; got != want {
				t.Errorf("%s: a packet to endpoint %d is sent: %t", name, dst, got)
			}
			if name == "valiant" && want && p.Mid < 0 {
				t.Error("valiant: no detours are left")
			}
		}
	}
}

// A spare stands in for the endpoint whose failure tables learn first, as long as that lasts, and is free for another then.
// NPU 6 fails at 10 and is back at 40, NPU 5 fails at 20; tables follow after 5.
func TestSpareMovesOnce(t *testing.T) {
	d, n := familytest.Build(t, "ubmesh(x=2,y=4,z=1,w=1,spare=1)")
	own := func(e topology.EndpointID) topology.Failures {
		_, _, ports := n.Group(n.GroupOf(e))
		return topology.Failures{Switches: []topology.SwitchID{ports[0]}}
	}
	x := route.Outages{List: []route.Outage{{Failures: own(6), From: 10, Until: 40}, {Failures: own(5), From: 20, Until: route.Never}}, Repair: 5}
	p, err := x.Plan(context.Background(), "natural", n, 100, func(*topology.Network) route.Options {
		return route.Options{Natural: familytest.Natural(d)}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[int64][]topology.EndpointID{0: nil, 10: nil, 15: {6}, 20: {6}, 25: {6}, 40: {6}, 45: {5}}
	for i, st := range p.Stages {
		var moved []topology.EndpointID
		for _, m := range p.Known[i].Moved {
			moved = append(moved, m.Endpoint)
		}
		if w, ok := want[st.At]; !ok || !slices.Equal(moved, w) || len(st.Idle) != 2-len(moved) {
			t.Errorf("at %d: %v moved, want %v; %d ports are idle", st.At, moved, w, len(st.Idle))
		}
	}
	if len(p.Stages) != len(want) {
		t.Errorf("%d stages, want %d", len(p.Stages), len(want))
	}
}
