package branch

import (
	"context"
	"math"
	"slices"
	"testing"

	"toposearch/catalog"
	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/family/familytest"
)

// closestCases are limits that no design of the spaces meets, with settings that exclude parts.
var closestCases = []struct {
	ports  int     // of a switch, 0: not limited
	reachM float64 // of a cable, 0: not limited
	limits []constraints.Limit
}{
	{16, 0, []constraints.Limit{searchtest.LimitOn(metric.Latency, true, 1000)}},
	{32, 5, []constraints.Limit{searchtest.LimitOn(metric.Cost, true, 1.1e6)}},
	{0, 4, nil},
	{0, 0, []constraints.Limit{searchtest.LimitOn(metric.Cost, true, 2e5), searchtest.LimitOn(metric.UniformThroughput, false, 1), searchtest.LimitOn(metric.Latency, true, 900)}},
}

func closestProblem(t *testing.T, ports int, reachM float64, limits []constraints.Limit) *search.Problem {
	t.Helper()
	limits = slices.Clone(limits)
	if ports > 0 {
		limits = append(limits, constraints.Limit{Key: metric.PhysicalPorts, Name: metric.RejectPorts, Max: true, Bound: float64(ports)})
	}
	if reachM > 0 {
		limits = append(limits, constraints.Limit{Key: metric.CableMax, Name: metric.RejectReach, Max: true, Bound: reachM})
	}
	st := searchtest.Small(t, 250, 300, limits...)
	st.Options = evaluator.Options{BandwidthGbps: 400, Site: floor.Site{Limits: market.Limits{MaxSwitchPorts: ports, ReachM: reachM}}}
	st.Space = nil
	for _, x := range []struct {
		name   string
		values [][]int
	}{
		{"hyperx", [][]int{{2, 4, 6}, {1, 3, 6}, {1, 4}, {1}, {1, 2}, {1, 2}, {1}, {1}, {3, 10, 16, 33, 45}}},
		{"fattree", [][]int{{8, 12, 20, 32, 44}, {2, 3}, {topology.RatioEven, topology.RatioOf(3, 1)}, even, even, even, {4, 8, 12, 20}, {4, 8, 15, 20}}},
		{"torus", [][]int{{3, 5, 8}, {1, 3, 4}, {1, 2}, {1}, {1}, {1}, {2, 8, 16, 31, 60}}},
	} {
		f, _ := family.ByName(x.name)
		sp := study.FamilySpace{Family: f}
		for _, values := range x.values {
			sp.Domains = append(sp.Domains, study.Domain{Min: values[0], Max: values[len(values)-1], Values: values, Given: true})
		}
		st.Space = append(st.Space, sp)
	}
	return searchtest.RealModel(t, st)
}

// With the real evaluator, nothing is closer than the closest designs, and what relaxations name admits: a
// larger switch or longer cables too, which are bought then.
func TestClosestForReal(t *testing.T) {
	racing.Figures(t)
	relaxed := map[string]int{}
	for i, x := range closestCases {
		if testing.Short() && i > 1 {
			continue
		}
		p := closestProblem(t, x.ports, x.reachM, x.limits)
		got, err := Closest(context.Background(), p, 2, []int{0, 1, 2})
		searchtest.Must(t, err)
		if len(got) == 0 {
			t.Errorf("case %d: all families have a feasible design: nothing to explain", i)
		}
		for _, c := range got {
			space := slices.IndexFunc(p.Spaces, func(s *search.Space) bool { return s.Fam.Name == c.Family })
			least, design := leastViolation(t, p, space)
			if math.Abs(c.Violation-least) > 1e-12 || !c.Exhausted {
				t.Errorf("case %d: closest %s misses %g %+v, exhausted %t; %s misses %g", i, c.Design, c.Violation, c.Misses, c.Exhausted, design, least)
			}
			for _, r := range c.Relaxation {
				if m := c.Misses[0]; len(c.Misses) == 1 && m.Constraint == r.Constraint && m.Got != r.Needed {
					t.Errorf("case %d: %s misses %+v, and admitted by %+v", i, c.Design, m, r)
				}
				relaxed[r.Constraint]++
				checkRelaxed(t, i, r)
			}
		}
	}
	for _, name := range []string{metric.RejectPorts, metric.RejectReach, "limits.latency", constraints.Window} {
		if relaxed[name] == 0 && !testing.Short() {
			t.Errorf("no relaxation of %s is tested: %v", name, relaxed)
		}
	}
}

// leastViolation judges every tuple of a space.
func leastViolation(t *testing.T, p *search.Problem, space int) (least float64, design string) {
	t.Helper()
	loose, err := Loosened(p)
	searchtest.Must(t, err)
	least = math.Inf(1)
	sp := p.Spaces[space]
	searchtest.EachDesign(sp, func(canon []int) {
		j, err := JudgeDesign(context.Background(), p, p.Design(space, canon))
		searchtest.Must(t, err)
		all := []Judged{j}
		for _, q := range loose {
			if !j.NoPart {
				break
			}
			k, err := JudgeDesign(context.Background(), q, p.Design(space, canon))
			searchtest.Must(t, err)
			all = append(all, k)
		}
		for _, j := range all {
			if sum := violationOf(j.Misses); !j.NoPart && sum < least {
				least, design = sum, j.Design
			}
		}
	})
	return least, design
}

// checkRelaxed applies a relaxation: its design then meets everything, and with a little less it would not.
func checkRelaxed(t *testing.T, i int, r search.Relaxation) {
	t.Helper()
	misses := func(needed float64) []constraints.Miss {
		x := closestCases[i]
		x.limits = slices.Clone(x.limits)
		switch r.Constraint {
		case metric.RejectPorts:
			x.ports = int(needed)
		case metric.RejectReach:
			x.reachM = needed
		}
		for k := range x.limits {
			if x.limits[k].Name == r.Constraint {
				x.limits[k].Bound = needed
			}
		}
		p := closestProblem(t, x.ports, x.reachM, x.limits)
		if r.Constraint == constraints.Window {
			p.Min, p.Max = min(p.Min, int64(needed)), max(p.Max, int64(needed))
		}
		d := familytest.Parse(t, r.Design)
		j, err := JudgeDesign(context.Background(), p, d)
		searchtest.Must(t, err)
		return j.Misses
	}
	if ms := misses(r.Needed); len(ms) > 0 {
		t.Errorf("case %d: %+v admits nothing: %s misses %+v", i, r, r.Design, ms)
	}
	toward := r.Needed + (r.Bound-r.Needed)*0.01
	if r.Constraint == constraints.Window || r.Constraint == metric.RejectPorts {
		toward = r.Needed + math.Copysign(1, r.Bound-r.Needed)
	}
	if ms := misses(toward); len(ms) == 0 {
		t.Errorf("case %d: %+v: %g admits %s as well", i, r, toward, r.Design)
	}
}

// What a design misses for the ports of its switches is what the least limit asks for that admits it, not what the switch has that is the cheapest without one. By hand:
// each of 128 switches has 128 ports of 400 Gb/s, which one of 64 ports of 800 Gb/s has, each split in two.
func TestClosestMissesByLeastPorts(t *testing.T) {
	p := closestProblem(t, 16, 0, nil)
	d := familytest.Parse(t, "fattree(k=128,l=2,pods=64)")
	st := p.Study
	st.MinEndpoints, st.MaxEndpoints = 4096, 4096
	st.Space = []study.FamilySpace{{Family: d.Family}}
	for _, v := range d.V {
		st.Space[0].Domains = append(st.Space[0].Domains, study.Domain{Min: v, Max: v, Values: []int{v}, Given: true})
	}
	got, err := Closest(context.Background(), searchtest.RealModel(t, st), 1, []int{0})
	searchtest.Must(t, err)
	if len(got) != 1 || len(got[0].Misses) != 1 || len(got[0].Relaxation) != 1 {
		t.Fatalf("closest: %+v, want one that misses one limit", got)
	}
	if m, r := got[0].Misses[0], got[0].Relaxation[0]; m.Constraint != metric.RejectPorts || m.Got != 64 || m.Violation != 3 || r.Constraint != m.Constraint || r.Needed != m.Got {
		t.Errorf("misses %+v, and admitted by %+v", m, r)
	}
}

// A family whose designs all lack an objective, for want of a price, is explained by that.
func TestClosestWithoutPrices(t *testing.T) {
	p := closestProblem(t, 0, 0, nil)
	list := *catalog.Builtin()
	list.Parts = slices.Clone(list.Parts)
	for i := range list.Parts {
		if list.Parts[i].Kind == catalog.KindSwitch {
			list.Parts[i].Priced = false
		}
	}
	p.Study.Options.Catalog = &list
	p = searchtest.RealModel(t, p.Study)
	got, err := Closest(context.Background(), p, 2, []int{0, 1, 2})
	searchtest.Must(t, err)
	for _, c := range got {
		if len(c.Misses) != 1 || c.Misses[0].Constraint != constraints.AbsentPrefix+"cost" || c.Misses[0].Why == "" || !c.Exhausted || len(c.Relaxation) > 0 {
			t.Errorf("%+v: want one miss, of the cost, with its reason", c)
		}
	}
	if len(got) != 3 {
		t.Errorf("%d families explained, want 3", len(got))
	}
}

// Whole spaces of all families, where no design is cheap enough: there is an answer for each. A first attempt nearly
// always has it. Its dives are random, though, and where most of them end at no design it may come by none: a second
// one, as large as if all families needed it, has it then.
func TestClosestInWholeSpaces(t *testing.T) {
	if testing.Short() || racing.On {
		t.Skip("some seconds")
	}
	st := searchtest.Small(t, 1024, 1152, searchtest.LimitOn(metric.Cost, true, 5e5), searchtest.LimitOn(metric.MaxHops, true, 3),
		constraints.Limit{Key: metric.CableMax, Name: metric.RejectReach, Max: true, Bound: 5})
	st.Options = evaluator.Options{BandwidthGbps: 400, Site: floor.Site{Limits: market.Limits{ReachM: 5}}}
	st.Space = nil
	for _, f := range family.All() {
		if f.Name != "bus" { // it has no cost
			st.Space = append(st.Space, study.FamilySpace{Family: f})
		}
	}
	p := searchtest.RealModel(t, st)
	loose, err := Loosened(p)
	searchtest.Must(t, err)
	again := 0
	for i, sp := range p.Spaces {
		c := closest{p: p, loose: loose, family: i, target: target{kind: everything}, best: math.Inf(1)}
		searchtest.Must(t, c.search(context.Background(), effort{closestFirst, evaluationsMost}))
		if c.found == nil {
			again++
			searchtest.Must(t, c.search(context.Background(), effort{closestAll / len(p.Spaces), evaluationsMost}))
		}
		if c.found == nil || c.best > 100 {
			t.Errorf("%s: the closest found is %+v, which misses %g", sp.Fam.Name, c.found, c.best)
		}
	}
	if again*20 > len(p.Spaces) {
		t.Errorf("first attempts found nothing in %d of %d families, want one in twenty at most", again, len(p.Spaces))
	}
}
