package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"toposearch/internal/infile"
	"toposearch/internal/stream"
	"toposearch/internal/unit"
	"toposearch/routing"
	"toposearch/simulate"
	"toposearch/topology"
	"toposearch/workload/jobs"
)

// jobFlags describe several jobs that play a --collective on one network.
type jobFlags struct {
	jobs, mix, placement string
}

// declare declares the flags.
func (f *jobFlags) declare(s *pflag.FlagSet) {
	s.StringVar(&f.jobs, "jobs", "", "jobs that repeat the --collective on one network, each alone and all together: their number, drawn from --mix, or their endpoints, such as 512,64,64")
	s.StringVar(&f.mix, "mix", "mix", "sizes of --jobs: mix (96.3 % below 1,000 endpoints), or a file of lines size,share")
	s.StringVar(&f.placement, "placement", jobs.Compact, "of --jobs: compact, random, group (blocks of the construction) or region (its non-blocking regions)")
}

// check refuses what does not belong together, and names.
func (f *jobFlags) check(c *collectiveFlags) error {
	if f.jobs == "" {
		if f.mix != "mix" || f.placement != jobs.Compact {
			return usagef("--mix and --placement belong to --jobs")
		}
		return nil
	}
	var faults []error
	if c.what == "" {
		faults = append(faults, usagef("--jobs needs --collective, what they do"))
	}
	if len(c.groups) > 0 {
		faults = append(faults, usagef("--group does not go with --jobs, whose endpoints are those of --placement"))
	}
	if err := jobs.CheckPlacement(f.placement); err != nil {
		faults = append(faults, usagef("--placement: %v", err))
	}
	return joinUsage(faults...)
}

// sizes are those of the jobs.
func (f *jobFlags) sizes(a *app, n *topology.Network) ([]int, error) {
	if list := strings.Split(f.jobs, ","); len(list) > 1 || f.mix == "" {
		var out []int
		for _, text := range list {
			n, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil || n < 2 {
				return nil, usagef("--jobs: %q is no number of endpoints of at least 2", text)
			}
			out = append(out, n)
		}
		return out, nil
	}
	const most = 4096 // a simulation for each
	count, err := strconv.Atoi(f.jobs)
	if err != nil || count < 1 || count > most {
		return nil, usagef("--jobs %q: write how many, 1 to %d, or their endpoints, such as 512,64,64", f.jobs, most)
	}
	mix := jobs.Builtin()
	if f.mix != mix.Name {
		const mostBytes = 16 << 20 // a line for each job of a large cluster's year
		data, err := infile.Read(f.mix, mostBytes)
		if err != nil {
			return nil, usagef("--mix: %v", err)
		}
		read, found := jobs.Read(f.mix, data)
		if found.HasErrors() {
			return nil, a.refuse(found)
		}
		mix = read
	}
	sizes, err := mix.Draw(count, int64(n.Endpoints()), stream.New(a.seedOr(1), "simulate.jobs", 0))
	return sizes, joinUsage(err)
}

// place gives the jobs their endpoints. region is the non-blocking one, 0 if the family names none.
func (f *jobFlags) place(a *app, d topology.Design, n *topology.Network, sizes []int) (places [][]topology.EndpointID, region int, err error) {
	if f := d.Family.NonBlocking; f != nil {
		region = int(f(d.V))
	}
	block := region
	switch f.placement {
	case jobs.Region:
		if region == 0 {
			return nil, 0, usagef("--placement region: %s names no non-blocking region; use --placement group", d.Family.Name)
		}
	case jobs.ByGroup:
		if d.Family.Place == nil {
			return nil, 0, usagef("--placement group: %s names no blocks; use --placement compact", d.Family.Name)
		}
		block = (n.Endpoints() + d.Family.Place(d.V).Blocks - 1) / d.Family.Place(d.V).Blocks
	}
	places, err = jobs.Place(sizes, n.Endpoints(), f.placement, block, stream.New(a.seedOr(1), "simulate.placement", 0))
	return places, region, joinUsage(err)
}

// playJobs plays the collective of a task in all its jobs.
func (a *app) playJobs(ctx context.Context, t *simTask, r *simulate.Runner, m *simulate.Machine, head simulate.Head, router *routing.Router) error {
	f, c := &t.flags.jobs, t.collective
	sizes, err := f.sizes(a, m.Net)
	if err != nil {
		return err
	}
	doc := &simulate.JobsDocument{Head: head, Collective: c.Kind.String(), Bytes: c.Bytes, Placement: f.placement}
	doc.Schema = simulate.JobsSchema
	if c.Groups, doc.Region, err = f.place(a, t.design, m.Net, sizes); err != nil {
		return err
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
		fmt.Fprintf(w, "%9d %7d %-16s %5d %12.3f %12.3f %9.4f %12.3f %9.4f %s\n", j.Endpoints, j.First, j.Algorithm, j.Times, j.AloneUs, j.TogetherUs, j.Slowdown, j.AnalyticUs, j.AnalyticSlowdown, in)
	}
	line := func(name, format string, args ...any) {
		fmt.Fprint(w, labelled(name, 19, fmt.Sprintf(format, args...)))
	}
	if !d.Completed {
		line("not completed", "%s", d.Stop)
	}
	line("slowdown", "%.4f on the average, at most %.4f; computed %.4f, at most %.4f", d.Mean, d.Max, d.AnalyticMean, d.AnalyticMax)
	if d.Region > 0 {
		line("in a region", "%.1f %% of the jobs are in one non-blocking region of %d endpoints", 100*d.Isolated, d.Region)
	}
}
