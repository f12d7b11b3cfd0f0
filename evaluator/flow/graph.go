package flow

// Edge is a link with the same capacity each way.
type Edge struct {
	A, B  int32
	Cap   float64
	Class int32 // of links that are equivalent, for EachClass
}

// Grouping says which edges share a length, and their load its mean over them.
type Grouping int

const (
	// EachEdge takes both directions of an edge together, for demands that are the same both ways:
	// turning all routes round turns the loads round, and the mean of both loads the two directions of
	// an edge equally, so that only their sum counts.
	EachEdge Grouping = iota
	// EachClass takes all edges of a class together, for demands as above where the edges of a class
	// are equivalent: averaging a routing over the automorphisms makes the load even within a class
	// without changing its sum, so that what is found for one source of each orbit holds for the
	// whole graph.
	EachClass
	// EachDirection takes every direction of every edge by itself, for any demands.
	EachDirection
)

// Graph is a graph with capacities, in compressed sparse rows.
type Graph struct {
	start    []int32
	to       []int32
	group    []int32   // of an arc; under EachDirection there is one for each direction
	back     []int32   // that of the opposite arc
	forwards int32     // vertices below forward
	cap      []float64 // of a group, both directions of all its edges
}

// New makes a graph of vertices of which those from forwards on end routes and never forward. Classes of
// edges are numbered from 0 to classes, and matter under EachClass only.
func New(vertices, forwards, classes int, edges []Edge, by Grouping) *Graph {
	g := &Graph{forwards: int32(forwards), start: make([]int32, vertices+1)}
	if by == EachClass {
		g.cap = make([]float64, classes)
	}
	group, back := make([]int32, len(edges)), make([]int32, len(edges))
	for i, e := range edges {
		g.start[e.A+1]++
		g.start[e.B+1]++
		k := int32(len(g.cap))
		switch by {
		case EachEdge:
			group[i], back[i] = k, k
			g.cap = append(g.cap, 2*e.Cap)
		case EachClass:
			group[i], back[i] = e.Class, e.Class
			g.cap[e.Class] += 2 * e.Cap
		case EachDirection:
			group[i], back[i] = k, k+1
			g.cap = append(g.cap, e.Cap, e.Cap)
		}
	}
	for v := range vertices {
		g.start[v+1] += g.start[v]
	}
	arcs := 2 * len(edges)
	g.to, g.group, g.back = make([]int32, arcs), make([]int32, arcs), make([]int32, arcs)
	at := append([]int32(nil), g.start...)
	for n, e := range edges {
		i, j := at[e.A], at[e.B]
		at[e.A]++
		at[e.B]++
		g.to[i], g.group[i], g.back[i] = e.B, group[n], back[n]
		g.to[j], g.group[j], g.back[j] = e.A, back[n], group[n]
	}
	return g
}

// Count gives the numbers of arcs, two for each edge, and of vertices.
func (g *Graph) Count() (arcs, vertices int) { return len(g.to), len(g.start) - 1 }
