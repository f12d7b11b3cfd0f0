package routing

import (
	"context"
	"fmt"
	"slices"

	"toposearch/topology"
)

// AlikeBytes is the memory that WorstCase takes where channels are alike: pairs in lists that grow and by either side, and the matchings, of colours and of sets.
func AlikeBytes(sets float64) float64 {
	return 112*min(listedPairs, sets*sets) + 20*sets*sets
}

// alikeKinds numbers the kinds of channels that are alike, by channel.
func (r *Router) alikeKinds(alike []int) []uint16 {
	of := make([]uint16, len(r.Kinds))
	for i, k := range r.Kinds {
		k.Link = uint8(alike[k.Link])
		of[i] = uint16(slices.IndexFunc(r.Kinds[:i+1], func(o topology.Kind) bool {
			o.Link = uint8(alike[o.Link])
			return o == k
		}))
	}
	kind := make([]uint16, len(r.kind))
	for c, k := range r.kind {
		kind[c] = of[k]
	}
	return kind
}

// alike gives WorstCase.Bound and WorstCase.Worst of a network whose channels of a kind are all alike: one channel stands for all, and only the pairs that cross it are listed.
// For every destination a pass over the links that lead nearer to it tells what every source puts on that channel, where WorstCase follows every pair over all
// of its routes. No bound: endpoints have several ports, of which each is bounded by itself, or too many pairs cross.
func (p *pairs) alike(ctx context.Context, kind []uint16) (bound []float64, worst []Flow, err error) {
	if len(p.scale) > len(kind) {
		return nil, nil, nil
	}
	var one []topology.ChannelID // of each kind
	at := make(map[uint16]int)
	for c, k := range kind {
		if _, ok := at[k]; !ok {
			at[k] = len(one)
			one = append(one, topology.ChannelID(c))
		}
	}
	list, err := p.crossing(ctx, one)
	if list == nil || err != nil {
		return nil, nil, err
	}
	most, busiest := make([]float64, len(one)), 0
	found := make([]*merged, len(one))
	for i := range one {
		if len(list[i]) == 0 {
			continue
		}
		found[i] = p.merge(list[i])
		if most[i], err = found[i].solve(ctx); err != nil {
			return nil, nil, err
		}
		if most[i] > most[busiest]*(1+1e-9) {
			busiest = i
		}
	}
	bound = make([]float64, len(kind))
	for c, k := range kind {
		bound[c] = most[at[k]]
	}
	if busiest < len(found) && found[busiest] != nil {
		worst, err = found[busiest].apart(ctx)
	}
	return bound, worst, err
}

// crossing lists the pairs whose traffic crosses each of some channels; nil: there are too many.
func (p *pairs) crossing(ctx context.Context, channels []topology.ChannelID) ([][]crossing, error) {
	r, room := p.r, listedPairs
	out := make([][]crossing, len(channels))
	load := make([]float64, len(p.field.Dist)) // of the channel at hand by a unit from each node
	for dst := range r.Sets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.aim(dst)
		for i, c := range channels {
			if p.scale[c] == 0 {
				continue
			}
			for _, x := range p.field.order { // the nearest first
				load[x] = p.ahead(load, x, c)
			}
			for src := range r.Sets {
				x, ok := p.entering(load, src)
				switch {
				case src == dst:
				case !ok:
					return nil, fmt.Errorf("routing: no route from endpoint %d to endpoint %d", r.Sets[src].First, r.Sets[dst].First)
				case x > 0:
					if room--; room < 0 {
						return nil, nil
					}
					out[i] = append(out[i], crossing{int32(src), int32(dst), x * p.scale[c]})
				}
			}
		}
	}
	return out, nil
}

// ahead is what a unit at a node puts on a channel, by what it would from the nodes that are one nearer.
func (p *pairs) ahead(load []float64, x int32, c topology.ChannelID) float64 {
	sum, hops := 0.0, p.hopsOf(x)
	for _, h := range hops {
		on := load[int(p.r.Net.To(h.Channel))*p.r.states+int(h.State)]
		if h.Channel == c {
			on = 1
		}
		if p.single {
			sum = max(sum, on)
		} else {
			sum += on / float64(len(hops))
		}
	}
	return sum
}

// entering is what a unit puts on a channel that a set sends, by what it would from every node; false: no route leads to the destination.
func (p *pairs) entering(load []float64, src int) (sum float64, ok bool) {
	set, total, d := p.enter(src)
	if d == Unreachable {
		return 0, false
	}
	for _, i := range p.at {
		on := load[int(set.Ports[i].Switch)*p.r.states]
		if p.single {
			sum = max(sum, on)
		} else {
			sum += on * float64(set.Ports[i].Count) / float64(total)
		}
	}
	return sum, true
}
