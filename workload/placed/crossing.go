package placed

import (
	"math"

	"toposearch/workload"
	"toposearch/workload/collective"
)

// A cut is a bound on a collective: whatever the algorithm and the routes are, some data have to leave a part of the network and others to enter it.

// tight is the share of a bound of sums of capacities that is sure to be below what the same sums add up to in another order.
const tight = 1 - 1e-9

// LowerBound is what no algorithm is faster than, in seconds, without latency: what a rank must send or receive over the network and, if its group
// has others in its domain, over that as well; what all groups must send through the ports of domains and the cuts of Partitions and of a Shape, over any routes (domains are whole on either side: Whole); and
// what an all-gather among all endpoints takes by Gather. Only an all-reduce by switches that add may be twice as fast as what ranks send without them.
func (n *Network) LowerBound(c workload.Communication) float64 {
	rate := n.Link.BytesPerS
	if n.near(c.Group) {
		rate += n.Scaleup.BytesPerS
	}
	adds := n.Reduction > 0
	share := c.Kind.WireShare(c.Size)
	if adds && c.Kind == collective.AllReduce {
		share = 1
	}
	most := share * c.Bytes / rate
	far := 0.0 // of S, through cuts, at an endpoint's rate
	switch c.Kind {
	case collective.AllReduce, collective.ReduceScatter, collective.AllGather:
		// An all-reduce of vectors that are 0 but for a rank's own part gathers the parts, and a reduce-scatter is an all-gather backwards.
		if n.Router != nil && c.Size == n.Router.Net.Endpoints() {
			far = n.Gather / float64(c.Size)
		}
	}
	if n.Shape != nil {
		for _, b := range n.Shape.blocks() {
			far = max(far, n.throughBlocks(c, b, adds))
		}
	}
	if n.Router == nil && n.Domain > 1 { // the ports of a domain, which Partitions have
		far = max(far, n.throughBlocks(c, Subtree{n.Domain, float64(n.Domain)}, adds))
	}
	for _, p := range n.Partitions {
		far = max(far, n.through(c, p, adds))
	}
	return max(most, far*c.Bytes/n.Link.BytesPerS*tight)
}

// needs is what a group of n ranks, m of which are in a part, sends at least out of and into it, of S.
func needs(k collective.Kind, m, n int) (out, in float64) {
	x := float64(m) / float64(n)
	switch {
	case m == 0 || m == n:
		return 0, 0
	case k == collective.AllGather:
		return x, 1 - x
	case k == collective.ReduceScatter:
		return 1 - x, x
	case k == collective.AllToAll:
		return x * float64(n-m), x * float64(n-m)
	case k == collective.AllReduce || k == collective.Exchange:
		return 1, 1 // a sum of what is on this side, and of the rest
	}
	return 0, 0
}

// merges is what a group whose ranks are in so many parts sends at least between parts in an all-reduce, of S, if nothing but ranks adds: each
// element is merged parts-1 times and told to as many, since 2(k-1) calls one way are what all of k need to know what all do (Baker, Shostak, Discrete
// Math. 2(3), 1972, for calls both ways; Harary, Schwenk, J. Franklin Inst. 297(6), 1974). With links that are the same both ways that is as many spanning trees as there are
// disjoint ones (Tutte, Nash-Williams 1961).
func merges(k collective.Kind, parts int, adds bool) float64 {
	if k != collective.AllReduce || adds {
		return 0
	}
	return 2 * float64(parts-1)
}

// throughBlocks is what a collective takes of S through the links of blocks of endpoints, at an endpoint's rate.
func (n *Network) throughBlocks(c workload.Communication, b Subtree, adds bool) float64 {
	each, groups := n.inBlocks(c.Group, b.Endpoints)
	if groups == 0 { // they do not lie alike
		p := &Cuts{Of: make([]int32, len(n.Endpoint))}
		for r, e := range n.Endpoint {
			part := int32(int(e) / b.Endpoints)
			for int(part) >= len(p.Carry) {
				p.Carry = append(p.Carry, b.Carry)
			}
			p.Of[r] = part
		}
		return n.throughParts(c, p.Of, p.Carry, adds)
	}
	if each == c.Size {
		return 0
	}
	out, in := needs(c.Kind, each, c.Size)
	most := max(out, in) * float64(groups)
	parts := c.Size / each
	return max(most, merges(c.Kind, parts, adds)/float64(parts)*float64(groups)) / b.Carry
}

// inBlocks is how many ranks of a group each block of so many consecutive endpoints has, and of how many groups, if that is the same of all; else 0.
func (n *Network) inBlocks(of workload.Group, endpoints int) (each, groups int) {
	g, ok := n.onEndpoints(of)
	switch span := g.Stride * g.Size; {
	case !ok:
	case endpoints%span == 0:
		return g.Size, endpoints / g.Size
	case g.Stride%endpoints == 0:
		return 1, endpoints
	case endpoints%g.Stride == 0 && g.Size%(endpoints/g.Stride) == 0:
		return endpoints / g.Stride, g.Stride
	}
	return 0, 0
}

// through is throughBlocks of any parts.
func (n *Network) through(c workload.Communication, p Cuts, adds bool) float64 {
	if p.Block > 0 && len(n.Endpoint)%p.Block == 0 {
		used := len(n.Endpoint) / p.Block // parts with ranks, if these are on the first endpoints
		if each, groups := n.inBlocks(c.Group, p.Block); each == c.Size {
			return 0
		} else if groups > 0 { // all parts send as much
			out, in := needs(c.Kind, each, c.Size)
			narrowest, whole := math.Inf(1), 0.0
			for i, x := range p.Carry {
				if x > 0 {
					whole += x
					if i < used {
						narrowest = min(narrowest, x)
					}
				}
			}
			most := max(out, in) * float64(groups) / narrowest
			if whole > 0 {
				most = max(most, merges(c.Kind, c.Size/each, adds)*float64(len(n.Endpoint)/c.Size)/whole)
			}
			return most
		}
	}
	of := make([]int32, len(n.Endpoint))
	for r, e := range n.Endpoint {
		of[r] = p.Of[e]
	}
	return n.throughParts(c, of, p.Carry, adds)
}

// throughParts is it with the part of each rank.
func (n *Network) throughParts(c workload.Communication, of []int32, carry []float64, adds bool) float64 {
	out, in := make([]float64, len(carry)), make([]float64, len(carry))
	count := make([]int, len(carry))
	var met []int32 // parts of a group, and of any
	merged := 0.0
	for first := range n.Endpoint {
		if first/c.Stride%c.Size != 0 {
			continue
		}
		met = met[:0]
		for i := range c.Size {
			part := of[first+i*c.Stride]
			if count[part]++; count[part] == 1 {
				met = append(met, part)
			}
		}
		for _, part := range met {
			o, i := needs(c.Kind, count[part], c.Size)
			out[part] += o
			in[part] += i
			count[part] = 0
		}
		merged += merges(c.Kind, len(met), adds)
	}
	most, whole := 0.0, 0.0
	for i, x := range carry {
		if x > 0 { // else nothing gets through, and there is no time to bound
			most = max(most, max(out[i], in[i])/x)
			whole += x
		}
	}
	if whole > 0 {
		most = max(most, merged/whole)
	}
	return most
}

// blocks are the subtrees.
func (t Tree) blocks() []Subtree { return t }

// blocks are those of switches with equal coordinates in the last dimensions, and of half of the values of the one before if that is even.
func (g *Grid) blocks() (out []Subtree) {
	size := g.PerSwitch
	lead := func(from int) (links float64) { // of a switch, in dimensions from one on
		for d := from; d < len(g.Dims); d++ {
			switch ring, _ := g.ring(d); {
			case g.Dims[d] < 2:
			case ring > 0: // of a line none has more
				links += 2 * g.Carry[d]
			default:
				links += float64(g.Dims[d]-1) * g.Carry[d]
			}
		}
		return links
	}
	for d, values := range g.Dims {
		if values < 2 {
			continue
		}
		switches := float64(size / g.PerSwitch)
		out = append(out, Subtree{size, switches * lead(d)})
		if half := values / 2; values%2 == 0 && half > 1 {
			links := lead(d+1) * switches * float64(half)
			if ring, _ := g.ring(d); ring > 0 && g.open(d) {
				links += switches * g.Carry[d]
			} else if ring > 0 {
				links += 2 * switches * g.Carry[d]
			} else {
				links += switches * float64(half*(values-half)) * g.Carry[d]
			}
			out = append(out, Subtree{size * half, links})
		}
		size *= values
	}
	return out
}
