package routing

import "slices"

// listTree holds the lists of hops of a node: a list is the one without its last hop, and that hop.
type listTree struct {
	hop []Hop   // what leaves the node, in the order in which lists have it,
	to  []int32 // and the nodes it leads to

	parent, last []int32         // by list: that without the last hop, and its index; list 0 is empty
	next         []int32         // by list and hop: the longer list, 0 if there is none; of the empty list alone if there are many hops,
	far          map[int64]int32 // of which the others are here
	number       []int32         // by list; 0: of the empty one, and of those that no destination has
	order        []int32         // lists by number
}

// mostDense is the number of hops up to which a tree is an array: lists of more are mostly of one hop, of few
// some hundred.
const mostDense = 64

// treeOf makes the empty tree of a node, in the memory of that of another.
func (t *Table) treeOf(x int, l *listTree) {
	r := t.Router
	*l = listTree{hop: l.hop[:0], to: l.to[:0], parent: l.parent[:0], last: l.last[:0], next: l.next[:0], number: l.number[:0], order: l.order[:0]}
	S := r.states
	sw, state := t.SwitchOf(x), t.stateOf(x)
	first, end := r.Net.Out(sw)
	for c := first; c < end; c++ {
		at := int(r.kind[c])*S + state
		for s, m := 0, r.next[at]; m>>s != 0; s++ {
			if m>>s&1 != 0 {
				vc := r.vc[at*S+s]
				l.hop = append(l.hop, Hop{Channel: c, VC: vc, State: uint8(s), Top: vc})
				l.to = append(l.to, int32(t.Node(r.Net.To(c), uint8(s))))
			}
		}
	}
	l.order = append(l.order, l.branch(-1, -1))
	l.next = append(l.next, make([]int32, len(l.hop))...)
}

// branch adds a list.
func (l *listTree) branch(parent, last int32) int32 {
	l.parent, l.last, l.number = append(l.parent, parent), append(l.last, last), append(l.number, 0)
	if parent >= 0 && len(l.hop) <= mostDense {
		l.next = append(l.next, make([]int32, len(l.hop))...)
	}
	return int32(len(l.parent) - 1)
}

// extend is a list with hop j behind it.
func (l *listTree) extend(id, j int32) int32 {
	if at := int(id)*len(l.hop) + int(j); at < len(l.next) {
		if l.next[at] == 0 {
			to := l.branch(id, j)
			l.next[at] = to
		}
		return l.next[at]
	}
	key := int64(id)<<32 | int64(j)
	to, ok := l.far[key]
	if !ok {
		if l.far == nil {
			l.far = map[int64]int32{}
		}
		to = l.branch(id, j)
		l.far[key] = to
	}
	return to
}

// part is some of wideBits destinations that have the same list so far.
type part struct {
	dsts uint64
	id   int32
}

// split puts hop j behind the lists of some destinations.
func (l *listTree) split(parts []part, dsts uint64, j int32) []part {
	for k := 0; dsts != 0; k++ {
		p := &parts[k]
		with := p.dsts & dsts
		if with == 0 {
			continue
		}
		dsts &^= with
		if id := l.extend(p.id, j); with == p.dsts {
			p.id = id
		} else {
			p.dsts &^= with
			parts = append(parts, part{with, id})
		}
	}
	return parts
}

// numberOf is the number of a list.
func (l *listTree) numberOf(id int32) int32 {
	if l.number[id] == 0 && id > 0 {
		l.number[id] = int32(len(l.order))
		l.order = append(l.order, id)
	}
	return l.number[id]
}

// length is the number of hops of all lists.
func (l *listTree) length() (hops int) {
	for _, id := range l.order {
		for ; id > 0; id = l.parent[id] {
			hops++
		}
	}
	return hops
}

// emit writes the lists out, two hops to a state and its rest as one.
func (l *listTree) emit(r *Router, c *chunk) {
	for _, id := range l.order {
		from := len(c.hops)
		for ; id > 0; id = l.parent[id] {
			c.hops = append(c.hops, l.hop[l.last[id]])
		}
		slices.Reverse(c.hops[from:])
		if r.spare {
			c.hops = append(c.hops[:from], r.merged(c.hops[from:])...)
		}
		c.span = append(c.span, int32(len(c.hops)))
	}
}

// merged makes one hop of two VCs of each two that lead to a state and its rest on one channel.
func (r *Router) merged(hops []Hop) []Hop {
	for i := 0; i < len(hops); i++ {
		h := &hops[i]
		for j := i + 1; j < len(hops) && hops[j].Channel == h.Channel; j++ {
			if hops[j].State == r.rest[h.State] {
				h.Top = h.VC + 1
				hops = slices.Delete(hops, j, j+1)
				break
			}
		}
	}
	return hops
}
