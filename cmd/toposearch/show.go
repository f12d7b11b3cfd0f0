package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toposearch/report"
	"toposearch/report/number"
	"toposearch/report/where"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/topology"
)

func (a *app) showCmd() *cobra.Command {
	var conditions, sortBy string
	var all bool
	c := &cobra.Command{
		Use:   "show RUN [DESIGN|FAMILY]",
		Short: "The front as a table, or any design in full",
		Long: "Shows the front of a run as a table, or one design in full: also one that is not on the front, evaluated under the study's site, prices and workload\n" +
			"as those on it were. Of a family its best design is taken (toposearch explain --help).",
		Example: `  toposearch show runs/pod-001
  toposearch show runs/pod-001 --where 'cost<18M mean_hops<=2.5 -dragonfly' --sort latency
  toposearch show runs/pod-001 'zcube(n=32,k=2)'
  toposearch show runs/pod-001 fattree`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			front, err := run.ReadFront(args[0])
			if err != nil {
				return badRun(err)
			}
			if len(args) == 2 {
				return a.showDesign(c.Context(), front, args[0], args[1])
			}
			return a.showFront(front, conditions, sortBy, all)
		},
	}
	c.Flags().StringVar(&conditions, "where", "", "only designs for which this holds: 'cost<18M power<60kW -dragonfly'")
	c.Flags().BoolVar(&all, "all", false, "also designs within 2 % of one shown in every objective")
	c.Flags().StringVar(&sortBy, "sort", "", "order by a metric; -metric for descending")
	return c
}

func (a *app) showFront(f *search.Front, conditions, sortBy string, all bool) error {
	names, units := make([]string, len(f.Front)), map[string]string{}
	for i := range f.Front {
		names[i] = f.Front[i].Design
		for key, m := range f.Front[i].Metrics {
			units[key] = m.Unit
		}
	}
	filter, err := where.Parse(conditions, names, units)
	if err != nil {
		return usagef("--where: %v", err)
	}
	valueOf := func(r *search.Record) func(string) (float64, bool) {
		return func(key string) (float64, bool) { m, ok := r.Metrics[key]; return m.Value, ok }
	}
	front := slices.DeleteFunc(slices.Clone(f.Front), func(r search.Record) bool { return !filter.Holds(r.Design, valueOf(&r)) })
	if sortBy != "" {
		key, down := strings.CutPrefix(sortBy, "-")
		if err := knownMetric(key); err != nil {
			return usagef("--sort: %v", err)
		}
		slices.SortStableFunc(front, func(x, y search.Record) int {
			d := cmp.Compare(x.Metrics[key].Value, y.Metrics[key].Value)
			if down {
				d = -d
			}
			return d
		})
	}
	if a.json {
		g := *f
		g.Front = front
		return printJSON(a.out, g)
	}
	how := "complete: no design of the space is missing"
	if f.Tolerance > 0 {
		how = "complete: designs that are missing are better than one of these by at most " + number.Tolerance(f.Tolerance) + " in any objective"
	}
	if !f.Complete {
		how = "NOT COMPLETE: found by " + f.Strategy
		if f.Stopped != "" {
			how += ", stopped: " + f.Stopped
		}
		how += "; better designs may exist"
		if f.Proof != nil {
			how += ", " + f.Proof.Text()
		}
	}
	fmt.Fprintln(a.out, wrap(fmt.Sprintf("%s: %s of %s designs on the front (%s)", f.Study, number.Figure(float64(points(front))), number.Figure(float64(points(f.Front))), how), 80, ""))
	if len(front) == 0 && len(f.Front) > 0 {
		fmt.Fprintln(a.out, "no design on the front meets the conditions")
		for _, text := range filter.Unmet(len(f.Front), func(i int, key string) (float64, bool) { return valueOf(&f.Front[i])(key) }) {
			fmt.Fprint(a.out, wrap(text, 80, "  "))
		}
		return nil
	}
	simulated := slices.ContainsFunc(f.Front, func(r search.Record) bool { return r.Finalist || r.Verified != nil })
	rows := [][]string{append([]string{"design"}, f.Objectives...)}
	if simulated {
		rows[0] = append(rows[0], "simulation")
	}
	listed := func(name string) bool {
		return name != "" && slices.ContainsFunc(front, func(q search.Record) bool { return q.Design == name })
	}
	near := 0
	for _, r := range front {
		if listed(r.SameAs) {
			continue // shown with that
		}
		if !all && listed(r.ShownBy) {
			near++
			continue
		}
		row := []string{r.Design}
		for _, o := range f.Objectives {
			m, ok := r.Metrics[o]
			x := "-"
			if ok {
				x = number.Quantity(m.Value, m.Unit)
			}
			row = append(row, x)
		}
		if simulated {
			row = append(row, report.Check(&r))
		}
		rows = append(rows, row)
		for _, q := range front {
			if q.SameAs == r.Design {
				also := make([]string, len(row))
				also[0] = "  also " + q.Design
				rows = append(rows, also)
			}
		}
	}
	printColumns(a.out, rows)
	if near > 0 {
		fmt.Fprint(a.out, "\n", wrap(fmt.Sprintf("%s left out, within 2 %% of one that is shown in every objective: --all shows all", number.Figure(float64(near))), 80, ""))
	}
	return nil
}

// points counts designs; networks under several names are one.
func points(front []search.Record) (n int) {
	for i := range front {
		if s := front[i].SameAs; s == "" || !slices.ContainsFunc(front, func(q search.Record) bool { return q.Design == s }) {
			n++
		}
	}
	return n
}

// showDesign prints a design in full, on the front or not; of a family its best one.
func (a *app) showDesign(ctx context.Context, f *search.Front, dir, name string) error {
	name, err := a.designOrFamily(name)
	if err != nil {
		return usage(err)
	}
	r, how, err := run.Show(ctx, dir, name)
	switch {
	case errors.Is(err, run.ErrNoneOfFamily) || errors.Is(err, topology.ErrInfeasible):
		return usage(err)
	case err != nil:
		return badRun(err)
	}
	if a.json {
		return printJSON(a.out, r)
	}
	if how != "" {
		fmt.Fprint(a.out, wrap("of "+name+": "+how, 80, ""))
	}
	if f.Find(r.Design) == nil {
		again := r.Design
		if strings.HasPrefix(name, "file:") { // whose design is named by its content, not by where it lies
			again = name
		}
		fmt.Fprintf(a.out, "not on the front; toposearch explain %s '%s' says why\n", dir, again)
	}
	report.RecordTable(a.out, r)
	return nil
}
