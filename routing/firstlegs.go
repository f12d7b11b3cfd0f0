package routing

import (
	"context"
	"slices"
)

// FirstLegsEnd are, of each set, those of its ports from whose switch every set can be reached: there first legs of detours end. nil: it is no intermediate.
func (r *Router) FirstLegsEnd(ctx context.Context) (ends [][]Port, err error) {
	good := slices.Repeat([]bool{true}, r.Net.Switches())
	f := newSearch(r)
	f.full = true
	for dst := range r.Sets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		field := f.run(dst)
		for s := range good {
			good[s] = good[s] && field.Dist[s*r.states] != Unreachable
		}
	}
	ends = make([][]Port, len(r.Sets))
	for i := range r.Sets {
		for _, p := range r.Sets[i].Ports {
			if good[p.Switch] {
				ends[i] = append(ends[i], p)
			}
		}
	}
	return ends, nil
}
