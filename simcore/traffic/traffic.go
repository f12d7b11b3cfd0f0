// Package traffic holds the rules by which endpoints choose destinations: the synthetic patterns
// of the literature, permutations that are bad for a given network, and matrices from files.
// ByName makes one from a text such as "hotspot(0.2,9)"; All lists what there is. Each states what an endpoint
// sends to every other on the mean (Shares), from which Load computes what a network carries of it.
package traffic

import (
	"toposearch/simcore"
	"toposearch/topology"
)

// Pattern is a traffic for a network of a known number of endpoints. It is immutable and safe
// for concurrent use.
type Pattern struct {
	name string
	n    int
	to   []int32 // the destination of each endpoint, -1 for none; nil if draw decides
	how  string  // how to was found, if by a search
	draw func(src int, r *simcore.Rand) int
	// What endpoints send, as parts of the offered load: uniform is the part of every endpoint that goes to all others
	// alike, rest what it sends beside, in any order, negative where a destination gets less than its share of uniform.
	uniform float64
	rest    func(src int, add func(dst int, part float64)) // nil: nothing, or what to says
}

var _ simcore.Traffic = (*Pattern)(nil)

// Name is the text from which ByName makes the pattern.
func (p *Pattern) Name() string { return p.name }

// Dest draws a destination; -1 means that src sends nothing this time.
func (p *Pattern) Dest(src topology.EndpointID, r *simcore.Rand) topology.EndpointID {
	if p.to != nil {
		return topology.EndpointID(p.to[src])
	}
	return topology.EndpointID(p.draw(int(src), r))
}

// How says how the permutation was found, "" if there is no choice.
func (p *Pattern) How() string { return p.how }

// Permutation gives the destination of each endpoint, -1 for none, if the pattern has a fixed
// one for each; nil otherwise. The slice belongs to the pattern.
func (p *Pattern) Permutation() []int32 { return p.to }

// next draws a destination.
func (p *Pattern) next(src int, r *simcore.Rand) int {
	if p.to != nil {
		return int(p.to[src])
	}
	return p.draw(src, r)
}

// Uniform is the part of what every endpoint sends that goes to all others alike, in [0, 1] but for hot spots, whose
// correction Shares has.
func (p *Pattern) Uniform() float64 { return p.uniform }

// Shares adds the parts of what src sends to single destinations beside Uniform. The parts of all destinations add up to 1
// less the part of packets for which Dest has no destination. A destination may come several times, src itself, too, and
// with a negative part if it gets less than its share of Uniform.
func (p *Pattern) Shares(src topology.EndpointID, add func(dst int, part float64)) {
	switch {
	case p.to != nil:
		if d := p.to[src]; d >= 0 {
			add(int(d), 1)
		}
	case p.rest != nil:
		p.rest(int(src), add)
	}
}

// table makes a pattern from a function of the source.
func table(n int, f func(src int) int) *Pattern {
	to := make([]int32, n)
	for s := range to {
		to[s] = int32(f(s))
	}
	return &Pattern{n: n, to: to}
}

// other draws uniformly from all endpoints but src.
func other(n, src int, r *simcore.Rand) int {
	d := r.IntN(n - 1)
	if d >= src {
		d++
	}
	return d
}
