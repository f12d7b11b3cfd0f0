package collective

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// algorithms are all of a group of n ranks, in several shapes.
func algorithms(n int) []Algorithm {
	out := []Algorithm{Ring{N: n}, HalvingDoubling{n}, Direct{n}}
	for _, j := range []int{2, 3, 4} {
		if s := DisjointShifts(n, j); len(s) == j {
			out = append(out, Ring{n, s})
		}
	}
	for _, m := range []int{1, 2, 5, 16} {
		out = append(out, DoubleTree{n, m}, InNetwork{n, 2, m}, InNetwork{n, 4, m}, InNetwork{n, 64, m})
	}
	for a := 1; a <= n; a++ {
		if n%a != 0 {
			continue
		}
		out = append(out, Hierarchical{Inner: a, Outer: n / a}, Hierarchical{Inner: a, Outer: n / a, Mesh: true})
		if a > 1 && a < n {
			out = append(out, Torus{a, n / a})
		}
	}
	return out
}

// TestSchedules carries every piece through every schedule, and counts its steps and bytes beside the closed
// form.
func TestSchedules(t *testing.T) {
	sizes := []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15, 16, 17, 18, 20, 24, 25, 27, 31, 32}
	done := make(map[string]int)
	for _, n := range sizes {
		for _, a := range algorithms(n) {
			for _, k := range []Kind{AllReduce, ReduceScatter, AllGather, AllToAll, Broadcast} {
				want, err := a.Cost(k)
				s, serr := a.Schedule(k)
				if (err == nil) != (serr == nil) {
					t.Fatalf("%+v %s: Cost says %v, Schedule %v", a, k, err, serr)
				}
				if err != nil {
					continue
				}
				if s.Ranks+s.Switches <= MostChecked {
					if err := s.Check(); err != nil {
						t.Fatalf("%T%+v %s: %v", a, a, k, err)
					}
					done[fmt.Sprintf("%s %s", a.Name(), k)]++
				}
				compare(t, a, k, want, s.Cost())
			}
		}
	}
	if len(done) != 3*2+3+1+1+4+3+3+5+4 {
		t.Errorf("checked %v", done)
	}
}

// compare expects equality, and of the double tree that the closed form bounds the schedule within four
// steps a level: a segment that never waits for its colour passes up and down a level two steps earlier each.
func compare(t *testing.T, a Algorithm, k Kind, want, got Cost) {
	t.Helper()
	tree, ok := a.(DoubleTree)
	for l := range Levels {
		if ok {
			if got.Steps[l] > want.Steps[l] || got.Steps[l] < want.Steps[l]-4*tree.depth() {
				t.Errorf("%+v: %d steps, closed form %d", a, got.Steps[l], want.Steps[l])
			}
			continue
		}
		if got.Steps[l] != want.Steps[l] || math.Abs(got.Share[l]-want.Share[l]) > 1e-9 {
			t.Errorf("%T%+v %s, level %d: the schedule takes %d steps and %g of S, the closed form %d and %g",
				a, a, k, l, got.Steps[l], got.Share[l], want.Steps[l], want.Share[l])
		}
	}
}

// TestCheckFinds: each kind of fault is found by what a sound schedule becomes when one thing is changed.
func TestCheckFinds(t *testing.T) {
	for _, c := range []struct {
		what string
		kind Kind
		a    Algorithm
		harm func(*Schedule)
		want string
	}{
		{"one step less", AllReduce, Ring{N: 5}, func(s *Schedule) { s.Steps[1].Repeat-- }, "ends with"},
		{"a step doubled", AllReduce, HalvingDoubling{8}, func(s *Schedule) { s.Steps = append(s.Steps[:1:1], s.Steps...) }, "twice"},
		{"a wrong share", AllGather, Ring{N: 5}, func(s *Schedule) { s.Steps[0].Lanes[0].Share = 0.5 }, "of S"},
		{"a wrong partner", ReduceScatter, Ring{N: 5}, func(s *Schedule) { s.Steps[0].Lanes[0].Shift = 2 }, "ends with"},
		{"nothing to send", AllToAll, Direct{4}, func(s *Schedule) {
			s.Steps[0].Lanes[0].pieces = func(from, _ int, to []int) []int { return append(to, (from+1)%4*4) }
		}, "nothing"},
		{"a port used twice", AllGather, Ring{5, []int{1, -1}}, func(s *Schedule) { s.Steps[0].Lanes[1].Port = 0 }, "uses port"},
	} {
		s, err := c.a.Schedule(c.kind)
		if err != nil {
			t.Fatal(err)
		}
		c.harm(s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
}

// TestTime: an all-reduce of 1 GB among 8 ranks at 100 GB/s with 5 us a step takes 14 steps and 1.75 GB by a
// ring: 17.57 ms; 6 steps by halving: 17.53 ms; in-network with many segments near 10 ms, half
// of what a bus would show.
func TestTime(t *testing.T) {
	link := [Levels]Link{{5e-6, 100e9}, {}}
	in := InNetwork{8, 8, 0}
	in.Segments = in.BestSegments(link[0], 1e9)
	for _, c := range []struct {
		a      Algorithm
		lo, hi float64
	}{
		{Ring{N: 8}, 17.57e-3, 17.5701e-3},
		{HalvingDoubling{8}, 17.53e-3, 17.5301e-3},
		{in, 10e-3, 10.5e-3},
	} {
		cost, err := c.a.Cost(AllReduce)
		if err != nil {
			t.Fatal(err)
		}
		if got := cost.Time(link, 1e9); got < c.lo-1e-12 || got > c.hi {
			t.Errorf("%s: %g s, want %g to %g", c.a.Name(), got, c.lo, c.hi)
		}
	}
}

// TestBestSegments: neither one more nor one less is faster.
func TestBestSegments(t *testing.T) {
	for _, s := range []float64{1e5, 1e6, 1e8} {
		link := [Levels]Link{{4e-6, 25e9}, {}}
		time := func(a Algorithm) float64 {
			c, err := a.Cost(AllReduce)
			if err != nil {
				t.Fatal(err)
			}
			return c.Time(link, s)
		}
		m, k := DoubleTree{N: 100}.BestSegments(link[0], s), InNetwork{N: 100, Radix: 8}.BestSegments(link[0], s)
		for _, d := range []int{-2, 2} {
			if m+d > 0 && time(DoubleTree{100, m + d}) < time(DoubleTree{100, m})*(1-1e-3) {
				t.Errorf("double tree, %g bytes: %d segments are slower than %d", s, m, m+d)
			}
			if k+d > 0 && time(InNetwork{100, 8, k + d}) < time(InNetwork{100, 8, k})*(1-1e-3) {
				t.Errorf("in-network, %g bytes: %d segments are slower than %d", s, k, k+d)
			}
		}
	}
}

// TestDepth climbs from every rank; no rank has more than two children, and none in both trees.
func TestDepth(t *testing.T) {
	for n := 2; n < 300; n++ {
		deepest := 0
		for r := range n {
			d := 0
			for at := r; at != 0; d++ {
				at = binaryParent(at, n)
			}
			deepest = max(deepest, d)
		}
		if got := (DoubleTree{N: n}).depth(); got != deepest {
			t.Errorf("%d ranks: depth %d, want %d", n, got, deepest)
		}
		children := make([]int, n)
		for _, parents := range (DoubleTree{N: n}).parents() {
			for _, up := range parents {
				if up >= 0 {
					children[up]++
				}
			}
		}
		for r, c := range children {
			if c > 2 {
				t.Errorf("%d ranks: rank %d has %d children in both trees together", n, r, c)
			}
		}
	}
}

// A name that does not exist is told with the nearest, or with all there are, each once.
func TestParseKindNames(t *testing.T) {
	for text, want := range map[string]string{"allreduce:rung": `did you mean "ring"?`, "allreduce:foo": "one of ring, ", "allreduc": `did you mean "allreduce"?`, "foo": "one of allreduce, "} {
		if _, _, err := ParseKind(text); err == nil || strings.Count(err.Error(), want) != 1 || strings.Contains(err.Error(), "there are") {
			t.Errorf("%s: %v, want %q once", text, err, want)
		}
	}
}

// Steps of a workload print algorithms by their full names, which commands take, too.
func TestParseKindLongName(t *testing.T) {
	if k, by, err := ParseKind("allreduce:halving-doubling"); k != AllReduce || by != "halving" || err != nil {
		t.Errorf("%v by %q, %v", k, by, err)
	}
}
