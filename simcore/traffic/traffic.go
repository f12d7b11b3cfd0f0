// Package traffic holds the rules by which endpoints choose destinations: the synthetic patterns
// of the literature, permutations that are bad for a given network, and matrices from files.
// ByName makes one from a text such as "hotspot(0.2,9)"; All lists what there is.
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
	draw func(src int, r *simcore.Rand) int
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

// Permutation gives the destination of each endpoint, -1 for none, if the pattern has a fixed
// one for each; nil otherwise. The slice belongs to the pattern.
func (p *Pattern) Permutation() []int32 { return p.to }

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
