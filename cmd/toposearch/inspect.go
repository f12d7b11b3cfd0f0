package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/report"
	"toposearch/search"
	"toposearch/search/run"
)

// badRun tells an unusable run directory (2) from a failure.
func badRun(err error) error {
	switch {
	case errors.Is(err, run.ErrInUse), errors.Is(err, search.ErrInputsChanged), errors.Is(err, run.ErrVersion):
		return &exitError{exitInUse, err}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, run.ErrNoRun):
		return usage(err)
	}
	return err
}

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
			var faults []error // of runs that cannot be read; the others are told
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
				if s.Reason != "" {
					fmt.Fprint(a.out, wrap(s.Reason, 80, "  "))
				}
			}
			return bad
		},
	}
}

func (a *app) explainCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "explain RUN DESIGN",
		Short:   "Why a design is in or out, and what would admit it",
		Example: `  toposearch explain runs/pod-001 'dragonfly(p=4,a=8,h=4)'`,
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			d, err := a.parseDesign(args[1])
			if err != nil {
				return usage(err)
			}
			e, err := run.Explain(c.Context(), args[0], d.String())
			if err != nil {
				return badRun(err)
			}
			if a.json {
				return printJSON(a.out, e)
			}
			fmt.Fprintf(a.out, "%s: %s\n%s", e.Design, e.Verdict, wrap(e.Why, 80, "  "))
			for _, m := range e.Misses {
				if m.Origin != "" {
					fmt.Fprintf(a.out, "  %s is set at %s\n", m.Constraint, m.Origin)
				}
			}
			for _, t := range e.Admit {
				fmt.Fprint(a.out, wrap("would be admitted: "+t, 80, "  "))
			}
			return nil
		},
	}
}

func (a *app) reportCmd() *cobra.Command {
	var format, out string
	c := &cobra.Command{
		Use:   "report RUN",
		Short: "Write the report of a run again",
		Example: `  toposearch report runs/pod-001
  toposearch report runs/pod-001 --format text
  toposearch report runs/pod-001 --format csv --out front.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if format == "html" && out == "" && !a.json {
				if err := report.WriteRun(c.Context(), args[0]); err != nil {
					return badRun(err)
				}
				fmt.Fprintln(a.out, filepath.Join(args[0], "report.html"))
				return nil
			}
			data, err := report.Load(args[0])
			if err != nil {
				return badRun(err)
			}
			if a.json && !c.Flags().Changed("format") {
				format = "json"
			}
			if !data.Complete && !a.quiet { // a CSV has no place to say it
				fmt.Fprintln(a.err, "the front of this run is not complete: better designs may exist")
			}
			write, ok := report.Formats[format]
			if !ok {
				return usagef("--format %q is not html, text, json, csv or xlsx", format)
			}
			if out == "" {
				if format == "xlsx" {
					return usagef("--format xlsx needs --out FILE: a spreadsheet is not for the terminal")
				}
				if format == "text" {
					return report.WriteText(a.out, data, report.TextOptions{Color: a.terminal && os.Getenv("NO_COLOR") == ""})
				}
				return write(a.out, data)
			}
			f, err := os.Create(out)
			if err != nil {
				return err
			}
			if err := write(f, data); err != nil {
				f.Close()
				return err
			}
			return f.Close()
		},
	}
	c.Flags().StringVar(&format, "format", "html", "html, text, json, csv or xlsx")
	c.Flags().StringVar(&out, "out", "", "file to write (default: the run directory for html, stdout otherwise)")
	return c
}
