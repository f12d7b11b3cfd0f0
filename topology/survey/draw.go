package survey

import (
	"math"
	"math/rand/v2"

	"toposearch/topology"
)

// Draw fills v with values of a family's parameters, whether they make a network or not: defaults and small values
// more often than others. Of a wide draw values have any magnitude up to the largest, and the ends of their ranges
// are drawn more often, since there mistakes are.
func Draw(f *topology.Family, rng *rand.Rand, v []int, wide bool) {
	if f.Draws != nil {
		most := 40
		if wide {
			most = 1000
		}
		Tuple(f, rng, most, v)
		return
	}
	for i := range f.Params {
		p := &f.Params[i]
		span := p.Max - p.Min
		switch {
		case p.Divides != "" && rng.IntN(4) == 0:
			v[i] = topology.RatioDraw(v[f.Param(p.Divides)], rng)
		case p.Divides != "" || p.Default != nil && p.Choices == nil && rng.IntN(3) > 0:
			v[i] = p.Default(v)
		case wide && rng.IntN(8) == 0:
			v[i] = p.Max
		case wide:
			v[i] = p.Min + int(math.Exp(rng.Float64()*math.Log(float64(span)+1))) - 1
		case rng.IntN(3) == 0:
			v[i] = p.Min + rng.IntN(min(span, 40)+1)
		default:
			v[i] = p.Min + rng.IntN(min(span, 8)+1)
		}
	}
	if f.Canonical != nil {
		f.Canonical(v)
	}
}

// Tuple draws a tuple of a family with Draws, with at most so many endpoints more than the fewest.
func Tuple(f *topology.Family, rng *rand.Rand, most int, v []int) {
	lo, hi := make([]int, len(v)), make([]int, len(v))
	for i, p := range f.Params {
		lo[i], hi[i] = p.Min, p.Max
	}
	if d := f.Draws.Endpoints; d >= 0 {
		hi[d] = min(hi[d], lo[d]+most)
	}
	f.Draws.Sample(rng.IntN, lo, hi, v)
	if f.Canonical != nil {
		f.Canonical(v)
	}
}
