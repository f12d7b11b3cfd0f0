package evaluator

import (
	"math"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// How many endpoints are within so many hops, by walks, and what of any traffic may cross a channel.

// countedBytes is the memory of what reach counts.
func (w *work) countedBytes() float64 { return 8 * w.vertices() * float64(w.countedHops()+2) }

// passesNs is the cost of reach, and of going through the channels once more.
func (w *work) passesNs() float64 { return countedPassNs * w.arcs() * float64(w.countedHops()+2) }

// countedPassNs is a channel in a pass: a read at random, and the sum of what passes.
const countedPassNs = 8

// countedMostNs is what counting may take: of large grids, whose routes are long, the hops that it holds. What is further away is then everybody.
const countedMostNs = 5e8

// countedHops is up to how many hops is counted.
func (w *work) countedHops() int {
	return min(w.mostHops(), max(1, int(countedMostNs/(countedPassNs*w.arcs()))-2))
}

// mostHops is of the routes, between switches.
func (w *work) mostHops() int {
	if w.pretended[metric.MaxPathLinks] {
		_, most := w.across()
		return int(most)
	}
	return max(0, int(w.res.Metrics[metric.MaxPathLinks].Hi)-w.endLinks())
}

// endLinks is how many links of a route lead from its endpoint and to it: none where endpoints are inside switches.
func (w *work) endLinks() int {
	if w.d.Family.LinkClasses[0].Name == topology.ClassInternal {
		return 0
	}
	return 2
}

// reach bounds, from every switch, the endpoints to which a route has exactly so many hops, by the number of walks: of shortest paths those that do not go
// back on the link by which they came. Of these A(k+1) = A A(k) - (degree - 1) A(k-1), but A(2) = A A(1) - degree A(0).
func reach(n *topology.Network, hops int, shortest bool) *walks {
	k := n.Switches()
	// Layers side by side, so that a pass reads the one before it at random, and nothing else: it stays in cache.
	layers := make([][]float64, hops+1)
	for i := range layers {
		layers[i] = make([]float64, k)
	}
	for g := range n.Groups() {
		first, end, on := n.Group(g)
		for _, s := range on {
			layers[0][s] += float64(end - first)
		}
	}
	for i := 1; i <= hops; i++ {
		before, out := layers[i-1], layers[i]
		for s := range topology.SwitchID(k) {
			near, sum := n.Neighbors(s), 0.0
			for _, t := range near {
				sum += before[t]
			}
			if i >= 2 && shortest {
				back := float64(len(near))
				if i > 2 {
					back--
				}
				sum -= back * layers[i-2][s]
			}
			out[s] = max(0, sum)
		}
	}
	w := &walks{hops: hops, at: make([]float64, k*(hops+1))}
	for s := range k {
		row := w.from(topology.SwitchID(s))
		for i := range row {
			row[i] = layers[i][s]
		}
	}
	return w
}

// reached is reach along the routes that the routing takes, counted once.
func (w *work) reached(shortest bool) *walks {
	i := 0
	if shortest {
		i = 1
	}
	if w.walks[i] == nil {
		w.walks[i] = reach(w.net, w.countedHops(), shortest)
	}
	return w.walks[i]
}

// farApart is the least that the hops of some permutation of endpoints add up to. within[d] endpoints at most are within d hops of any
// endpoint, itself included. So each has at least N - within[d] that are further away, and a bipartite graph whose
// degrees are at least k has a matching of min(N, 2k) (König): all of them if within[d] is at most N/2, and beyond d + 1 hops as many as leave enough
// others to match the rest beyond d.
func farApart(within []float64, n float64) float64 {
	best := 0.0
	for d, x := range within {
		if x > n/2 {
			break
		}
		further := 0.0
		if d+1 < len(within) {
			further = math.Max(0, math.Min(2*(n-within[d+1]), n-2*x))
		}
		best = math.Max(best, n*float64(d+1)+math.Floor(further))
	}
	return best
}

// within are the most endpoints within 0, 1, ... hops of an endpoint, or of one of those that stand for all.
func within(n *topology.Network, far *walks, all []topology.Orbit) []float64 {
	out := make([]float64, far.hops+1)
	for _, g := range groupsOf(n, all) {
		_, _, on := n.Group(g)
		sum := 0.0
		for d := range out {
			for _, s := range on {
				sum += far.from(s)[d]
			}
			out[d] = math.Max(out[d], sum)
		}
	}
	return out
}

// groupsOf are the groups of endpoints that stand for all; nil: all of them.
func groupsOf(n *topology.Network, all []topology.Orbit) []int {
	out := make([]int, 0, n.Groups())
	for _, o := range all {
		out = append(out, n.GroupOf(topology.EndpointID(o.Rep)))
	}
	if all == nil {
		for g := range n.Groups() {
			out = append(out, g)
		}
	}
	return out
}

// crossed is what any traffic loads a channel with over routes of at most so many hops, relative to capacity, on the busiest channel: those for
// which it is the hop after i others come from endpoints i hops before it, and go to such as the rest of the hops reach behind it. Of
// switches that are alike one is looked at.
func (w *work) crossed(far *walks) (most float64) {
	if w.severalPorts() { // all that an endpoint sends may leave by one of its ports
		most = 1 / w.rates.Capacity(0)
	}
	if far.hops < w.mostHops() {
		return math.Max(most, w.everybody())
	}
	w.eachStanding(func(s topology.SwitchID) { most = math.Max(most, w.crossedFrom(s, far)) })
	return most
}

// everybody is the load of a channel that all endpoints cross, relative to the least capacity of any.
func (w *work) everybody() float64 {
	capacity, least := w.linkCapacity(), math.Inf(1)
	for c := range w.net.LinkClasses {
		if w.net.LinkClasses[c].Name != topology.ClassInternal {
			least = math.Min(least, capacity(c))
		}
	}
	return float64(w.net.Endpoints()) / least
}

// eachStanding visits switches that stand for all.
func (w *work) eachStanding(visit func(s topology.SwitchID)) {
	orbits := w.symmetry().Switches
	if orbits == nil {
		for s := range topology.SwitchID(w.net.Switches()) {
			visit(s)
		}
	}
	for _, o := range orbits {
		visit(topology.SwitchID(o.Rep))
	}
}

// crossedFrom is crossed of the channels out of a switch.
func (w *work) crossedFrom(s topology.SwitchID, far *walks) (most float64) {
	n, capacity, hops, before := w.net, w.linkCapacity(), far.hops, far.from(s)
	sums := make([]float64, hops+1)
	for c, end := n.Out(s); c < end; c++ {
		if n.LinkClasses[n.LinkClass(c)].Name == topology.ClassInternal {
			continue
		}
		behind := 0.0
		for j, x := range far.from(n.To(c))[:hops] {
			behind += x
			sums[j] = behind
		}
		load := 0.0
		for i := range hops {
			load += math.Min(before[i], sums[hops-1-i])
		}
		most = math.Max(most, math.Min(load, float64(n.Endpoints()))/capacity(n.LinkClass(c)))
	}
	return most
}
