package topology_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/topotest"
)

// random makes a network with random links and groups: endpoint-less switches, parallel links,
// several ports, embedded switches and, if islands, parts that do not meet.
func random(t testing.TB, seed uint64, embedded, islands bool) *topology.Network {
	t.Helper()
	rng := stream.New(seed, "distance test")
	sw := []topology.SwitchClass{{Name: "a"}, {Name: "b", Embedded: embedded}}
	links := []topology.LinkClass{{Name: "nic"}, {Name: "local"}, {Name: "global"}}
	if embedded {
		links = []topology.LinkClass{{Name: "internal"}, {Name: "nic"}, {Name: "direct"}}
	}
	b := topology.NewBuilder(sw, links)
	k := 3 + rng.IntN(60)
	emb := k + rng.IntN(k)
	b.Switch(0, k)
	b.Switch(1, emb-k)
	links2 := emb + rng.IntN(2*emb)
	if islands {
		links2 = emb / 2
	} else {
		for v := 1; v < emb; v++ {
			b.Link(classOf(embedded, v, k), topology.SwitchID(v), topology.SwitchID(rng.IntN(min(v, k))))
		}
	}
	for range links2 {
		x, y := rng.IntN(emb), rng.IntN(emb)
		if x != y {
			b.Link(classOf(embedded, max(x, y), k)+boolInt(min(x, y) >= k), topology.SwitchID(x), topology.SwitchID(y))
		}
	}
	if embedded {
		for v := k; v < emb; v++ {
			b.Endpoints(1, []topology.SwitchID{topology.SwitchID(v)})
		}
	} else {
		for range 1 + rng.IntN(2*k) {
			var ports []topology.SwitchID
			for range 1 + rng.IntN(int(seed%3)+1) {
				ports = append(ports, topology.SwitchID(rng.IntN(emb)))
			}
			b.Endpoints(1+rng.IntN(5), ports)
		}
	}
	n, err := b.Build(fmt.Sprintf("random %d", seed))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func classOf(embedded bool, upper, k int) int {
	if upper < k {
		return 2
	}
	return 1
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestDistancesPlainTwin compares the words of bits, and the search one by one, with the plain
// breadth-first search of topotest.
func TestDistancesPlainTwin(t *testing.T) {
	for seed := range uint64(120) {
		n := random(t, seed, seed%4 == 0, seed%5 == 0)
		ends := 2
		if n.LinkClasses[0].Name == topology.ClassInternal {
			ends = 0
		}
		want := topotest.Lengths(n)
		for _, workers := range []int{1, 3} {
			d, err := n.Distances(context.Background(), topology.DistanceOptions{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if d.Unreachable != want[-1] {
				t.Errorf("%s: %d pairs unreachable, want %d", n.Design, d.Unreachable, want[-1])
			}
			for l, k := range d.Pairs {
				if k != want[l+ends] {
					t.Errorf("%s: %d pairs at distance %d, want %d", n.Design, k, l, want[l+ends])
				}
			}
			if n.Endpoints() > 1 && len(d.Pairs)+ends <= topotest.MaxPathLinks(n) {
				t.Errorf("%s: distances end at %d, want %d", n.Design, len(d.Pairs)-1+ends, topotest.MaxPathLinks(n))
			}
		}
	}
}

// TestDistancesOrbits: with every endpoint as its own orbit the answer is that of all pairs, once
// by words of bits and once, with few endpoints at a time, one by one.
func TestDistancesOrbits(t *testing.T) {
	for seed := range uint64(40) {
		n := random(t, seed, seed%2 == 0, false)
		all, err := n.Distances(context.Background(), topology.DistanceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		sum, bare := make([]int64, len(all.Pairs)), make([]int64, len(all.Pairs))
		for e := range n.Endpoints() {
			d, err := n.Distances(context.Background(), topology.DistanceOptions{Orbits: []topology.Orbit{{Rep: int32(e), Count: 1}}})
			if err != nil {
				t.Fatal(err)
			}
			for l, k := range d.Pairs {
				sum[l] += k
			}
			for l, k := range d.NoNic {
				bare[l] += k
			}
		}
		if fmt.Sprint(sum) != fmt.Sprint(all.Pairs) {
			t.Errorf("%s: one by one %v, together %v", n.Design, sum, all.Pairs)
		}
		if all.NoNic != nil && fmt.Sprint(bare) != fmt.Sprint(all.NoNic) {
			t.Errorf("%s: without nic one by one %v, together %v", n.Design, bare, all.NoNic)
		}
	}
}

// TestDistancesFailed compares a failed switch with the network built without its links.
func TestDistancesFailed(t *testing.T) {
	for seed := range uint64(40) {
		n := random(t, 1+3*seed, false, false)
		dead := topology.SwitchID(seed) % topology.SwitchID(n.Switches())
		b := topology.NewBuilder(n.SwitchClasses, n.LinkClasses)
		b.Switch(0, n.Switches()+1)
		for s := range topology.SwitchID(n.Switches()) {
			for c, end := n.Out(s); c < end; c++ {
				if n.Rev(c) > c && s != dead && n.To(c) != dead {
					b.Link(n.LinkClass(c), s, n.To(c))
				}
			}
		}
		lost := int64(0) // endpoints with all ports on the dead switch stand alone, each on its own
		for g := range n.Groups() {
			first, end, ports := n.Group(g)
			var left []topology.SwitchID
			for _, p := range ports {
				if p != dead {
					left = append(left, p)
				}
			}
			if left == nil {
				lost += int64(end - first)
				continue
			}
			b.Endpoints(int(end-first), left)
		}
		m, err := b.Build("cut")
		if err != nil {
			t.Fatal(err)
		}
		want, err := m.Distances(context.Background(), topology.DistanceOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := n.Distances(context.Background(), topology.DistanceOptions{Fail: true, Failed: dead})
		if err != nil {
			t.Fatal(err)
		}
		for l := range max(len(want.Pairs), len(got.Pairs)) {
			if at(got.Pairs, l) != at(want.Pairs, l) {
				t.Errorf("%s without %d: %d pairs at %d, want %d", n.Design, dead, at(got.Pairs, l), l, at(want.Pairs, l))
			}
		}
		all := int64(n.Endpoints())
		if want := want.Unreachable + lost*(all-1) + (all-lost)*lost; got.Unreachable != want {
			t.Errorf("%s without %d: %d pairs unreachable, want %d", n.Design, dead, got.Unreachable, want)
		}
	}
}

func at(a []int64, i int) int64 {
	if i < len(a) {
		return a[i]
	}
	return 0
}

// TestDiameterKnown: a path of k switches has diameter k-1, whatever hangs where.
func TestDiameterKnown(t *testing.T) {
	for _, k := range []int{1, 2, 11, 300} {
		b := topology.NewBuilder([]topology.SwitchClass{{Name: "a"}}, []topology.LinkClass{{Name: "nic"}, {Name: "l"}})
		b.Switch(0, k)
		for v := 1; v < k; v++ {
			b.Link(1, topology.SwitchID(v-1), topology.SwitchID(v))
		}
		b.Endpoints(2, []topology.SwitchID{0})
		n, err := b.Build("path")
		if err != nil {
			t.Fatal(err)
		}
		d, ok, err := n.Diameter(context.Background(), nil, 2)
		if err != nil || !ok || d != k-1 {
			t.Errorf("path of %d: diameter %d, connected %v, %v; want %d", k, d, ok, err, k-1)
		}
	}
}

func TestDistancesStop(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := random(t, 1, false, false).Distances(ctx, topology.DistanceOptions{}); err != context.Canceled {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

// regular makes a random graph of even degree from permutations.
func regular(t testing.TB, switches, degree int) *topology.Network {
	rng := stream.New(1, "regular")
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "a"}}, []topology.LinkClass{{Name: "nic"}, {Name: "l"}})
	b.Switch(0, switches)
	for range degree / 2 {
		perm := rng.Perm(switches)
		for i, v := range perm {
			b.Link(1, topology.SwitchID(v), topology.SwitchID(perm[(i+1)%switches]))
		}
	}
	for v := range switches {
		b.Endpoints(16, []topology.SwitchID{topology.SwitchID(v)})
	}
	n, err := b.Build("regular")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// BenchmarkDistances: the issue asks for 10,000 switches of degree 48 in under 0.3 s.
func BenchmarkDistances(b *testing.B) {
	for _, c := range []struct{ switches, degree int }{{1000, 24}, {10000, 48}} {
		b.Run(fmt.Sprintf("switches=%d/degree=%d", c.switches, c.degree), func(b *testing.B) {
			n := regular(b, c.switches, c.degree)
			for b.Loop() {
				if _, err := n.Distances(context.Background(), topology.DistanceOptions{Workers: runtime.GOMAXPROCS(0)}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
