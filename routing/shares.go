package routing

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// FairShares says of flows what they get where each gets its fair share of the busiest channel or port on its way. What
// passes one channel unhindered keeps others from filling, so that more is carried in truth where loads of channels differ.
type FairShares struct {
	rate, load []float64 // of each flow, by the relative load of its busiest channel, the busiest first
	offered    float64
}

// FairShares follows flows over the routes, split equally hop by hop. Loads are relative to capacity, at an offered load of 1.
func (r *Router) FairShares(ctx context.Context, flows []Flow, capacity func(link int) float64) (*FairShares, error) {
	return newPairs(r, capacity, false).fairShares(ctx, flows)
}

func (p *pairs) fairShares(ctx context.Context, flows []Flow) (*FairShares, error) {
	flows = slices.Clone(flows)
	slices.SortStableFunc(flows, func(a, b Flow) int { return a.Dst - b.Dst })
	load, busiest := make([]float64, len(p.scale)), make([]float64, len(flows))
	for pass := range 2 { // first the loads, then who meets them
		for i, x := range flows {
			if i == 0 || x.Dst != flows[i-1].Dst {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				p.aim(x.Dst)
			}
			if x.Src != x.Dst && !p.follow(x.Src, x.Dst) {
				return nil, fmt.Errorf("routing: no route from endpoint %d to endpoint %d", p.r.Sets[x.Src].First, p.r.Sets[x.Dst].First)
			}
			for _, c := range p.touched {
				if pass == 0 {
					load[c] += x.Rate * p.of(c)
				} else {
					busiest[i] = max(busiest[i], load[c])
				}
				p.near[c], p.far[c] = 0, 0
			}
			p.touched = p.touched[:0]
		}
	}
	s, order := new(FairShares), make([]int, len(flows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(busiest[b], busiest[a]) })
	for _, i := range order {
		s.add(flows[i].Rate, busiest[i])
	}
	return s, nil
}

// add adds a flow, or a part of one.
func (s *FairShares) add(rate, busiest float64) {
	s.rate, s.load, s.offered = append(s.rate, rate), append(s.load, busiest), s.offered+rate
}

// Pass adds what meets no channel.
func (s *FairShares) Pass(rate float64) { s.add(rate, 0) }

// Accepted is the part of what is offered that is carried at a load, of channels that carry a part of their capacity.
func (s *FairShares) Accepted(load, full float64) float64 {
	carried := 0.0
	for i, x := range s.load {
		carried += s.rate[i] * min(1, full/(load*max(x, 1e-300)))
	}
	return carried / s.offered
}

// Saturation is the largest load of which a part is accepted, by channels that carry a part of their capacity; at most 1.
func (s *FairShares) Saturation(part, full float64) float64 {
	if s.Accepted(1, full) >= part {
		return 1
	}
	lo, hi := 0.0, 1.0
	for hi-lo > 1e-6 {
		if mid := (lo + hi) / 2; s.Accepted(mid, full) >= part {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}
