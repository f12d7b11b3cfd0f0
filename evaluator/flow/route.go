package flow

import (
	"math"

	"toposearch/internal/heap"
)

// router finds shortest routes under the lengths of the groups.
type router struct {
	*Graph
	length []float64 // by group
	dist   []float64
	queue  heap.Heap[float64, int32] // vertices by distance, then number
	order  []int32                   // vertices reached, nearest first
	flow   []float64
}

func newRouter(g *Graph) *router {
	k := len(g.start) - 1
	return &router{Graph: g, length: make([]float64, len(g.cap)), dist: make([]float64, k), flow: make([]float64, k)}
}

// tieSlack joins routes whose lengths differ by rounding alone.
const tieSlack = 1e-12

// route sends all demand over shortest routes under the lengths, split equally over ties hop by hop,
// adds it to load by group, and gives the sum of demand times distance: +Inf if some demand has no
// route.
func (r *router) route(sources []Source, load []float64) (volume float64) {
	for i := range sources {
		s := &sources[i]
		r.search(s.Vertex)
		for _, d := range s.To {
			if d.Vertex != s.Vertex {
				if math.IsInf(r.dist[d.Vertex], 1) {
					return math.Inf(1)
				}
				r.flow[d.Vertex] += d.Amount * s.Times
				volume += d.Amount * s.Times * r.dist[d.Vertex]
			}
		}
		for k := len(r.order) - 1; k > 0; k-- {
			v := r.order[k]
			x := r.flow[v]
			if r.flow[v] = 0; x == 0 {
				continue
			}
			ways := 0.0
			for a := r.start[v]; a < r.start[v+1]; a++ {
				if r.before(a, v, s.Vertex) {
					ways++
				}
			}
			for a := r.start[v]; a < r.start[v+1]; a++ {
				if r.before(a, v, s.Vertex) {
					r.flow[r.to[a]] += x / ways
					load[r.back[a]] += x / ways
				}
			}
		}
		r.flow[s.Vertex] = 0
	}
	return volume
}

// before reports whether arc a of v leads back along a shortest route from the source.
func (r *router) before(a, v, source int32) bool {
	u := r.to[a]
	return (u < r.forwards || u == source) && r.dist[u] < r.dist[v] && r.dist[u]+r.length[r.back[a]] <= r.dist[v]*(1+tieSlack)
}

// search is Dijkstra's algorithm from a vertex; order lists what is reached, nearest first.
func (r *router) search(from int32) {
	for v := range r.dist {
		r.dist[v] = math.Inf(1)
	}
	q := &r.queue
	q.Reset()
	q.Push(0, uint64(from), from)
	r.order = r.order[:0]
	r.dist[from] = 0
	for q.Len() > 0 {
		d, v := q.Pop()
		if d > r.dist[v] {
			continue
		}
		r.order = append(r.order, v)
		if v >= r.forwards && v != from {
			continue
		}
		for a := r.start[v]; a < r.start[v+1]; a++ {
			if u, x := r.to[a], d+r.length[r.group[a]]; x < r.dist[u] {
				r.dist[u] = x
				q.Push(x, uint64(u), u)
			}
		}
	}
}
