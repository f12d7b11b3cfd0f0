package search

import "math"

// box is a node with the violation that none of its designs can undercut; a leaf if exact values
// are in it.
type box struct {
	node
	bound float64
	seq   int
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
	order []int32
	seq   int
}

func (h *boxHeap) less(i, j int32) bool {
	a, b := &h.boxes[i], &h.boxes[j]
	if a.bound != b.bound {
		return a.bound < b.bound
	}
	if (a.leaf != nil) != (b.leaf != nil) {
		return a.leaf != nil
	}
	return a.seq > b.seq
}

func (h *boxHeap) push(b *box) {
	h.seq++
	b.seq = h.seq
	at := int32(len(h.boxes))
	if n := len(h.free); n > 0 {
		at, h.free = h.free[n-1], h.free[:n-1]
		h.boxes[at] = *b
	} else {
		h.boxes = append(h.boxes, *b)
	}
	h.order = append(h.order, at)
	i := len(h.order) - 1
	for i > 0 && h.less(at, h.order[(i-1)/2]) {
		h.order[i] = h.order[(i-1)/2]
		i = (i - 1) / 2
	}
	h.order[i] = at
}

func (h *boxHeap) pop() box {
	top, n := h.order[0], len(h.order)-1
	last := h.order[n]
	h.order = h.order[:n]
	i := 0
	for n > 0 {
		c := 2*i + 1
		if c+1 < n && h.less(h.order[c+1], h.order[c]) {
			c++
		}
		if c >= n || !h.less(h.order[c], last) {
			h.order[i] = last
			break
		}
		h.order[i] = h.order[c]
		i = c
	}
	h.free = append(h.free, top)
	return h.boxes[top]
}

// least is the smallest bound of all; +Inf if nothing is open.
func (h *boxHeap) least() float64 {
	if len(h.order) == 0 {
		return math.Inf(1)
	}
	return h.boxes[h.order[0]].bound
}
