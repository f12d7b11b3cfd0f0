package evaluator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"toposearch/workload"
	"toposearch/workload/placed"
)

// fewDivisions and mostDivisions are of how many divisions, the shortest on an ideal network first, the best is taken: where nothing blocks the first of all is known to be it, and where links block the best
// was the 33rd to the 1,176th of five kinds of networks and seven models, and known to be it after at most 3,715.
const fewDivisions, mostDivisions = 1 << 6, 1 << 12

// patience is how many divisions are timed in vain, and twice as many as were timed with the best: of 161 designs of 1,024 endpoints with servers of 8, of six families, the best was among the first 480, where for a quarter of
// them more than 2,000 could not be excluded; with 256 deepseek-v3 lost 3 and 4 % on torus(k1=32,k2=32).
const patience = 1 << 10

// divided is a step of some sequences, divided as given or as is best.
type divided struct {
	x    *workload.Training
	step *workload.StepTime
	// Of one that was searched: what the best on an ideal network takes there and here, of how many this is the best, what none takes less than unless not all of them were timed, and whether it is the best of all.
	ideal, idealHere float64
	of               int
	least            float64
	rest             float64 // what those take on an ideal network that were not tried, since they gain less than leastGain
	timed, best      int     // how many were timed, and how many with the best as the last
	proved, cut      bool    // cut: not all of them were timed
}

// divide finds the step of batch sequences that is trained on at most so many ranks, divided as given or, if that is nil, as is best of at most so many divisions. None takes less than on an ideal network (none of them has an
// all-reduce, which switches that add make faster), so that the search ends where the next takes longer there. why says why there is none.
func (p *steps) divide(ctx context.Context, s workload.System, on *ranked, ranks, batch int, given *workload.Parallelism, most int) (d divided, why string, err error) {
	if given != nil {
		return p.givenStep(ctx, s, on, ranks, batch, given)
	}
	d.rest = math.Inf(1)
	many := min(fewDivisions, most)
	if on.most > 0 && on.most < 8*fewDivisions { // few are timed: of more of them
		many = min(8*fewDivisions, most)
	}
	for ; ; many = min(8*many, most) {
		list, all, err := p.chooser(s, batch).Shortest(ranks, many)
		if err != nil {
			return d, err.Error(), nil
		}
		if d.step == nil {
			if err := d.try(ctx, s, on, list[:1]); err != nil {
				return d, "", err
			}
			d.ideal, d.idealHere = list[0].Seconds, d.step.Total
		}
		if err := d.try(ctx, s, on, list[d.of:]); err != nil {
			return d, "", err
		}
		last := list[len(list)-1].Seconds
		if done := len(list) < many || last >= d.step.Total*(1-leastGain); done || d.cut || many == most {
			d.proved = done && all && !d.cut
			if d.least = min(d.step.Total, d.rest); !done {
				d.least = min(d.least, last)
			}
			return d, "", nil
		}
	}
}

// givenStep is divide as given.
func (p *steps) givenStep(ctx context.Context, s workload.System, on *ranked, ranks, batch int, given *workload.Parallelism) (d divided, why string, err error) {
	t := p.opt.Training
	d.x = &workload.Training{Model: t.Model, Sequence: t.Sequence, Batch: batch, Parallelism: *given}
	if over := d.x.Ranks() - ranks; over > 0 {
		return d, fmt.Sprintf("tp x cp x pp x dp = %d x %d x %d x %d = %d ranks, %d more than the %d endpoints", given.TP, given.CP, given.PP, given.DP, d.x.Ranks(), over, ranks), nil
	}
	if err := d.x.Fits(s); err != nil {
		return d, err.Error(), nil
	}
	if err := errors.Join(d.x.Check(0), s.Check()); err != nil {
		return d, err.Error(), nil
	}
	if d.step, err = d.x.TimeWithin(s, on.fabric(ctx, d.x), math.Inf(1)); err == nil {
		d.least = d.step.Total
	}
	return d, "", err
}

// try takes the best of more divisions, of equal ones the first: those are timed first that could take least, by their bounds.
func (d *divided) try(ctx context.Context, s workload.System, on *ranked, more []*workload.Choice) error {
	type candidate struct {
		*workload.Choice
		least float64
		place int
	}
	var open []candidate
	for i, c := range more {
		x := candidate{Choice: c, place: i}
		if d.step != nil {
			if c.Seconds >= d.step.Total*(1-leastGain) {
				d.rest = min(d.rest, c.Seconds)
				break
			}
			bound, err := c.TimeWithin(s, on.bounds(c), d.step.Total)
			if err != nil {
				return err
			}
			if bound == nil {
				continue
			}
			x.least = bound.Total
		}
		open = append(open, x)
	}
	d.of += len(more)
	slices.SortStableFunc(open, func(a, b candidate) int { return cmp.Compare(a.least, b.least) })
	place := -1
	for _, c := range open {
		enough := math.Inf(1)
		if d.step != nil {
			enough = d.step.Total
		}
		if c.least > enough {
			break
		}
		if on.most > 0 && d.timed >= min(on.most, patience+2*d.best) {
			d.cut = true
			break
		}
		d.timed++
		step, err := c.TimeWithin(s, on.fabric(ctx, &c.Training), enough)
		if err != nil {
			return err
		}
		if step != nil && (step.Total < enough || step.Total == enough && c.place < place) {
			d.x, d.step, place = &c.Training, step, c.place
			d.best = d.timed
		}
	}
	return nil
}

// timed is a step on some endpoints: its time, at least and as computed, and how it is divided.
type timed struct {
	divided
	hi, lo *workload.StepTime
	most   *workload.StepTime // where hashes decide, of all but one in a million; else hi
	on     *placed.Network
	// mapping says where the ranks are, "" in the order of their numbers.
	mapping string
}
