package evaluator

import (
	"slices"

	"toposearch/evaluator/cut"
	"toposearch/topology"
)

// cutInput is a network as a cut sees it: vertices are switches and sets of endpoints that stay on one
// side. Endpoints with one port each on a switch hang on it; those with several ports are vertices,
// joined by their nic links; those with embedded switches are one vertex with them; and the endpoints
// of a scale-up server, which a cut keeps whole, are one vertex together.
type cutInput struct {
	spec cut.Spec
	// vertex is that of each switch of the network, embedded ones included.
	vertex []int32
	// at is the vertex of each endpoint.
	at []int32
}

// newCutInput contracts a network; classes has the rates of its link classes, bandwidth is that of an
// endpoint.
func newCutInput(n *topology.Network, classes *[topology.MaxClasses]netClass, bandwidth float64) *cutInput {
	g := contracted(n)
	g.spec.Arcs = make([]cut.Arc, 0, n.Channels())
	g.at = make([]int32, 0, n.Endpoints())
	for s := range topology.SwitchID(n.Switches()) {
		for c, end := n.Out(s); c < end; c++ {
			a, b := g.vertex[s], g.vertex[n.To(c)]
			if a == b {
				continue
			}
			g.spec.Arcs = append(g.spec.Arcs, cut.Arc{From: a, To: b, Cap: classes[n.LinkClass(c)].gbps / bandwidth})
		}
	}
	if n.LinkClasses[0].Name != topology.ClassInternal {
		g.attach(n, classes[0].gbps/bandwidth)
		return g
	}
	for i := range n.Groups() {
		first, end, ports := n.Group(i)
		for range end - first {
			g.at = append(g.at, g.vertex[ports[0]])
		}
	}
	return g
}

// contracted has the vertices of the switches, without arcs and without endpoints that are none of them: all that fabric needs.
func contracted(n *topology.Network) *cutInput {
	g := &cutInput{spec: cut.Spec{OneWay: n.Unidirectional}, vertex: make([]int32, n.Switches())}
	g.spec.Weight, g.spec.First = make([]int64, 0, n.Switches()), make([]int64, 0, n.Switches())
	var embedded []topology.SwitchID
	for s := range g.vertex {
		if n.Embedded(topology.SwitchID(s)) {
			embedded = append(embedded, topology.SwitchID(s))
			continue
		}
		g.vertex[s] = g.add(0, 0)
		g.spec.Class = append(g.spec.Class, uint8(n.Class(topology.SwitchID(s))))
	}
	g.bundle(n, embedded)
	return g
}

// add makes a vertex of endpoints, of which the lowest is first.
func (g *cutInput) add(weight, first int64) int32 {
	g.spec.Weight, g.spec.First = append(g.spec.Weight, weight), append(g.spec.First, first)
	return int32(len(g.spec.Weight) - 1)
}

// bundle makes a vertex of each embedded switch without endpoints, which forwards too, and then one of each
// endpoint with an embedded switch, or of each server.
func (g *cutInput) bundle(n *topology.Network, embedded []topology.SwitchID) {
	const none = -1
	server := make([]int32, len(g.vertex))
	for s := range server {
		server[s] = none
	}
	// Servers are what scale-up links connect.
	var join func(s topology.SwitchID, k int32)
	join = func(s topology.SwitchID, k int32) {
		server[s] = k
		for c, end := n.Out(s); c < end; c++ {
			if topology.IsScaleup(n.LinkClasses[n.LinkClass(c)].Name) && server[n.To(c)] == none {
				join(n.To(c), k)
			}
		}
	}
	var weight, lowest []int64
	if n.LinkClasses[0].Name == topology.ClassInternal {
		for i := range n.Groups() {
			first, end, ports := n.Group(i)
			s := ports[0]
			if server[s] == none {
				join(s, int32(len(weight)))
				weight, lowest = append(weight, 0), append(lowest, int64(first))
			}
			weight[server[s]] += int64(end - first)
		}
	}
	for _, s := range embedded {
		if server[s] == none {
			g.vertex[s] = g.add(0, 0)
		}
	}
	base := int32(len(g.spec.Weight))
	for k := range weight {
		g.add(weight[k], lowest[k])
	}
	for s, k := range server {
		if k != none {
			g.vertex[s] = base + k
		}
	}
}

// attach hangs endpoints with one port on their switches, and makes vertices of all if some have more.
func (g *cutInput) attach(n *topology.Network, nic float64) {
	single, arcs := true, 0
	for i := range n.Groups() {
		first, end, ports := n.Group(i)
		single = single && len(ports) == 1
		arcs += 2 * int(end-first) * len(ports)
	}
	if !single {
		g.spec.Arcs = slices.Grow(g.spec.Arcs, arcs)
		g.spec.Weight, g.spec.First = slices.Grow(g.spec.Weight, n.Endpoints()), slices.Grow(g.spec.First, n.Endpoints())
	}
	for i := range n.Groups() {
		first, end, ports := n.Group(i)
		if single {
			g.spec.Access = nic
			v := g.vertex[ports[0]]
			if g.spec.Weight[v] == 0 {
				g.spec.First[v] = int64(first)
			}
			g.spec.Weight[v] += int64(end - first)
			for range end - first {
				g.at = append(g.at, v)
			}
			continue
		}
		for e := first; e < end; e++ {
			v := g.add(1, int64(e))
			g.at = append(g.at, v)
			for _, p := range ports {
				s := g.vertex[p]
				g.spec.Arcs = append(g.spec.Arcs, cut.Arc{From: v, To: s, Cap: nic}, cut.Arc{From: s, To: v, Cap: nic})
			}
		}
	}
}

// fabric is the same network with all its switches; what is one vertex of the cut is one unit.
func (g *cutInput) fabric(n *topology.Network, classes *[topology.MaxClasses]netClass, bandwidth float64) *cut.Fabric {
	start, to := n.Adjacency()
	f := &cut.Fabric{Start: start, To: appendVertices(nil, to), Cap: make([]float64, len(to)), Class: make([]uint8, n.Switches()), Port: classes[0].gbps / bandwidth,
		OneWay: n.Unidirectional}
	for s := range topology.SwitchID(n.Switches()) {
		f.Class[s] = uint8(n.Class(s))
		for c, end := n.Out(s); c < end; c++ {
			f.Cap[c] = classes[n.LinkClass(c)].gbps / bandwidth
		}
	}
	for class := range n.SwitchClasses {
		if !n.SwitchClasses[class].Embedded {
			f.Tops = append(f.Tops, uint8(class))
		}
	}
	if n.LinkClasses[0].Name == topology.ClassInternal {
		f.Units = len(g.spec.Weight)
	}
	f.Groups = make([]cut.Group, 0, n.Groups())
	var all []int32 // the ports of all groups: what was handed out stays when it grows
	for i := range n.Groups() {
		first, end, ports := n.Group(i)
		from := len(all)
		all = appendVertices(all, ports)
		f.Groups = append(f.Groups, cut.Group{Endpoints: int64(end - first), Ports: all[from:len(all):len(all)], Unit: g.vertex[ports[0]]})
	}
	return f
}

// appendVertices numbers switches as graphs do.
func appendVertices(v []int32, s []topology.SwitchID) []int32 {
	v = slices.Grow(v, len(s))
	for _, x := range s {
		v = append(v, int32(x))
	}
	return v
}

// blocksOf gives the blocks of a placement.
func blocksOf(p *topology.Placement) cut.Blocks {
	b := cut.Blocks{Count: p.Blocks}
	for _, home := range p.Homes {
		b.Inside = append(b.Inside, home != topology.Central)
	}
	return b
}
