package selftest

import (
	"math/rand/v2"

	"toposearch/topology"
	"toposearch/topology/survey"
)

// draw finds values of a family that make a network; ok is false if none was found in a number of
// attempts. Unless all are to be small, a third of the designs come from the whole ranges of the parameters;
// the others have at most this number of endpoints.
func draw(f *topology.Family, rng *rand.Rand, most int64, small bool, s *topology.Size) (d topology.Design, ok bool) {
	wide := !small && rng.IntN(3) == 0
	v := make([]int, len(f.Params))
	for range attempts {
		survey.Draw(f, rng, v, wide)
		if f.Size(v, s) == nil && s.Endpoints >= 2 && (wide || s.Endpoints <= most && s.AllSwitches() <= 4*most) {
			return topology.Design{Family: f, V: v}, true
		}
	}
	return topology.Design{}, false
}

// attempts bounds the tuples tried for a design: rules that join several parameters leave one of some
// hundred tuples in the families that have most of them.
const attempts = 2000
