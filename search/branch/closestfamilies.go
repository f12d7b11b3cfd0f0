package branch

import (
	"context"
	"errors"
	"math"

	"toposearch/search"
)

// How hard the search for the closest design of a family tries, per family and per limit that
// might be relaxed. Most searches end within a few thousand steps of a few us, since nothing that
// is left can be closer; those that do not begin again with more, and with what was found so far.
const (
	closestFirst = 20_000    // steps of a first attempt
	closestMost  = 1_000_000 // and of a second one, but
	closestAll   = 6_000_000 // shared by all second attempts together

	// Evaluations of an attempt, as modelled: as a hundred up to level 1 take seldom a tenth of that, only limits on metrics
	// above come to it. All attempts of a round together take some seconds at most.
	evaluationsMost = 1e9 // ns of one, but
	evaluationsAll  = 8e9 // shared by all of a round
)

// Closest searches, for each family of which no design was found feasible, for the design with the
// smallest violation, and for each limit for the smallest change of it alone that admits a design.
// Families that turn out to have a feasible design, which the front outdoes, are left out. If ctx ends, what was found until then
// comes with its error.
func Closest(ctx context.Context, p *search.Problem, workers int, families []int) ([]search.Closest, error) {
	relaxed, err := relaxations(p)
	if err != nil {
		return nil, err
	}
	loose, err := Loosened(p)
	if err != nil {
		return nil, err
	}
	found := make([]familySearches, len(families))
	for i, f := range families {
		found[i] = newFamilySearches(p, loose, relaxed, f)
	}
	// All limits together first: that names the families with a feasible design. Then limit by limit,
	// which bounds the sum as well; and again what is not sure yet.
	for _, round := range []struct {
		all   bool
		steps int
	}{{true, closestFirst}, {false, closestFirst}, {false, closestMost}, {true, closestMost}} {
		if err = closestRound(ctx, workers, found, round.all, round.steps); err != nil {
			break
		}
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	var out []search.Closest
	for i := range found {
		if !found[i].feasible() {
			out = append(out, found[i].entry())
		}
	}
	return out, err
}

// familySearches is the searches for the closest designs of a family: over all limits together, and by what
// alone may be missed.
type familySearches struct {
	all closest
	one []closest
}

func newFamilySearches(p *search.Problem, loose []*search.Problem, relaxed []relaxed, family int) familySearches {
	begin := closest{p: p, family: family, best: math.Inf(1)}
	s := familySearches{all: begin}
	s.all.target, s.all.loose = target{kind: everything}, loose
	add := func(t target) {
		c := begin
		c.target = t
		s.one = append(s.one, c)
	}
	add(target{kind: onlyWindow})
	for i := range p.Limits {
		if len(relaxed) == 0 || !p.Limits[i].Max || !setsEvaluation(p.Limits[i].Name) {
			add(target{kind: oneLimit, limit: i})
		}
	}
	for i := range relaxed {
		add(relaxed[i].target)
		c := &s.one[len(s.one)-1]
		c.p, c.relaxed = relaxed[i].p, &relaxed[i]
	}
	return s
}

// closestRound lets the searches that are not at their end try, either those over all limits together or those
// of single limits.
func closestRound(ctx context.Context, workers int, found []familySearches, all bool, steps int) error {
	var jobs []*closest
	for i := range found {
		f := &found[i]
		if f.feasible() {
			continue
		}
		if all && !f.all.exhausted {
			jobs = append(jobs, &f.all)
		}
		for k := range f.one {
			if c := &f.one[k]; !all && !c.exhausted {
				jobs = append(jobs, c)
			}
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	allowed := effort{min(steps, max(closestAll/len(jobs), closestFirst)), min(evaluationsMost, evaluationsAll/float64(len(jobs)))}
	errs := make([]error, len(jobs))
	search.Each(ctx, workers, len(jobs), func(_, i int) { errs[i] = jobs[i].search(ctx, allowed) })
	for i := range found {
		found[i].share()
	}
	return errors.Join(append(errs, ctx.Err())...)
}

// feasible means that a design that misses nothing was found.
func (f *familySearches) feasible() bool { return f.all.found != nil && len(f.all.found.Misses) == 0 }

// share passes on between the searches of a family what they have come by: what misses one limit alone is an
// answer for that limit, and any is one for the sum.
func (f *familySearches) share() {
	f.pass(&f.all)
	for i := range f.one {
		f.pass(&f.one[i])
	}
}

// pass gives what one search has judged to all that judge by the same parts.
func (f *familySearches) pass(from *closest) {
	for k := range from.judged {
		j := &from.judged[k]
		from.know(j)
		if from.relaxed != nil {
			continue
		}
		f.all.offer(j)
		if !j.NoPart || len(f.all.loose) == 0 { // else it may be closer with other parts
			f.all.know(j)
		}
		for i := range f.one {
			if f.one[i].relaxed == nil {
				f.one[i].offer(j)
				f.one[i].know(j)
			}
		}
	}
	from.judged = nil
}

// know has no later attempt judge a design again.
func (c *closest) know(j *Judged) {
	if c.known == nil {
		c.known = map[string]bool{}
	}
	c.known[j.Design] = true
}

// entry is what is reported of the family.
func (f *familySearches) entry() search.Closest {
	all := &f.all
	out := search.Closest{Family: all.p.Spaces[all.family].Fam.Name, Exhausted: all.exhausted}
	if d := all.found; d != nil {
		out.Design, out.Violation, out.Misses = d.Design, violationOf(d.Misses), d.Misses
	}
	named := map[string]bool{}
	for i := range f.one {
		c := &f.one[i]
		out.Unsettled = out.Unsettled || !c.exhausted
		if c.found == nil {
			continue
		}
		var r search.Relaxation
		if c.target.kind == nothing {
			r = search.Relaxation{Constraint: c.relaxed.name, Bound: c.relaxed.bound, Needed: c.relaxed.needed, Design: c.found.Design, Origin: c.relaxed.origin}
		} else {
			m := c.found.Misses[0]
			r = search.Relaxation{Constraint: m.Constraint, Bound: m.Bound, Needed: m.Got, Design: c.found.Design, Origin: m.Origin}
		}
		if !named[r.Constraint] { // of several values of a setting the nearest
			out.Relaxation, named[r.Constraint] = append(out.Relaxation, r), true
		}
	}
	return out
}
