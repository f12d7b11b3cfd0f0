package routing

import (
	"context"
	"fmt"
)

// HashSpread is, for each link class, the variance over the mean of the number of flows on a channel where every flow of uniform traffic keeps to one
// path, picked hop by hop by a hash that is as good as random: flows are independent, and one that crosses a channel with probability p, the share
// that an even split sends there, adds p to the mean and p(1-p) to the variance. 0: no flow has a choice; near 1: each has many paths, as in a Poisson
// distribution. Of many attachment sets `most` are taken as sources, and as many as destinations; it takes a search for each of these.
func (r *Router) HashSpread(ctx context.Context, most int) ([]float64, error) {
	p := newPairs(r, func(int) float64 { return 1 }, false)
	sum, spread := make([]float64, len(r.Net.LinkClasses)), make([]float64, len(r.Net.LinkClasses))
	dsts, srcs := spreadOver(len(r.Sets), most, 0), spreadOver(len(r.Sets), most, 0.5)
	for _, dst := range dsts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.aim(dst)
		for _, src := range srcs {
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

// spreadOver are all of n indices, or `most` of them that follow no period of the numbering: multiples of the golden ratio, from a phase on.
func spreadOver(n, most int, phase float64) (at []int) {
	const golden = 0.6180339887498949
	for i := range min(n, most) {
		if n > most {
			x := phase + float64(i)*golden
			at = append(at, int((x-float64(int(x)))*float64(n)))
		} else {
			at = append(at, i)
		}
	}
	return at
}
