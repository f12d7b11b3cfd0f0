package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/report"
	"toposearch/search"
	"toposearch/search/run"
)

// unchanged is an error if inputs of a run were edited since it began.
func unchanged(dir string) error {
	m, err := run.ReadManifest(dir)
	if err != nil {
		return err
	}
	if changed := m.Changed(); len(changed) > 0 {
		return fmt.Errorf("%w: %s; start a new run (with --reuse %s it computes nothing twice), or go on without the change: toposearch resume %s --as-begun",
			search.ErrInputsChanged, strings.Join(changed, ", "), dir, dir)
	}
	return nil
}

func (a *app) resumeCmd() *cobra.Command {
	var f runFlags
	var asBegun bool
	var more run.Budget
	c := &cobra.Command{
		Use:   "resume RUN",
		Short: "Continue a run exactly where it stopped, or with a larger budget",
		Long: `Continue a run exactly where it stopped, on the copies of its inputs in the run directory. If
the study or a file that it names was changed since, that is said, with exit status 7: a change
takes a new run (run --reuse RUN spares what is computed already), --as-begun continues without it.

A run whose budget ended before a feasible design was found (exit status 4) is continued with
twice the budget it had. --budget and --evaluations say instead how much it may use in all, also
where designs were found and the front is not proved complete. The search then begins again, since
how a budget is divided depends on its size, and evaluates nothing twice: it ends as a run begun
with that budget. Simulations that a budget of time has ended are made without --budget and
--evaluations, for as long as they take; the search stays as it ended. A run that was searched
completely, and simulated, has nothing to resume.`,
		Example: `  toposearch resume runs/pod-001
  toposearch resume runs/pod-001 --budget 8h
  toposearch resume runs/pod-001 --evaluations 100000
  toposearch resume runs/pod-001 --as-begun`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			a.graceful.Store(true)
			if a.seedSet {
				return usagef("--seed: a run keeps the seed that it was begun with; start a new run for another")
			}
			if more.Time < 0 || more.Evaluations < 0 {
				return usagef("a budget is above 0")
			}
			e := ended{Study: args[0], Dir: args[0]}
			s, err := run.ReadStatus(args[0])
			done := err == nil && s.State == run.StateFinished
			if done { // one that is harmed is mended from what is left
				_, harm := run.Unharmed(args[0])
				done = harm == nil
			}
			simulate := done && s.Unsimulated > 0 && more == (run.Budget{})
			if done && !simulate && !goesOn(s, more) {
				return a.summary([]ended{a.finished(c, e, s)})
			}
			if err := unchanged(args[0]); err != nil && !asBegun {
				return a.summary([]ended{a.failed(e, err)})
			}
			if done && !simulate || err == nil && more != (run.Budget{}) {
				was, now, err := run.Extend(args[0], more)
				switch {
				case errors.Is(err, run.ErrComplete):
					return a.summary([]ended{a.finished(c, e, s)})
				case err != nil:
					return a.summary([]ended{a.failed(e, err)})
				}
				a.note("%s: goes on with a budget of %s (before: %s); nothing is evaluated twice", args[0], now, was)
			}
			opt := a.searchOptions(f)
			if opt.Unbounded = simulate; simulate {
				a.note("%s: simulates what the budget of time left out (%s), without a budget", args[0], count(s.Unsimulated, "design"))
			}
			l, err := a.listen(c.Context(), f.listen, &f.link, args[0])
			if err != nil {
				return a.summary([]ended{a.failed(e, err)})
			}
			if l != nil {
				opt.Remote = l
				defer l.Close(false)
			}
			out, err := run.Resume(c.Context(), args[0], opt)
			return a.summary([]ended{a.finish(c.Context(), e, out, err)})
		},
	}
	c.Flags().BoolVar(&f.strict, "strict", false, "exit with 6 if a simulation contradicts an analytic interval")
	f.workersFlags(c)
	c.Flags().BoolVar(&asBegun, "as-begun", false, "also if input files were changed since: with the inputs as they were when the run began")
	c.Flags().DurationVar(&more.Time, "budget", 0, "time that search and simulations may take in all, such as 8h")
	c.Flags().Int64Var(&more.Evaluations, "evaluations", 0, "evaluations that the search may make in all")
	return c
}

// goesOn reports whether a finished run has more to search with a larger budget: where it ended without a design,
// or where one is given.
func goesOn(s *run.RunStatus, more run.Budget) bool {
	return (!s.Complete || s.Unsimulated > 0) && (s.Exit == search.BudgetEnded || more != (run.Budget{}))
}

// finished is how a run ended that has nothing to resume; its report is written if it is missing.
func (a *app) finished(c *cobra.Command, e ended, s *run.RunStatus) ended {
	e.Reason = "finished already, nothing to resume: " + s.Reason
	if !s.Complete && s.Exit != search.BudgetEnded {
		e.Reason += "; --budget or --evaluations search on"
	}
	e.Front, e.Report = s.Progress.Front, filepath.Join(e.Dir, "report.html")
	if _, err := os.Stat(e.Report); err != nil { // a disk may have been full
		if err := report.WriteRun(c.Context(), e.Dir); err != nil {
			return a.failed(e, err)
		}
	}
	return e
}
