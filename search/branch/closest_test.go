package branch

import (
	"context"
	"math"
	"slices"
	"testing"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
	"toposearch/topology/family/familytest"
)

// narrow is a study of two families small enough to try every tuple.
func narrow(t *testing.T, lo, hi int64, limits ...constraints.Limit) *study.Study {
	st := searchtest.Small(t, lo, hi, limits...)
	st.Space = []study.FamilySpace{searchtest.Narrowed(st, "hyperx", 8, 5, 3, 1, 2, 2, 1, 1, 8), searchtest.Narrowed(st, "dragonfly", 4, 4, 4, 9, 1)}
	return st
}

// The closest design and the smallest single relaxations are those that trying every tuple finds,
// and a relaxation, applied, admits its design.
func TestClosestIsBruteForce(t *testing.T) {
	for _, limits := range [][]constraints.Limit{
		{searchtest.LimitOn(metric.Radix, true, 6), searchtest.LimitOn(metric.UniformThroughput, false, 0.9)},
		{searchtest.LimitOn(metric.Cost, true, 9000), searchtest.LimitOn(metric.Latency, true, 150)},
		{searchtest.LimitOn(metric.Radix, true, 3)},
	} {
		p := searchtest.ProblemOf(t, narrow(t, 50, 60, limits...), &searchtest.SizeModel{})
		got, err := Closest(context.Background(), p, 2, []int{0, 1})
		searchtest.Must(t, err)
		if len(got) != 2 {
			t.Fatalf("%v: %d families explained, want 2", limits, len(got))
		}
		for i, c := range got {
			all := MissesOf(t, p, i)
			least, single := math.Inf(1), map[string]float64{}
			for _, ms := range all {
				least = math.Min(least, searchtest.Violation(ms))
				if len(ms) == 1 {
					if v, ok := single[ms[0].Constraint]; !ok || ms[0].Violation < v {
						single[ms[0].Constraint] = ms[0].Violation
					}
				}
			}
			if c.Violation != least || searchtest.Violation(all[c.Design]) != least || !c.Exhausted {
				t.Errorf("%v: %s: closest %s misses %g, the least is %g", limits, c.Family, c.Design, c.Violation, least)
			}
			if len(c.Relaxation) != len(single) {
				t.Errorf("%v: %s: relaxations %+v, want of %v", limits, c.Family, c.Relaxation, single)
			}
			for _, r := range c.Relaxation {
				if v := searchtest.Violation(all[r.Design]); v != single[r.Constraint] {
					t.Errorf("%v: %s: relaxing %s for %s means %g, the least is %g", limits, c.Family, r.Constraint, r.Design, v, single[r.Constraint])
				}
				checkAdmits(t, limits, r)
			}
		}
	}
}

// checkAdmits applies a relaxation and looks for its design among the feasible ones.
func checkAdmits(t *testing.T, limits []constraints.Limit, r search.Relaxation) {
	t.Helper()
	lo, hi := int64(50), int64(60)
	limits = slices.Clone(limits)
	switch r.Constraint {
	case constraints.Window:
		lo, hi = min(lo, int64(r.Needed)), max(hi, int64(r.Needed))
	default:
		for i := range limits {
			if limits[i].Name == r.Constraint {
				limits[i].Bound = r.Needed
			}
		}
	}
	p := searchtest.ProblemOf(t, narrow(t, lo, hi, limits...), &searchtest.SizeModel{})
	d := familytest.Parse(t, r.Design)
	ms, err := JudgeDesign(context.Background(), p, d)
	searchtest.Must(t, err)
	if len(ms.Misses) > 0 {
		t.Errorf("%v: %+v admits nothing: %s misses %+v", limits, r, r.Design, ms.Misses)
	}
}

// A family whose feasible designs are all dominated is not said to have none.
func TestClosestLeavesOutTheDominated(t *testing.T) {
	p := searchtest.ProblemOf(t, narrow(t, 50, 60), &searchtest.SizeModel{})
	got, err := Closest(context.Background(), p, 2, []int{0, 1})
	searchtest.Must(t, err)
	if len(got) != 0 {
		t.Errorf("families with feasible designs explained: %+v", got)
	}
}

// What a family's every design misses, by name.
func MissesOf(t *testing.T, p *search.Problem, space int) map[string][]constraints.Miss {
	t.Helper()
	out := map[string][]constraints.Miss{}
	sp := p.Spaces[space]
	searchtest.EachDesign(sp, func(canon []int) {
		ms, err := JudgeDesign(context.Background(), p, p.Design(space, canon))
		searchtest.Must(t, err)
		out[ms.Design] = ms.Misses
	})
	return out
}
