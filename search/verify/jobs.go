package verify

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"toposearch/search"
)

// simsNote is the line of the journal that says that the budget of time ended simulations ("cut"), and the one behind it that says that the rest
// was asked for all the same ("all").
type simsNote struct {
	Simulations string `json:"simulations"`
}

const (
	cutLine = `{"simulations":"cut"`
	allLine = `{"simulations":"all"`
)

// leftOut is why a simulation was not made then.
const leftOut = "the budget of time ended; toposearch resume simulates it"

// outOfTime tells whether a budget of time ended the simulation that a result is of.
func (l *Result) outOfTime() bool { return l.Skipped == leftOut }

// replay reads the simulations that the journal holds already, in its order. cut: the budget of time ended the others, and nobody has asked for
// them since.
func (s *simulations) replay() (cut bool, err error) {
	places := map[string][]int{} // several where two incumbents are one design
	for k := range s.jobs {
		name := simName(s.jobs[k].name, s.jobs[k].traffic)
		places[name] = append(places[name], k)
	}
	for j, n := s.d.J, 0; j != nil && n < len(s.jobs); {
		b, ok, err := j.NextNote(NoteHead)
		if err != nil {
			return false, err
		}
		if ok {
			r, err := resultOf(b)
			if err != nil {
				return false, j.Foreign(err)
			}
			at := places[simName(r.Design, r.Traffic)]
			if len(at) == 0 {
				return false, j.Foreign(fmt.Errorf("%w: it holds a simulation of %s under %s", search.ErrInputsChanged, r.Design, r.Traffic))
			}
			places[simName(r.Design, r.Traffic)] = at[1:]
			s.lines[at[0]], s.written[at[0]] = r, true
			n++
			continue
		}
		if _, ok, err = j.NextNote(cutLine); err != nil || !ok {
			return false, err
		}
		if on, err := s.goesOn(); err != nil || !on {
			return true, err
		}
	}
	return false, nil
}

// goesOn tells whether what the budget of time ended was asked for later, or is now.
func (s *simulations) goesOn() (bool, error) {
	_, on, err := s.d.J.NextNote(allLine)
	if err == nil && !on && s.d.Opt.Unbounded && !s.d.J.Replaying() {
		on, err = true, s.d.J.Note(simsNote{"all"})
	}
	s.d.Opt.Unbounded = s.d.Opt.Unbounded || on
	return on, err
}

// simulations are jobs under way.
type simulations struct {
	d       *search.Driver
	jobs    []job
	lines   []*Result // nil: to be simulated
	mu      sync.Mutex
	fault   error
	next    int    // the first that is not in the journal
	written []bool // those that are
	stopped bool
	each    int // jobs of a design
	before  int // designs simulated earlier
	work    *progress
}

// simulateAll gives the results of jobs, in their order: from the journal as far as that goes, then in parallel. The journal gets them in that
// order as far as they are there without a gap; those that the budget of time ends have no result but that (Result.outOfTime). each is how many
// jobs a design has; before designs were simulated earlier, whose part of the phase Prog.Fraction is from.
func simulateAll(ctx context.Context, d *search.Driver, jobs []job, each int) (lines []*Result, stopped bool, err error) {
	s := &simulations{d: d, jobs: jobs, lines: make([]*Result, len(jobs)), written: make([]bool, len(jobs)), each: each, before: d.Prog.Simulated}
	cut, err := s.replay()
	if err != nil {
		return nil, false, err
	}
	if !cut {
		cut = s.simulate(ctx)
	}
	if err = cmp.Or(s.fault, ctx.Err()); err != nil || s.stopped && !cut && s.next < len(jobs) {
		return s.lines, s.stopped, err
	}
	for k, l := range s.lines {
		if l == nil {
			s.lines[k] = &Result{Design: jobs[k].name, Traffic: jobs[k].traffic, Skipped: leftOut}
		}
	}
	return s.lines, false, nil
}

// simulate does what is left, and tells whether the budget of time has ended it.
func (s *simulations) simulate(ctx context.Context) (cut bool) {
	d := s.d
	var todo []int
	for k, l := range s.lines {
		if l == nil {
			todo = append(todo, k)
		}
	}
	s.work = newProgress(ctx, d.P, s.jobs, s.written)
	s.advance()
	d.Prog.Left = s.work.left() / float64(max(1, min(d.Workers(), len(todo))))
	s.report()
	within, cancel := d.ToSimulate(ctx)
	defer cancel()
	search.Each(ctx, d.AtOnce(), len(todo), func(_, i int) { s.one(ctx, within, todo[i]) })
	if s.next == len(s.lines) || s.stopped || s.fault != nil || ctx.Err() != nil {
		return false
	}
	s.cut()
	return s.fault == nil
}

// one does a job, unless the user stops the run or the time, which ends within, is up.
func (s *simulations) one(ctx, within context.Context, k int) {
	s.mu.Lock()
	stop := s.stops()
	s.mu.Unlock()
	if stop {
		return
	}
	line, err := simulated(within, s.d, &s.jobs[k], func(w float64) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.work.told(k, w) {
			s.report()
		}
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		if within.Err() != nil && ctx.Err() == nil { // by the user, or by the time
			s.stops()
		} else if s.fault == nil {
			s.fault = err
		}
		return
	}
	s.lines[k] = line
	s.advance()
	s.work.finished(k)
	s.report()
}

// stops tells whether no more is begun.
func (s *simulations) stops() bool {
	s.stopped = s.stopped || s.d.Opt.Stop != nil && s.d.Opt.Stop()
	return s.stopped || s.fault != nil
}

// advance journals what follows what is there.
func (s *simulations) advance() {
	for ; s.fault == nil && s.next < len(s.lines) && s.lines[s.next] != nil; s.next++ {
		s.note(s.next)
	}
	s.d.Prog.Simulated = s.before + s.next/s.each
}

func (s *simulations) note(k int) {
	if s.d.J != nil && !s.written[k] && s.fault == nil {
		s.fault = s.d.J.Note(simNote{s.lines[k]})
	}
	s.written[k] = true
}

// cut journals what was done behind gaps, and that the time ended here.
func (s *simulations) cut() {
	for k, l := range s.lines {
		if l != nil {
			s.note(k)
		}
	}
	if s.d.J != nil && s.fault == nil {
		s.fault = s.d.J.Note(simsNote{"cut"})
	}
}

// report passes on how far the phase is.
func (s *simulations) report() {
	d := s.d
	if d.Prog.Phase == search.PhaseVerify {
		d.Prog.Fraction = s.work.fraction()
	} else { // rounds follow whose work nobody knows
		d.Prog.Fraction = max(d.Prog.Fraction, min(1, (float64(s.before)+s.work.simulations()/float64(s.each))/float64(max(d.Prog.Finalists, 1))))
	}
	d.Report()
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
