package placed

import (
	"toposearch/workload"
	"toposearch/workload/collective"
)

// reduced is an all-reduce by switches that add (collective.InNetwork) on trees, where the switches above the ranks of a group are the tree that it
// needs: what leaves a subtree has been added up there, one vector of each group, spread over all links upwards as trees of several roots do
// (Graham et al., COMHPC 2016: SHARP runs several trees beside each other). false: n is no such tree, or none of its switches adds.
//
// A network that blocks nothing stands for any: there it takes what ranks send, without latency.
func (n *Network) reduced(c workload.Communication) (a collective.InNetwork, of []stage, ok bool) {
	if n.Reduction <= 0 || c.Kind != collective.AllReduce || n.Domain > 1 || c.Size < 2 {
		return a, nil, false
	}
	slow := max(1, n.Link.BytesPerS/n.Reduction) // of an endpoint's rate: what a port adds is what it takes in
	if n.Router == nil && n.Shape == nil {
		return collective.InNetwork{N: c.Size, Radix: c.Size, Segments: 1}, []stage{{0, 1 * tight, 0}}, true
	}
	t, ok := n.Shape.(Tree)
	if !ok {
		return a, nil, false
	}
	far := slow
	for _, b := range t {
		far = max(far, n.throughBlocks(c, b, true))
	}
	a = collective.InNetwork{N: c.Size, Radix: n.fewest(c.Group, t), Segments: 1}
	a.Segments = a.BestSegments(collective.Link{Alpha: n.Link.Alpha, BytesPerS: n.Link.BytesPerS / far}, c.Bytes)
	cost, err := a.Cost(c.Kind)
	if err != nil {
		return a, nil, false
	}
	return a, []stage{{cost.Steps[0], cost.Share[0] * far, 0}}, true
}

// fewest is a radix with which the tree of a group has as many levels of switches as the network has between its ranks.
func (n *Network) fewest(g workload.Group, t Tree) int {
	levels, span := 1, g.Stride*g.Size
	if !n.inOrder() {
		span = len(n.Endpoint)
	}
	for _, b := range t {
		if b.Endpoints < span {
			levels++
		}
	}
	radix := 2
	for power(radix, levels) < g.Size {
		radix++
	}
	return radix
}

// power is x to the n, or beyond all ranks.
func power(x, n int) int {
	y := 1
	for range n {
		if y *= x; y > 1<<40 {
			return y
		}
	}
	return y
}
