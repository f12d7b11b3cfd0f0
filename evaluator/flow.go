package evaluator

import (
	"math"

	"toposearch/internal/heap"
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
	queue  heap.Heap[float64, int32] // vertices by distance, then number
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
	vertex := g.vertices(n)
	for _, v := range vertex {
		weight[v]++
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
			g.source = append(g.source, flowSource{vertex[o.Rep], float64(o.Count), demands})
		}
		return
	}
	for v, w := range weight {
		if w > 0 {
			g.source = append(g.source, flowSource{int32(v), w, demands})
		}
	}
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
	q.Reset()
	q.Push(0, uint64(from), from)
	g.order = g.order[:0]
	g.dist[from] = 0
	for q.Len() > 0 {
		d, v := q.Pop()
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
				q.Push(x, uint64(u), u)
			}
		}
	}
}
