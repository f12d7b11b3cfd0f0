package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"toposearch/diag"
	"toposearch/internal/chart"
	"toposearch/search/bench"
)

// Limits of --seeds and --evaluations: a day of one core at 0.3 ms an evaluation is 3e8 of them.
const (
	mostSeeds       = 1000
	mostEvaluations = 1_000_000
)

func (a *app) benchCmd() *cobra.Command {
	var dir string
	var formats func() ([]string, error)
	o := bench.Options{Processor: processorTime()}
	c := &cobra.Command{
		Use:   "bench [SPACE...]",
		Short: "Strategies compared on spaces whose fronts are known",
		Long: `Runs every strategy with many seeds on spaces inside the program, whose exact
fronts enumeration finds, and prints quartiles over seeds: the part of the
exact hypervolume reached, the part of the exact front found (recall), IGD+ and
epsilon, all with objectives scaled to the exact front, evaluations and
processor time. Evaluations are those made; of the budget 16 candidates that
bounds decide take one, too, so that few may be made. With --plots: hypervolume
over evaluations and over time, and recall. --seed is not used: seeds are 1, 2,
and so on. Without a SPACE: all.`,
		Example: `  toposearch bench --plots figures
  toposearch bench grids --seeds 5 --evaluations 500 --json`,
		RunE: func(c *cobra.Command, args []string) error {
			if o.Seeds < 1 || o.Seeds > mostSeeds {
				return usagef("--seeds %d is out of range; give 1 to %d", o.Seeds, mostSeeds)
			}
			if o.Evaluations < 1 || o.Evaluations > mostEvaluations {
				return usagef("--evaluations %d is out of range; give 1 to %d", o.Evaluations, mostEvaluations)
			}
			names, titles := bench.Spaces()
			for _, x := range args {
				if !slices.Contains(names, x) {
					return usagef("there is no space %q%s", x, diag.Hint(x, names))
				}
			}
			list, err := formats()
			if err != nil {
				return err
			}
			o.Workers = a.workers
			if !a.quiet {
				o.Tell = func(s string) { fmt.Fprintln(a.err, s) }
			}
			var figures []chart.Named
			for i, x := range names {
				if len(args) > 0 && !slices.Contains(args, x) {
					continue
				}
				r, err := bench.Run(c.Context(), x, o)
				if err != nil {
					return err
				}
				if a.json {
					err = printJSON(a.out, r)
				} else {
					a.benched(r, titles[i])
				}
				if err != nil {
					return err
				}
				figures = append(figures, r.Figures()...)
			}
			if dir == "" {
				return nil
			}
			return a.tellFiles(chart.WriteAll(dir, figures, list))
		},
	}
	c.Flags().IntVar(&o.Seeds, "seeds", 31, "runs of each strategy but enumeration")
	c.Flags().Int64Var(&o.Evaluations, "evaluations", 2000, "budget of each run but of enumeration")
	c.Flags().StringVar(&dir, "plots", "", "folder for figures")
	formats = plotFormats(c)
	return c
}

// benched prints a space: a row for each strategy.
func (a *app) benched(r *bench.Result, title string) {
	fmt.Fprintf(a.out, "%s: %s\n", r.Space, title)
	fmt.Fprint(a.out, wrap(fmt.Sprintf("The exact front has %s of %s, found by %s; quartiles of %s with %s evaluations each.",
		count(r.Front, "design"), count(r.Vectors, "vector"), count(int(r.Enumerated), "evaluation"), count(r.Seeds, "seed"), whole(r.Evaluations)), 80, ""))
	fmt.Fprintf(a.out, "%-10s %-22s %-8s %-8s %-8s %-8s %-18s %s\n", "", "hypervolume", "recall", "IGD+", "epsilon", "factor", "to 90, 95, 99 %", "CPU s")
	for i := range r.Strategies {
		t := &r.Strategies[i]
		to := ""
		for _, n := range []int64{t.To90, t.To95, t.To99} {
			text := "-"
			if n > 0 {
				text = whole(n)
			}
			to += text + " "
		}
		fmt.Fprintf(a.out, "%-10s %.4f %.4f %.4f   %-8.3f %-8.4f %-8.4f %-8.4f %-18s %.2f\n", t.Strategy, t.Hypervolume.Q1, t.Hypervolume.Median, t.Hypervolume.Q3,
			t.Recall.Median, t.IGDPlus.Median, t.Epsilon.Median, t.Factor.Median, to, t.Seconds.Median)
	}
	fmt.Fprintln(a.out)
}
