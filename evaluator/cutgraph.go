package evaluator

import (
	"toposearch/topology"
)

// cutGraph is a network as a cut sees it: an undirected graph whose vertices are switches and
// bundles of endpoints that stay on one side.
//
// Endpoints with one port each on a switch are not vertices: they hang on their switch, and any
// number of them can be cut off at the price of their links (hang). Endpoints with several ports
// are vertices, joined by their nic links; those with embedded switches are one vertex with them;
// and the endpoints of a scale-up server, which a cut keeps whole, are one vertex together.
type cutGraph struct {
	start     []int32
	to        []int32
	cap       []float64 // by arc, in bandwidths of an endpoint; parallel links are merged
	weight    []int64   // endpoints of a vertex
	class     []uint8   // of the switches among the vertices
	switches  int       // vertices [0, switches) are switches of the network, not embedded
	endpoints int64
	hang      float64 // capacity of the link of an endpoint that is no vertex; 0 if all are
	// first is the lowest endpoint of each vertex that has some, -1 otherwise: the order of the
	// construction.
	first []topology.EndpointID
	// vertex is that of each switch of the network, embedded ones included.
	vertex []int32
}

// newCutGraph contracts a network; gbps are rates by link class of the network, bandwidth is
// that of an endpoint.
func newCutGraph(n *topology.Network, classes *[topology.MaxClasses]netClass, bandwidth float64) *cutGraph {
	g := &cutGraph{endpoints: int64(n.Endpoints())}
	vertex := make([]int32, n.Switches())
	g.vertex = vertex
	for s := range vertex {
		vertex[s] = -1
		if !n.Embedded(topology.SwitchID(s)) {
			vertex[s] = int32(g.switches)
			g.class = append(g.class, uint8(n.Class(topology.SwitchID(s))))
			g.switches++
		}
	}
	g.weight = make([]int64, g.switches)
	g.first = make([]topology.EndpointID, g.switches)
	for i := range g.first {
		g.first[i] = -1
	}
	g.bundle(n, vertex)
	var arcs []arc
	for s := range topology.SwitchID(n.Switches()) {
		for c, end := n.Out(s); c < end; c++ {
			a, b := vertex[s], vertex[n.To(c)]
			if a < 0 || b < 0 || a == b {
				continue
			}
			x := classes[n.LinkClass(c)].gbps / bandwidth
			if n.Unidirectional {
				// Both directions are cut once each way; half of each stands for the pair.
				arcs = append(arcs, arc{a, b, x / 2}, arc{b, a, x / 2})
			} else {
				arcs = append(arcs, arc{a, b, x})
			}
		}
	}
	if n.LinkClasses[0].Name != topology.ClassInternal {
		arcs = g.endpointsOf(n, arcs, classes[0].gbps/bandwidth)
	}
	g.rows(arcs)
	return g
}

type arc struct {
	a, b int32
	cap  float64
}

// bundle makes a vertex of each endpoint with an embedded switch, and one of each server.
func (g *cutGraph) bundle(n *topology.Network, vertex []int32) {
	if n.LinkClasses[0].Name != topology.ClassInternal {
		return
	}
	// Servers are what scale-up links connect.
	var join func(s topology.SwitchID, v int32)
	join = func(s topology.SwitchID, v int32) {
		vertex[s] = v
		for c, end := n.Out(s); c < end; c++ {
			if topology.IsScaleup(n.LinkClasses[n.LinkClass(c)].Name) && vertex[n.To(c)] < 0 {
				join(n.To(c), v)
			}
		}
	}
	for i := range n.Groups() {
		first, end, ports := n.Group(i)
		s := ports[0]
		if vertex[s] < 0 {
			join(s, int32(len(g.weight)))
			g.weight = append(g.weight, 0)
			g.first = append(g.first, first)
		}
		g.weight[vertex[s]] += int64(end - first)
	}
	// Spare endpoints forward too.
	for s := range vertex {
		if vertex[s] < 0 {
			vertex[s] = int32(len(g.weight))
			g.weight = append(g.weight, 0)
			g.first = append(g.first, -1)
		}
	}
}

// endpointsOf hangs endpoints with one port on their switches and makes vertices of all others.
func (g *cutGraph) endpointsOf(n *topology.Network, arcs []arc, nic float64) []arc {
	single := true
	for i := range n.Groups() {
		_, _, ports := n.Group(i)
		single = single && len(ports) == 1
	}
	for i := range n.Groups() {
		first, end, ports := n.Group(i)
		if single {
			g.hang = nic
			g.weight[ports[0]] += int64(end - first)
			if g.first[ports[0]] < 0 {
				g.first[ports[0]] = first
			}
			continue
		}
		for e := first; e < end; e++ {
			v := int32(len(g.weight))
			g.weight = append(g.weight, 1)
			g.first = append(g.first, e)
			for _, p := range ports {
				arcs = append(arcs, arc{v, int32(p), nic}, arc{int32(p), v, nic})
			}
		}
	}
	return arcs
}

// rows sorts the arcs into compressed rows and merges parallel ones.
func (g *cutGraph) rows(arcs []arc) {
	k := len(g.weight)
	count := make([]int32, k+1)
	for _, a := range arcs {
		count[a.a+1]++
	}
	for i := range k {
		count[i+1] += count[i]
	}
	at := append([]int32(nil), count...)
	to, cap := make([]int32, len(arcs)), make([]float64, len(arcs))
	for _, a := range arcs {
		to[at[a.a]], cap[at[a.a]] = a.b, a.cap
		at[a.a]++
	}
	// Merge: a mark per target holds its place in the row.
	mark := make([]int32, k)
	for i := range mark {
		mark[i] = -1
	}
	g.start = make([]int32, k+1)
	for v := range k {
		from := int32(len(g.to))
		for i := count[v]; i < count[v+1]; i++ {
			u := to[i]
			if m := mark[u]; m >= from {
				g.cap[m] += cap[i]
				continue
			}
			mark[u] = int32(len(g.to))
			g.to, g.cap = append(g.to, u), append(g.cap, cap[i])
		}
		g.start[v+1] = int32(len(g.to))
		for i := from; i < g.start[v+1]; i++ {
			mark[g.to[i]] = -1
		}
	}
}

// degree is the capacity of all arcs of a vertex.
func (g *cutGraph) degree(v int) (sum float64) {
	for i := g.start[v]; i < g.start[v+1]; i++ {
		sum += g.cap[i]
	}
	return sum
}

// imbalance is the least difference of endpoints that two sides can have: with hanging
// endpoints, one if their number is odd; otherwise what remains of equal bundles.
func (g *cutGraph) imbalance() int64 {
	if g.hang > 0 {
		return g.endpoints % 2
	}
	most := int64(0)
	for _, w := range g.weight {
		most = max(most, w)
	}
	if most == 0 {
		return 0
	}
	if (g.endpoints/most)%2 == 0 && g.endpoints%most == 0 {
		return 0
	}
	return most
}

// full is what a cut is divided by: half of the endpoints, all sending.
func (g *cutGraph) full() float64 { return float64(g.endpoints) / 2 }

// value is the capacity of a cut, the links of hanging endpoints that must change sides to
// balance it included, as a fraction of full; ok is false if it cannot be balanced.
func (g *cutGraph) value(side []bool) (float64, bool) {
	cut := 0.0
	var diff int64
	for v := range g.weight {
		if side[v] {
			diff += g.weight[v]
		} else {
			diff -= g.weight[v]
		}
		for i := g.start[v]; i < g.start[v+1]; i++ {
			if int(g.to[i]) > v && side[v] != side[g.to[i]] {
				cut += g.cap[i]
			}
		}
	}
	if diff < 0 {
		diff = -diff
	}
	if over := diff - g.imbalance(); over > 0 {
		if g.hang == 0 {
			return 0, false
		}
		cut += float64((over+1)/2) * g.hang
	}
	return cut / g.full(), true
}
