package cut

// gainQueue is a heap of vertices, the largest gain first, then the lowest number. Unlike those of
// internal/heap they know their places, since gains change while they wait.
type gainQueue struct {
	heap  []int32
	gain  []float64 // by vertex; fix follows a change
	where []int32   // place of each vertex in the heap of its queue
}

func (q *gainQueue) before(a, b int32) bool {
	if q.gain[a] != q.gain[b] {
		return q.gain[a] > q.gain[b]
	}
	return a < b
}

// add puts v at the end; order makes a heap of what was added, in linear time.
func (q *gainQueue) add(v int32) {
	q.where[v] = int32(len(q.heap))
	q.heap = append(q.heap, v)
}

func (q *gainQueue) order() {
	for i := len(q.heap)/2 - 1; i >= 0; i-- {
		q.sink(int32(i))
	}
}

func (q *gainQueue) remove(v int32) {
	i, last := q.where[v], int32(len(q.heap)-1)
	q.heap[i] = q.heap[last]
	q.where[q.heap[i]] = i
	q.heap = q.heap[:last]
	if i < last {
		q.fix(q.heap[i])
	}
}

// fix moves v to its place after its gain has changed.
func (q *gainQueue) fix(v int32) {
	h, i := q.heap, q.where[v]
	for i > 0 && q.before(h[i], h[(i-1)/2]) {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		q.where[h[i]] = i
		i = (i - 1) / 2
	}
	q.sink(i)
}

// sink moves what is at place i down while one below it comes first.
func (q *gainQueue) sink(i int32) {
	h := q.heap
	for {
		c := 2*i + 1
		if c >= int32(len(h)) {
			break
		}
		if c+1 < int32(len(h)) && q.before(h[c+1], h[c]) {
			c++
		}
		if !q.before(h[c], h[i]) {
			break
		}
		h[i], h[c] = h[c], h[i]
		q.where[h[i]] = i
		i = c
	}
	q.where[h[i]] = i
}
