package routing

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"toposearch/topology"
)

// Longest matchings of the throughput bound's published cases: TUB = channels / hops.
func TestLongestMatching(t *testing.T) {
	for _, c := range []struct {
		n    *topology.Network
		hops int64
	}{
		{torus(t, true, 8, 8), 64 * 8},          // TUB 256/512 = 0.5
		{hyperx(t, 1, 8, 8), 64 * 2},            // TUB 896/128 = 7
		{hyperx(t, 1, 4, 4, 4), 64 * 3},         // TUB 576/192 = 3
		{dragonfly(t, 2, 4, 2), 72 * 3},         // every router has a partner at the diameter
		{zcube(t, 4, 2), 16},                    // no pair is farther than one switch link
		{torus(t, false, 4), 3 + 1 + 1 + 3},     // mesh of 4: 0-3, 1-2; the sum is at most 8
		{torus(t, false, 5), 4 + 2 + 2 + 2 + 2}, // 5 in a row: 2*(sum of |x - median|) = 12
	} {
		m, err := LongestMatching(context.Background(), c.n)
		if err != nil {
			t.Fatal(err)
		}
		if m.Hops != c.hops || !m.Exact {
			t.Errorf("%s of %d: %d hops, exact = %v, want %d", c.n.Design, c.n.Endpoints(), m.Hops, m.Exact, c.hops)
		}
		checkMatching(t, c.n, m)
	}
}

// checkMatching follows every pair over a field of its own.
func checkMatching(t *testing.T, n *topology.Network, m *Matching) {
	t.Helper()
	r, err := New(n, topology.Minimal())
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[int32]bool)
	var sum int64
	for e, d := range m.To {
		if int(d) == e || seen[d] {
			t.Fatalf("%s: endpoint %d sends to %d: itself, or a second one", n.Design, e, d)
		}
		seen[d] = true
		f := r.Field(int(r.SetOf[n.GroupOf(topology.EndpointID(d))]))
		_, hops := r.Inject(f, int(r.SetOf[n.GroupOf(topology.EndpointID(e))]), nil)
		sum += int64(hops)
	}
	if m.Exact && sum != m.Hops {
		t.Errorf("%s: the pairs are %d hops apart, want %d", n.Design, sum, m.Hops)
	}
}

// bestOf tries every permutation without fixed points.
func bestOf(dist [][]int64) int64 {
	n := len(dist)
	used := make([]bool, n)
	best := int64(-1)
	var try func(e int, sum int64)
	try = func(e int, sum int64) {
		if e == n {
			best = max(best, sum)
			return
		}
		for d := range n {
			if d != e && !used[d] {
				used[d] = true
				try(e+1, sum+dist[e][d])
				used[d] = false
			}
		}
	}
	try(0, 0)
	return best
}

func TestMatchingAgainstPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 150 {
		b := topology.NewBuilder(oneSwitch, twoLinks)
		sw := 2 + rng.IntN(5)
		b.Switch(0, sw)
		for s := 1; s < sw; s++ {
			b.Link(1, topology.SwitchID(rng.IntN(s)), topology.SwitchID(s))
		}
		left := 7
		for left > 0 {
			ports := []topology.SwitchID{topology.SwitchID(rng.IntN(sw))}
			if rng.IntN(4) == 0 {
				ports = append(ports, topology.SwitchID(rng.IntN(sw)))
			}
			k := min(left, 1+rng.IntN(3))
			b.Endpoints(k, ports)
			left -= k
		}
		n := built(t, b, fmt.Sprintf("random tree %d", i))
		r, err := New(n, topology.Minimal())
		if err != nil {
			t.Fatal(err)
		}
		dist := make([][]int64, n.Endpoints())
		for e := range dist {
			dist[e] = make([]int64, n.Endpoints())
			for d := range dist[e] {
				f := r.Field(int(r.SetOf[n.GroupOf(topology.EndpointID(d))]))
				_, h := r.Inject(f, int(r.SetOf[n.GroupOf(topology.EndpointID(e))]), nil)
				dist[e][d] = int64(h)
			}
		}
		m, err := LongestMatching(context.Background(), n)
		if err != nil {
			t.Fatal(err)
		}
		if want := bestOf(dist); m.Hops != want {
			t.Fatalf("%s: %d hops, want %d", n.Design, m.Hops, want)
		}
		checkMatching(t, n, m)
	}
}

// Large supplies and weights: the duals certify the optimum, so check them.
func TestAssignmentDuals(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		n := 3 + rng.IntN(30)
		w := make([]uint16, n*n)
		for i := range w {
			w[i] = uint16(rng.IntN(1 + rng.IntN(12)))
		}
		a := newAssignment(n, w)
		for i := range n {
			x := int32(1 + rng.IntN(9))
			a.supply[i], a.demand[(i+1)%n] = x, x
		}
		supply, demand := append([]int32(nil), a.supply...), append([]int32(nil), a.demand...)
		if err := a.solve(context.Background()); err != nil {
			t.Fatal(err)
		}
		var dual int64
		for i := range n {
			dual += int64(a.u[i])*int64(supply[i]) + int64(a.v[i])*int64(demand[i])
			var row, col int32
			for j := range n {
				row += a.flow[i*n+j]
				col += a.flow[j*n+i]
				if a.u[i]+a.v[j] < int32(w[i*n+j]) || a.flow[i*n+j] < 0 {
					t.Fatalf("pair %d, %d: duals %d + %d, weight %d, flow %d", i, j, a.u[i], a.v[j], w[i*n+j], a.flow[i*n+j])
				}
			}
			if row != supply[i] || col != demand[i] {
				t.Fatalf("row %d ships %d of %d, column gets %d of %d", i, row, supply[i], col, demand[i])
			}
		}
		if dual != a.value() {
			t.Fatalf("weight = %d, its dual bound is %d", a.value(), dual)
		}
	}
}

// Opposite pairs of an even ring fill both directions halfway round: each of the 2k channels
// carries k*(k/2)/2k = k/4, split evenly.
func TestWorstLoads(t *testing.T) {
	n := torus(t, true, 8)
	l, m, err := WorstLoads(context.Background(), n, topology.Minimal(), LoadOptions{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if m.Hops != 32 || !near(l.Throughput(n).Throughput, 0.5) {
		t.Errorf("hops %d, throughput %+v, want 32, 0.5", m.Hops, l.Throughput(n))
	}
	// A Dragonfly's natural routes share one global link for a whole group's traffic: at least
	// the known 1/(a*p) for group-adversarial traffic, never better than the bound 1.667.
	df := dragonfly(t, 2, 4, 2)
	l, _, err = WorstLoads(context.Background(), df, lgl(), LoadOptions{})
	if got := l.Throughput(df).Throughput; err != nil || got < 1.0/8 || got > 5.0/3 {
		t.Errorf("dragonfly: worst throughput = %v, %v", got, err)
	}
}

func TestLongestShift(t *testing.T) {
	n := torus(t, true, 64, 66)
	m, err := LongestMatching(context.Background(), n)
	if err != nil {
		t.Fatal(err)
	}
	// The hops of every pair by coordinates. Moving halfway round in one dimension alone is 33.
	ring := func(a, b, k int) int { d := (a - b + k) % k; return min(d, k-d) }
	sum := 0
	for e, d := range m.To {
		sum += ring(e%64, int(d)%64, 64) + ring(e/64, int(d)/64, 66)
	}
	if m.Exact || sum < 4224*33 || math.Abs(float64(m.Hops)-float64(sum)) > 0.02*float64(sum) {
		t.Errorf("hops = %d, exact = %v, want %d within 2 %%, false", m.Hops, m.Exact, sum)
	}
	checkMatchingIsPermutation(t, m)
}

func checkMatchingIsPermutation(t *testing.T, m *Matching) {
	t.Helper()
	seen := make([]bool, len(m.To))
	for e, d := range m.To {
		if int(d) == e || seen[d] {
			t.Fatalf("endpoint %d sends to %d", e, d)
		}
		seen[d] = true
	}
}

func BenchmarkLongestMatching(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, size := range []int{1000, 2000} {
		nb := topology.NewBuilder(oneSwitch, twoLinks)
		nb.Switch(0, size)
		for range 12 { // a union of 12 random cycles: degree 24
			p := rng.Perm(size)
			for i := range p {
				nb.Link(1, topology.SwitchID(p[i]), topology.SwitchID(p[(i+1)%size]))
			}
		}
		for s := range size {
			nb.Endpoints(8, []topology.SwitchID{topology.SwitchID(s)})
		}
		n := built(b, nb, "cycles")
		b.Run(fmt.Sprintf("switches=%d", size), func(b *testing.B) {
			for b.Loop() {
				m, err := LongestMatching(context.Background(), n)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(m.Hops)/float64(n.Endpoints()), "hops/endpoint")
			}
		})
	}
}

// TestHeaviestShipment: on up to six places with one or two units each, no permutation of the units weighs more.
func TestHeaviestShipment(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 60 {
		n := 2 + rng.IntN(4)
		amount, weight, unit := make([]int32, n), make([]uint16, n*n), []int(nil)
		for i := range amount {
			amount[i] = int32(1 + rng.IntN(2))
			for range amount[i] {
				unit = append(unit, i)
			}
		}
		for i := range weight {
			weight[i] = uint16(rng.IntN(200))
		}
		flow, err := HeaviestShipment(context.Background(), weight, amount)
		if err != nil {
			t.Fatal(err)
		}
		got, most := 0, 0
		for i, x := range flow {
			got += int(x) * int(weight[i])
		}
		used := make([]bool, len(unit))
		var place func(k, sum int)
		place = func(k, sum int) {
			if k == len(unit) {
				most = max(most, sum)
				return
			}
			for i := range used {
				if !used[i] {
					used[i] = true
					place(k+1, sum+int(weight[unit[k]*n+unit[i]]))
					used[i] = false
				}
			}
		}
		if len(unit) > 7 {
			continue // 5040 permutations are enough
		}
		if place(0, 0); got != most {
			t.Errorf("%v of %v: ships %d, the most is %d", amount, weight, got, most)
		}
	}
}
