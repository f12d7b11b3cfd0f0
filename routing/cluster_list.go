package routing

import (
	"encoding/binary"
	"math"

	"toposearch/topology"
)

// chunk is the lists of some consecutive nodes: as in table, numbered from 0.
type chunk struct {
	first, span []int32
	hops        []Hop
	full        bool // a node has too many lists
}

// lister numbers the lists of hops of nodes of a clustered table; one per goroutine.
type lister struct {
	t   *Table
	cur []int32 // by row: the list so far, as an index into tree

	// The lists of one node are a tree: each is another with a hop added.
	tree  []branch
	stamp []int32 // by list: the last hop that was added to it
	next  []int32 // and the list that this made
	num   []int32 // number of a list, from 1
	buf   []Hop
	key   []byte
}

type branch struct {
	parent int32
	hop    Hop
}

func newLister(t *Table) *lister { return &lister{t: t, cur: make([]int32, t.c.rows)} }

// nodes numbers the lists of the nodes [from, to): those of the rows first, then those of the
// destinations within the node's own group.
func (w *lister) nodes(from, to int) (out chunk) {
	t := w.t
	c := t.c
	number := make(map[string]int32)
	for x := from; x < to; x++ {
		out.first = append(out.first, int32(len(out.span)))
		before := len(out.span)
		w.grow(x)
		own := c.home[x/t.Router.states]
		list := c.list[x*c.rows : (x+1)*c.rows]
		for row, id := range w.cur {
			if int32(row) == own {
				continue
			}
			if w.num[id] == 0 {
				w.emit(&out, id)
				w.num[id] = int32(len(out.span) - before)
			}
			list[row] = uint16(w.num[id] - 1)
		}
		if own >= 0 {
			clear(number)
			w.inside(&out, number, x, &c.inner[own], before)
		}
		if len(out.span)-before > math.MaxUint16 {
			out.full = true
			return out
		}
	}
	return out
}

// grow makes the lists of node x for all rows, hop by hop.
func (w *lister) grow(x int) {
	t := w.t
	c, S := t.c, t.Router.states
	clear(w.cur)
	w.tree, w.stamp, w.next, w.num = w.tree[:0], w.stamp[:0], w.next[:0], w.num[:0]
	w.branch(branch{parent: -1})
	dist := c.dist[x*c.rows : (x+1)*c.rows]
	count := int32(0)
	first, end := t.Router.Net.Out(topology.SwitchID(x / S))
	for ch := first; ch < end; ch++ {
		at := int(t.Router.kind[ch])*S + x%S
		for s := 0; t.Router.next[at]>>s != 0; s++ {
			if t.Router.next[at]>>s&1 == 0 {
				continue
			}
			count++
			vc := t.Router.vc[at*S+s]
			h := Hop{Channel: ch, VC: vc, State: uint8(s), Top: vc} // no rule with a choice of VCs is here
			y := int(t.Router.Net.To(ch))*S + s
			there := c.dist[y*c.rows : (y+1)*c.rows]
			for row, d := range dist {
				if d-1 == there[row] && d != Far && d != 0 {
					w.cur[row] = w.appended(w.cur[row], h, count)
				}
			}
		}
	}
}

// appended gives the list with a hop, the count-th of the node, behind another.
func (w *lister) appended(id int32, h Hop, count int32) int32 {
	if w.stamp[id] != count {
		w.stamp[id], w.next[id] = count, int32(len(w.tree))
		w.branch(branch{id, h})
	}
	return w.next[id]
}

func (w *lister) branch(b branch) {
	w.tree, w.stamp, w.next, w.num = append(w.tree, b), append(w.stamp, 0), append(w.next, 0), append(w.num, 0)
}

// emit writes out a list of the tree, first hop first.
func (w *lister) emit(out *chunk, id int32) {
	from := len(out.hops)
	for ; w.tree[id].parent >= 0; id = w.tree[id].parent {
		out.hops = append(out.hops, w.tree[id].hop)
	}
	for i, j := from, len(out.hops)-1; i < j; i, j = i+1, j-1 {
		out.hops[i], out.hops[j] = out.hops[j], out.hops[i]
	}
	out.span = append(out.span, int32(len(out.hops)))
}

// inside numbers the lists of a node for the destinations of its own group.
func (w *lister) inside(out *chunk, number map[string]int32, x int, in *inner, before int) {
	c, S := w.t.c, w.t.Router.states
	at := int(c.local[x/S])*S + x%S
	for pos, dst := range in.dsts {
		w.buf = w.t.scan(int(dst), x, w.buf[:0])
		w.key = w.key[:0]
		for _, h := range w.buf {
			w.key = append(binary.LittleEndian.AppendUint32(w.key, uint32(h.Channel)), h.State)
		}
		n, ok := number[string(w.key)]
		if !ok {
			out.hops = append(out.hops, w.buf...)
			out.span = append(out.span, int32(len(out.hops)))
			n = int32(len(out.span) - before)
			number[string(w.key)] = n
		}
		in.list[pos*in.nodes+at] = uint16(n - 1)
	}
}
