package main

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"toposearch/internal/infile"
	"toposearch/internal/stream"
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

// place gives the jobs their endpoints. regions are the non-blocking ones, nil if the family names none.
func (f *jobFlags) place(a *app, d topology.Design, n *topology.Network, sizes []int) (places, regions [][]topology.EndpointID, err error) {
	switch of := d.Family.NonBlocking; {
	case of != nil && d.Family.NonBlockingShared:
		regions = jobs.OnSameSwitches(n)
	case of != nil:
		regions = jobs.Blocks(n.Endpoints(), int(of(d.V)))
	}
	blocks := regions
	switch f.placement {
	case jobs.Region:
		if regions == nil {
			return nil, nil, usagef("--placement region: %s names no non-blocking region; use --placement group", d.Family.Name)
		}
	case jobs.ByGroup:
		if d.Family.Place == nil {
			return nil, nil, usagef("--placement group: %s names no blocks; use --placement compact", d.Family.Name)
		}
		many := d.Family.Place(d.V).Blocks
		blocks = jobs.Blocks(n.Endpoints(), (n.Endpoints()+many-1)/many)
	}
	places, err = jobs.Place(sizes, n.Endpoints(), f.placement, blocks, stream.New(a.seedOr(1), "simulate.placement", 0))
	return places, regions, joinUsage(err)
}
