package evaluator

import (
	"slices"

	"toposearch/evaluator/flow"
	"toposearch/workload/placed"
)

// mostGathered bounds the endpoints times arcs of networks whose bottleneck of an all-gather is sought among all cuts, a largest flow to each
// endpoint: some 10 ms. Larger ones are bounded by the cuts of partitions.
const mostGathered = 1 << 16

// mostPartitions bounds the sizes of blocks that are tried, the smallest first (groups of dragonflies, pods): each goes through all links.
const mostPartitions = 3

// bottlenecks gives a network what LowerBound knows of its cuts: around the endpoints of each vertex of the cut graph, around blocks of consecutive
// endpoints of one size, and if the network is small the narrowest of all cuts for an all-gather.
func (w *work) bottlenecks(n *placed.Network) {
	classes := w.classIn(w.net)
	in := newCutInput(w.net, &classes, w.rates.Bandwidth)
	endpoints := len(in.at)
	part := make([]int32, len(in.spec.Weight))
	for v := range part {
		part[v] = -1
	}
	parts := int32(0)
	for _, v := range in.at {
		if part[v] < 0 {
			part[v] = parts
			parts++
		}
	}
	n.Partitions = in.cuts(n.Partitions, slices.Clone(part), int(parts))
	for size, found := endpoints/int(max(parts, 1))+1, 0; size <= endpoints/2 && found < mostPartitions; size++ {
		if endpoints%size == 0 && in.blocks(part, size) {
			n.Partitions = in.cuts(n.Partitions, slices.Clone(part), endpoints/size)
			found++
		}
	}
	if endpoints*len(in.spec.Arcs) <= mostGathered {
		var arcs []flow.Arc
		for _, a := range in.spec.Arcs {
			arcs = append(arcs, flow.Arc(a))
		}
		n.Gather, _ = flow.Bottleneck(in.spec.Weight, arcs)
	}
}

// blocks puts vertices into the block of consecutive endpoints of a size in which all of theirs are; false if some have theirs in several.
func (g *cutInput) blocks(part []int32, size int) bool {
	for v := range part {
		part[v] = -1
	}
	for e, v := range g.at {
		switch b := int32(e / size); part[v] {
		case -1, b:
			part[v] = b
		default:
			return false
		}
	}
	return true
}

// cuts adds a partition by the parts of vertices with endpoints. Others, -1, join the part to which more than half of what they carry leads, so that
// a part has the switches that are its own.
func (g *cutInput) cuts(list []placed.Cuts, part []int32, parts int) []placed.Cuts {
	if parts < 2 {
		return list
	}
	of := make([]int32, len(g.at))
	for e, v := range g.at {
		of[e] = part[v]
	}
	const levels = 3 // of switches above those of endpoints, of trees that are not counted as such
	for range levels {
		if !g.join(part) {
			break
		}
	}
	out, in := make([]float64, parts), make([]float64, parts)
	for _, a := range g.spec.Arcs {
		if p, q := part[a.From], part[a.To]; p != q {
			if p >= 0 {
				out[p] += a.Cap
			}
			if q >= 0 {
				in[q] += a.Cap
			}
		}
	}
	for p := range out {
		out[p] = max(out[p], in[p])
	}
	return append(list, placed.NewCuts(of, out))
}

// join puts vertices without a part to the one that has more than half of their links; whether it found any.
func (g *cutInput) join(part []int32) (found bool) {
	// Of several parts only one can have more than half: votes leave it (Boyer, Moore 1981), and are counted afterwards.
	lead, votes := make([]int32, len(part)), make([]float64, len(part))
	each := func(f func(v, p int32, c float64)) {
		for _, a := range g.spec.Arcs {
			if part[a.From] < 0 {
				f(a.From, part[a.To], a.Cap)
			}
		}
	}
	each(func(v, p int32, c float64) {
		switch {
		case votes[v] == 0 || lead[v] == p:
			lead[v] = p
			votes[v] += c
		case votes[v] < c:
			lead[v], votes[v] = p, c-votes[v]
		default:
			votes[v] -= c
		}
	})
	for v := range votes {
		votes[v] = 0
	}
	each(func(v, p int32, c float64) {
		if p == lead[v] {
			votes[v] += c
		} else {
			votes[v] -= c
		}
	})
	for v, x := range votes {
		if part[v] < 0 && x > 0 && lead[v] >= 0 {
			part[v], found = lead[v], true
		}
	}
	return found
}
