package adversary

import (
	"context"
	"math"

	"toposearch/internal/stream"
	"toposearch/routing"
)

const (
	// others is the number of further longest matchings by hops that are tried: many permutations are as long
	// where distances are few small numbers, and what they get differs.
	others = 3
	// noise is how much lengths of 1 are disturbed for these: over routes of less than 20 hops it does not make up for
	// a hop.
	noise = 0.05
	// steps is the number of lengths that a matching tells apart: rounding makes less of the bound than the gap that
	// the solver mostly leaves, and ten times as many steps take ten times as long.
	steps = 200
	// matchNs is the time of a matching by the square of the number of sites, ns.
	matchNs = 2000
)

// matchings are the longest ones by hops; none if some sites have no route.
func (h *hunt) matchings(ctx context.Context) ([]traffic, error) {
	hops := h.g.Hops()
	first, err := h.longest(ctx, hops, "longest matching")
	if err != nil || first == nil {
		return nil, err
	}
	h.note(first)
	all, rng := []traffic{*first}, stream.New(1, "longest matchings")
	for range others {
		if h.over() {
			break
		}
		for i := range hops {
			hops[i] = 1 + noise*rng.Float64()
		}
		t, err := h.longest(ctx, hops, "another longest matching")
		if err != nil {
			return nil, err
		}
		all = append(all, *t)
	}
	return all, nil
}

// longest is the matching with the longest routes under lengths, bounded by them; nil if some sites have no
// route.
func (h *hunt) longest(ctx context.Context, lengths []float64, name string) (*traffic, error) {
	dist, err := h.g.Distances(ctx, lengths, h.sites)
	if err != nil {
		return nil, err
	}
	most := 0.0
	for _, x := range dist {
		most = math.Max(most, x)
	}
	if math.IsInf(most, 1) {
		return nil, nil
	}
	weight := make([]uint16, len(dist))
	for i, x := range dist {
		weight[i] = uint16(math.Round(x / most * steps))
	}
	shipped, err := routing.HeaviestShipment(ctx, weight, h.amount)
	if err != nil {
		return nil, err
	}
	t := &traffic{name: name, root: name}
	length, k := 0.0, len(h.sites)
	for i, n := range shipped {
		if n > 0 {
			amount := float64(n * h.each)
			t.add(h.sites[i/k], h.sites[i%k], amount)
			length += amount * dist[i]
		}
	}
	t.hi = h.g.Volume(lengths) / length
	return t, nil
}
