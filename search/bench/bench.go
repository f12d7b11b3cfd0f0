// Package bench measures strategies on spaces whose fronts are known: what part of the exact front's hypervolume they reach and how
// many of its designs they find, over evaluations and over processor time, for many seeds. The exact front is that of an enumeration to
// its end; studies of such spaces are inside (spaces.go). Quantiles over seeds are in curve.go, figures in figures.go.
package bench

import (
	"context"
	"fmt"
	"time"

	"toposearch/evaluator"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
)

// Strategies are those measured. Enumeration draws nothing, so that one run of it stands for all seeds.
var Strategies = []string{study.Enumerate, study.NSGA2, study.Local, study.Random}

// Options of a measurement.
type Options struct {
	Seeds       int   // from 1 on
	Evaluations int64 // budget of each run; bounds decide 16 candidates for one, as in every run
	Workers     int
	// Processor is the time that the process has used so far, on all cores. nil: none is told.
	Processor func() time.Duration
	Tell      func(string) // what is done now; nil: nobody is told
}

// Run measures all strategies on one of Spaces. All but times is the same on every machine and any number of workers.
func Run(ctx context.Context, space string, o Options) (*Result, error) {
	st, err := load(space)
	if err != nil {
		return nil, err
	}
	tell := o.Tell
	if tell == nil {
		tell = func(string) {}
	}
	st.Search.Time = 0
	tell(space + ": the exact front")
	st.Search.Evaluations = 0
	whole, exact, d, err := trial(ctx, st, study.Enumerate, 1, &o)
	if err != nil {
		return nil, err
	}
	r := &Result{Schema: Schema, Space: space, Front: d.Front.Len(), Vectors: len(exact), Enumerated: d.Prog.Evaluated, Seeds: o.Seeds, Evaluations: o.Evaluations}
	for _, x := range st.Objectives {
		r.Objectives = append(r.Objectives, x.Name())
	}
	for _, s := range Strategies {
		runs := [][]snap{whole}
		if s != study.Enumerate {
			runs = nil
			for seed := range o.Seeds {
				tell(fmt.Sprintf("%s: %s, seed %d of %d", space, s, seed+1, o.Seeds))
				st.Search.Evaluations = o.Evaluations
				snaps, _, _, err := trial(ctx, st, s, uint64(seed+1), &o)
				if err != nil {
					return nil, err
				}
				runs = append(runs, snaps)
			}
		}
		for _, snaps := range runs {
			for i := range snaps {
				snaps[i].Indicators = objectives.Compared(snaps[i].front, exact)
			}
		}
		r.Strategies = append(r.Strategies, summary(s, runs, o.Evaluations))
	}
	return r, nil
}

// trial is one run: what it had at borders, and the vectors of its last front, each once.
func trial(ctx context.Context, st *study.Study, strategy string, seed uint64, o *Options) (snaps []snap, last []objectives.Vector, d *search.Driver, err error) {
	one := *st
	one.Seed, one.Search.Strategy = seed, strategy
	m, err := evaluator.New(one.Options) // a new one, since it remembers what it has computed
	if err != nil {
		return nil, nil, nil, err
	}
	p, err := search.NewProblem(&one, m)
	if err != nil {
		return nil, nil, nil, err
	}
	clock := o.Processor
	if clock == nil {
		clock = func() time.Duration { return 0 }
	}
	d = search.NewDriver(p, nil, search.Options{Workers: o.Workers})
	start, aside, changes := clock(), time.Duration(0), int64(-1)
	take := func() {
		at := clock()
		snaps = append(snaps, snap{evaluations: d.Prog.Evaluated, seconds: (at - start - aside).Seconds(), front: vectors(d)})
		aside += clock() - at // taking it is no part of the search
		changes = d.Changes
	}
	d.Opt.Progress = func(search.Progress) {
		if d.Changes != changes {
			take()
		}
	}
	if _, err := run.Trial(ctx, d, strategy); err != nil {
		return nil, nil, nil, err
	}
	take()
	return snaps, vectors(d), d, nil
}

// vectors are the different ones of the front.
func vectors(d *search.Driver) []objectives.Vector {
	var out []objectives.Vector
	seen := map[string]bool{}
	for _, p := range d.Front.Tree.Points() {
		if key := fmt.Sprint(p.V); !seen[key] {
			seen[key] = true
			out = append(out, p.V)
		}
	}
	return out
}
