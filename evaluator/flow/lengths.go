package flow

import "context"

// Hops are the lengths of 1 of all groups.
func (g *Graph) Hops() []float64 {
	l := make([]float64, len(g.cap))
	for i := range l {
		l[i] = 1
	}
	return l
}

// Volume is the sum of capacity times length of all groups. No routing carries a larger multiple of a demand than
// this over the demand's sum of amount times distance (duality).
func (g *Graph) Volume(lengths []float64) (sum float64) {
	for i, c := range g.cap {
		sum += c * lengths[i]
	}
	return sum
}

// Distances are those from each of some vertices to each of them under lengths of the groups, row by row; +Inf
// where no route leads. The error is that of the context.
func (g *Graph) Distances(ctx context.Context, lengths []float64, between []int32) ([]float64, error) {
	r := newRouter(g)
	copy(r.length, lengths)
	out := make([]float64, 0, len(between)*len(between))
	for _, v := range between {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.search(v)
		for _, u := range between {
			out = append(out, r.dist[u])
		}
	}
	return out, nil
}
