package verify

import (
	"context"

	"toposearch/search"
	"toposearch/topology"
)

// Incumbents simulates networks beside the front as finalists are, after them, and writes their results into records: nothing where
// the study simulates no finalists. The journal gets them in order.
func Incumbents(ctx context.Context, d *search.Driver, f *search.Front, designs []topology.Design) (stop string, err error) {
	traffics := d.P.Study.Verify.Traffic
	if d.P.Study.Verify.Finalists == 0 || len(traffics) == 0 {
		return "", nil
	}
	xs := f.Incumbents
	var jobs []job
	for i := range xs {
		for _, t := range traffics {
			if designs[i].Family != nil { // otherwise there is no such network
				jobs = append(jobs, job{designs[i], xs[i].Design, t, xs[i].Routing})
			}
		}
	}
	if len(jobs) == 0 {
		return "", nil
	}
	d.Begin(search.PhaseVerify, "")
	d.Prog.Finalists += len(jobs) / len(traffics)
	lines, stopped, err := simulateAll(ctx, d, jobs, len(traffics))
	if err != nil || stopped {
		return search.StopInterrupted, err
	}
	for i := range xs {
		if designs[i].Family != nil {
			xs[i].Verified = Combine(d.P, lines[:len(traffics)], &xs[i].Record)
			leaves(f, lines[:len(traffics)]...)
			lines = lines[len(traffics):]
		}
	}
	return "", nil
}
