package search

import (
	"context"
	"math"
	"slices"
	"testing"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
)

// narrow is a study of two families small enough to try every tuple.
func narrow(t *testing.T, lo, hi int64, limits ...constraints.Limit) *study.Study {
	st := Small(t, lo, hi, limits...)
	st.Space = []study.FamilySpace{Narrowed(st, "hyperx", 8, 5, 3, 1, 2, 2, 1, 1, 8), Narrowed(st, "dragonfly", 4, 4, 4, 9, 1)}
	return st
}

// The closest design and the smallest single relaxations are those that trying every tuple finds,
// and a relaxation, applied, admits its design.
func TestClosestIsBruteForce(t *testing.T) {
	for _, limits := range [][]constraints.Limit{
		{LimitOn(metric.Radix, true, 6), LimitOn(metric.UniformThroughput, false, 0.9)},
		{LimitOn(metric.Cost, true, 9000), LimitOn(metric.Latency, true, 150)},
		{LimitOn(metric.Radix, true, 3)},
	} {
		p := ProblemOf(t, narrow(t, 50, 60, limits...), &SizeModel{})
		got, err := p.Closest(context.Background(), 2, []int{0, 1})
		Must(t, err)
		if len(got) != 2 {
			t.Fatalf("%v: %d families explained, want 2", limits, len(got))
		}
		for i, c := range got {
			all := MissesOf(t, p, i)
			least, single := math.Inf(1), map[string]float64{}
			for _, ms := range all {
				least = math.Min(least, Violation(ms))
				if len(ms) == 1 {
					if v, ok := single[ms[0].Constraint]; !ok || ms[0].Violation < v {
						single[ms[0].Constraint] = ms[0].Violation
					}
				}
			}
			if c.Violation != least || Violation(all[c.Design]) != least || !c.Exhausted {
				t.Errorf("%v: %s: closest %s misses %g, the least is %g", limits, c.Family, c.Design, c.Violation, least)
			}
			if len(c.Relaxation) != len(single) {
				t.Errorf("%v: %s: relaxations %+v, want of %v", limits, c.Family, c.Relaxation, single)
			}
			for _, r := range c.Relaxation {
				if v := Violation(all[r.Design]); v != single[r.Constraint] {
					t.Errorf("%v: %s: relaxing %s for %s means %g, the least is %g", limits, c.Family, r.Constraint, r.Design, v, single[r.Constraint])
				}
				checkAdmits(t, limits, r)
			}
		}
	}
}

// checkAdmits applies a relaxation and looks for its design among the feasible ones.
func checkAdmits(t *testing.T, limits []constraints.Limit, r Relaxation) {
	t.Helper()
	lo, hi := int64(50), int64(60)
	limits = slices.Clone(limits)
	switch r.Constraint {
	case Window:
		lo, hi = min(lo, int64(r.Needed)), max(hi, int64(r.Needed))
	default:
		for i := range limits {
			if limits[i].Name == r.Constraint {
				limits[i].Bound = r.Needed
			}
		}
	}
	p := ProblemOf(t, narrow(t, lo, hi, limits...), &SizeModel{})
	d, err := topology.ParseDesign(r.Design, family.All())
	Must(t, err)
	ms, err := p.JudgeDesign(context.Background(), d)
	Must(t, err)
	if len(ms.Misses) > 0 {
		t.Errorf("%v: %+v admits nothing: %s misses %+v", limits, r, r.Design, ms.Misses)
	}
}

// A family whose feasible designs are all dominated is not said to have none.
func TestClosestLeavesOutTheDominated(t *testing.T) {
	p := ProblemOf(t, narrow(t, 50, 60), &SizeModel{})
	got, err := p.Closest(context.Background(), 2, []int{0, 1})
	Must(t, err)
	if len(got) != 0 {
		t.Errorf("families with feasible designs explained: %+v", got)
	}
}

// What a family's every design misses, by name.
func MissesOf(t *testing.T, p *Problem, space int) map[string][]Miss {
	t.Helper()
	out := map[string][]Miss{}
	sp := p.Spaces[space]
	EachDesign(sp, func(canon []int) {
		ms, err := p.JudgeDesign(context.Background(), p.Design(space, canon))
		Must(t, err)
		out[ms.design] = ms.Misses
	})
	return out
}
