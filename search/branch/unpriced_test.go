package branch

import (
	"context"
	"math/big"
	"slices"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
	"toposearch/topology"
)

// Where parts have no price, enumeration finds what brute force finds and counts rejections under the
// same names, but hardly evaluates a design that has no cost.
func TestUnpricedIsCutEarly(t *testing.T) {
	racing.Figures(t)
	for i, x := range []struct {
		family  int // of realSpaces
		no      func(p *catalog.Part) bool
		limited bool
		least   int64 // designs without a cost
	}{
		{2, func(p *catalog.Part) bool { return p.Kind == catalog.KindTransceiver && p.RateGbps > 200 }, false, 100},
		{2, func(p *catalog.Part) bool { return p.Kind == catalog.KindSwitch && p.Ports > 64 }, true, 20},
		{0, func(p *catalog.Part) bool { return p.Kind == catalog.KindFibre && p.LengthM > 20 }, false, 100},
	} {
		if testing.Short() && i != 1 {
			continue
		}
		list := *catalog.Builtin()
		list.Parts = slices.Clone(list.Parts)
		for k := range list.Parts {
			if x.no(&list.Parts[k]) {
				list.Parts[k].Priced = false
			}
		}
		p := searchtest.RealModel(t, unpricedStudy(t, x.family, &list, x.limited))
		want, names := rejections(t, p)
		got, d, e := EnumerateNames(t, p)
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("case %d: enumeration found %v, brute force %v", i, got, want)
		}
		without := "absent cost"
		if x.limited {
			without = "limits.cost"
		}
		sum := new(big.Int)
		for name, n := range e.Tally[0].Tuples(p.Spaces[0]) {
			if sum.Add(sum, n); names[name] == 0 && !slices.Contains([]string{constraints.Window, constraints.NoNetwork, search.Duplicate, search.Dominated}, name) {
				t.Errorf("case %d: %v tuples are rejected by %q, and none by brute force", i, n, name)
			}
		}
		if sum.Cmp(p.Spaces[0].Size) != 0 {
			t.Errorf("case %d: %v tuples accounted for, the space holds %v", i, sum, p.Spaces[0].Size)
		}
		dived := int64(0) // of a wide space some are evaluated before their cables were looked at
		if e.wide {
			dived = 2 * askDives
		}
		if names[without] < x.least || d.Prog.Evaluated > names[search.Feasible]+dived {
			t.Errorf("case %d: %d evaluations, where %d designs have a cost and %d have none", i, d.Prog.Evaluated, names[search.Feasible], names[without])
		}
		t.Logf("case %d: %v, %d evaluations, %d steps, front %d", i, names, d.Prog.Evaluated, e.visits, len(got))
	}
}

// unpricedStudy is a study of one of the real spaces with a price list of its own and, if limited, a limit on
// cost that whatever has one meets.
func unpricedStudy(t *testing.T, at int, list *catalog.Catalogue, limited bool) *study.Study {
	t.Helper()
	x := &realSpaces[at]
	st := x.study(t, x.min+60, evaluator.Options{Catalog: list})
	if limited {
		st.Constraints = &constraints.Set{Limits: []constraints.Limit{searchtest.LimitOn(metric.Cost, true, 1e9)}}
		st.Objectives = st.Objectives[1:]
	}
	return st
}

// rejections is bruteForce with a count for every name under which an evaluated design is rejected.
func rejections(t *testing.T, p *search.Problem) (names []string, counts map[string]int64) {
	t.Helper()
	counts = map[string]int64{}
	var f search.Archive
	searchtest.EachTuple(p.Spaces[0], func(v []int) {
		var s topology.Size
		canon := make([]int, len(v))
		if p.Spaces[0].Fam.Size(v, &s) != nil || s.Endpoints < p.Min || s.Endpoints > p.Max || p.Spaces[0].Duplicate(v, canon) {
			return
		}
		c := search.Candidate{V: canon}
		r, err := p.Model.Evaluate(context.Background(), p.Design(0, canon), p.Request)
		if err != nil {
			t.Fatal(err)
		}
		sc := p.ScoreEntry(search.NewEntry("", r))
		name := sc.Constraint
		if sc.Feasible() {
			name = search.Feasible
			f.Add(search.Member{Candidate: c, Vector: sc.V, Name: p.Name(c)})
		}
		counts[name]++
	})
	for _, m := range f.Ordered() {
		names = append(names, m.Name)
	}
	return names, counts
}

// Where prices of cables and switches fall with the quantity, so that parts are chosen together, bounds still
// exclude no design of the front.
func TestEnumerationWithPriceBreaks(t *testing.T) {
	racing.Figures(t)
	list := *catalog.Builtin()
	list.Parts = slices.Clone(list.Parts)
	for i := range list.Parts {
		if p := &list.Parts[i]; p.Priced && (p.Kind != catalog.KindSwitch || i%2 == 0) {
			p.PriceBreaks = []catalog.PriceBreak{{From: 200 + i*37%900, Price: p.UnitPrice * catalog.Money(30+i*13%60) / 100}}
			if i%7 == 0 {
				p.MOQ, p.Pack = 100, 1+i%9
			}
		}
	}
	for _, family := range []int{2, 0} {
		if testing.Short() && family != 2 {
			continue
		}
		p := searchtest.RealModel(t, unpricedStudy(t, family, &list, false))
		want, counts := rejections(t, p)
		got, d, e := EnumerateNames(t, p)
		if strings.Join(got, " ") != strings.Join(want, " ") || len(want) < 5 {
			t.Errorf("%s: enumeration found %v, brute force %v", p.Spaces[0].Fam.Name, got, want)
		}
		t.Logf("%v: %d steps, %d evaluations, front %d", counts, e.visits, d.Prog.Evaluated, len(got))
	}
}
