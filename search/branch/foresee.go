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

// foreseeMet is foresee for what a look has met.
func (e *Enumeration) foreseeMet(front *search.Archive, found []met, rng *rand.Rand) {
	list := make([]Survivor, len(found))
	for i := range found {
		list[i] = found[i].Survivor
	}
	e.foresee(front, list, rng)
}

// lasting is how many of the tuples that bounds let pass no other of them comes to dominate, by space, from those of them that were met, in any order: the part that half of
// them leaves of the other half falls as a power of how many there are (rarefaction), whose exponent is told by what an eighth leaves, or is more by the part that is excluded: of the neighbours of
// a tuple, which dominate it first, a sample has few. It is taken between the two, so that evaluations are off by a factor, which is given. (Of seven families at 16,384 endpoints half of a sample left 0.8 of the other half and an eighth 0.85, of
// twice 60 of 9,000; a tenth of these were evaluated.) Where none is left it counts as half of one: a sample cannot tell none from few.
// The exponent is one at most: as many last of all as of a sample. What was met is foreseen on the front then.
func (e *Enumeration) lasting(front *search.Archive, found [][]met, pass, lasting []float64, rng *rand.Rand) (off float64) {
	all := slices.Concat(found...)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	few, many, others := all[:len(all)/8], all[len(all)/8:len(all)/2], all[len(all)/2:]
	part := slices.Repeat([]float64{1}, len(pass))
	off = 1
	if len(few) > 0 {
		little, _ := e.leaves(front, few, others, len(pass), rng)
		much, parts := e.leaves(front, many, others, len(pass), rng)
		least := min(1, math.Log(little/much)/math.Log(float64(len(all)/2)/float64(len(few))))
		most := min(1, least+1-much)
		times := max(1, sum(pass)/float64(len(all)/2))
		fewer := math.Pow(times, -(least+most)/2)
		off = math.Pow(times, (most-least)/2)
		for i := range part {
			part[i] = parts[i] * fewer
		}
	}
	for i := range part {
		lasting[i] = part[i] * pass[i]
	}
	e.foreseeMet(front, others, rng)
	return off
}

// leaves is the part of some tuples that others, once they are foreseen on a front, leave undominated: of all, and by space, half of one where none is left.
func (e *Enumeration) leaves(front *search.Archive, foreseen, of []met, spaces int, rng *rand.Rand) (part float64, parts []float64) {
	e.foreseeMet(front, foreseen, rng)
	left, all, times := make([]float64, spaces), make([]float64, spaces), make([]float64, spaces)
	for i := range of {
		s := of[i].Space
		all[s], times[s] = all[s]+of[i].of, times[s]+1
		if !front.Covers(of[i].Best) {
			left[s] += of[i].of
		}
	}
	parts = make([]float64, spaces)
	least := sum(all) / float64(2*len(of))
	part = max(sum(left), least) / sum(all)
	for i := range parts {
		if parts[i] = part; times[i] > 0 {
			parts[i] = max(left[i], all[i]/(2*times[i])) / all[i]
		}
	}
	return part, parts
}
