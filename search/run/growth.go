package run

import (
	"math"

	"toposearch/objectives"
	"toposearch/search"
)

// Grown is the front at a moment of a run.
type Grown struct {
	Evaluated int64 // designs until then
	Size      int   // of the front

	vectors []objectives.Vector
}

// growBy is the part by which evaluations grow between two moments that are kept: forty of them span a thousandfold.
const growBy = 0.2

// growth keeps moments of a front.
type growth struct {
	kept []Grown
	next float64 // evaluations at which the next is kept
}

func momentOf(evaluated int64, front *search.Archive) Grown {
	return Grown{Evaluated: evaluated, Size: front.Len(), vectors: front.Vectors()}
}

// keep keeps the front of now if enough was evaluated since the last moment.
func (g *growth) keep(evaluated int64, front *search.Archive) {
	if float64(evaluated) >= g.next {
		g.kept = append(g.kept, momentOf(evaluated, front))
		g.next = (1 + growBy) * float64(evaluated)
	}
}

// until gives the moments kept, and now.
func (g *growth) until(evaluated int64, front *search.Archive) []Grown {
	all := append([]Grown(nil), g.kept...)
	if n := len(all); n == 0 || all[n-1].Evaluated < evaluated {
		all = append(all, momentOf(evaluated, front))
	}
	return all
}

// gains measures what a front gains from one moment to the next.
type gains struct {
	last Grown
	gain float64
	in   int64 // designs evaluated between the two
}

// look takes the front of now where enough was evaluated since the last moment.
func (g *gains) look(evaluated int64, front *search.Archive, dims int) {
	if float64(evaluated) < (1+growBy)*float64(g.last.Evaluated) || front.Len() == 0 || front.Len() > objectives.MostPoints(dims) {
		return
	}
	now := momentOf(evaluated, front)
	if v := volumes([]Grown{g.last, now}, dims); v != nil && g.last.Size > 0 {
		g.gain, g.in = 1-v[0], evaluated-g.last.Evaluated
	}
	g.last = now
}

// volumes are the hypervolumes of moments as parts of that of the last, all from one reference point: the worst of the last front
// and a tenth of its range (objectives.Reference). nil where that front is empty, or so large that computing them takes long.
func volumes(all []Grown, dims int) []float64 {
	if len(all) == 0 {
		return nil
	}
	now := all[len(all)-1].vectors
	few := func(vs []objectives.Vector) bool { return len(vs) <= objectives.MostPoints(dims) }
	if len(now) == 0 || !few(now) {
		return nil
	}
	ref := objectives.Reference(now)
	whole := objectives.Hypervolume(now, ref)
	if !(whole > 0) || math.IsInf(whole, 0) {
		return nil
	}
	out := make([]float64, len(all))
	for i := range all {
		if out[i] = math.NaN(); few(all[i].vectors) {
			out[i] = objectives.Hypervolume(all[i].vectors, ref) / whole
		}
	}
	return out
}
