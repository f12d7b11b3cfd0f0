package placed

import (
	"context"
	"math"
	"testing"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// exchange is the time of a message of so many bytes from every endpoint to the one so much further on, and what its busiest link takes if none makes a detour.
func exchange(t *testing.T, n *Network, shift int, bytes float64) (total, transfer float64) {
	t.Helper()
	lone := func(_, _ topology.EndpointID, _ float64) (float64, float64) { return 1e-6, n.Link.BytesPerS }
	size := len(n.Endpoint)
	var flows []collective.Flow
	for i := range size {
		flows = append(flows, collective.Flow{From: i, To: (i + shift) % size, Count: 1, Share: 1})
	}
	e, _, err := n.play(context.Background(), workload.Communication{Group: workload.Group{Stride: 1, Size: size}, Bytes: bytes, Count: 1}, flows, 1, 1, lone)
	if err != nil {
		t.Fatal(err)
	}
	return e.Total, e.Transfer
}

// TestDetouring: on a complete graph of eight switches with seven endpoints each, all endpoints of a switch send to the next one, whose one link takes seven times
// what an endpoint does. With detours the six other ways share it: a seventh of it, and twice as much is on links, so that between one and three
// times what an endpoint takes are left of seven. Where each endpoint sends to one of its own switch, or each of a switch to another switch, nothing is gained and
// nothing makes a detour.
func TestDetouring(t *testing.T) {
	n := on(t, "complete(n=8,t=7)", 1)
	n.Link.Alpha, n.PacketBytes = 0, 4096
	const bytes = 64 * 4096
	own := bytes / n.Link.BytesPerS
	direct, transfer := exchange(t, n, 7, bytes)
	if math.Abs(transfer-7*own) > 1e-9*own || direct < transfer {
		t.Errorf("direct: %g, %g on the busiest link, want %g", direct, transfer, 7*own)
	}
	near, _ := exchange(t, n, 1, bytes)
	n.Detours = BySwitches(n.Router, nil, routing.OwnCapacity(n.Router.Net), false, 1)
	by, busiest := exchange(t, n, 7, bytes)
	if by < own || by > 3*own+2e-6 || busiest < own || busiest > by {
		t.Errorf("with detours: %g, %g on the busiest link, an endpoint takes %g", by, busiest, own)
	}
	if again, _ := exchange(t, n, 1, bytes); again > near*(1+rounding) {
		t.Errorf("what nothing is in the way of takes %g with detours, %g without", again, near)
	}
}

// TestFollow: flows that a hash gives the same way up share it, whatever others are free.
func TestFollow(t *testing.T) {
	n := on(t, "fattree(k=4,l=2)", 1)
	n.Link.Alpha, n.PacketBytes = 0, 4096
	const bytes = 64 * 4096
	own := bytes / n.Link.BytesPerS
	net := n.Router.Net
	n.Follow = func(src, dst topology.EndpointID, cross func(topology.ChannelID)) (int, topology.SwitchID, bool) {
		_, _, from := net.Group(net.GroupOf(src))
		_, _, to := net.Group(net.GroupOf(dst))
		first, _ := net.Out(from[0])
		if from[0] != to[0] { // over the first channel up, and down by the one that leads there
			cross(first)
			c, end := net.Out(net.To(first))
			for ; c < end && net.To(c) != to[0]; c++ {
			}
			cross(c)
		}
		return 0, to[0], true
	}
	if total, transfer := exchange(t, n, 2, bytes); math.Abs(transfer-2*own) > 1e-9*own || total < transfer || total > transfer+2e-6 {
		t.Errorf("%g, %g on the busiest link, want %g", total, transfer, 2*own)
	}
}

// TestDetouringByOthers: of the same network the endpoints of two switches send to each other alone. Detours go by way of the six other switches, on which there
// are no ranks.
func TestDetouringByOthers(t *testing.T) {
	n := on(t, "complete(n=8,t=7)", 1)
	n.Link.Alpha, n.PacketBytes, n.Endpoint = 0, 4096, n.Endpoint[:14]
	const bytes = 64 * 4096
	own := bytes / n.Link.BytesPerS
	n.Detours = BySwitches(n.Router, nil, routing.OwnCapacity(n.Router.Net), false, 1)
	if by, busiest := exchange(t, n, 7, bytes); by < own || by > 3*own+2e-6 || busiest > by {
		t.Errorf("with detours: %g, %g on the busiest link, an endpoint takes %g", by, busiest, own)
	}
}

// TestDetouringAlways: a message to the next of eight switches has its link for itself, but where every packet goes by way of any switch a quarter of them take it, less or more by chance, and the others
// two links each.
func TestDetouringAlways(t *testing.T) {
	n := on(t, "complete(n=8)", 1)
	n.Link.Alpha, n.PacketBytes = 0, 4096
	const bytes = 64 * 4096
	own := bytes / n.Link.BytesPerS
	n.Around = BySwitches(n.Router, nil, routing.OwnCapacity(n.Router.Net), true, 1)
	n.Detours = n.Around
	x, err := n.score(context.Background(), []collective.Flow{{From: 0, To: 1, Count: 1, Share: 1}}, func(int) float64 { return bytes },
		func(_, _ topology.EndpointID, _ float64) (float64, float64) { return 1e-6, n.Link.BytesPerS })
	if err != nil {
		t.Fatal(err)
	}
	p := newStream(x.flows, x.ways, 8, x.servers, 1)
	p.out, p.in, p.detours = x.out, x.in, x.routes.detouring(context.Background(), 8)
	p.run()
	direct, sum := x.ways[0].channels()[0].channel, 0.0
	for c := range n.Router.Net.Channels() {
		sum += p.servers[c].given
	}
	if got := p.servers[direct].given; got > own/2 || math.Abs(sum-(2*own-got)) > 1e-9*own {
		t.Errorf("%g on the direct link, %g on all, a message takes %g", got, sum, own)
	}
}

// TestVisits: a message is carried by all that its way uses, but by no more of several ways than it has packets.
func TestVisits(t *testing.T) {
	x := &score{flows: []collective.Flow{{Count: 5}}, ways: []way{plain(0, 1, 10, 5, 52)}}
	if got := x.visits(); got != 5*3 {
		t.Errorf("5 messages over three servers: %g visits", got)
	}
	x.ways[0].packets, x.ways[0].draws = 2, true
	x.ways[0].list[1].part = 1. / 8 // of eight ways
	if got := x.visits(); got != 5*2.25 {
		t.Errorf("messages of two packets, an eighth of which takes a link: %g visits", got)
	}
}

// TestPlayIncomplete: messages that wait for each other are no collective that is done when the others are.
func TestPlayIncomplete(t *testing.T) {
	n := on(t, "complete(n=8)", 1)
	flows := []collective.Flow{{From: 0, To: 1, Count: 1, Share: 1}, {From: 2, To: 2, Count: 1, Share: 1, After: []collective.Need{{Flow: 1, Lead: 1}}}}
	if e, _, err := n.play(context.Background(), workload.Communication{Group: workload.Group{Stride: 1, Size: 8}, Bytes: 1, Count: 1}, flows, 1, 1,
		func(_, _ topology.EndpointID, _ float64) (float64, float64) { return 1, 1 }); err == nil {
		t.Errorf("%+v", e)
	}
}
