package topotest

import (
	"math/rand/v2"

	"toposearch/topology"
	"toposearch/topology/survey"
)

// Sample draws designs of a family with at most this number of endpoints, small values more often.
func Sample(f *topology.Family, rng *rand.Rand, count int, most int64) []topology.Design {
	var out []topology.Design
	var s topology.Size
	for range 400 * count {
		if len(out) == count {
			break
		}
		v := make([]int, len(f.Params))
		survey.Draw(f, rng, v, false)
		if f.Size(v, &s) == nil && s.Endpoints >= 2 && s.Endpoints <= most && s.AllSwitches() <= 4*most {
			out = append(out, topology.Design{Family: f, V: v})
		}
	}
	return out
}
