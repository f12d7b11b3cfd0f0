package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/search"
	"toposearch/search/run"
)

func (a *app) statusCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "status [RUN...]",
		Short: "Where runs stand, also while they run",
		Long: `Prints where runs stand, and where they stood if they were ended. Of a folder of
runs, as several studies make with --out, all of them; without arguments those
in runs.`,
		Example: `  toposearch status
  toposearch status runs/pod-001 --json
  toposearch status night`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = runsIn("runs")
			}
			var dirs []string
			for _, dir := range args {
				if within := runsIn(dir); len(within) > 0 {
					dirs = append(dirs, within...)
				} else {
					dirs = append(dirs, dir)
				}
			}
			all := []*run.RunStatus{}
			var faults []error // of runs that cannot be read; the others are printed
			for _, dir := range dirs {
				s, err := run.ReadStatus(dir)
				if err != nil {
					faults = append(faults, err)
					continue
				}
				all = append(all, s)
			}
			var bad error
			if len(faults) > 0 {
				bad = badRun(errors.Join(faults...))
			}
			if a.json {
				return errors.Join(printJSON(a.out, struct {
					Schema string           `json:"schema"`
					Runs   []*run.RunStatus `json:"runs"`
				}{"toposearch.status/1", all}), bad)
			}
			if len(all) == 0 && bad == nil {
				fmt.Fprintln(a.out, "no runs here; start one with: toposearch run")
			}
			for _, s := range all {
				a.printStatus(s)
			}
			return bad
		},
	}
}

// runsIn are the run directories in a folder, in the order of their names. Those whose name begins with a dot were never filled.
func runsIn(folder string) (dirs []string) {
	found, _ := filepath.Glob(filepath.Join(folder, "*", "manifest.json")) // the only error is of a folder's name that is a bad pattern: then it is a run or none
	for _, m := range found {
		if dir := filepath.Dir(m); !strings.HasPrefix(filepath.Base(dir), ".") {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}

// printStatus says where a run stands.
func (a *app) printStatus(s *run.RunStatus) {
	p := s.Progress
	fmt.Fprintf(a.out, "%s: %s\n", s.Dir, s.State)
	line := func(text string) { fmt.Fprint(a.out, wrap(text, 80, "  ")) }
	if s.State != run.StateFinished && p.Phase != "" {
		text := fmt.Sprintf("%s, %.1f %% of it done", phaseName(p), 100*p.Fraction)
		if p.Families > 0 {
			text += fmt.Sprintf(", %d of %d families decided", p.Done, p.Families)
		}
		if s.State == run.StateRunning {
			text += fmt.Sprintf("; running for %s, ends %s", seconds(max(a.now().Sub(s.Manifest.Started).Seconds(), 0)), eta(p, s.Saved))
		}
		line(text)
	}
	line(fmt.Sprintf("evaluated %s, feasible %s, front %s, simulated %d of %d", whole(p.Evaluated), whole(p.Feasible), whole(p.Front), p.Simulated, p.Finalists))
	if b := best(p.Best, p.Currency, 200); b != "" {
		line("best:" + b)
	}
	if text := p.Helped(); text != "" {
		line(text)
	}
	if p.Proved > 0 && s.Reason == "" {
		line(search.ProvedText(p.Proved, p.Within))
	}
	if s.Reason != "" {
		line(s.Reason)
	}
	if len(s.Waiting) > 0 {
		line("not started yet: " + strings.Join(s.Waiting, ", "))
	}
}
