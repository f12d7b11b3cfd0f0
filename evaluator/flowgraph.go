package evaluator

import (
	"toposearch/evaluator/flow"
	"toposearch/routing"
	"toposearch/topology"
)

// flowGraph is a network as a multicommodity flow sees it, with capacities in bandwidths of an endpoint,
// and the vertex of every endpoint. Vertices are the switches; endpoints with several ports are vertices
// behind them that end routes and never forward.
func flowGraph(n *topology.Network, classes *[topology.MaxClasses]netClass, bandwidth float64, by flow.Grouping) (g *flow.Graph, at []int32) {
	var edges []flow.Edge
	add := func(a, b int32, class int) {
		edges = append(edges, flow.Edge{A: a, B: b, Cap: classes[class].gbps / bandwidth, Class: int32(class)})
	}
	for s := range topology.SwitchID(n.Switches()) {
		for c, end := n.Out(s); c < end; c++ {
			if n.Rev(c) > c {
				add(int32(s), int32(n.To(c)), n.LinkClass(c))
			}
		}
	}
	vertices, several := n.Switches(), severalPorts(n)
	for i := range n.Groups() {
		first, end, ports := n.Group(i)
		for range end - first {
			if !several {
				at = append(at, int32(ports[0]))
				continue
			}
			for _, s := range ports {
				add(int32(vertices), int32(s), 0)
			}
			at = append(at, int32(vertices))
			vertices++
		}
	}
	return flow.New(vertices, n.Switches(), len(n.LinkClasses), edges, by), at
}

// severalPorts reports whether the links of endpoints count: they have several and do not relay.
func severalPorts(n *topology.Network) bool {
	return n.LinkClasses[0].Name != topology.ClassInternal && routing.SeveralPorts(n)
}

// unitFlow is a network for counting link-disjoint paths. Vertices are the switches, embedded ones
// included; endpoints never forward, nor do the terminals of unidirectional networks.
func unitFlow(n *topology.Network) *flow.Unit {
	stops, links := make([]bool, n.Switches()), make([]flow.Link, 0, n.Channels())
	for s := range topology.SwitchID(n.Switches()) {
		stops[s] = n.Unidirectional && n.Embedded(s)
		for c, end := n.Out(s); c < end; c++ {
			if n.Unidirectional || n.Rev(c) > c {
				links = append(links, flow.Link{A: int32(s), B: int32(n.To(c)), OneWay: n.Unidirectional})
			}
		}
	}
	return flow.NewUnit(stops, links)
}
