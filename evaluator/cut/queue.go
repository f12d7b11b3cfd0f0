package cut

// gainQueue is a heap of vertices, the largest gain first, then the lowest number.
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

func (q *gainQueue) push(v int32) {
	q.heap = append(q.heap, v)
	q.where[v] = int32(len(q.heap) - 1)
	q.fix(v)
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
