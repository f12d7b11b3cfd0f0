package routing

import (
	"context"
	"testing"

	"toposearch/topology"
)

// graph joins pairs of switches and hangs some endpoints on each.
func graph(t testing.TB, size, per int, joined func(a, b int) bool) *topology.Network {
	b := topology.NewBuilder(oneSwitch, twoLinks)
	b.Switch(0, size)
	for x := range size {
		for y := range x {
			if joined(x, y) {
				b.Link(1, topology.SwitchID(x), topology.SwitchID(y))
			}
		}
		b.Endpoints(per, []topology.SwitchID{topology.SwitchID(x)})
	}
	return built(t, b, "graph")
}

// hoffmanSingleton is Slim Fly q=5: pentagons 0-4 and pentagrams 5-9; vertex j of pentagon h joins
// vertex h*i+j of pentagram i (Robertson 1969).
func hoffmanSingleton(a, b int) bool {
	x, y := max(a, b), min(a, b)
	g, h, i, j := x/5, y/5, x%5, y%5
	switch d := (i - j + 5) % 5; {
	case g == h && g < 5:
		return d == 1 || d == 4
	case g == h:
		return d == 2 || d == 3
	case g >= 5 && h < 5:
		return (h*(g-5)+j)%5 == i
	}
	return false
}

// polarfly joins the points of the projective plane of order q whose product is 0 (Erdős-Rényi,
// Brown; PolarFly, SC 2022).
func polarfly(q int) func(a, b int) bool {
	var points [][3]int
	for x := range q {
		for y := range q {
			points = append(points, [3]int{1, x, y})
		}
		points = append(points, [3]int{0, 1, x})
	}
	points = append(points, [3]int{0, 0, 1})
	return func(a, b int) bool {
		p, r := points[a], points[b]
		return (p[0]*r[0]+p[1]*r[1]+p[2]*r[2])%q == 0
	}
}

// Figures that other programs found for these graphs: largest load of a channel in units of a
// pair of switches, mean hops, links, throughput bound for the longest matching with one
// endpoint per switch, VCs of all shortest routes.
func TestPublishedGraphs(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name   string
		size   int
		joined func(a, b int) bool
		links  int
		load   float64
		hops   float64
		tub    float64
		vcs    int
	}{
		{"Hoffman-Singleton", 50, hoffmanSingleton, 175, 13, 13.0 / 7, 3.5, 2},
		{"PolarFly q=7", 57, polarfly(7), 224, 14, 1.859649, 3.929825, 2},
	} {
		n := graph(t, c.size, 1, c.joined)
		if n.Channels() != 2*c.links {
			t.Fatalf("%s: %d channels, want %d", c.name, n.Channels(), 2*c.links)
		}
		l := uniform(t, n, topology.Minimal(), LoadOptions{})
		if got := l.Kinds[0].Max * float64(c.size-1); !near(got, c.load) {
			t.Errorf("%s: largest load = %v, want %v", c.name, got, c.load)
		}
		if d := l.MeanHops - c.hops; d > 1e-6 || d < -1e-6 {
			t.Errorf("%s: mean hops = %v, want %v", c.name, l.MeanHops, c.hops)
		}
		m, err := LongestMatching(ctx, n)
		if err != nil {
			t.Fatal(err)
		}
		if d := float64(2*c.links)/float64(m.Hops) - c.tub; d > 1e-6 || d < -1e-6 {
			t.Errorf("%s: throughput bound = %v, want %v", c.name, float64(2*c.links)/float64(m.Hops), c.tub)
		}
		if got, _, err := MinimalVCs(ctx, n, topology.Minimal()); err != nil || got != c.vcs {
			t.Errorf("%s: VCs = %d, %v, want %d", c.name, got, err, c.vcs)
		}
	}
}

// BookSim2's Slim Fly run, q = 5 with 4 endpoints per switch, was predicted to saturate at
// 200/208; that counts traffic to oneself, which is 1/200 of it.
func TestSlimFlyThroughput(t *testing.T) {
	n := graph(t, 50, 4, hoffmanSingleton)
	if got := uniform(t, n, topology.Minimal(), LoadOptions{}).Throughput(n).Throughput; !near(got, 199.0/208) {
		t.Errorf("throughput = %v, want 199/208", got)
	}
}
