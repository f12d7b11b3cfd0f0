package branch

import "math"

// queue holds what waits to be worked on, that with the least key first; among equal keys that which came
// first, or with newest that which came last. Items stay where they are put: only their keys move.
type queue[T any] struct {
	newest bool

	heap  []queued
	pages [][]T // so that millions of items are never copied
	free  []int32
	seq   int64
}

// page is how many items a page of the queue holds: half a megabyte of boxes.
const page = 1 << 12

func (q *queue[T]) item(at int32) *T { return &q.pages[at/page][at%page] }

// children is how many follow each in the heap: of four the keys lie side by side, and half as many levels are
// gone through as of two.
const children = 4

// queued is the place of an item with what orders it.
type queued struct {
	key float64
	seq int64
	at  int32
}

func (a *queued) before(b *queued) bool { return a.key < b.key || a.key == b.key && a.seq < b.seq }

func (q *queue[T]) len() int { return len(q.heap) }

// least is the smallest key; +Inf if nothing waits.
func (q *queue[T]) least() float64 {
	if len(q.heap) == 0 {
		return math.Inf(1)
	}
	return q.heap[0].key
}

// push adds a copy of an item.
func (q *queue[T]) push(key float64, item *T) {
	if len(q.free) == 0 {
		first := int32(len(q.pages) * page)
		q.pages = append(q.pages, make([]T, page))
		for i := int32(page - 1); i >= 0; i-- {
			q.free = append(q.free, first+i)
		}
	}
	k := len(q.free) - 1
	at := q.free[k]
	q.free = q.free[:k]
	*q.item(at) = *item
	if q.seq++; q.newest {
		q.seq -= 2
	}
	x := queued{key, q.seq, at}
	q.heap = append(q.heap, x)
	i := len(q.heap) - 1
	for i > 0 {
		up := (i - 1) / children
		if !x.before(&q.heap[up]) {
			break
		}
		q.heap[i] = q.heap[up]
		i = up
	}
	q.heap[i] = x
}

// pop removes the first item.
func (q *queue[T]) pop() T {
	first := q.heap[0]
	last := len(q.heap) - 1
	x := q.heap[last]
	q.heap = q.heap[:last]
	if last > 0 {
		q.sink(0, x)
	}
	return q.release(first.at)
}

// release gives an item and forgets it.
func (q *queue[T]) release(at int32) T {
	var none T
	item := *q.item(at)
	*q.item(at) = none
	q.free = append(q.free, at)
	return item
}

// sink puts x at place i or below.
func (q *queue[T]) sink(i int, x queued) {
	for {
		down := children*i + 1
		if down >= len(q.heap) {
			break
		}
		for r := down + 1; r < min(children*i+1+children, len(q.heap)); r++ {
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

// drop forgets the items that f names, and leaves the order of the others as it is.
func (q *queue[T]) drop(f func(item *T) bool) {
	stay := q.heap[:0]
	for _, x := range q.heap {
		if f(q.item(x.at)) {
			q.release(x.at)
			continue
		}
		stay = append(stay, x)
	}
	q.heap = stay
	for i := (len(stay) - 2) / children; i >= 0 && len(stay) > 1; i-- {
		q.sink(i, stay[i])
	}
}
