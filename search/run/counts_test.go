package run

import (
	"context"
	"fmt"
	"math/big"
	"testing"

	"toposearch/constraints"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
)

// blindModel knows no interval of any metric, so that every design is evaluated.
type blindModel struct{ searchtest.SizeModel }

func (m *blindModel) Enclose(bound.Box, *bound.Ladder, *metric.Intervals) {}

// boxBlindModel knows intervals of designs and none of boxes: seeds begin the enumeration, and the
// tree finds some of them dominated by what came since.
type boxBlindModel struct{ searchtest.SizeModel }

func (m *boxBlindModel) Enclose(b bound.Box, l *bound.Ladder, out *metric.Intervals) {
	if b.Single() {
		m.SizeModel.Enclose(b, l, out)
	}
}

// Each tuple of a complete enumeration is in exactly one count, by family and in all. The spaces
// hold s = (5, 3) with k = (1, 2) and not its canonical (3, 5) with (2, 1), or the like: designs
// with two names, neither canonical.
func TestCountsAddUp(t *testing.T) {
	for _, m := range []search.Model{&searchtest.SizeModel{}, &blindModel{}, &boxBlindModel{}} {
		for _, limits := range [][]constraints.Limit{nil, {searchtest.LimitOn(metric.Radix, true, 12)}} {
			st := searchtest.Small(t, 20, 90, limits...)
			st.Space = []study.FamilySpace{searchtest.Narrowed(st, "hyperx", 8, 5, 3, 1, 2, 2, 1, 1, 8), searchtest.Narrowed(st, "dragonfly", 4, 4, 4, 9, 1)}
			p := searchtest.ProblemOf(t, st, m)
			checkCounts(t, p, fmt.Sprintf("%T, %d limits", m, len(limits)))
		}
	}
}

func checkCounts(t *testing.T, p *search.Problem, what string) {
	t.Helper()
	want, _ := searchtest.BruteForce(t, p)
	d := search.NewDriver(p, nil, search.Options{Workers: 2})
	f, err := whole(context.Background(), d, nil)
	if err != nil || !f.Complete {
		t.Fatalf("%s: complete = %t, error %v", what, f != nil && f.Complete, err)
	}
	if len(f.Front) != len(want) {
		t.Errorf("%s: %d designs on the front, brute force %d", what, len(f.Front), len(want))
	}
	c := &f.Counts
	sum := addUp(c.Rejected, c.Dominated, c.Duplicates, c.Feasible)
	if sum.Cmp(c.Enumerated) != 0 {
		t.Errorf("%s: counts add up to %v, %v enumerated", what, sum, c.Enumerated)
	}
	for i := range c.Families {
		fc := &c.Families[i]
		sum := addUp(fc.Rejected, fc.Dominated, fc.Duplicates, fc.Feasible)
		if sum.Cmp(fc.Enumerated) != 0 || fc.Enumerated.Cmp(fc.Space) != 0 || fc.Dominated.Sign() < 0 {
			t.Errorf("%s: %s: counts add up to %v, %v enumerated of %v, %v dominated", what, fc.Family, sum, fc.Enumerated, fc.Space, fc.Dominated)
		}
	}
}

func addUp(rejected map[string]*big.Int, dominated, duplicates *big.Int, feasible int64) *big.Int {
	sum := big.NewInt(feasible)
	for _, n := range rejected {
		sum.Add(sum, n)
	}
	sum.Add(sum, dominated)
	return sum.Add(sum, duplicates)
}
