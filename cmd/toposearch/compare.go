package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/compare"
	"toposearch/report/number"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
	"toposearch/topology"
)

// mostCompared are the designs that are set side by side: more columns than that do not fit into 80 characters with room for names.
const mostCompared = 8

func (a *app) compareCmd() *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "compare RUN RUN | RUN DESIGN... | --study STUDY DESIGN...",
		Short: "Designs, or two runs, side by side: what differs, and why",
		Long: `Sets two or more designs side by side under the site and the prices of a run, or of a study that need not have been run: each against the first, by bill
of materials, link class and metric, with the reasons in sentences. Differences of parts add up to the difference of the costs to the last cent. Designs
need not be on the front; of a family its best is taken (toposearch explain --help).

Two runs are compared by their fronts: designs that came and went, each with the reason under the other run, and what changed of those in both, divided into what
the model, the prices and the rest of the inputs did.`,
		Example: `  toposearch compare runs/pod-001 'zcube(n=32,k=2)' fattree
  toposearch compare --study pod.toml 'fattree(k=64,l=2,pods=32)' 'hyperx(s1=16,k1=2,t=32)'
  toposearch compare runs/pod-001 runs/pod-002`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if file == "" && len(args) == 2 && isRun(args[0]) && isRun(args[1]) {
				return a.compareRuns(c.Context(), args[0], args[1])
			}
			return a.compareDesigns(c.Context(), file, args)
		},
	}
	c.Flags().StringVar(&file, "study", "", "compare under this study instead of a run")
	return c
}

// isRun tells whether a path is a run directory.
func isRun(path string) bool {
	_, err := run.ReadManifest(path)
	return err == nil
}

func (a *app) compareDesigns(ctx context.Context, file string, args []string) error {
	dir, names := "", args
	if file == "" {
		dir, names = args[0], args[1:]
		if _, err := run.ReadManifest(dir); err != nil {
			if strings.Contains(dir, "(") || strings.HasPrefix(dir, "file:") {
				return usagef("designs are compared under the site and the prices of a run, or of a study: toposearch compare RUN %s, or --study STUDY", strings.Join(args, " "))
			}
			return badRun(err)
		}
	}
	switch {
	case len(names) < 2:
		if filepath.Base(names[0]) != names[0] && !strings.Contains(names[0], "(") {
			return usagef("compare needs a run and two designs, or two runs, and %s is no run directory", names[0])
		}
		return usagef("compare needs a run and at least two designs: to set %s beside others, name them too", names[0])
	case len(names) > mostCompared:
		return usagef("compare sets up to %d designs side by side; there are %d", mostCompared, len(names))
	}
	var faults []error
	for i := range names {
		var err error
		if names[i], err = a.designOrFamily(names[i]); err != nil {
			faults = append(faults, err)
		}
	}
	if err := joinUsage(faults...); err != nil {
		return err
	}
	var p *search.Problem
	var views []run.View
	var err error
	if file != "" {
		st, list := study.Load(file)
		if err := a.refuse(list); err != nil {
			return err
		}
		p, views, err = run.ViewsOf(ctx, st, names)
	} else {
		p, views, err = run.Views(ctx, dir, names)
	}
	if errors.Is(err, run.ErrNoneOfFamily) || errors.Is(err, topology.ErrInfeasible) {
		return usage(err)
	}
	if err != nil {
		return badRun(err)
	}
	d, err := compare.Of(ctx, p, views)
	if err != nil {
		return err
	}
	if a.json {
		return printJSON(a.out, d)
	}
	a.printDesigns(d)
	return nil
}

// printDesigns prints a comparison in 80 columns.
func (a *app) printDesigns(d *compare.Designs) {
	for i := range d.Designs {
		x := &d.Designs[i]
		text := x.Design
		if x.Verdict != "" {
			text += ": " + x.Verdict
		}
		if x.Chosen != "" {
			text += " (" + x.Chosen + ")"
		}
		fmt.Fprint(a.out, labelled(x.Name, 3, text))
	}
	for i := range d.Against {
		x := &d.Against[i]
		other := &d.Designs[i+1]
		fmt.Fprintf(a.out, "\n%s against A\n", other.Name)
		for _, r := range x.Reasons {
			fmt.Fprint(a.out, "  - "+strings.TrimLeft(wrap(r, 80, "    "), " "))
		}
		if len(x.Parts) > 0 {
			rows := [][]string{{"part", "A", other.Name, d.Currency}}
			for _, p := range x.Parts {
				rows = append(rows, []string{p.Part, number.Figure(float64(p.Quantity[0])), number.Figure(float64(p.Quantity[1])), compare.Amount(p.Change)})
			}
			if x.Change != "" {
				rows = append(rows, []string{"together", "", "", compare.Amount(x.Change)})
			}
			fmt.Fprintln(a.out)
			printColumns(a.out, rows)
		}
		if len(x.Classes) > 0 {
			rows := [][]string{{"links", "A", "optical", "longest", other.Name, "optical", "longest"}}
			for _, c := range x.Classes {
				row := []string{c.Link}
				for side := range c.Count {
					row = append(row, number.Figure(float64(c.Count[side])), number.Figure(float64(c.Optical[side])), number.Quantity(c.MaxM[side], "m"))
				}
				rows = append(rows, row)
			}
			fmt.Fprintln(a.out)
			printColumns(a.out, rows)
		}
	}
	a.printMetrics(d)
}

// printMetrics prints the metrics that differ, a column for each design.
func (a *app) printMetrics(d *compare.Designs) {
	rows := [][]string{{"metric"}}
	for i := range d.Designs {
		rows[0] = append(rows[0], d.Designs[i].Name)
	}
	seen := map[string]bool{}
	for i := range d.Against {
		for _, m := range d.Against[i].Metrics {
			if seen[m.Key] {
				continue
			}
			seen[m.Key] = true
			row := []string{m.Key}
			for k := range d.Designs {
				text := "-"
				if f, ok := d.Designs[k].Metrics[m.Key]; ok {
					text = number.Quantity(f.Value, f.Unit)
					if f.Lo < f.Hi {
						text = "~" + text
					}
				}
				row = append(row, text)
			}
			rows = append(rows, row)
		}
	}
	if len(rows) > 1 {
		fmt.Fprintln(a.out)
		printColumns(a.out, rows)
		fmt.Fprintln(a.out, "  ~ an estimate inside bounds (--json holds them); equal metrics are left out")
	}
}
