package routing

import (
	"context"
	"math"
	"slices"
	"testing"

	"toposearch/topology"
)

// Every permutation of small networks is tried: none loads a channel more than its bound, and the heaviest matching is
// one that loads the busiest of them most.
func TestWorstCaseAgainstAllPermutations(t *testing.T) {
	for _, c := range []struct {
		n    *topology.Network
		rule topology.Rule
	}{{torus(t, true, 6), torusDOR(1)}, {torus(t, false, 5), torusDOR(1)}, {hyperx(t, 2, 3), dor(1)}, {hyperx(t, 1, 3, 2), dor(2)},
		{zcube(t, 2, 2), monotone(2)}, {hyperx(t, 1, 2, 3), topology.Minimal()}} {
		r, err := New(c.n, c.rule)
		if err != nil {
			t.Fatal(err)
		}
		capacity := OwnCapacity(c.n)
		w, err := r.WorstCase(context.Background(), capacity, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		loads := func(flows []Flow) []float64 {
			l, err := r.FlowLoads(context.Background(), flows, LoadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			return l.Relative(c.n, capacity)
		}
		most := make([]float64, len(w.Bound))
		permutations(c.n.Endpoints(), func(to []int) {
			var flows []Flow
			for s, d := range to {
				if a, b := r.SetOf[c.n.GroupOf(topology.EndpointID(s))], r.SetOf[c.n.GroupOf(topology.EndpointID(d))]; s != d {
					flows = append(flows, Flow{int(a), int(b), 1})
				}
			}
			for i, x := range loads(flows) {
				most[i] = max(most[i], x)
			}
		})
		for i, x := range most {
			if x > w.Bound[i]*(1+1e-9) {
				t.Errorf("%s: channel %d is loaded by %v, its bound is %v", c.n.Design, i, x, w.Bound[i])
			}
		}
		if got, want := slices.Max(loads(w.Worst)), slices.Max(most); math.Abs(got-want) > 1e-9*want || math.Abs(slices.Max(w.Bound)-want) > 1e-9*want {
			t.Errorf("%s: the worst matching has %v, all permutations up to %v (bound %v)", c.n.Design, got, want, slices.Max(w.Bound))
		}
	}
}

// Two endpoints hang on their switches by two ports each, every one of half an endpoint's rate, and three lines of that
// rate join the switches. Split, a flow takes 2/3 of a line and all of the ports; on one path alone it would need one
// port and one line of twice their rate.
func TestWorstCaseOfOnePath(t *testing.T) {
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "switch"}}, []topology.LinkClass{{Name: "nic"}, {Name: "local"}})
	b.Switch(0, 2)
	for range 3 {
		b.Link(1, 0, 1)
	}
	b.Endpoints(1, []topology.SwitchID{0, 0})
	b.Endpoints(1, []topology.SwitchID{1, 1})
	b.EndpointLanes(2)
	n, err := b.Build("two switches")
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(n, topology.Minimal())
	if err != nil {
		t.Fatal(err)
	}
	for _, single := range []bool{false, true} {
		w, err := r.WorstCase(context.Background(), OwnCapacity(n), single, nil)
		if err != nil {
			t.Fatal(err)
		}
		line, port := 2.0/3, 1.0
		if single {
			line, port = 2, 2
		}
		for i, x := range w.Bound {
			want := line
			if i >= n.Channels() {
				want = port
			}
			if math.Abs(x-want) > 1e-12 {
				t.Errorf("single %v: %d (%d channels) has %v, want %v", single, i, n.Channels(), x, want)
			}
		}
	}
}

// permutations calls f with every permutation of 0..n-1, by Heap's algorithm.
func permutations(n int, f func(p []int)) {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	var rec func(k int)
	rec = func(k int) {
		if k == 1 {
			f(p)
			return
		}
		for i := range k {
			rec(k - 1)
			if j := i * (1 - k%2); i < k-1 {
				p[j], p[k-1] = p[k-1], p[j]
			}
		}
	}
	rec(n)
}

// The whole of a group sends to the next over one global link: 8 endpoints of dragonfly(p=2,a=4,h=2), of which nothing
// is proven beyond; and single paths are never better than even splits.
func TestWorstCaseOfADragonfly(t *testing.T) {
	n := dragonfly(t, 2, 4, 2)
	r, err := New(n, lgl())
	if err != nil {
		t.Fatal(err)
	}
	for _, single := range []bool{false, true} {
		w, err := r.WorstCase(context.Background(), OwnCapacity(n), single, nil)
		if err != nil {
			t.Fatal(err)
		}
		l, err := r.FlowLoads(context.Background(), w.Worst, LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := 1 / l.Throughput(n).Throughput; !near(slices.Max(w.Bound), 8) && math.Abs(slices.Max(w.Bound)-8) > 1e-4 || math.Abs(got-8) > 1e-4 {
			t.Errorf("single %v: bound %v, found %v, want 8", single, slices.Max(w.Bound), got)
		}
	}
}
