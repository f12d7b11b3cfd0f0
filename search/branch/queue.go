package branch

import (
	"toposearch/internal/heap"
	"toposearch/objectives"
)

// queue holds the boxes that are open, the one with the least key first, among equal keys the one
// that came first. Nodes stay where they are put: only their keys move.
type queue struct {
	order heap.Heap[float64, int32] // places in nodes, by key, then by when they came
	nodes [][]Node                  // in pages, so that millions of nodes are never copied
	free  []int32
	seq   uint64
}

// page is how many nodes a page of the queue holds: half a megabyte.
const page = 1 << 12

func (q *queue) node(at int32) *Node { return &q.nodes[at/page][at%page] }

func (q *queue) len() int { return q.order.Len() }

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
	q.order.Push(n.key, q.seq, at)
	q.seq++
}

// pop removes the first node.
func (q *queue) pop() Node {
	_, at := q.order.Pop()
	n := *q.node(at)
	q.release(at)
	return n
}

// release makes a place free again.
func (q *queue) release(at int32) {
	q.node(at).best = nil
	q.free = append(q.free, at)
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

// drop drops the nodes for which f holds, and leaves the order of the others as it is.
func (q *queue) drop(f func(n *Node) bool) {
	q.order.Filter(func(at int32) bool {
		goes := f(q.node(at))
		if goes {
			q.release(at)
		}
		return !goes
	})
}

// clone copies a vector, for a node that is put aside.
func clone(v objectives.Vector) objectives.Vector { return append(objectives.Vector(nil), v...) }
