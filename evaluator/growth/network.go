// Package growth says what is left of a network that runs when another takes its place: which switches and cables
// stay, which move, which are new (ATOP, SIGCOMM 2025, doi 10.1145/3718958.3750503, use cases 2 and 3, counts links alone).
//
// Survey reads the boxes, endpoints and cables of a network from its floor plan (network.go). Match gives each old box and
// endpoint its part in the new network: from closed forms where both are of one family (hints.go), grown along
// cables and improved (match.go, exchange.go, with whole servers dealt.go), with a bound of what any correspondence can keep (bound.go). Count then says what becomes of
// each cable (count.go). The best correspondence is a largest common subgraph, which nobody finds quickly: what is counted is a
// plan that can be carried out, so that its cost is at least that of the best one.
package growth

import (
	"fmt"

	"cmp"
	"slices"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/topology"
)

// Network is boxes and endpoints, the vertices, with the cables that join them. Vertices are numbered boxes first, then endpoints.
type Network struct {
	Design    topology.Design
	Boxes     []Box
	Endpoints int
	PerServer int // endpoints in a row that stay together; up to 1: each is alone
	Cables    []Cable

	place []Place // by vertex: the rack in which it stands
	start []int32 // cables at vertex v are at[start[v]:start[v+1]]
	at    []int32
}

// Box is a switch as it is bought: several switches of a network may share one.
type Box struct {
	Part  *catalog.Part
	Class string
	Index int // in its class, counted from 0
}

// Place is where a rack stands, each counted from 0.
type Place struct{ Building, Row, Rack int }

// Cable joins two vertices.
type Cable struct {
	A, B   int32
	ID     int // of the cable schedule
	LaidM  float64
	StockM float64
	Part   *catalog.Part // cable or fibre
	Kind   Kind
}

// Kind is what two cables must share for one to serve in place of the other, length aside: what they are made of, the rate,
// the plugs, and the transceivers.
type Kind struct {
	Part, Medium, Plug string
	RateGbps, Split    int
	Modules            *catalog.Part
}

// KindOf is that of a cable with its transceivers, nil if it has none.
func KindOf(part, modules *catalog.Part) Kind {
	k := Kind{Modules: modules}
	if part != nil {
		k.Part, k.Medium, k.Plug, k.RateGbps = part.Kind, part.Medium, part.FormFactor, part.RateGbps
		if part.Splitter() {
			k.Split = part.Ports
		}
	}
	return k
}

// Survey reads a network from its schedule. The error wraps floor.ErrNoPlan if a cable is not on sale.
func Survey(d topology.Design, s *floor.Schedule) (*Network, error) {
	n := &Network{Design: d}
	box := map[topology.SwitchID]int32{}
	racks := map[int]Place{}
	index := map[string]int{}
	type found struct {
		sw topology.SwitchID
		Box
		shared bool
		at     Place
	}
	var boxes []found
	var ends []Place
	s.EachRack(func(r floor.Rack) bool {
		at := Place{r.Building, r.Row, r.Place}
		racks[r.Number] = at
		for i := range r.Boxes {
			b := &r.Boxes[i]
			if b.Switch >= 0 {
				boxes = append(boxes, found{b.Switch, Box{Part: b.Part, Class: b.Class}, b.Shared, at})
				continue
			}
			for len(ends) < int(b.End) {
				ends = append(ends, Place{})
			}
			for e := b.First; e < b.End; e++ {
				ends[e] = at
			}
		}
		return true
	})
	slices.SortFunc(boxes, func(a, b found) int { return cmp.Compare(a.sw, b.sw) })
	for i := range boxes {
		b := &boxes[i]
		if !b.shared {
			b.Index = index[b.Class]
			index[b.Class]++
			n.Boxes, n.place = append(n.Boxes, b.Box), append(n.place, b.at)
		}
		box[b.sw] = int32(len(n.Boxes) - 1)
	}
	n.Endpoints = len(ends)
	n.place = append(n.place, ends...)
	first := int32(len(n.Boxes))
	vertex := func(sw topology.SwitchID, e topology.EndpointID) int32 {
		if sw < 0 {
			return first + int32(e)
		}
		return box[sw]
	}
	err := s.EachCable(false, func(c floor.Cable) bool {
		n.Cables = append(n.Cables, Cable{A: vertex(c.FromSwitch, c.Endpoint), B: vertex(c.ToSwitch, c.ToEndpoint), ID: c.ID,
			LaidM: c.LaidM, StockM: c.StockM, Part: c.Part, Kind: KindOf(c.Part, c.Modules)})
		return true
	})
	n.index()
	return n, err
}

// vertices is their number.
func (n *Network) vertices() int { return len(n.Boxes) + n.Endpoints }

// index lists the cables at each vertex, in their order.
func (n *Network) index() {
	n.start = make([]int32, n.vertices()+1)
	for i := range n.Cables {
		n.start[n.Cables[i].A+1]++
		n.start[n.Cables[i].B+1]++
	}
	for v := range n.vertices() {
		n.start[v+1] += n.start[v]
	}
	n.at = make([]int32, 2*len(n.Cables))
	next := slices.Clone(n.start)
	for i := range n.Cables {
		for _, v := range []int32{n.Cables[i].A, n.Cables[i].B} {
			n.at[next[v]] = int32(i)
			next[v]++
		}
	}
}

// cables are those at a vertex.
func (n *Network) cables(v int32) []int32 { return n.at[n.start[v]:n.start[v+1]] }

// far is the other end of a cable.
func (c *Cable) far(v int32) int32 { return c.A + c.B - v }

// part of a vertex: that of the box, nil of an endpoint.
func (n *Network) part(v int32) *catalog.Part {
	if int(v) < len(n.Boxes) {
		return n.Boxes[v].Part
	}
	return nil
}

// Name is a vertex as cables.csv names it: leaf-3, endpoint-17.
func (n *Network) Name(v int32) string {
	if n.isEndpoint(v) {
		return fmt.Sprintf("endpoint-%d", int(v)-len(n.Boxes))
	}
	b := &n.Boxes[v]
	return fmt.Sprintf("%s-%d", b.Class, b.Index)
}

// isEndpoint tells whether a vertex is one.
func (n *Network) isEndpoint(v int32) bool { return int(v) >= len(n.Boxes) }
