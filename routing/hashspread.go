package routing

import (
	"context"
	"fmt"
	"math"
)

// HashSpread is, for each link class, the variance over the mean of the number of flows on a channel where every flow of uniform traffic keeps to one
// path, picked hop by hop by a hash that is as good as random: flows are independent, and one that crosses a channel with probability p, the share
// that an even split sends there, adds p to the mean and p(1-p) to the variance. Ports of endpoints that have several, of which one is picked, too, count
// as the class of their links. 0: no flow has a choice; near 1: each has many paths, as in a Poisson
// distribution. Of many attachment sets `most` are taken as destinations, with as many sources of each, which differ: pairs half the numbering apart, opposite
// each other in a ring, are no more than their part of all. It takes a search for each destination.
func (r *Router) HashSpread(ctx context.Context, most int) ([]float64, error) {
	p := newPairs(r, func(int) float64 { return 1 }, false)
	sum, spread := make([]float64, len(r.Net.LinkClasses)), make([]float64, len(r.Net.LinkClasses))
	nic := nicClass(r.Net)
	for i := range min(len(r.Sets), most) {
		dst := nth(len(r.Sets), most, i)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.aim(dst)
		for j := range min(len(r.Sets), most) {
			src := j
			if len(r.Sets) > most { // how far sources are from destinations in the numbering follows the same sequence
				src = (dst + nth(len(r.Sets), most, i*most+j)) % len(r.Sets)
			}
			flows := float64(r.Sets[src].Endpoints) * float64(r.Sets[dst].Endpoints)
			if src == dst {
				flows -= float64(r.Sets[dst].Endpoints) // nobody sends to itself
			}
			if !p.follow(src, dst) {
				return nil, fmt.Errorf("routing: no route from endpoint %d to endpoint %d", r.Sets[src].First, r.Sets[dst].First)
			}
			for _, c := range p.touched {
				if int(c) < r.Net.Channels() {
					k, x := r.Kinds[r.kind[c]].Link, p.near[c]+p.far[c]
					sum[k] += flows * x
					spread[k] += flows * x * max(0, 1-x)
				}
			}
			for k, set := range []int{src, dst} { // out of ports, and into them
				if p.start[set] < 0 {
					continue
				}
				for i, port := range r.Sets[set].Ports {
					side := p.near
					if k == 1 {
						side = p.far
					}
					x := side[int(p.start[set])+2*i+k] * float64(r.Sets[set].Endpoints) // of a flow, on one of Count ports alike
					sum[nic] += flows * x * float64(port.Count)
					spread[nic] += flows * x * float64(port.Count) * max(0, 1-x)
				}
			}
			p.clear()
		}
	}
	for k := range spread {
		if sum[k] > 0 {
			spread[k] /= sum[k]
		}
	}
	return spread, nil
}

// nth is the i-th of n indices, of which `most` are taken, or of more that follow no period of the numbering: multiples of the golden ratio.
func nth(n, most, i int) int {
	const golden = 0.6180339887498949
	if n <= most {
		return i
	}
	x := float64(i) * golden
	return int((x - math.Floor(x)) * float64(n))
}
