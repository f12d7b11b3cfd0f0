package survey

import (
	"math"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// smallTries bounds how many tuples of small values are tried for a drawing.
const smallTries = 20_000

// smallDraws is the same for families that draw their tuples.
const smallDraws = 1000

// SmallInstance gives the values of a small design of the family that shows as much of it as
// possible: all link classes in use, about twenty switches and as many endpoints.
func SmallInstance(f *topology.Family) []int {
	values := make([][]int, len(f.Params))
	v := make([]int, len(f.Params))
	for i, p := range f.Params {
		for x := p.Min; x <= min(p.Max, p.Min+5) && p.Divides == ""; x++ {
			values[i] = append(values[i], x)
		}
	}
	var best []int
	least := math.Inf(1)
	var s topology.Size
	keep := func() {
		if f.Size(v, &s) == nil {
			if score := plainness(f, v, &s); score < least {
				least, best = score, append(best[:0], v...)
			}
		}
	}
	if f.Draws != nil {
		rng := stream.New(1, "small "+f.Name)
		for range smallDraws {
			Tuple(f, rng, 24, v)
			keep()
		}
		return best
	}
	at := make([]int, len(v)) // index into values; one past the end stands for the default
	for range smallTries {
		for i := range v {
			if at[i] < len(values[i]) {
				v[i] = values[i][at[i]]
			}
			if p := &f.Params[i]; p.Default != nil {
				// The default comes first, then small values.
				if at[i] == 0 {
					v[i] = p.Default(v)
				} else {
					v[i] = values[i][at[i]-1]
				}
			}
		}
		keep()
		if !next(f, values, at) {
			break
		}
	}
	return best
}

// next moves the odometer, the first parameter fastest.
func next(f *topology.Family, values [][]int, at []int) bool {
	for i := range at {
		n := len(values[i])
		if f.Params[i].Default != nil {
			n++
		}
		if at[i]++; at[i] < n {
			return true
		}
		at[i] = 0
	}
	return false
}

// missingClass is what a link class that is not in use costs: less than making a tree of six levels of
// a size that can be drawn, more than most sizes.
const missingClass = 0.6

// plainness is how far a size is from a good drawing.
func plainness(f *topology.Family, v []int, s *topology.Size) float64 {
	off := func(n int64, want float64) float64 { return math.Abs(math.Log(float64(n) / want)) }
	ends := off(s.Endpoints, 24)
	if s.Endpoints < 24 { // fewer are drawn more easily than more
		ends *= 0.8
	}
	score := 3*off(s.AllSwitches(), 20) + ends + off(max(1, s.SwitchLinks()), 40)
	for i := range f.LinkClasses {
		if s.Link[i] == 0 {
			score += missingClass
		}
	}
	// The smallest value of a parameter hides what it does; that of a default is the usual network.
	for i, p := range f.Params {
		switch {
		case p.Default == nil && v[i] == p.Min:
			score += 0.65
		case p.Default != nil && v[i] != p.Default(v):
			score += 0.4
		}
	}
	return score
}
