package verify

import (
	"context"
	"fmt"
	"sync"

	"toposearch/search"
)

// replaySims reads the simulations that the journal holds already.
func replaySims(d *search.Driver, lines []*Result, jobs []job) (int, error) {
	for k := range lines {
		if d.J == nil {
			return 0, nil
		}
		b, ok, err := d.J.NextNote(NoteHead)
		if !ok || err != nil {
			return k, err
		}
		r, err := resultOf(b)
		if err != nil {
			return k, d.J.Foreign(err)
		}
		if r.Design != jobs[k].name || r.Traffic != jobs[k].traffic {
			return k, d.J.Foreign(fmt.Errorf("%w: it holds a simulation of %s under %s", search.ErrInputsChanged, r.Design, r.Traffic))
		}
		lines[k] = r
	}
	return len(lines), nil
}

// simulateAll gives the results of jobs, in their order: from the journal as far as that goes, then in parallel. The journal gets them in that
// order as far as they are there without a gap. each is how many jobs a design has; before designs were simulated earlier, whose
// part of the phase Prog.Fraction is from.
func simulateAll(ctx context.Context, d *search.Driver, jobs []job, each int) (lines []*Result, stopped bool, err error) {
	lines = make([]*Result, len(jobs))
	from, err := replaySims(d, lines, jobs)
	if err != nil {
		return nil, false, err
	}
	var mu sync.Mutex
	var fault error
	next, before := from, d.Prog.Simulated
	d.Prog.Simulated = before + from/each
	work := newProgress(ctx, d.P, jobs, from)
	report := func() {
		if d.Prog.Phase == search.PhaseVerify {
			d.Prog.Fraction = work.fraction()
		} else { // rounds follow whose work nobody knows
			d.Prog.Fraction = max(d.Prog.Fraction, min(1, (float64(before)+work.simulations()/float64(each))/float64(max(d.Prog.Finalists, 1))))
		}
		d.Report()
	}
	d.Prog.Left = work.left() / float64(max(1, min(d.Workers(), len(lines)-from)))
	report()
	search.Each(ctx, d.AtOnce(), len(lines)-from, func(_, i int) {
		k := from + i
		mu.Lock()
		stopped = stopped || fault != nil || d.Opt.Stop != nil && d.Opt.Stop()
		skip := stopped
		mu.Unlock()
		if skip {
			return
		}
		line, err := simulated(ctx, d, &jobs[k], func(w float64) {
			mu.Lock()
			defer mu.Unlock()
			if work.told(k, w) {
				report()
			}
		})
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			fault = err
			return
		}
		lines[k] = line
		for ; fault == nil && next < len(lines) && lines[next] != nil; next++ {
			if d.J != nil {
				fault = d.J.Note(simNote{lines[next]})
			}
			d.Prog.Simulated = before + (next+1)/each
		}
		work.finished(k)
		report()
	})
	if fault == nil {
		fault = ctx.Err()
	}
	return lines, next < len(lines), fault
}

// simulated is what is known of a job, or else simulated.
func simulated(ctx context.Context, d *search.Driver, j *job, told func(work float64)) (*Result, error) {
	if d.Sims != nil {
		if line, ok := d.Sims(simName(j.name, j.traffic)); ok {
			return resultOf(line)
		}
	}
	if r := d.Opt.Remote; r != nil {
		line, err := r.Simulate(ctx, j.name, j.traffic, j.routing)
		switch {
		case err != nil:
			return nil, err
		case line != nil:
			return resultOf(line)
		}
	}
	return simulateTold(ctx, d.P, j.design, j.traffic, j.routing, told)
}
