package routing

import (
	"context"
	"math"

	"toposearch/topology"
)

// Crowds looks for traffic that loads one channel, from the endpoints nearest before it to those nearest behind it: some of the heaviest
// matching of WorstCase, without following all pairs.
type Crowds struct {
	pairs *pairs
	at    [][]int32 // sets by switch
}

// NewCrowds prepares it.
func NewCrowds(r *Router) *Crowds {
	x := &Crowds{pairs: newPairs(r, func(int) float64 { return 1 }, false), at: make([][]int32, r.Net.Switches())}
	for i := range r.Sets {
		for _, p := range r.Sets[i].Ports {
			x.at[p.Switch] = append(x.at[p.Switch], int32(i))
		}
	}
	return x
}

// Load is how much the found traffic, in which no endpoint sends or takes more than its bandwidth, loads a channel, in bandwidths of an
// endpoint. So many sets of endpoints are looked at on either side; each of those behind takes a search.
func (x *Crowds) Load(ctx context.Context, c topology.ChannelID, most int) (float64, error) {
	p, r := x.pairs, x.pairs.r
	from := x.nearest(r.Net.From(c), most, func(s topology.SwitchID) []topology.SwitchID { return r.inFrom[r.inStart[s]:r.inStart[s+1]] })
	to := x.nearest(r.Net.To(c), most, r.Net.Neighbors)
	place := map[int32]int{}
	var sets []int32
	for _, i := range append(append([]int32{}, from...), to...) {
		if _, ok := place[i]; !ok {
			place[i] = len(sets)
			sets = append(sets, i)
		}
	}
	n := len(sets)
	part, heaviest := make([]float64, n*n), 0.0
	for _, dst := range to {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		p.aim(int(dst))
		for _, src := range from {
			if src == dst || !p.follow(int(src), int(dst)) {
				continue
			}
			share := p.near[c] + p.far[c]
			part[place[src]*n+place[dst]] = share
			heaviest = max(heaviest, share)
			p.clear()
		}
	}
	if heaviest == 0 {
		return 0, nil
	}
	weight, amount := make([]uint16, n*n), make([]int32, n)
	for i, s := range part {
		weight[i] = uint16(s / heaviest * math.MaxUint16)
	}
	for i, s := range sets {
		amount[i] = int32(r.Sets[s].Endpoints)
	}
	sent, err := HeaviestShipment(ctx, weight, amount)
	if err != nil {
		return 0, err
	}
	load := 0.0
	for i, k := range sent {
		load += float64(k) * part[i]
	}
	return load, nil
}

// nearest are the sets that a breadth-first search from a switch meets first; of those as far away as the last, some spread evenly.
func (x *Crowds) nearest(s topology.SwitchID, most int, next func(topology.SwitchID) []topology.SwitchID) (sets []int32) {
	seen, found := map[topology.SwitchID]bool{s: true}, map[int32]bool{}
	for level := []topology.SwitchID{s}; len(level) > 0 && len(sets) < most; {
		var here []int32
		var on []topology.SwitchID
		for _, v := range level {
			for _, set := range x.at[v] {
				if !found[set] {
					found[set] = true
					here = append(here, set)
				}
			}
			for _, t := range next(v) {
				if !seen[t] {
					seen[t] = true
					on = append(on, t)
				}
			}
		}
		level = on
		for k, left := 0, min(most-len(sets), len(here)); k < left; k++ {
			sets = append(sets, here[k*len(here)/left])
		}
	}
	return sets
}
