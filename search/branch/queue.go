package branch

import (
	"math"

	"toposearch/internal/heap"
	"toposearch/internal/pack"
)

// queue holds what waits to be worked on, that with the least key first; among equal keys that which came
// first, or with newest that which came last. Items stay where they are put: only their keys move.
type queue[T any] struct {
	newest bool

	order heap.Heap[float64, int32] // places of items, by key, then by when they came
	pages [][]T                     // so that millions of items are never copied
	free  []int32
	seq   uint64
}

// page is how many items a page of the queue holds: half a megabyte of boxes.
const page = 1 << 12

func (q *queue[T]) item(at int32) *T { return &q.pages[at/page][at%page] }

func (q *queue[T]) len() int { return q.order.Len() }

// least is the smallest key; +Inf if nothing waits.
func (q *queue[T]) least() float64 {
	if q.len() == 0 {
		return math.Inf(1)
	}
	key, _ := q.order.Least()
	return key
}

// push adds a copy of an item.
func (q *queue[T]) push(key float64, item *T) {
	at := q.put(item)
	q.seq++
	tie := q.seq
	if q.newest {
		tie = -tie
	}
	q.order.Push(key, tie, at)
}

// put finds a place for a copy of an item.
func (q *queue[T]) put(item *T) int32 {
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
	return at
}

// save packs the queue, its items by a function.
func (q *queue[T]) save(w *pack.Writer, item func(*pack.Writer, *T)) {
	w.Int(int64(q.seq))
	w.Int(int64(q.len()))
	for i := range q.len() {
		key, tie, at := q.order.Item(i)
		w.Float(key)
		w.Int(int64(tie))
		item(w, q.item(at))
	}
}

// load fills an empty queue with what save packed.
func (q *queue[T]) load(r *pack.Reader, item func(*pack.Reader) T) {
	q.seq = uint64(r.Int())
	for n := r.Count(10); n > 0 && !r.Failed(); n-- {
		key, tie := r.Float(), uint64(r.Int())
		x := item(r)
		q.order.Restore(key, tie, q.put(&x))
	}
}

// look is the i-th of those that wait, in no order of keys, to be read.
func (q *queue[T]) look(i int) *T { return q.item(q.order.At(i)) }

// pop removes the first item.
func (q *queue[T]) pop() T {
	_, at := q.order.Pop()
	return q.release(at)
}

// release gives an item and forgets it.
func (q *queue[T]) release(at int32) T {
	var none T
	item := *q.item(at)
	*q.item(at) = none
	q.free = append(q.free, at)
	return item
}

// each visits the items, in no order that means anything, but always in the same.
func (q *queue[T]) each(visit func(item *T)) {
	q.order.Filter(func(at int32) bool {
		visit(q.item(at))
		return true
	})
}

// drop forgets the items that f names, and leaves the order of the others as it is.
func (q *queue[T]) drop(f func(item *T) bool) {
	q.order.Filter(func(at int32) bool {
		goes := f(q.item(at))
		if goes {
			q.release(at)
		}
		return !goes
	})
}
