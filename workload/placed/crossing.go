package placed

import (
	"math"
	"slices"

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
		rate += n.nearRate()
	}
	adds := n.Reduction > 0
	share := c.Kind.WireShare(c.Size)
	if adds && c.Kind == collective.AllReduce {
		share = 1
	}
	return max(share*c.Bytes/rate, n.throughCuts(c, adds)*c.Bytes/n.Link.BytesPerS*tight)
}

// throughCuts is what a collective takes of S through what is known of cuts, at an endpoint's rate.
func (n *Network) throughCuts(c workload.Communication, adds bool) (far float64) {
	k := crossed{c.Kind, c.Group}
	if far, ok := n.crossed[k]; ok {
		return far
	}
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
		far = max(far, n.throughBlocks(c, Subtree{Endpoints: n.Domain, Carry: float64(n.Domain)}, adds))
	}
	for _, p := range n.Partitions {
		far = max(far, n.through(c, p, adds))
	}
	if n.crossed == nil {
		n.crossed = make(map[crossed]float64)
	}
	n.crossed[k] = far
	return far
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
	each, groups := n.inBlocks(c.Group, b)
	if groups == 0 { // they do not lie alike
		return n.throughUneven(c, b, adds)
	}
	if each == c.Size {
		return 0
	}
	out, in := needs(c.Kind, each, c.Size)
	most := max(out, in) * float64(groups)
	parts := c.Size / each
	merged := merges(c.Kind, parts, adds)
	far := max(most, merged/float64(parts)*float64(groups)) / b.Carry
	if b.Each != nil { // the first, in which there are ranks, may have less
		far = max(far, most/b.Each(0), merged*float64(len(n.Endpoint)/c.Size)/b.Whole)
	}
	return far
}

// throughUneven is throughBlocks of blocks that do not have as many ranks of each group.
func (n *Network) throughUneven(c workload.Communication, b Subtree, adds bool) float64 {
	switch {
	case len(n.Endpoint) == 0: // all to all as uniform traffic, whose ranks are not listed
		return 0
	case b.Across == 0 && n.lying(c.Group):
		c.Group, _ = n.onEndpoints(c.Group)
		return throughRows(c, len(n.Endpoint), b, adds)
	}
	last := int(slices.Max(n.Endpoint))
	carry := make([]float64, b.number(last)+1+b.Across)
	for i := range carry {
		if carry[i] = b.Carry; b.Each != nil {
			carry[i] = b.Each(i)
		}
	}
	return throughParts(c, len(n.Endpoint), carry, adds, func(r int) (part, end int) { return b.number(int(n.Endpoint[r])), r + 1 })
}

// inBlocks is how many ranks of a group each block has, and of how many groups, if that is the same of all; else 0.
func (n *Network) inBlocks(of workload.Group, b Subtree) (each, groups int) {
	g, ok := n.onEndpoints(of)
	if !ok {
		return 0, 0
	}
	return b.holds(g, len(n.Endpoint))
}

// through is throughBlocks of any parts.
func (n *Network) through(c workload.Communication, p Cuts, adds bool) float64 {
	if p.Block > 0 && len(n.Endpoint)%p.Block == 0 {
		used := len(n.Endpoint) / p.Block // parts with ranks, if these are on the first endpoints
		if each, groups := n.inBlocks(c.Group, Subtree{Endpoints: p.Block}); each == c.Size {
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
	ends := make([]int32, len(n.Endpoint)) // by rank, of those that are next to each other in its part
	for r := len(ends) - 1; r >= 0; r-- {
		if ends[r] = int32(r + 1); r+1 < len(ends) && p.Of[n.Endpoint[r]] == p.Of[n.Endpoint[r+1]] {
			ends[r] = ends[r+1]
		}
	}
	return throughParts(c, len(n.Endpoint), p.Carry, adds, func(r int) (part, end int) { return int(p.Of[n.Endpoint[r]]), int(ends[r]) })
}

// rowNeeds is what groups need out of and into a block of ranks, and how many there are that have ranks in it.
type rowNeeds struct {
	out, in float64
	met     int
}

// needsOfRow is it of the ranks from first to end: of groups side by side those have one rank more that come first. What all of them need is added group by group.
func needsOfRow(c workload.Communication, first, end int) (x rowNeeds) {
	span := c.Stride * c.Size
	add := func(ranks, groups int) {
		if ranks == 0 {
			return
		}
		o, i := needs(c.Kind, ranks, c.Size)
		for range groups {
			x.out += o
			x.in += i
		}
		x.met += groups
	}
	for at := first; at < end; {
		some := min(end, (at/span+1)*span) - at
		if some == span { // groups inside need nothing
			whole := (end - at) / span
			x.met += whole * c.Stride
			at += whole * span
			continue
		}
		each, more, begin := some/c.Stride, some%c.Stride, at%c.Stride
		if over := begin + more - c.Stride; over > 0 {
			add(each+1, over)
			add(each, begin-over)
			add(each+1, c.Stride-begin)
		} else {
			add(each, begin)
			add(each+1, more)
			add(each, -over)
		}
		at += some
	}
	return x
}

// throughRows is throughParts of blocks of ranks in order. Those inside a block of groups are alike that begin at the same place of ranks side by side, or are no longer than these, and others that begin at the same
// place of a block of groups.
func throughRows(c workload.Communication, ranks int, b Subtree, adds bool) (most float64) {
	span, met, whole := c.Stride*c.Size, 0, 0.0
	inside, across := make(map[int]rowNeeds), make(map[int]rowNeeds)
	for i, first := 0, 0; first < ranks; i, first = i+1, first+b.Endpoints {
		end := first + b.Endpoints
		seen, place := across, first%span
		if place+b.Endpoints <= span {
			if seen, place = inside, 0; c.Stride < b.Endpoints {
				place = first % c.Stride
			}
		}
		x, ok := seen[place]
		if !ok || end > ranks {
			if x = needsOfRow(c, first, min(end, ranks)); end <= ranks {
				seen[place] = x
			}
		}
		met += x.met
		carry := b.Carry
		if b.Each != nil {
			carry = b.Each(i)
		}
		if carry > 0 { // else nothing gets through, and there is no time to bound
			most = max(most, max(x.out, x.in)/carry)
			whole += carry
		}
	}
	if whole > 0 {
		most = max(most, (merges(c.Kind, met, adds)-merges(c.Kind, ranks/c.Size, adds))/whole)
	}
	return most
}

// throughParts is it of so many ranks; of gives the part of a rank, in which those before end are, too.
func throughParts(c workload.Communication, ranks int, carry []float64, adds bool, of func(r int) (part, end int)) float64 {
	out, in := make([]float64, len(carry)), make([]float64, len(carry))
	count := make([]int, len(carry))
	var met []int32 // parts of a group, and of any
	merged := 0.0
	var o, i float64 // what a group needs of which the part has so many
	last := -1
	for block, span := 0, c.Stride*c.Size; block < ranks; block += span {
		if _, end := of(block); end >= block+span { // groups inside need nothing
			block += ((end-block)/span - 1) * span
			continue
		}
		for first := block; first < block+c.Stride; first++ {
			met = met[:0]
			for at, all := first, first+span; at < all; {
				part, end := of(at)
				some := 1
				if end > at+c.Stride {
					some = (min(end, all) - at + c.Stride - 1) / c.Stride
				}
				if count[part] == 0 {
					met = append(met, int32(part))
				}
				count[part] += some
				at += some * c.Stride
			}
			for _, part := range met {
				if count[part] != last {
					last = count[part]
					o, i = needs(c.Kind, last, c.Size)
				}
				out[part] += o
				in[part] += i
				count[part] = 0
			}
			merged += merges(c.Kind, len(met), adds)
		}
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

// blocks are those of the lower digits of endpoints' numbers, and of half of the values of the one above if that is even.
func (g *Grid) blocks() (out []Subtree) {
	side := make([]int, len(g.Dims)) // of a block, along each dimension
	for d := range side {
		side[d] = 1
	}
	for _, x := range g.digits() {
		if x.Values < 2 {
			continue
		}
		out = append(out, g.block(side))
		lower := side[x.Dim]
		if x.Values%2 == 0 && x.Values > 2 {
			side[x.Dim] = lower * x.Values / 2
			out = append(out, g.block(side))
		}
		side[x.Dim] = lower * x.Values
	}
	return out
}

// block is each block of so many switches along all dimensions.
func (g *Grid) block(side []int) (b Subtree) {
	switches := product(side)
	b.Endpoints = switches * g.PerSwitch
	blocks, differ := float64(product(g.Dims)/switches), false
	for d, s := range side {
		n, lines := g.Dims[d], float64(switches/s)*g.Carry[d]
		if s == n {
			continue
		}
		out := float64(s * (n - s)) // links of a line out of the block
		mean := out
		switch ring, _ := g.ring(d); {
		case ring > 0:
			out, mean = 2, 2
			if g.open(d) { // one at the ends
				out, mean, differ = min(2, float64(n/s)-1), 2-2*float64(s)/float64(n), true
			}
		case g.star(d): // what is in the middle is on either side
			out = float64(min(s, n-s))
			mean = out
		}
		b.Carry += lines * out
		b.Whole += lines * mean * blocks
	}
	if differ {
		side, weights := slices.Clone(side), g.weights()
		b.Each = func(block int) float64 { return g.carries(g.number(block*switches, weights), side, b.Carry) }
	}
	return b
}

// carries is what the links of a block carry, the first of whose switches it is, if those of one in the middle of all open lines carry most.
func (g *Grid) carries(first int, side []int, most float64) float64 {
	switches, step := product(side), 1
	for d, s := range side {
		n := g.Dims[d]
		if at := first / step % n; g.open(d) && 2*s < n && (at == 0 || at+s >= n) {
			most -= float64(switches/s) * g.Carry[d]
		}
		step *= n
	}
	return most
}
