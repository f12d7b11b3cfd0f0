package branch

import (
	"math"

	"toposearch/internal/heap"
)

// box is a node with the violation that none of its designs can undercut; a leaf if exact values
// are in it.
type box struct {
	Node
	bound float64
	leaf  []int
	// climbed tells that a leaf has taken all steps of its ladder.
	climbed bool
}

// boxHeap gives the box with the smallest bound first; among equal ones a leaf, then the last pushed, so
// that it comes by a design before it has looked at everything else. Boxes stay where they are: what is
// sorted is their places.
type boxHeap struct {
	boxes []box
	free  []int32
	order heap.Heap[float64, int32]
	seq   uint64
}

func (h *boxHeap) push(b *box) {
	at := int32(len(h.boxes))
	if n := len(h.free); n > 0 {
		at, h.free = h.free[n-1], h.free[:n-1]
		h.boxes[at] = *b
	} else {
		h.boxes = append(h.boxes, *b)
	}
	h.seq++
	tie := math.MaxUint64 - h.seq // the last first
	if b.leaf != nil {
		tie -= math.MaxUint64 / 2 // before all that are none
	}
	h.order.Push(b.bound, tie, at)
}

func (h *boxHeap) pop() box {
	_, at := h.order.Pop()
	h.free = append(h.free, at)
	return h.boxes[at]
}

// least is the smallest bound of all; +Inf if nothing is open.
func (h *boxHeap) least() float64 {
	if h.order.Len() == 0 {
		return math.Inf(1)
	}
	bound, _ := h.order.Least()
	return bound
}
