package booksim

import "context"

// Run simulates, sim_count times, and averages as BookSim2 does: minima and maxima too.
func (r *Run) Run(ctx context.Context) (Result, error) {
	var all []Result
	for i := range r.repeats {
		run := r.once
		if r.measure.batch {
			run = r.batch
		}
		one, err := run(ctx, r.seed+uint64(i))
		if err != nil {
			return one, err
		}
		if one.Status != StatusOK {
			return one, nil
		}
		all = append(all, one)
	}
	return average(all), nil
}
