package routing

import "toposearch/topology"

// Table holds the fields of all destinations in a form that a simulator can ask without
// allocating: a byte of distance per (destination, node) and, where memory allows, the number of
// a list of hops, lists that are equal being stored once per node. Destinations are the sets of
// the router, then the extra ones.
type Table struct {
	Router *Router
	rows   rows
	nodes  int       // switches times rows
	dsts   int       // destinations in blocks
	place  []int32   // by set: the destination that it is (table_order.go); nil: that of its number, as extra ones are
	blocks []block   // of wideBits destinations each
	c      *clusters // instead of blocks, in large networks of groups
	first  []int32   // [node]: its lists are first[node]+number, the number from 0; nil: there are no lists
	span   []int32   // list i is hops[span[i]:span[i+1]]
	hops   []Hop
}

// block is what nodes know of wideBits destinations: a line for each, the destinations side by side.
type block struct {
	slot []uint32 // by node: its line; those without a route to any share line 0. nil: node x has line x
	dist []uint8  // Far if there is no route
	list []uint16 // number of the list at the node; nil if there are none
}

// line is where the line of a node begins.
func (b *block) line(node int) int {
	if b.slot != nil {
		node = int(b.slot[node])
	}
	return node * wideBits
}

// at is the block of a destination, and the place there.
func (t *Table) at(dst, node int) (*block, int) {
	if dst < len(t.place) {
		dst = int(t.place[dst])
	}
	b := &t.blocks[dst/wideBits]
	return b, b.line(node) + dst%wideBits
}

// scan searches the hops of node x towards destination d among the channels of its switch.
func (t *Table) scan(d, x int, buf []Hop) []Hop {
	if here := t.Dist(d, x); here == 0 || here == Far {
		return buf
	}
	t.EachHop(d, x, func(h Hop) { buf = append(buf, h) })
	return buf
}

// EachHop calls f for the hops of node x that lead one step nearer to a destination.
func (t *Table) EachHop(dst, x int, f func(Hop)) {
	r := t.Router
	S := r.states
	sw, state := t.SwitchOf(x), t.stateOf(x)
	here := t.Dist(dst, x)
	first, end := r.Net.Out(sw)
	for c := first; c < end; c++ {
		at := int(r.kind[c])*S + state
		m := r.next[at]
		to := r.Net.To(c)
		for s := 0; m>>s != 0; s++ {
			if m>>s&1 == 0 || t.Dist(dst, t.Node(to, uint8(s))) != here-1 {
				continue
			}
			h := Hop{Channel: c, VC: r.vc[at*S+s], State: uint8(s)}
			h.Top = h.VC
			if u := r.rest[s]; m>>u&1 != 0 && t.Dist(dst, t.Node(to, u)) == here-1 {
				h.Top++
				m &^= 1 << u
			}
			f(h)
		}
	}
}

// Node numbers a switch in a state; states of one row have the same number.
func (t *Table) Node(sw topology.SwitchID, state uint8) int {
	return int(sw)*t.rows.n() + int(t.rows.of[state])
}

// SwitchOf is the switch of a node.
func (t *Table) SwitchOf(node int) topology.SwitchID { return topology.SwitchID(node / t.rows.n()) }

// stateOf is a state in which a packet goes on from a node.
func (t *Table) stateOf(node int) int { return int(t.rows.state[node%t.rows.n()]) }

// Dist is the distance of a node to a destination, Far if there is no route.
func (t *Table) Dist(dst, node int) uint8 {
	if t.c != nil {
		return t.c.at(dst, node, t.rows.n())
	}
	b, at := t.at(dst, node)
	return b.dist[at]
}

// HasLists reports whether Hops can be called; without lists hops are found by EachHop.
func (t *Table) HasLists() bool { return t.first != nil }

// Hops gives the hops of a node; the slice belongs to the table.
func (t *Table) Hops(dst, node int) []Hop {
	var i int32
	if t.c != nil {
		i = t.first[node] + int32(t.c.listAt(dst, node, t.rows.n()))
	} else {
		b, at := t.at(dst, node)
		i = t.first[node] + int32(b.list[at])
	}
	return t.hops[t.span[i]:t.span[i+1]]
}
