package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"toposearch/internal/unit"
	"toposearch/routing"
	"toposearch/simulate"
	"toposearch/topology"
)

// playJobs plays the collective of a task in all its jobs.
func (a *app) playJobs(ctx context.Context, t *simTask, r *simulate.Runner, m *simulate.Machine, head simulate.Head, router *routing.Router) error {
	f, c := &t.flags.jobs, t.collective
	sizes, err := f.sizes(a, m.Net)
	if err != nil {
		return err
	}
	doc := &simulate.JobsDocument{Head: head, Collective: c.Kind.String(), Bytes: c.Bytes, Placement: f.placement}
	doc.Schema = simulate.JobsSchema
	if c.Groups, doc.Regions, err = f.place(a, t.design, m.Net, sizes); err != nil {
		return err
	}
	for _, x := range doc.Regions {
		doc.Region = max(doc.Region, len(x))
	}
	if err := r.Jobs(ctx, m, doc, c, router); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return usage(err)
	}
	if a.json {
		return printJSON(a.out, doc)
	}
	printJobs(a.out, doc)
	return nil
}

// printJobs prints the page of jobs.
func printJobs(w io.Writer, d *simulate.JobsDocument) {
	what := fmt.Sprintf("%d jobs, each %s of %s, placement %s, routing %v", len(d.Jobs), d.Collective, unit.KindBytes.Format(d.Bytes), d.Placement, d.Config["routing"])
	fmt.Fprintf(w, "%s\n%s%s\n", d.Design, wrap(what, 80, "  "), failedWords(d.Failed))
	fmt.Fprintf(w, "%9s %7s %-16s %5s %12s %12s %9s %12s %9s %s\n", "endpoints", "first", "algorithm", "times", "alone us", "together us", "slowdown", "computed us", "slowdown", "in a region")
	for _, j := range d.Jobs {
		in := "no"
		if j.Isolated {
			in = "yes"
		}
		computed := "-"
		if !d.AnalyticLeast {
			computed = fmt.Sprintf("%.4f", j.AnalyticSlowdown)
		}
		fmt.Fprintf(w, "%9d %7d %-16s %5d %12.3f %12.3f %9.4f %12.3f %9s %s\n", j.Endpoints, j.First, j.Algorithm, j.Times, j.AloneUs, j.TogetherUs, j.Slowdown, j.AnalyticUs, computed, in)
	}
	line := func(name, format string, args ...any) {
		fmt.Fprint(w, labelled(name, 19, fmt.Sprintf(format, args...)))
	}
	if !d.Completed {
		line("not completed", "%s", d.Stop)
	}
	computed := fmt.Sprintf("computed %.4f, at most %.4f, where switches hold all that waits", d.AnalyticMean, d.AnalyticMax)
	if d.AnalyticLeast {
		computed = fmt.Sprintf("of the slowest, by what channels need, at least %.4f", d.AnalyticMax)
	}
	line("slowdown", "%.4f on the average, at most %.4f; %s", d.Mean, d.Max, computed)
	if d.Region > 0 {
		most := ""
		if slices.ContainsFunc(d.Regions, func(x []topology.EndpointID) bool { return len(x) < d.Region }) {
			most = "at most "
		}
		line("in a region", "%.1f %% of the jobs are in one non-blocking region of %s%d endpoints", 100*d.Isolated, most, d.Region)
	}
}
