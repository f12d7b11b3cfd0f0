package flow

import "math"

// Arc is one direction of links between two vertices, with what they carry.
type Arc struct {
	From, To int32
	Cap      float64
}

// Bottleneck is the largest ratio, over the cuts that do not hold all endpoints, of the endpoints inside to what the arcs that lead out carry: what an all-gather among all
// endpoints, of which weight are at each vertex, takes at least for each unit of data of an endpoint, whatever its routes, and though
// switches copy: what is inside has to leave at least once. It is reached by packings of trees (Zhao et al., ForestColl, arXiv:2402.06787, section 4). cut tells the
// vertices inside; +Inf if an endpoint cannot be reached.
//
// ForestColl searches for the ratio by halves, and asks for each value x whether a source that gives x to every endpoint can send x times their number to each of them.
// Here a cut that says no gives the next ratio (Dinkelbach, Management Sci. 13(7), 1967), so that the result is that of a cut and exact.
func Bottleneck(weight []int64, arcs []Arc) (ratio float64, cut []bool) {
	all, g := int64(0), newCapacities(len(weight), arcs)
	for _, w := range weight {
		all += w
	}
	consider := func(inside []bool) bool {
		n, out := int64(0), 0.0
		for v, w := range weight {
			if inside[v] {
				n += w
			}
		}
		for _, a := range arcs {
			if inside[a.From] && !inside[a.To] {
				out += a.Cap
			}
		}
		if n == 0 || n == all || float64(n) <= ratio*out*(1+tolerance) {
			return false
		}
		ratio, cut = float64(n)/out, append([]bool(nil), inside...)
		return true
	}
	inside := make([]bool, len(weight))
	for v, w := range weight { // cuts round one vertex, to begin with
		if w > 0 {
			for u := range inside {
				inside[u] = u != v
			}
			consider(inside)
		}
	}
	for v := 0; v < len(weight) && !math.IsInf(ratio, 1); {
		if weight[v] > 0 && ratio > 0 && consider(g.sourceSide(weight, 1/ratio, int32(v))) {
			continue // and once more with the ratio of that cut
		}
		v++
	}
	return ratio, cut
}

// tolerance is what sums of capacities may differ by.
const tolerance = 1e-9

// capacities is a graph for largest flows from a source behind all endpoints: a vertex more than there are, by augmenting along levels (Dinic 1970).
type capacities struct {
	first [][]int32 // arcs by vertex
	to    []int32   // of arc i; i^1 is the way back
	full  []float64
	left  []float64
	level []int32
	next  []int
}

func newCapacities(vertices int, arcs []Arc) *capacities {
	g := &capacities{first: make([][]int32, vertices+1), level: make([]int32, vertices+1), next: make([]int, vertices+1)}
	for v := range vertices { // those of the source, whose capacities are not known yet
		g.join(int32(vertices), int32(v), 0)
	}
	for _, a := range arcs {
		g.join(a.From, a.To, a.Cap)
	}
	g.left = make([]float64, len(g.full))
	return g
}

func (g *capacities) join(from, to int32, c float64) {
	g.first[from] = append(g.first[from], int32(len(g.to)))
	g.first[to] = append(g.first[to], int32(len(g.to))+1)
	g.to, g.full = append(g.to, to, from), append(g.full, c, 0)
}

// sourceSide is the vertices on the source's side of the least cut between it, giving each to every endpoint, and a vertex.
func (g *capacities) sourceSide(weight []int64, each float64, sink int32) []bool {
	for v, w := range weight {
		g.full[2*v] = each * float64(w)
	}
	copy(g.left, g.full)
	source := int32(len(weight))
	for g.layer(source, sink, each) {
		clear(g.next)
		for g.push(source, sink, math.Inf(1), each) > 0 {
		}
	}
	inside := make([]bool, len(weight))
	for v := range weight {
		inside[v] = g.level[v] > 0
	}
	return inside
}

// open tells whether more than rounding is left of an arc, in parts of what an endpoint gives.
func (g *capacities) open(arc int32, each float64) bool { return g.left[arc] > tolerance*each/16 }

// layer numbers vertices by how far they are from the source, 0 where nothing more can come; whether the sink is reached.
func (g *capacities) layer(source, sink int32, each float64) bool {
	clear(g.level)
	g.level[source] = 1
	queue := []int32{source}
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		for _, a := range g.first[v] {
			if u := g.to[a]; g.level[u] == 0 && g.open(a, each) {
				g.level[u] = g.level[v] + 1
				queue = append(queue, u)
			}
		}
	}
	return g.level[sink] > 0
}

// push sends up to most on to the sink, and says how much.
func (g *capacities) push(v, sink int32, most, each float64) float64 {
	if v == sink {
		return most
	}
	for ; g.next[v] < len(g.first[v]); g.next[v]++ {
		a := g.first[v][g.next[v]]
		u := g.to[a]
		if g.level[u] != g.level[v]+1 || !g.open(a, each) {
			continue
		}
		if x := g.push(u, sink, min(most, g.left[a]), each); x > 0 {
			g.left[a] -= x
			g.left[a^1] += x
			return x
		}
	}
	return 0
}
