package picture

import "toposearch/topology"

// graph is a network as it is drawn: its switches, then the sets of endpoints whose ports lead to several switches.
type graph struct {
	q     *quotient
	net   *topology.Network
	n     int // vertices
	node  []int
	edges map[[2]int32]edge
	order [][2]int32 // of edges
}

// edge is the links between two vertices.
type edge struct {
	class int
	count int
}

// newGraph joins the vertices of a network.
func newGraph(q *quotient, net *topology.Network) *graph {
	g := &graph{q: q, net: net, n: net.Switches(), edges: map[[2]int32]edge{}}
	at, class := 1, map[int]int{}
	for i := range q.size.Family.SwitchClasses {
		if q.size.Switch[i].Count > 0 {
			class[i] = at
			at++
		}
	}
	for s := range net.Switches() {
		g.node = append(g.node, class[net.Class(topology.SwitchID(s))])
	}
	for s := range net.Switches() {
		first, end := net.Out(topology.SwitchID(s))
		for c := first; c < end; c++ {
			if r := net.Rev(c); r < 0 || c < r {
				g.join(int32(s), int32(net.To(c)), net.LinkClass(c))
			}
		}
	}
	for i := range net.Groups() {
		_, _, ports := net.Group(i)
		several := false
		for _, p := range ports {
			several = several || p != ports[0]
		}
		if !several {
			continue
		}
		for _, p := range ports {
			g.join(int32(p), int32(g.n), 0)
		}
		g.node = append(g.node, 0)
		g.n++
	}
	return g
}

func (g *graph) join(a, b int32, class int) {
	if a > b {
		a, b = b, a
	}
	e, ok := g.edges[[2]int32{a, b}]
	if !ok {
		e.class = class
		g.order = append(g.order, [2]int32{a, b})
	}
	e.count++
	g.edges[[2]int32{a, b}] = e
}
