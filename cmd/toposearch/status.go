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
				p := s.Progress
				fmt.Fprintf(a.out, "%s: %s, %.1f %%\n", s.Dir, s.State, 100*p.Fraction)
				fmt.Fprint(a.out, wrap(fmt.Sprintf("evaluated %s, feasible %s, front %s, simulated %d of %d", whole(p.Evaluated), whole(p.Feasible), whole(p.Front), p.Simulated, p.Finalists), 80, "  "))
				if p.Proved > 0 && s.Reason == "" {
					fmt.Fprintf(a.out, "  at least %.1f %% of the best hypervolume is proved\n", math.Floor(1000*p.Proved)/10)
				}
				if s.Reason != "" {
					fmt.Fprint(a.out, wrap(s.Reason, 80, "  "))
				}
			}
			return bad
		},
	}
}
