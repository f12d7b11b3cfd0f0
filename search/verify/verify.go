package verify

import (
	"context"
	"slices"

	"toposearch/search"
)

// Verify simulates finalists and writes their results into the front. Simulations run in
// parallel; the journal gets them in a fixed order, so that what it holds is never repeated.
func Verify(ctx context.Context, d *search.Driver, f *search.Front) (stop string, err error) {
	ms := d.Front.Ordered()
	chosen := Finalists(d.P, ms)
	if len(chosen) == 0 || len(d.P.Study.Verify.Traffic) == 0 {
		return "", nil
	}
	if stop, err = simulateFinalists(ctx, d, f, ms, chosen, nil); stop == "" && err == nil {
		Rejudge(d.P, f)
	}
	return stop, err
}

// simulateFinalists simulates the chosen of the members ms of a front, in its order, under all traffics, but for what known holds.
func simulateFinalists(ctx context.Context, d *search.Driver, f *search.Front, ms []search.Member, chosen []int, known map[string]*Result) (stop string, err error) {
	traffics := d.P.Study.Verify.Traffic
	var jobs []job
	each := 0
	for _, t := range traffics {
		for _, i := range chosen {
			if known[simName(ms[i].Name, t)] == nil {
				each++
				break
			}
		}
	}
	for _, i := range chosen {
		for _, t := range traffics {
			if known[simName(ms[i].Name, t)] == nil {
				jobs = append(jobs, jobOf(d.P, &ms[i], t, f.Front[i].Routing))
			}
		}
	}
	d.Begin(search.PhaseVerify, "")
	d.Prog.Finalists, d.Prog.Simulated = len(chosen), 0
	lines, stopped, err := simulateAll(ctx, d, jobs, max(each, 1))
	if err != nil || stopped {
		return search.StopInterrupted, err
	}
	done := map[string]*Result{}
	for k, l := range lines {
		done[simName(jobs[k].name, jobs[k].traffic)] = l
	}
	for _, i := range chosen {
		all := make([]*Result, len(traffics))
		for k, t := range traffics {
			name := simName(ms[i].Name, t)
			if all[k] = done[name]; all[k] == nil {
				all[k] = known[name]
			}
		}
		f.Front[i].Finalist = true
		f.Front[i].Verified = Combine(d.P, all, &f.Front[i])
		leaves(f, all...)
	}
	return "", nil
}

// leaves names the designs of results that a budget of time ended, and tells whether there are any.
func leaves(f *search.Front, lines ...*Result) (any bool) {
	for _, l := range lines {
		if l.outOfTime() {
			if any = true; !slices.Contains(f.Unsimulated, l.Design) {
				f.Unsimulated = append(f.Unsimulated, l.Design)
			}
		}
	}
	return any
}
