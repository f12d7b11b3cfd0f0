package simulate

import (
	"context"
	"time"

	"toposearch/internal/crew"
	"toposearch/internal/memory"
	"toposearch/simcore"
)

// Progress hears how far simulations are. Its methods are called from several goroutines, often.
type Progress interface {
	// Load says that a load, by its place in the list, has reached a cycle; of the cut-through model, ns.
	Load(i int, now simcore.Cycle)
	// LoadDone says that a load is finished.
	LoadDone(i int)
	// Cycle says how far a search or a closed loop is, whose end is not known.
	Cycle(now simcore.Cycle)
}

// silent is a Progress that nobody hears.
type silent struct{}

func (silent) Load(int, simcore.Cycle) {}
func (silent) LoadDone(int)            {}
func (silent) Cycle(simcore.Cycle)     {}

// Runner runs simulations. Its zero value does so on one core, without wall times.
type Runner struct {
	Workers  int              // goroutines; no result depends on them
	Now      func() time.Time // the clock of wall times; nil: they are 0
	Progress Progress         // nil: nobody hears how far they are
}

func (r *Runner) workers() int { return max(1, r.Workers) }

func (r *Runner) progress() Progress {
	if r.Progress == nil {
		return silent{}
	}
	return r.Progress
}

// stopwatch gives the seconds since it was made.
func (r *Runner) stopwatch() func() float64 {
	if r.Now == nil {
		return func() float64 { return 0 }
	}
	begun := r.Now()
	return func() float64 { return r.Now().Sub(begun).Seconds() }
}

// engine is a simulation that can be copied before it runs.
type engine[S any] interface {
	Clone() (S, error)
	Bytes() float64 // that a copy takes
}

// sweep runs loads 0 to n-1, as many at a time as there are workers, each on several cores if there are
// more of those. split sets how many a simulation may use.
func sweep[S engine[S]](ctx context.Context, workers int, sim S, n int, split func(s S, cores int), run func(ctx context.Context, s S, load int) error) error {
	sims := []S{sim}
	limit, _ := memory.Limit()
	most := max(1, int(min(float64(limit)/sim.Bytes(), float64(n))))
	for len(sims) < min(workers, most) { // before any runs: a clone reads what a run changes
		s, err := sim.Clone()
		if err != nil {
			return err
		}
		sims = append(sims, s)
	}
	g, ctx := crew.WithContext(ctx, 0)
	for w, s := range sims {
		g.Go(func() error {
			split(s, workers/len(sims))
			for i := w; i < n; i += len(sims) {
				if err := run(ctx, s, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}
