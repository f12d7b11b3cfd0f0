package picture

import (
	"fmt"

	"toposearch/topology"
)

// mostBlocks bounds the blocks that are drawn one by one: on a circle of 400 pixels more of them touch.
const mostBlocks = 40

// scope says how far the links of a bundle lead.
type scope uint8

const (
	alike   scope = iota // the design has one block, or an end is outside all blocks
	inside               // both ends are in one block
	between              // the ends are in different blocks
)

// node is a class of boxes, or all endpoints.
type node struct {
	name     string
	count    int64
	embedded bool // inside endpoints
	blocks   int64
	level    int // links from the endpoints, by classes
	central  bool
}

// bundle is all links of one class between two nodes.
type bundle struct {
	class int // of links
	a, b  int // nodes, a <= b
	scope scope
	links int64
}

// quotient is a network by classes and blocks: nodes[0] are the endpoints, then come the classes of switches that there are.
type quotient struct {
	size    topology.Size
	blocks  int
	nodes   []node
	bundles []bundle
	// pairs are the links between blocks, by block a*blocks+b with a < b, and toCentral those of a block that lead out of all
	// blocks; nil above mostBlocks.
	pairs, toCentral []int64
}

// counter walks over the wiring of a design.
type counter struct {
	q       *quotient
	of      []uint8 // node of each switch
	block   []int32 // of each switch, -1 outside of all
	tally   []int64 // by class, node, node and scope
	perEnds int64   // endpoints of a block
}

// newQuotient counts the links of a design, every single one.
func newQuotient(d topology.Design) (*quotient, error) {
	q := &quotient{blocks: 1}
	f := d.Family
	if err := f.Size(d.V, &q.size); err != nil {
		return nil, fmt.Errorf("picture: %s: %w", d, err)
	}
	homes := make([]topology.Home, len(f.SwitchClasses))
	for i := range homes {
		homes[i] = topology.Central
	}
	if f.Place != nil {
		p := f.Place(d.V)
		q.blocks = max(p.Blocks, 1)
		copy(homes, p.Homes)
	}
	if q.blocks <= mostBlocks && q.blocks > 1 {
		q.pairs, q.toCentral = make([]int64, q.blocks*q.blocks), make([]int64, q.blocks)
	}
	c := &counter{q: q, perEnds: ceil(q.size.Endpoints, int64(q.blocks))}
	c.classes(f, homes)
	c.walk(d)
	q.gather(f, c.tally)
	q.levels()
	return q, nil
}

func ceil(a, b int64) int64 { return (a + b - 1) / b }

// classes makes the nodes, and says of every switch to which it belongs and in which block it is.
func (c *counter) classes(f *topology.Family, homes []topology.Home) {
	q := c.q
	all := q.size.AllSwitches()
	c.of, c.block = make([]uint8, 0, all), make([]int32, 0, all)
	q.nodes = append(q.nodes, node{name: "endpoints", count: q.size.Endpoints, blocks: int64(q.blocks)})
	for i := range f.SwitchClasses {
		n := q.size.Switch[i].Count
		if n == 0 {
			continue
		}
		x := node{name: f.SwitchClasses[i].Name, count: n, blocks: int64(q.blocks), embedded: f.SwitchClasses[i].Embedded}
		if x.central = homes[i] == topology.Central && !x.embedded; x.central {
			x.blocks = 1
		}
		at, per := uint8(len(q.nodes)), ceil(n, int64(q.blocks))
		for j := range n {
			b := int32(-1)
			if !x.central {
				b = int32(j / per)
			}
			c.of, c.block = append(c.of, at), append(c.block, b)
		}
		q.nodes = append(q.nodes, x)
	}
}

// walk counts the links of endpoints and those of switches.
func (c *counter) walk(d topology.Design) {
	q, f := c.q, d.Family
	c.tally = make([]int64, len(f.LinkClasses)*len(q.nodes)*len(q.nodes)*3)
	e := int64(0)
	f.Attach(d.V, func(count int, ports []topology.SwitchID) {
		for left := int64(count); left > 0; {
			b := e / c.perEnds
			n := min(left, (b+1)*c.perEnds-e)
			for _, s := range ports {
				c.add(0, 0, int(c.of[s]), int32(b), c.block[s], n)
			}
			e, left = e+n, left-n
		}
	})
	if f.Wire == nil {
		return
	}
	f.Wire(d.V, func(class int, a, b topology.SwitchID) {
		c.add(class, int(c.of[a]), int(c.of[b]), c.block[a], c.block[b], 1)
	})
}

// add counts n links between nodes x and y in blocks a and b, -1 for none.
func (c *counter) add(class, x, y int, a, b int32, n int64) {
	q := c.q
	s := alike
	switch {
	case q.blocks == 1:
	case a < 0 || b < 0:
		if q.toCentral != nil && a != b {
			q.toCentral[max(a, b)] += n
		}
	case a == b:
		s = inside
	default:
		s = between
		if q.pairs != nil {
			q.pairs[int(min(a, b))*q.blocks+int(max(a, b))] += n
		}
	}
	if x > y {
		x, y = y, x
	}
	c.tally[((class*len(q.nodes)+x)*len(q.nodes)+y)*3+int(s)] += n
}

// gather makes the bundles, in order of their classes and nodes.
func (q *quotient) gather(f *topology.Family, tally []int64) {
	n := len(q.nodes)
	for i, links := range tally {
		if links == 0 {
			continue
		}
		pair := i / 3
		q.bundles = append(q.bundles, bundle{class: pair / (n * n), a: pair / n % n, b: pair % n, scope: scope(i % 3), links: links})
	}
}

// levels numbers the classes by their distance from the endpoints; what no link reaches is above all.
func (q *quotient) levels() {
	for i := range q.nodes {
		q.nodes[i].level = -1
	}
	q.nodes[0].level = 0
	for level := 0; level < len(q.nodes); level++ {
		for _, b := range q.bundles {
			for _, e := range [2][2]int{{b.a, b.b}, {b.b, b.a}} {
				if q.nodes[e[0]].level == level && q.nodes[e[1]].level < 0 {
					q.nodes[e[1]].level = level + 1
				}
			}
		}
	}
	for i := range q.nodes {
		if q.nodes[i].level < 0 {
			q.nodes[i].level = len(q.nodes)
		}
	}
}
