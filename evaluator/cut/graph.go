package cut

// Spec describes a Graph. Its first vertices are switches, one for each entry of Class, switches of a
// class together; the others hold endpoints that a cut cannot divide.
//
// Endpoints with one link each need no vertices: they hang on their switch, are part of its weight,
// and any number of them can be cut off at the price of their links (Access).
type Spec struct {
	Class  []uint8 // of the switches
	Weight []int64 // endpoints of every vertex
	First  []int64 // the lowest endpoint of every vertex, below the number of all; of no meaning where it has none
	Access float64 // capacity of the link of an endpoint that hangs on a switch; 0 if none does
	Arcs   []Arc   // each link twice, once from either end
}

// Arc is one direction of a link. Parallel links may be given one by one.
type Arc struct {
	From, To int32
	Cap      float64 // in bandwidths of an endpoint
}

// Graph is a graph to be cut, in compressed sparse rows. It is not changed by any method.
type Graph struct {
	start     []int32
	to        []int32
	cap       []float64 // by arc; parallel ones are merged
	weight    []int64
	class     []uint8
	first     []int64
	access    float64
	switches  int // vertices [0, switches) are switches
	endpoints int64
}

// New makes a graph; it keeps the slices of the Spec, its arcs excepted.
func New(s Spec) *Graph {
	g := &Graph{weight: s.Weight, class: s.Class, first: s.First, access: s.Access, switches: len(s.Class)}
	for _, w := range s.Weight {
		g.endpoints += w
	}
	g.rows(s.Arcs)
	return g
}

// rows sorts the arcs into compressed rows and merges parallel ones.
func (g *Graph) rows(arcs []Arc) {
	k := len(g.weight)
	count := make([]int32, k+1)
	for _, a := range arcs {
		count[a.From+1]++
	}
	for i := range k {
		count[i+1] += count[i]
	}
	at := append([]int32(nil), count...)
	to, cap := make([]int32, len(arcs)), make([]float64, len(arcs))
	for _, a := range arcs {
		to[at[a.From]], cap[at[a.From]] = a.To, a.Cap
		at[a.From]++
	}
	// place is one more than the arc of the row to each target; one of an earlier row, or 0, is none.
	place := make([]int32, k)
	g.start = make([]int32, k+1)
	for v := range k {
		from := int32(len(g.to))
		for i := count[v]; i < count[v+1]; i++ {
			u := to[i]
			if p := place[u]; p > from {
				g.cap[p-1] += cap[i]
				continue
			}
			g.to, g.cap = append(g.to, u), append(g.cap, cap[i])
			place[u] = int32(len(g.to))
		}
		g.start[v+1] = int32(len(g.to))
	}
}

// degree is the capacity of all links of a vertex.
func (g *Graph) degree(v int) (sum float64) {
	for i := g.start[v]; i < g.start[v+1]; i++ {
		sum += g.cap[i]
	}
	return sum
}

// Imbalance is the largest difference of endpoints between the two sides that still counts as
// balanced: the parity of their number where they hang on switches, otherwise what remains of equal
// vertices. A single vertex with all endpoints cannot be halved: the imbalance is then all of them.
func (g *Graph) Imbalance() int64 {
	if g.access > 0 {
		return g.endpoints % 2
	}
	most := int64(0)
	for _, w := range g.weight {
		most = max(most, w)
	}
	if most == 0 {
		return 0
	}
	if (g.endpoints/most)%2 == 0 && g.endpoints%most == 0 {
		return 0
	}
	return most
}

// full is what a cut is divided by: half of the endpoints, all sending.
func (g *Graph) full() float64 { return float64(g.endpoints) / 2 }

// value is the capacity of the cut between the vertices on side true and the others, as a fraction of
// full, the links of hanging endpoints that must change sides to balance it included; ok is false if
// it cannot be balanced.
func (g *Graph) value(side []bool) (x float64, ok bool) {
	cut := 0.0
	var diff int64
	for v := range g.weight {
		if side[v] {
			diff += g.weight[v]
		} else {
			diff -= g.weight[v]
		}
		for i := g.start[v]; i < g.start[v+1]; i++ {
			if int(g.to[i]) > v && side[v] != side[g.to[i]] {
				cut += g.cap[i]
			}
		}
	}
	if over := max(diff, -diff) - g.Imbalance(); over > 0 {
		if g.access == 0 {
			return 0, false
		}
		cut += float64((over+1)/2) * g.access
	}
	return cut / g.full(), true
}
