// Package heap is a priority queue for hot loops. Unlike container/heap it knows its keys by type:
// comparisons are compiled in, nothing is boxed, and Push and Pop allocate only where the slice
// grows.
package heap

import "cmp"

// Heap gives values by their keys, the least first; among equal keys by their ties, the least
// first. Of values whose keys and ties are equal the order follows from the calls alone, and is
// that of container/heap. Keys must not be NaN. The zero value is empty.
type Heap[K cmp.Ordered, V any] struct{ items []item[K, V] }

type item[K cmp.Ordered, V any] struct {
	key   K
	tie   uint64
	value V
}

func (a *item[K, V]) before(b *item[K, V]) bool {
	return a.key < b.key || a.key == b.key && a.tie < b.tie
}

// Len is the number of values.
func (h *Heap[K, V]) Len() int { return len(h.items) }

// Least is the value that Pop would give, with its key. There has to be one.
func (h *Heap[K, V]) Least() (K, V) { return h.items[0].key, h.items[0].value }

// At is the i-th of the values, in no order of keys, i below Len.
func (h *Heap[K, V]) At(i int) V { return h.items[i].value }

// Item is the i-th of the values, as At, with its key and tie.
func (h *Heap[K, V]) Item(i int) (key K, tie uint64, value V) {
	x := &h.items[i]
	return x.key, x.tie, x.value
}

// Restore adds a value behind all others, as Item gave them from the first to the last.
func (h *Heap[K, V]) Restore(key K, tie uint64, value V) {
	h.items = append(h.items, item[K, V]{key, tie, value})
}

// Push adds a value.
func (h *Heap[K, V]) Push(key K, tie uint64, value V) {
	x := item[K, V]{key, tie, value}
	h.items = append(h.items, x)
	q, i := h.items, len(h.items)-1
	for i > 0 {
		up := (i - 1) / 2
		if !x.before(&q[up]) {
			break
		}
		q[i] = q[up]
		i = up
	}
	q[i] = x
}

// Pop removes the first value. There has to be one.
func (h *Heap[K, V]) Pop() (K, V) {
	top, last := h.items[0], len(h.items)-1
	x := h.items[last]
	clear(h.items[last:]) // values may hold pointers
	h.items = h.items[:last]
	if last > 0 {
		h.sink(0, x)
	}
	return top.key, top.value
}

// sink puts x at place i or below.
func (h *Heap[K, V]) sink(i int, x item[K, V]) {
	q := h.items
	for {
		down := 2*i + 1
		if down >= len(q) {
			break
		}
		if r := down + 1; r < len(q) && q[r].before(&q[down]) {
			down = r
		}
		if !q[down].before(&x) {
			break
		}
		q[i] = q[down]
		i = down
	}
	q[i] = x
}

// Filter drops the values that keep does not want; it asks for each once, in no order of keys.
func (h *Heap[K, V]) Filter(keep func(V) bool) {
	stay := h.items[:0]
	for _, x := range h.items {
		if keep(x.value) {
			stay = append(stay, x)
		}
	}
	clear(h.items[len(stay):])
	h.items = stay
	for i := len(stay)/2 - 1; i >= 0; i-- {
		h.sink(i, stay[i])
	}
}

// Reset drops all values and keeps the memory.
func (h *Heap[K, V]) Reset() {
	clear(h.items)
	h.items = h.items[:0]
}
