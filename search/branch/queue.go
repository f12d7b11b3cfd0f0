package branch

import "toposearch/objectives"

// queue holds the boxes that are open, the one with the least key first, among equal keys the one
// that came first. Nodes stay where they are put: only their keys move.
type queue struct {
	heap  []queued
	nodes [][]Node // in pages, so that millions of nodes are never copied
	free  []int32
	seq   uint64
}

// page is how many nodes a page of the queue holds: half a megabyte.
const page = 1 << 12

func (q *queue) node(at int32) *Node { return &q.nodes[at/page][at%page] }

// wide is how many follow each in the heap: of four the keys lie side by side, and half as many levels are gone
// through as of two.
const wide = 4

// queued is a place in nodes with what orders it.
type queued struct {
	key float64
	seq uint64
	at  int32
}

func (a *queued) before(b *queued) bool { return a.key < b.key || a.key == b.key && a.seq < b.seq }

func (q *queue) len() int { return len(q.heap) }

// push adds a node by its key.
func (q *queue) push(n *Node) {
	if len(q.free) == 0 {
		first := int32(len(q.nodes) * page)
		q.nodes = append(q.nodes, make([]Node, page))
		for i := int32(page - 1); i >= 0; i-- {
			q.free = append(q.free, first+i)
		}
	}
	k := len(q.free) - 1
	at := q.free[k]
	q.free = q.free[:k]
	*q.node(at) = *n
	x := queued{n.key, q.seq, at}
	q.seq++
	q.heap = append(q.heap, x)
	i := len(q.heap) - 1
	for i > 0 {
		up := (i - 1) / wide
		if !x.before(&q.heap[up]) {
			break
		}
		q.heap[i] = q.heap[up]
		i = up
	}
	q.heap[i] = x
}

// pop removes the first node.
func (q *queue) pop() Node {
	first := q.heap[0]
	last := len(q.heap) - 1
	x := q.heap[last]
	q.heap = q.heap[:last]
	if last > 0 {
		q.sink(0, x)
	}
	n := *q.node(first.at)
	q.node(first.at).best = nil
	q.free = append(q.free, first.at)
	return n
}

// sink puts x at place i or below.
func (q *queue) sink(i int, x queued) {
	for {
		down := wide*i + 1
		if down >= len(q.heap) {
			break
		}
		for r := down + 1; r < min(wide*i+1+wide, len(q.heap)); r++ {
			if q.heap[r].before(&q.heap[down]) {
				down = r
			}
		}
		if !q.heap[down].before(&x) {
			break
		}
		q.heap[i] = q.heap[down]
		i = down
	}
	q.heap[i] = x
}

// keep drops the nodes that f does not want, in their order.
func (q *queue) keep(f func(n *Node) bool) {
	old := *q
	*q = queue{}
	for old.len() > 0 {
		if n := old.pop(); f(&n) {
			q.push(&n)
		}
	}
}

// drop drops the nodes that f does not want, and leaves the order of the others as it is.
func (q *queue) drop(f func(n *Node) bool) {
	stay := q.heap[:0]
	for _, x := range q.heap {
		if n := q.node(x.at); f(n) {
			n.best = nil
			q.free = append(q.free, x.at)
			continue
		}
		stay = append(stay, x)
	}
	q.heap = stay
	for i := (len(stay) - 2) / wide; i >= 0 && len(stay) > 1; i-- {
		q.sink(i, stay[i])
	}
}

// clone copies a vector, for a node that is put aside.
func clone(v objectives.Vector) objectives.Vector { return append(objectives.Vector(nil), v...) }
