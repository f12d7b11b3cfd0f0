package selftest

import (
	"math"
	"math/rand/v2"

	"toposearch/topology"
)

// draw finds values of a family that make a network; ok is false if none was found in a number of
// attempts. Unless all are to be small, a third of the designs come from the whole ranges of the parameters;
// the others have at most this number of endpoints.
func draw(f *topology.Family, rng *rand.Rand, most int64, small bool, s *topology.Size) (d topology.Design, ok bool) {
	wide := !small && rng.IntN(3) == 0
	v := make([]int, len(f.Params))
	for range attempts {
		for i := range f.Params {
			v[i] = value(&f.Params[i], v, rng, wide)
		}
		if f.Canonical != nil {
			f.Canonical(v)
		}
		if f.Size(v, s) == nil && s.Endpoints >= 2 && (wide || s.Endpoints <= most && s.AllSwitches() <= 4*most) {
			return topology.Design{Family: f, V: v}, true
		}
	}
	return topology.Design{}, false
}

// attempts bounds the tuples tried for a design: rules that join several parameters leave one of some
// hundred tuples in the families that have most of them.
const attempts = 2000

// value draws a parameter: its default, else a small value, or of a wide draw any magnitude up to the
// largest; the ends of its range are drawn more often, since there mistakes are.
func value(p *topology.Param, v []int, rng *rand.Rand, wide bool) int {
	span := p.Max - p.Min
	switch {
	case p.Choices != nil:
		return rng.IntN(span + 1)
	case p.Default != nil && rng.IntN(3) > 0:
		return p.Default(v)
	case wide && rng.IntN(8) == 0:
		return p.Max
	case wide:
		return p.Min + int(math.Exp(rng.Float64()*math.Log(float64(span)+1))) - 1
	case rng.IntN(3) == 0:
		return p.Min + rng.IntN(min(span, 40)+1)
	}
	return p.Min + rng.IntN(min(span, 8)+1)
}
