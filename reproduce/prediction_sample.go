package reproduce

import (
	"math"
	"slices"

	"toposearch/evaluator"
	"toposearch/internal/stream"
	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
)

const (
	predictionDesigns = 300
	predictionFast    = 45 // one or two of a family
	predictionSeed    = 1
	// predictionFlits are what endpoints could send at a load in the cycles that are measured, and up to four times as many
	// near saturation: whether 97 % are accepted then shows to a percent or two, in small networks as in large ones.
	predictionFlits = 160_000
	fewestCycles    = 2000 // several times the time of a packet through a loaded network
	mostCycles      = 20_000
	// predictionTolerance is how far a simulated saturation load may be from the predicted one.
	predictionTolerance = 0.10
	// Designs have between as many endpoints; of families whose smallest networks are larger, the fewest found.
	leastEnds, mostEnds = 4, 64
	largestEnds         = 1024
	mostChannels        = 6000 // so that a design takes some seconds
	draws               = 4000 // of parameters, for each family
)

// comparedDesign is a design with its saturation load as predicted and simulated under uniform traffic with
// its natural routing.
type comparedDesign struct {
	design topology.Design
	line   *verify.Result
	agrees *search.Verified
	cause  string
}

// predicted is the saturation load that is expected of the simulated switch, or what fills the busiest channel if nothing is.
func (x *comparedDesign) predicted() float64 {
	if x.line.Expected > 0 {
		return x.line.Expected
	}
	return x.line.Predicted
}

// ratio is simulated over predicted, 1 if the prediction lies in the simulated interval.
func (x *comparedDesign) ratio() float64 { return x.over(x.predicted()) }

// over is the end of the simulated interval that is nearest to a load, over that.
func (x *comparedDesign) over(load float64) float64 {
	return min(max(load, x.line.Saturation), x.line.Above) / load
}

// differs reports whether the simulation contradicts what the model certifies, or lies more than the tolerance off.
func (x *comparedDesign) differs() bool {
	return x.agrees.Contradicts || math.Abs(x.ratio()-1) > predictionTolerance
}

// sampleDesigns draws with a seed up to n designs of all families in turn, each from a stream of its own, so that the first of
// a larger number are those of a smaller one.
func sampleDesigns(seed uint64, n int) []topology.Design {
	of := make([][]topology.Design, 0, len(family.All()))
	for i, f := range family.All() {
		of = append(of, sampleFamily(f, seed, uint64(i), 2+2*predictionDesigns/len(family.All())))
	}
	var out []topology.Design
	for round := 0; len(out) < n; round++ {
		before := len(out)
		for _, list := range of {
			if round < len(list) && len(out) < n {
				out = append(out, list[round])
			}
		}
		if len(out) == before {
			break
		}
	}
	return out
}

// sampleFamily draws up to n different designs, small ones first found; log-uniform, since most parameters multiply.
func sampleFamily(f *topology.Family, seed, index uint64, n int) []topology.Design {
	rng := stream.New(seed, "reproduce.prediction", index)
	var small, large []topology.Design
	seen := map[string]bool{}
	for range draws {
		v := make([]int, len(f.Params))
		for k := range f.Params {
			p := &f.Params[k]
			usual := p.Default != nil && rng.Float64() < 0.5
			switch {
			case p.Divides != "" && !usual:
				v[k] = topology.RatioDraw(v[f.Param(p.Divides)], rng)
				continue
			case usual:
				v[k] = p.Default(v[:k])
				continue
			}
			span := float64(min(p.Max, p.Min+mostEnds) - p.Min + 1)
			v[k] = p.Min + int(math.Exp(rng.Float64()*math.Log(span+1))) - 1
			v[k] = min(v[k], p.Max)
		}
		var s topology.Size
		if f.Size(v, &s) != nil || s.Endpoints < leastEnds || s.Endpoints > largestEnds || channelsOf(&s) > mostChannels {
			continue
		}
		d := topology.Design{Family: f, V: v}
		if seen[d.String()] {
			continue
		}
		seen[d.String()] = true
		if s.Endpoints <= mostEnds {
			small = append(small, d)
		} else {
			large = append(large, d)
		}
	}
	if len(small) < n { // a few of the smallest others
		ends := func(d topology.Design) int64 {
			var s topology.Size
			if d.Family.Size(d.V, &s) != nil {
				return math.MaxInt64
			}
			return s.Endpoints
		}
		slices.SortStableFunc(large, func(a, b topology.Design) int { return int(min(ends(a), 1<<30) - min(ends(b), 1<<30)) })
		small = append(small, large[:min(len(large), max(0, 3-len(small)))]...)
	}
	return small[:min(n, len(small))]
}

func channelsOf(s *topology.Size) (n int64) {
	for c := range s.Family.LinkClasses {
		n += 2 * s.Link[c]
	}
	return n
}

// predictionProblem is a design as a run would simulate it.
func predictionProblem(d topology.Design) *search.Problem {
	cycles := mostCycles
	var s topology.Size
	if d.Family.Size(d.V, &s) == nil && s.Endpoints > 0 {
		cycles = min(max(predictionFlits/int(s.Endpoints), fewestCycles), mostCycles)
	}
	v := study.Verify{Traffic: []string{"uniform"}, Cycles: cycles, Packet: 4, Loads: 2}
	return &search.Problem{Study: &study.Study{Options: evaluator.Options{}, Verify: v}, Seed: predictionSeed}
}
