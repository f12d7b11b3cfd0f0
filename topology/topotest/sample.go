package topotest

import (
	"math/rand/v2"

	"toposearch/topology"
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
		for i := range f.Params {
			p := &f.Params[i]
			switch {
			case p.Default != nil && p.Choices == nil && rng.IntN(3) > 0:
				v[i] = p.Default(v)
			case rng.IntN(3) == 0:
				v[i] = p.Min + rng.IntN(min(p.Max-p.Min, 40)+1)
			default:
				v[i] = p.Min + rng.IntN(min(p.Max-p.Min, 8)+1)
			}
		}
		if f.Canonical != nil {
			f.Canonical(v)
		}
		if f.Size(v, &s) == nil && s.Endpoints >= 2 && s.Endpoints <= most && s.AllSwitches() <= 4*most {
			out = append(out, topology.Design{Family: f, V: v})
		}
	}
	return out
}
