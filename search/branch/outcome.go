package branch

import "toposearch/internal/pack"

// keptOutcomes is of how many evaluated tuples of a space it is kept how much worse they were than bounds allowed: enough to draw from.
const keptOutcomes = 64

// outcome is what became of the tuples of a space that bounds had let pass and that were evaluated.
type outcome struct {
	evaluated, feasible int64
	// beyond is by how much the last feasible ones were worse than the best that bounds had allowed, by objective, as a part of that.
	beyond [][]float64
}

func (o *outcome) save(w *pack.Writer) {
	w.Int(o.evaluated)
	w.Int(o.feasible)
	for _, b := range o.beyond {
		for _, x := range b {
			w.Float(x)
		}
	}
}

func (o *outcome) load(r *pack.Reader, objs int) {
	o.evaluated, o.feasible = r.Int(), r.Int()
	for range min(max(0, o.feasible), keptOutcomes) {
		b := make([]float64, objs)
		for j := range b {
			b[j] = r.Float()
		}
		o.beyond = append(o.beyond, b)
	}
}
