package routing

import (
	"math"

	"toposearch/topology"
)

// What the fluids of Sighted and Thinned have in common: a channel that is asked for more than it carries passes the same part of all that comes.

const (
	// sightedStep is by how much of the excess of a channel a class is diverted in a round, and how fast channels follow what they are asked for.
	sightedStep = 0.5
	// sightedNear is how closely a saturation load is told, of 1: a quarter of what its measurement leaves open.
	sightedNear = 4e-3
)

// largestLoad is the largest load, at most 1, of which a part is accepted.
func largestLoad(part float64, accepted func(x float64) (float64, error)) (float64, error) {
	if got, err := accepted(1); err != nil || got >= part {
		return 1, err
	}
	lo, hi := 0.0, 1.0
	for hi-lo > sightedNear*hi {
		mid := (lo + hi) / 2
		got, err := accepted(mid)
		if err != nil {
			return 0, err
		}
		if got >= part {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, nil
}

// scales are 1 over the capacity of each channel, 0 of those that do not count.
func (r *Router) scales(capacity func(link int) float64) []float64 {
	scale := make([]float64, r.Net.Channels())
	for c := range scale {
		if k := r.Net.LinkClass(topology.ChannelID(c)); r.Net.LinkClasses[k].Name != topology.ClassInternal {
			scale[c] = 1 / capacity(k)
		}
	}
	return scale
}

// thin lets channels pass, step by step, the part of what comes that they carry, and gives by how much the part of any was off.
func thin(load, pass []float64) (change float64) {
	for c, x := range load {
		off := 1/max(1, x) - pass[c]
		change = max(change, math.Abs(off))
		pass[c] += sightedStep * off
	}
	return change
}
