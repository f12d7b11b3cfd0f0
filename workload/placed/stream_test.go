package placed

import (
	"context"
	"math"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// plain is a way over servers by their numbers, each of which takes all of a message: the sender's port, links, the receiver's port.
func plain(from int, latency float64, servers ...int32) way {
	r := &route{out: 1, in: len(servers) - 1, switches: len(servers) + 2}
	for i, s := range servers {
		if i == 0 || i == len(servers)-1 {
			s = 0 // of way.out and way.in
		}
		at := []int{0, i + 1} // of the first and of others
		r.list = append(r.list, used{channel: s, share: 1, part: 1, chance: 1, at: at[min(i, 1)], to: i + 2})
	}
	return way{route: r, from: from, latency: latency, took: 1, seconds: 1, packets: 8, out: servers[0], in: servers[len(servers)-1]}
}

// played is when the last message of each flow is there.
func played(flows []collective.Flow, ways []way, ranks int) ([]float64, float64) {
	p := newStream(flows, ways, ranks, 100, 1)
	p.out, p.in = 10, 50
	end := p.run()
	return p.last, end
}

// TestStreamPorts by hand: a rank has two messages of 1 s at its port to take in, one that left first and takes 10 s and one that takes 2: the near one
// is there after 3 s and what waits for it after 6, whatever is still under way from afar, which is there after 11.
func TestStreamPorts(t *testing.T) {
	flows := []collective.Flow{{From: 0, To: 2, Count: 1}, {From: 1, To: 2, Count: 1}, {From: 2, To: 3, Count: 1, After: []collective.Need{{Flow: 1, Lead: 1}}}}
	last, end := played(flows, []way{plain(0, 10, 10, 52), plain(1, 2, 11, 52), plain(2, 2, 12, 53)}, 4)
	if end != 11 || last[1] != 3 || last[2] != 6 {
		t.Errorf("arrivals after %g s, the last after %g", last, end)
	}
}

// TestStreamLink by hand: messages of 1 s, 8 packets, of two senders take turns on the link that they share, from 2 s on, so that both are
// there at 4 s, the first an eighth sooner. What each sends next is a second later, since links carry what ports send in the meantime: the link
// is busy until 6 s. Messages of one packet each are not divided: the first is there at 3 s.
func TestStreamLink(t *testing.T) {
	flows := []collective.Flow{{From: 0, To: 2, Count: 2}, {From: 1, To: 3, Count: 2}}
	ways := []way{plain(0, 2, 10, 5, 52), plain(1, 2, 11, 5, 53)}
	if last, end := played(flows, ways, 4); end != 6 || last[0] != 6-1./8 {
		t.Errorf("arrivals after %g s, the last after %g", last, end)
	}
	for i := range ways {
		flows[i].Count, ways[i].packets, ways[i].draws = 1, 1, true
	}
	if last, end := played(flows, ways, 4); end != 4 || last[0] != 3 {
		t.Errorf("single packets: arrivals after %g s, the last after %g", last, end)
	}
}

// TestStreamLinkOfUnequal by hand: of a message of 8 packets and one of 24 that take turns on a link from 2 s on, an eighth of a second each, the short one is there when it has sent its eighth
// packet and the long one seven or eight, whichever came first; the link is busy for 4 s.
func TestStreamLinkOfUnequal(t *testing.T) {
	for short := range 2 {
		ways := []way{plain(0, 2, 10, 5, 52), plain(1, 2, 11, 5, 53)}
		long := &ways[1-short]
		long.took, long.seconds, long.packets = 3, 3, 24
		last, _ := played([]collective.Flow{{From: 0, To: 2, Count: 1}, {From: 1, To: 3, Count: 1}}, ways, 4)
		if want := 2 + float64(15+short)/8; last[short] != want || last[1-short] != 6 {
			t.Errorf("the short message %d: arrivals after %g s, want it after %g and the other after 6", short, last, want)
		}
	}
}

// TestDraws: on fattree(k=4,l=3), between pods, each packet takes one of two ways up, one of two further up, and the ways down that those lead to; on
// the mean each link has what the router's equal split gives it.
func TestDraws(t *testing.T) {
	n := on(t, "fattree(k=4,l=3)", 1)
	x, err := n.newRoutes().between(context.Background(), 0, len(n.Endpoint)-1)
	if err != nil {
		t.Fatal(err)
	}
	w := way{route: x, seconds: 8, packets: 8, draws: true}
	busy, packets, sum := make([]float64, len(x.list)), make([]float64, x.switches), make([]float64, len(x.list))
	rng := stream.New(1, "test")
	const times = 4000
	for range times {
		w.draw(busy, packets, rng)
		if packets[1] != 8 {
			t.Fatalf("%g of 8 packets arrive", packets[1])
		}
		for i := range sum {
			sum[i] += busy[i] / times
		}
	}
	for i, u := range x.list {
		// 32000 packets of 1 s with a chance of a quarter and more: three deviations of the mean are 0.06 s of 2.
		if want := 8 * u.share; math.Abs(sum[i]-want) > 0.02*want+0.02 {
			t.Errorf("link %d: busy for %g s on the mean, want %g", i, sum[i], want)
		}
	}
	if len(x.list) != 2+2+4+4+2 {
		t.Errorf("%d links and ports", len(x.list))
	}
}

// TestPlayNeverSooner: no collective is done before its busiest link or port has carried all that it has to.
func TestPlayNeverSooner(t *testing.T) {
	for _, design := range []string{"zcube(n=4,k=2)", "bcube(n=4,l=1)", "torus(k1=4,k2=4)", "fattree(k=4,l=3)", "complete(n=8)"} {
		n := on(t, design, 1)
		n.Link.Alpha = 0
		size := len(n.Endpoint)
		lone := func(_, _ topology.EndpointID, _ float64) (float64, float64) { return 1e-6, n.Link.BytesPerS }
		for _, a := range []collective.Algorithm{collective.Ring{N: size}, collective.DoubleTree{N: size, Segments: 8}, collective.Hierarchical{Inner: size / 4, Outer: 4}} {
			e, err := n.ByAlgorithm(context.Background(), workload.Communication{Kind: collective.AllReduce, Group: workload.Group{Stride: 1, Size: size}, Bytes: 1e6, Count: 1}, a, lone)
			if err != nil {
				t.Fatal(err)
			}
			if e.Total < e.Transfer*(1-rounding) || e.Transfer <= 0 {
				t.Errorf("%s, %s: %g s with %g s on the busiest link", design, a.Name(), e.Total, e.Transfer)
			}
		}
	}
}
