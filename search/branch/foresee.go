package branch

import (
	"math"
	"math/rand/v2"
	"slices"

	"toposearch/search"
)

// learn adds what became of a tuple. Those that begin a search are judged by less than others, and tell nothing.
func (e *Enumeration) learn(s *Survivor, score *search.Score) {
	o := &e.outcomes[s.Space]
	o.evaluated++
	if !score.Feasible() {
		return
	}
	b := make([]float64, len(s.Best))
	for j, best := range s.Best {
		if d := (score.V[j] - best) / math.Abs(best); best != 0 && !math.IsInf(d, 0) && !math.IsNaN(d) {
			b[j] = d
		}
	}
	if len(o.beyond) < keptOutcomes {
		o.beyond = append(o.beyond, b)
	} else {
		o.beyond[o.feasible%keptOutcomes] = b
	}
	o.feasible++
}

// foresee adds to a front what tuples may turn out to be: worse than bounds allow by as much as one of those evaluated was, and as often feasible.
func (e *Enumeration) foresee(front *search.Archive, found []Survivor, rng *rand.Rand) {
	for i := range found {
		s := &found[i]
		o := &e.outcomes[s.Space]
		if o.evaluated > 0 && rng.Int64N(o.evaluated) >= o.feasible || !finite(s.Best) {
			continue // of what has no bound nothing can be foreseen
		}
		v := slices.Clone(s.Best)
		if n := len(o.beyond); n > 0 {
			for j, d := range o.beyond[rng.IntN(n)] {
				v[j] += math.Abs(v[j]) * d
			}
		}
		front.Add(search.Member{Candidate: s.Candidate, Vector: v, Held: e.p.Held(v)})
	}
}

// lasting is the part of so many tuples that bounds let pass which no other of them comes to dominate, by those of them that were met, in any order: the part that half of
// them leaves of the other half falls as a power of how many there are (rarefaction), whose exponent is told by what an eighth leaves. Where none is left it counts as half of one: a sample cannot tell none from few.
// The exponent is one at most: as many last of all as of a sample.
func (e *Enumeration) lasting(front *search.Archive, met []Survivor, all float64, rng *rand.Rand) float64 {
	rng.Shuffle(len(met), func(i, j int) { met[i], met[j] = met[j], met[i] })
	few, many, others := met[:len(met)/8], met[len(met)/8:len(met)/2], met[len(met)/2:]
	if len(few) == 0 {
		return 1
	}
	with := front.Clone()
	left := func(more []Survivor) (part float64) {
		e.foresee(with, more, rng)
		for i := range others {
			if !with.Covers(others[i].Best) {
				part++
			}
		}
		return max(part, 0.5) / float64(len(others))
	}
	little := left(few)
	much := left(many)
	power := min(1, math.Log(little/much)/math.Log(float64(len(met)/2)/float64(len(few))))
	return much * math.Pow(max(1, all/float64(len(met)/2)), -power)
}
