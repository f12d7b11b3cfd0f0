package evaluator

import (
	"toposearch/evaluator/flow"
	"toposearch/simcore/routing"
	"toposearch/topology"
)

// disjointPairs are the ends of paths: attachment sets with the endpoints that each has.
type disjointPairs struct {
	n       *topology.Network
	several bool          // endpoints have several ports, which count as links
	source  [][]flow.Port // where the paths of terminal i begin
	sink    [][]flow.Port // where they end; elsewhere only if channels have no partner
	weight  []int64
	within  []int64 // paths between two endpoints of terminal i; 0: none is counted
	of      []int32 // terminal of each endpoint group
}

// unlimited is how many paths begin or end at a switch whose endpoints' ports are not counted.
const unlimited = 1 << 20

func newDisjointPairs(n *topology.Network) *disjointPairs {
	p := &disjointPairs{n: n}
	sets, of := routing.Attachments(n)
	p.of = of
	for i := range sets {
		p.several = p.several || len(sets[i].Ports) > 1 || sets[i].Ports[0].Count > 1
	}
	for i := range sets {
		ports, within := []flow.Port(nil), int64(0)
		for _, q := range sets[i].Ports {
			ports = append(ports, flow.Port{Vertex: int32(q.Switch), Count: q.Count})
			within += int64(q.Count)
		}
		if !p.several {
			ports[0].Count, within = unlimited, 0
		}
		p.source, p.sink = append(p.source, ports), append(p.sink, ports)
		p.weight, p.within = append(p.weight, sets[i].Endpoints), append(p.within, within)
	}
	if n.Unidirectional {
		p.beyondTerminals()
	}
	return p
}

// beyondTerminals moves the ends of paths from terminals with a single channel each way to the
// switches behind it, like those of endpoints with one port.
func (p *disjointPairs) beyondTerminals() {
	k := p.n.Switches()
	in, from := make([]int32, k), make([]topology.SwitchID, k)
	for s := range topology.SwitchID(k) {
		for _, v := range p.n.Neighbors(s) {
			in[v]++
			from[v] = s
		}
	}
	for i := range p.source {
		v := topology.SwitchID(p.source[i][0].Vertex)
		if out := p.n.Neighbors(v); len(out) == 1 && in[v] == 1 {
			p.source[i] = []flow.Port{{Vertex: int32(out[0]), Count: unlimited}}
			p.sink[i] = []flow.Port{{Vertex: int32(from[v]), Count: unlimited}}
		}
	}
}

// counted reports whether the terminals i and j, in this order, have links between them.
func (p *disjointPairs) counted(i, j int) bool {
	return p.several || p.source[i][0].Vertex != p.sink[j][0].Vertex
}

// most bounds the paths from terminal i to terminal j by their ports and links.
func (p *disjointPairs) most(u *flow.Unit, i, j int) int {
	if p.several {
		return int(min(p.within[i], p.within[j]))
	}
	return min(u.Leaving(p.source[i][0].Vertex), u.Entering(p.sink[j][0].Vertex))
}

func (p *disjointPairs) paths(u *flow.Unit, i, j int) int {
	return u.Paths(p.source[i], p.sink[j], p.most(u, i, j))
}

// distinct is the number of ordered pairs of endpoints that are counted.
func (p *disjointPairs) distinct() (pairs int64) {
	n := int64(0)
	into := make([]int64, p.n.Switches())
	for i, x := range p.weight {
		n += x
		into[p.sink[i][0].Vertex] += x
	}
	if p.several {
		return n * (n - 1)
	}
	pairs = n * n
	for i, x := range p.weight {
		pairs -= x * into[p.source[i][0].Vertex]
		if p.sink[i][0].Vertex != p.source[i][0].Vertex {
			pairs -= x * x // of the terminal itself
		}
	}
	return pairs
}

func (p *disjointPairs) pairsText() string {
	switch {
	case p.several:
		return "all pairs of endpoints, their ports included"
	case p.n.LinkClasses[0].Name == topology.ClassInternal && !p.n.Unidirectional:
		return "all pairs of endpoints"
	}
	return "pairs of endpoints on different switches, access links left out"
}
