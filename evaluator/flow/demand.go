package flow

import (
	"cmp"
	"slices"
)

// Source is a vertex from which traffic comes, for all sources that are equivalent to it.
type Source struct {
	Vertex int32
	Times  float64 // sources that it stands for
	To     []Demand
}

// Demand is what a source sends to a vertex.
type Demand struct {
	Vertex int32
	Amount float64
}

// Orbit is an endpoint and the number of those that are equivalent to it, itself included.
type Orbit struct {
	Endpoint int32
	Count    int64
}

// Uniform lets every endpoint send a unit, in equal shares to every other: from all of them, or from one
// of each orbit if there are any. at is the vertex of each endpoint.
func Uniform(at []int32, orbits []Orbit) []Source {
	weight := make([]float64, slices.Max(at)+1)
	for _, v := range at {
		weight[v]++
	}
	all := float64(len(at))
	var demands []Demand
	for v, w := range weight {
		if w > 0 {
			demands = append(demands, Demand{int32(v), w / (all - 1)})
		}
	}
	var sources []Source
	if orbits != nil {
		for _, o := range orbits {
			sources = append(sources, Source{at[o.Endpoint], float64(o.Count), demands})
		}
		return sources
	}
	return Spread(at, demands)
}

// Spread lets every endpoint send a unit to a set of vertices, in proportion to their shares, which add up to 1.
// at is the vertex of each endpoint.
func Spread(at []int32, shares []Demand) []Source {
	weight := make([]float64, slices.Max(at)+1)
	for _, v := range at {
		weight[v]++
	}
	var sources []Source
	for v, w := range weight {
		if w > 0 {
			sources = append(sources, Source{int32(v), w, shares})
		}
	}
	return sources
}

// Permutation lets every endpoint send a unit to its partner in to, or nothing if that is negative. at is
// the vertex of each endpoint; what stays at a vertex is left out.
func Permutation(at, to []int32) []Source {
	type pair struct{ a, b int32 }
	pairs := make([]pair, 0, len(to))
	for e, d := range to {
		if d >= 0 && at[e] != at[d] {
			pairs = append(pairs, pair{at[e], at[d]})
		}
	}
	slices.SortFunc(pairs, func(x, y pair) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	var sources []Source
	for _, p := range pairs {
		if k := len(sources); k == 0 || sources[k-1].Vertex != p.a {
			sources = append(sources, Source{Vertex: p.a, Times: 1})
		}
		s := &sources[len(sources)-1]
		if k := len(s.To); k > 0 && s.To[k-1].Vertex == p.b {
			s.To[k-1].Amount++
			continue
		}
		s.To = append(s.To, Demand{p.b, 1})
	}
	return sources
}
