package survey

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// rulesTries is how many tuples are refused, or not, to learn the rules of a family: enough to break
// every rule that the code of any family states, which a test holds against the code.
const rulesTries = 40_000

// Rule is what a parameter must keep besides its range.
type Rule struct {
	Param string `json:"param"`
	Rule  string `json:"rule"`
}

// Rules gives the rules that join parameters of a family, as its own check states them when a
// seeded sample of tuples breaks them. Rules of the range of one parameter are left out, and that
// of size, which all families share.
func Rules(f *topology.Family) []Rule {
	rng := stream.New(1, "rules "+f.Name)
	v := make([]int, len(f.Params))
	var s topology.Size
	var out []Rule
	for try := range rulesTries {
		sampleTuple(f, v, try%2 == 0, rng)
		var bad *topology.Infeasible
		if err := f.Size(v, &s); !errors.As(err, &bad) || bad.Rule == topology.RuleSize {
			continue
		}
		if r := (Rule{bad.Param, bad.Rule}); !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b Rule) int {
		return cmp.Or(cmp.Compare(f.Param(a.Param), f.Param(b.Param)), cmp.Compare(a.Rule, b.Rule))
	})
	return out
}

// sampleTuple draws values for a family, mostly defaults if usual.
func sampleTuple(f *topology.Family, v []int, usual bool, rng *rand.Rand) {
	if f.Draws != nil { // of a network, some values moved: other tuples break the first rule, and no other
		Tuple(f, rng, 60, v)
		if usual {
			for range 1 + rng.IntN(3) {
				i := rng.IntN(len(v))
				p := &f.Params[i]
				if v[i] = max(p.Min, 0) + rng.IntN(min(p.Max-max(p.Min, 0)+1, 12)); rng.IntN(8) == 0 {
					v[i] = p.Min + rng.IntN(p.Max-p.Min+1)
				}
			}
		}
		return
	}
	for i, p := range f.Params {
		if p.Default != nil && rng.IntN(4) > 0 && (usual || p.Divides != "") {
			v[i] = p.Default(v) // mostly the usual network: rare rules need everything else in order
			continue
		}
		// Small values, values around those before, and any value: rules compare parameters.
		switch k := rng.IntN(4); {
		case k == 0 && p.Default != nil:
			v[i] = p.Default(v)
		case k == 1 && i > 0:
			j := rng.IntN(i)
			for j > 0 && f.Params[j].Divides != "" { // no number
				j--
			}
			v[i] = v[j] + rng.IntN(5) - 2
		case k == 2:
			v[i] = p.Min + rng.IntN(p.Max-p.Min+1)
		default:
			v[i] = p.Min + rng.IntN(min(p.Max-p.Min+1, 24))
		}
		v[i] = min(max(v[i], p.Min), p.Max)
	}
}
