package cut

import "math/big"

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
	OneWay bool    // arcs are channels without a partner, each given once
}

// Arc is one direction of a link. Parallel links may be given one by one.
type Arc struct {
	From, To int32
	Cap      float64 // in bandwidths of an endpoint
}

// Graph is a graph to be cut, in compressed sparse rows. It is not changed by any method.
//
// Channels one way are links of half their capacity, and vertices that lean: what leads from a set of
// vertices to the others is half of what leads either way, and half of what leaves each vertex of the set less
// what enters it, since channels inside the set leave one of its vertices and enter another.
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
	imbalance int64
	oneWay    bool
	lean      []float64 // what a vertex adds to the cut on side true, 0 unless channels lead one way
	half      int64     // endpoints of the smaller side
}

// New makes a graph; it keeps the slices of the Spec, its arcs excepted.
func New(s Spec) *Graph {
	g := &Graph{weight: s.Weight, class: s.Class, first: s.First, access: s.Access, switches: len(s.Class), oneWay: s.OneWay,
		lean: make([]float64, len(s.Weight))}
	for _, w := range s.Weight {
		g.endpoints += w
	}
	if g.imbalance = g.endpoints % 2; g.access == 0 {
		g.imbalance = leastDifference(s.Weight, g.endpoints)
	}
	g.half = (g.endpoints - g.imbalance) / 2
	arcs := s.Arcs
	if s.OneWay {
		arcs = make([]Arc, 0, 2*len(s.Arcs))
		for _, a := range s.Arcs {
			arcs = append(arcs, Arc{a.From, a.To, a.Cap / 2}, Arc{a.To, a.From, a.Cap / 2})
			g.lean[a.From] += a.Cap / 2
			g.lean[a.To] -= a.Cap / 2
		}
	}
	g.rows(arcs)
	return g
}

// leastDifference is the least difference between the sums of two parts of the weights, which add up to all.
func leastDifference(weight []int64, all int64) int64 {
	times, order := map[int64]int64{}, []int64(nil)
	for _, w := range weight {
		if w > 0 {
			if times[w] == 0 {
				order = append(order, w)
			}
			times[w]++
		}
	}
	if len(order) == 1 {
		return order[0] * (times[order[0]] % 2)
	}
	// Bit s of sums tells whether some weights add up to s. Equal ones are added in lumps of 1, 2, 4 and so on.
	sums := big.NewInt(1)
	for _, w := range order {
		for lump, left := int64(1), times[w]; left > 0; lump *= 2 {
			n := min(lump, left)
			left -= n
			sums.Or(sums, new(big.Int).Lsh(sums, uint(n*w)))
		}
	}
	s := all / 2
	for sums.Bit(int(s)) == 0 {
		s--
	}
	return all - 2*s
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
	g.to, g.cap = make([]int32, 0, len(arcs)), make([]float64, 0, len(arcs))
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

// Imbalance is by how many endpoints the two sides differ: the parity of their number where they hang on
// switches, otherwise the least difference that vertices allow. A single vertex with all endpoints cannot be
// halved: the imbalance is then all of them.
func (g *Graph) Imbalance() int64 { return g.imbalance }

// full is what a cut is divided by: the endpoints of the smaller side, all sending or all receiving.
func (g *Graph) full() float64 { return float64(g.half) }

// value is the capacity from the vertices on side true to the others, as a fraction of full, the links of hanging
// endpoints that must change sides to balance it included; ok is false if it cannot be balanced.
func (g *Graph) value(side []bool) (x float64, ok bool) {
	cut := 0.0
	var diff int64
	for v := range g.weight {
		if side[v] {
			diff += g.weight[v]
			cut += g.lean[v]
		} else {
			diff -= g.weight[v]
		}
		for i := g.start[v]; i < g.start[v+1]; i++ {
			if int(g.to[i]) > v && side[v] != side[g.to[i]] {
				cut += g.cap[i]
			}
		}
	}
	if over := max(diff, -diff) - g.imbalance; over > 0 {
		if g.access == 0 {
			return 0, false
		}
		cut += float64(over/2) * g.access
	}
	return cut / g.full(), true
}
