package branch

import (
	"context"
	"errors"
	"fmt"
	"math"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/topology"
)

// How hard the search for the closest design of a family tries, per family and per limit that
// might be relaxed. Most searches end within a few thousand steps of a few us, since nothing that
// is left can be closer; those that do not begin again with more, and with what was found so far.
const (
	closestFirst = 20_000    // steps of a first attempt
	closestMost  = 1_000_000 // and of a second one, but
	closestAll   = 6_000_000 // all second attempts together take at most so many
	// An evaluation costs a thousand steps, and far more where a limit asks for a metric of level 2.
	closestEvaluations = 100
)

// closest looks, for each family of which no design was found feasible, for the design with the
// smallest violation, and for each limit for the smallest change of it alone that admits a design.
// Families that turn out to have a feasible design, which the front outdoes, are left out.
func Closest(ctx context.Context, p *search.Problem, workers int, families []int) ([]search.Closest, error) {
	relaxed, err := relaxations(p)
	if err != nil {
		return nil, err
	}
	loose, err := loosened(p)
	if err != nil {
		return nil, err
	}
	found := make([]nearFamily, len(families))
	for i, f := range families {
		found[i].family = f
		add := func(n nearest) {
			n.family, n.value = f, math.Inf(1)
			found[i].searches = append(found[i].searches, n)
		}
		add(nearest{p: p, loose: loose, only: anyLimit})
		for only := onlyWindow; only < len(p.Limits); only++ {
			if only < 0 || len(relaxed) == 0 || !p.Limits[only].Max || !setsEvaluation(p.Limits[only].Name) {
				add(nearest{p: p, only: only})
			}
		}
		for k := range relaxed {
			add(nearest{p: relaxed[k].p, only: relaxed[k].only, relaxed: &relaxed[k]})
		}
	}
	// All limits together first: that tells the families with a feasible design. Then limit by limit,
	// which bounds the sum as well; and again what is not sure yet.
	for _, round := range []struct {
		all    bool
		visits int
	}{{true, closestFirst}, {false, closestFirst}, {false, closestMost}, {true, closestMost}} {
		if err := nearRound(ctx, p, workers, found, round.all, round.visits); err != nil {
			return nil, err
		}
	}
	var out []search.Closest
	for i := range found {
		if !found[i].feasible() {
			out = append(out, found[i].tell())
		}
	}
	return out, nil
}

// nearFamily is the searches for the closest designs of a family, that over all limits first.
type nearFamily struct {
	family   int
	searches []nearest
}

// nearRound lets the searches that are not at their end try, either those over all limits together or those
// of single limits.
func nearRound(ctx context.Context, p *search.Problem, workers int, found []nearFamily, all bool, visits int) error {
	var jobs []*nearest
	for i := range found {
		for k := range found[i].searches {
			if n := &found[i].searches[k]; !n.exhausted && !found[i].feasible() && (n.only == anyLimit) == all {
				jobs = append(jobs, n)
			}
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	visits = min(visits, max(closestAll/len(jobs), closestFirst))
	errs := make([]error, len(jobs))
	search.Each(ctx, workers, len(jobs), func(_, i int) { errs[i] = jobs[i].search(ctx, visits) })
	for i := range found {
		found[i].share()
	}
	return errors.Join(append(errs, ctx.Err())...)
}

// feasible tells that a design that misses nothing was found.
func (f *nearFamily) feasible() bool {
	n := &f.searches[0]
	return n.design != "" && len(n.Misses) == 0
}

// share passes on between the searches of a family what they have come by: what misses one limit alone is an
// answer for that limit, and any is one for the sum.
func (f *nearFamily) share() {
	all := &f.searches[0]
	for i := range f.searches {
		n := &f.searches[i]
		for k := range n.seen {
			s := n.seen[k]
			if n.relaxed != nil { // of other parts than the study allows
				continue
			}
			all.offer(&s)
			for j := range f.searches[1:] {
				if m := &f.searches[1+j]; m.relaxed == nil {
					m.offer(&s)
				}
			}
		}
		n.seen = nil
	}
}

// tell is the family's entry.
func (f *nearFamily) tell() search.Closest {
	all := &f.searches[0]
	c := search.Closest{Family: all.p.Spaces[f.family].Fam.Name, Exhausted: all.exhausted}
	if all.design != "" {
		c.Design, c.Violation, c.Misses = all.design, violationOf(all.Misses), all.Misses
	}
	told := map[string]bool{}
	for i := range f.searches[1:] {
		n := &f.searches[1+i]
		if n.design == "" {
			continue
		}
		var r search.Relaxation
		if n.only == mustMeet {
			r = search.Relaxation{Constraint: n.relaxed.name, Bound: n.relaxed.bound, Needed: n.relaxed.needed, Design: n.design, Origin: n.relaxed.origin}
		} else {
			m := n.Misses[0]
			r = search.Relaxation{Constraint: m.Constraint, Bound: m.Bound, Needed: m.Got, Design: n.design, Origin: m.Origin}
		}
		if !told[r.Constraint] { // of several values of a setting the nearest
			c.Relaxation, told[r.Constraint] = append(c.Relaxation, r), true
		}
	}
	return c
}

// violationOf sums what is missed.
func violationOf(ms []constraints.Miss) (sum float64) {
	for i := range ms {
		sum += ms[i].Violation
	}
	return sum
}

// JudgeDesign evaluates a design and lists what it misses, the endpoint window and the objectives that it
// has no value of included.
func JudgeDesign(ctx context.Context, p *search.Problem, d topology.Design) (nearSeen, error) {
	r, err := p.Model.Evaluate(ctx, d, p.Request)
	if err != nil {
		return nearSeen{}, fmt.Errorf("evaluate %s: %w", d, err)
	}
	e := search.NewEntry(d.String(), r)
	ms := append(p.Judge.Misses(e.Reject, &e.Values), p.Judge.Incomparable(e.Reject, &e.Values)...)
	for i := range ms {
		if k, ok := metric.KeyOf(ms[i].Metric); ok && ms[i].Absent {
			ms[i].Why = r.Absent[k]
		}
	}
	return nearSeen{d.String(), ms, e.Reject.Constraint != ""}, nil
}
