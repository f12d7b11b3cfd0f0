package evaluator

import (
	"container/heap"
	"context"
	"math"

	"toposearch/topology"
)

// flowGraph is a network as a multicommodity flow sees it: undirected edges with the capacity of a
// link each way. Vertices are the switches; endpoints with several ports, or with one that counts,
// are vertices behind them that end routes and never forward.
//
// Edges are gathered in groups that share a length and whose load is averaged: each edge by itself,
// or, where the family's symmetry makes all links of a class alike, the classes. Averaging a routing
// over the automorphisms makes the load even within a class without changing its sum, so that what
// is found for one source of each orbit holds for the whole network.
type flowGraph struct {
	start    []int32
	to       []int32
	group    []int32   // of an arc; directed graphs have one for each direction
	back     []int32   // that of the opposite arc
	forwards int32     // vertices below forward
	cap      []float64 // of a group, both directions of all its edges, in bandwidths of an endpoint
	source   []flowSource

	length []float64 // by group
	dist   []float64
	queue  distQueue
	order  []int32
	flow   []float64
}

// flowSource is a vertex from which traffic comes, for all sources of its kind.
type flowSource struct {
	vertex int32
	times  float64 // sources that it stands for
	to     []flowDemand
}

type flowDemand struct {
	vertex int32
	amount float64 // in bandwidths of an endpoint at full load
}

// flowEdges says how edges are gathered.
type flowEdges int

const (
	eachEdge      flowEdges = iota // both directions together: for demands that are the same both ways
	byClass                        // all links of a class: where they are alike, and demands as above
	eachDirection                  // for any demands
)

// newFlowGraph takes the links of a network.
//
// Where demands are the same both ways, turning all routes round turns the loads round, and the mean
// of both loads the two directions of an edge alike: only their sum counts.
func newFlowGraph(n *topology.Network, classes *[topology.MaxClasses]netClass, bandwidth float64, by flowEdges) *flowGraph {
	g := &flowGraph{forwards: int32(n.Switches())}
	type edge struct{ a, b, group, back int32 }
	var edges []edge
	add := func(a, b int32, class int) {
		x := classes[class].gbps / bandwidth
		group := int32(class)
		switch by {
		case eachEdge:
			group = int32(len(g.cap))
			g.cap = append(g.cap, 2*x)
		case eachDirection:
			group = int32(len(g.cap))
			g.cap = append(g.cap, x, x)
			edges = append(edges, edge{a, b, group, group + 1})
			return
		default:
			g.cap[group] += 2 * x
		}
		edges = append(edges, edge{a, b, group, group})
	}
	if by == byClass {
		g.cap = make([]float64, len(n.LinkClasses))
	}
	for s := range topology.SwitchID(n.Switches()) {
		for c, end := n.Out(s); c < end; c++ {
			if n.Rev(c) > c {
				add(int32(s), int32(n.To(c)), n.LinkClass(c))
			}
		}
	}
	k := g.forwards
	if severalPorts(n) {
		for i := range n.Groups() {
			first, end, ports := n.Group(i)
			for range end - first {
				for _, s := range ports {
					add(k, int32(s), 0)
				}
				k++
			}
		}
	}
	g.start = make([]int32, k+1)
	for _, e := range edges {
		g.start[e.a+1]++
		g.start[e.b+1]++
	}
	for v := range k {
		g.start[v+1] += g.start[v]
	}
	g.to, g.group, g.back = make([]int32, 2*len(edges)), make([]int32, 2*len(edges)), make([]int32, 2*len(edges))
	at := append([]int32(nil), g.start...)
	for _, e := range edges {
		i, j := at[e.a], at[e.b]
		at[e.a]++
		at[e.b]++
		g.to[i], g.group[i], g.back[i] = e.b, e.group, e.back
		g.to[j], g.group[j], g.back[j] = e.a, e.back, e.group
	}
	g.length, g.dist, g.flow = make([]float64, len(g.cap)), make([]float64, k), make([]float64, k)
	return g
}

// severalPorts tells whether the links of endpoints count: they have several and do not relay.
func severalPorts(n *topology.Network) bool {
	if n.LinkClasses[0].Name == topology.ClassInternal {
		return false
	}
	for i := range n.Groups() {
		if _, _, ports := n.Group(i); len(ports) > 1 {
			return true
		}
	}
	return false
}

// uniform lets every endpoint send alike to every other, from all sources or from representatives.
func (g *flowGraph) uniform(n *topology.Network, orbits []topology.Orbit) {
	weight := make([]float64, len(g.dist))
	vertex := make([]int32, n.Groups())
	several := severalPorts(n)
	next := g.forwards
	for i := range n.Groups() {
		first, end, ports := n.Group(i)
		if !several {
			vertex[i] = int32(ports[0])
			weight[ports[0]] += float64(end - first)
			continue
		}
		vertex[i] = next
		for range end - first {
			weight[next] = 1
			next++
		}
	}
	all := float64(n.Endpoints())
	var demands []flowDemand
	for v, w := range weight {
		if w > 0 {
			demands = append(demands, flowDemand{int32(v), w / (all - 1)})
		}
	}
	if orbits != nil {
		for _, o := range orbits {
			g.source = append(g.source, flowSource{vertex[n.GroupOf(topology.EndpointID(o.Rep))], float64(o.Count), demands})
		}
		return
	}
	for v, w := range weight {
		if w > 0 {
			g.source = append(g.source, flowSource{int32(v), w, demands})
		}
	}
}

// distQueue is a heap of vertices by distance, then number.
type distQueue struct {
	v []int32
	d []float64
}

func (q *distQueue) Len() int { return len(q.v) }
func (q *distQueue) Less(i, j int) bool {
	return q.d[i] < q.d[j] || q.d[i] == q.d[j] && q.v[i] < q.v[j]
}
func (q *distQueue) Swap(i, j int) {
	q.v[i], q.v[j] = q.v[j], q.v[i]
	q.d[i], q.d[j] = q.d[j], q.d[i]
}
func (q *distQueue) Push(any) {}
func (q *distQueue) Pop() any {
	q.v, q.d = q.v[:len(q.v)-1], q.d[:len(q.d)-1]
	return nil
}

// tieSlack joins routes whose lengths differ by rounding alone.
const tieSlack = 1e-12

// route sends all demand over shortest routes under the lengths, split equally over ties hop by hop,
// adds it to load by group, and gives the sum of demand times distance: +Inf if some demand has no
// route.
func (g *flowGraph) route(load []float64) (volume float64) {
	for i := range g.source {
		s := &g.source[i]
		g.search(s.vertex)
		for _, d := range s.to {
			if d.vertex != s.vertex {
				if math.IsInf(g.dist[d.vertex], 1) {
					return math.Inf(1)
				}
				g.flow[d.vertex] += d.amount * s.times
				volume += d.amount * s.times * g.dist[d.vertex]
			}
		}
		for k := len(g.order) - 1; k > 0; k-- {
			v := g.order[k]
			x := g.flow[v]
			if g.flow[v] = 0; x == 0 {
				continue
			}
			ways := 0.0
			for a := g.start[v]; a < g.start[v+1]; a++ {
				if g.before(a, v, s.vertex) {
					ways++
				}
			}
			for a := g.start[v]; a < g.start[v+1]; a++ {
				if g.before(a, v, s.vertex) {
					g.flow[g.to[a]] += x / ways
					load[g.back[a]] += x / ways
				}
			}
		}
		g.flow[s.vertex] = 0
	}
	return volume
}

// before tells whether arc a of v leads back along a shortest route from the source.
func (g *flowGraph) before(a, v, source int32) bool {
	u := g.to[a]
	return (u < g.forwards || u == source) && g.dist[u] < g.dist[v] && g.dist[u]+g.length[g.back[a]] <= g.dist[v]*(1+tieSlack)
}

// search is Dijkstra's from a vertex; order lists what is reached, nearest first.
func (g *flowGraph) search(from int32) {
	for v := range g.dist {
		g.dist[v] = math.Inf(1)
	}
	q := &g.queue
	q.v, q.d, g.order = append(q.v[:0], from), append(q.d[:0], 0), g.order[:0]
	g.dist[from] = 0
	for len(q.v) > 0 {
		v, d := q.v[0], q.d[0]
		heap.Pop(q)
		if d > g.dist[v] {
			continue
		}
		g.order = append(g.order, v)
		if v >= g.forwards && v != from {
			continue
		}
		for a := g.start[v]; a < g.start[v+1]; a++ {
			if u, x := g.to[a], d+g.length[g.group[a]]; x < g.dist[u] {
				g.dist[u] = x
				q.v, q.d = append(q.v, u), append(q.d, x)
				heap.Fix(q, len(q.v)-1)
			}
		}
	}
}

// The solver: flows start on shortest routes and move towards the shortest routes under lengths that
// grow exponentially with the load, by the step that lowers the soft maximum of the loads most (the
// flow deviation of Fratta, Gerla, Kleinrock, Networks 3, 1973, on the potential of Bienstock, 2002).
// Each round bounds the answer from above by duality, whatever the lengths are.
const (
	flowRounds = 150  // at least; the step is small by then
	flowMost   = 2500 // where rounds cost little: flowCheapNs in all
	flowGap    = 1e-4 // stops there: far below what prices are known to
	flowStall  = 12   // rounds without a per mille of progress, after which the maximum gets harder
	flowHarder = 1.4  // by this factor, and the next wait longer by it: harder maxima converge more slowly

	flowCheapNs = 3e8
)

// rounds is the number of rounds that a flow of a size gets.
func (g *flowGraph) rounds() int {
	return flowRoundsOf(flowRoundNs(float64(len(g.source)), float64(len(g.to)), float64(len(g.dist))))
}

// flowRoundNs is the cost of a round: a search and a sweep from each source, and the step.
func flowRoundNs(sources, arcs, vertices float64) float64 {
	return sources*(arcs*25+vertices*100) + 400*arcs
}

func flowRoundsOf(roundNs float64) int {
	return int(max(flowRounds, min(flowMost, flowCheapNs/roundNs)))
}

// throughput encloses the largest multiple of the demand that can be routed: lo is reached by the
// flow found, hi holds by duality. Both are 0 if some demand has no route, +Inf if none needs a link.
func (g *flowGraph) throughput(ctx context.Context) (lo, hi float64, err error) {
	load, other := make([]float64, len(g.cap)), make([]float64, len(g.cap))
	for i, c := range g.cap {
		if g.length[i] = 0; c > 0 {
			g.length[i] = 1 / c
		}
	}
	volume := g.route(load)
	switch {
	case math.IsInf(volume, 1):
		return 0, 0, nil
	case volume == 0:
		return math.Inf(1), math.Inf(1), nil
	}
	used := 0.0
	for i, c := range g.cap {
		used += c * g.length[i]
	}
	hi = used / volume
	lo = 1 / g.busiest(load)
	hard, stalled, mark := 4*math.Log(float64(len(g.cap))+2), 0, lo
	patience := float64(flowStall)
	for range g.rounds() {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		if hi-lo <= flowGap*hi {
			break
		}
		most := g.busiest(load)
		capacity := 0.0
		for i, c := range g.cap {
			if c > 0 {
				// A floor keeps every length positive, without which routes could go round in circles.
				x := math.Max(math.Exp(hard*(load[i]/c/most-1)), 1e-12)
				g.length[i] = x / c
				capacity += x
			}
		}
		clear(other)
		hi = math.Min(hi, capacity/g.route(other))
		g.step(load, other, hard/most)
		lo = math.Max(lo, 1/g.busiest(load))
		if stalled++; lo > mark*1.001 {
			stalled, mark = 0, lo
		} else if float64(stalled) >= patience {
			stalled, mark, hard, patience = 0, lo, hard*flowHarder, patience*flowHarder
		}
	}
	return lo, math.Max(hi, lo), nil
}

// busiest is the largest load over capacity.
func (g *flowGraph) busiest(load []float64) (most float64) {
	for i, c := range g.cap {
		if c > 0 {
			most = math.Max(most, load[i]/c)
		}
	}
	return most
}

// step moves load towards other so far that the soft maximum is least: golden section over 40 steps.
func (g *flowGraph) step(load, other []float64, hard float64) {
	soft := func(t float64) float64 {
		most := 0.0
		for i, c := range g.cap {
			if c > 0 {
				most = math.Max(most, (load[i]+t*(other[i]-load[i]))/c)
			}
		}
		sum := 0.0
		for i, c := range g.cap {
			if c > 0 {
				sum += math.Exp(hard * ((load[i]+t*(other[i]-load[i]))/c - most))
			}
		}
		return most + math.Log(sum)/hard
	}
	const ratio = 0.6180339887498949
	a, b := 0.0, 1.0
	x, y := b-ratio*(b-a), a+ratio*(b-a)
	fx, fy := soft(x), soft(y)
	for range 30 {
		if fx <= fy {
			b, y, fy = y, x, fx
			x = b - ratio*(b-a)
			fx = soft(x)
		} else {
			a, x, fx = x, y, fy
			y = a + ratio*(b-a)
			fy = soft(y)
		}
	}
	t := (a + b) / 2
	if soft(t) >= soft(0) {
		return
	}
	for i := range load {
		load[i] += t * (other[i] - load[i])
	}
}
