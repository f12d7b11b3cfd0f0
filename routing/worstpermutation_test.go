package routing

import (
	"context"
	"math"
	"slices"
	"testing"

	"toposearch/topology"
)

// What natural routes carry of the worst permutation where it is known, at the busiest channel: of a dragonfly 1/(ap), all of a group
// over one link; of a HyperX 1/t, all of a switch to one other; of a ring of 8 a third, the tornado.
func TestWorstPermutationKnown(t *testing.T) {
	for _, c := range []struct {
		n       *topology.Network
		rule    topology.Rule
		carried float64
		whole   float64 // of all
	}{
		{dragonfly(t, 2, 4, 2), lgl(), 1. / 8, 1. / 6}, // of 9 groups one sends to several
		{hyperx(t, 4, 4, 4), dor(2), 1. / 4, 1. / 4},
		{torus(t, true, 8), torusDOR(1), 1. / 3, 1. / 2},
	} {
		to, how := worstOf(t, c.n, c.rule)
		r, err := New(c.n, c.rule)
		if err != nil {
			t.Fatal(err)
		}
		l, err := r.FlowLoads(context.Background(), r.Flows(to), LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := 1 / slices.Max(l.Relative(c.n, OwnCapacity(c.n))); math.Abs(got-c.carried) > 1e-6 {
			t.Errorf("%s: %v of it is carried, want %v (%s)", c.n.Design, got, c.carried, how)
		}
		s, err := r.FairShares(context.Background(), r.Flows(to), OwnCapacity(c.n))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Accepted(1, 1); got > c.whole+1e-6 {
			t.Errorf("%s: %v of all is carried, want at most %v (%s)", c.n.Design, got, c.whole, how)
		}
		if x := s.Saturation(0.97, 1); math.Abs(s.Accepted(x, 1)-0.97) > 1e-4 {
			t.Errorf("%s: %v is accepted at load %v", c.n.Design, s.Accepted(x, 1), x)
		}
	}
}

func worstOf(t *testing.T, n *topology.Network, rule topology.Rule) ([]int32, string) {
	t.Helper()
	r, err := New(n, rule)
	if err != nil {
		t.Fatal(err)
	}
	to, how, err := r.WorstPermutation(context.Background(), OwnCapacity(n))
	if err != nil {
		t.Fatal(err)
	}
	taken := make([]bool, len(to))
	for e, d := range to {
		if d < 0 || int(d) == e || taken[d] {
			t.Fatalf("%s: endpoint %d sends to %d: nobody, itself, or a second one", n.Design, e, d)
		}
		taken[d] = true
	}
	return to, how
}

// Every permutation of small networks is tried: none is carried much less. Of a ring of 6, on which one channel is filled after the
// other, one is by a quarter.
func TestWorstPermutationAgainstAll(t *testing.T) {
	for _, c := range []struct {
		n    *topology.Network
		rule topology.Rule
	}{{torus(t, true, 6), torusDOR(1)}, {torus(t, true, 7), torusDOR(1)}, {torus(t, false, 5), torusDOR(1)}, {hyperx(t, 2, 3), dor(1)}, {hyperx(t, 1, 3, 2), dor(2)},
		{zcube(t, 2, 2), monotone(2)}, {hyperx(t, 1, 2, 3), topology.Minimal()}, {hyperx(t, 1, 7), topology.Minimal()}} {
		to, how := worstOf(t, c.n, c.rule)
		r, err := New(c.n, c.rule)
		if err != nil {
			t.Fatal(err)
		}
		carried := func(to []int32) float64 {
			s, err := r.FairShares(context.Background(), r.Flows(to), OwnCapacity(c.n))
			if err != nil {
				t.Fatal(err)
			}
			return s.Accepted(1, 1)
		}
		least := 1.0
		permutations(c.n.Endpoints(), func(all []int) {
			next := make([]int32, len(all))
			for e, d := range all {
				if next[e] = int32(d); e == d {
					return
				}
			}
			least = min(least, carried(next))
		})
		got := carried(to)
		if got*0.75 > least+1e-9 {
			t.Errorf("%s %s of %d: %v is carried, least %v: %s", c.n.Design, c.rule.Name, c.n.Endpoints(), got, least, how)
		}
	}
}
