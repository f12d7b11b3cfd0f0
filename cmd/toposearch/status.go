package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/search/run"
)

func (a *app) statusCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "status [RUN...]",
		Short: "Where runs stand, also while they run",
		Example: `  toposearch status
  toposearch status runs/pod-001 --json`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				found, err := filepath.Glob(filepath.Join("runs", "*", "manifest.json"))
				if err != nil {
					return err
				}
				for _, m := range found {
					if dir := filepath.Dir(m); !strings.HasPrefix(filepath.Base(dir), ".") { // one that was never filled
						args = append(args, dir)
					}
				}
				slices.Sort(args)
			}
			all := []*run.RunStatus{}
			var faults []error // of runs that cannot be read; the others are printed
			for _, dir := range args {
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
	if p.Proved > 0 && s.Reason == "" {
		line(fmt.Sprintf("at least %.1f %% of the best hypervolume is proved", math.Floor(1000*p.Proved)/10))
	}
	if s.Reason != "" {
		line(s.Reason)
	}
	if len(s.Waiting) > 0 {
		line("not started yet: " + strings.Join(s.Waiting, ", "))
	}
}
