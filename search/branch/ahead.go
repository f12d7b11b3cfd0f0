package branch

import (
	"math"

	"toposearch/internal/stream"
)

// How many boxes are looked into at a time to estimate what is left: while a search runs, in a few milliseconds, and at the end of the trial of a plan.
const (
	LiveWidth = 64
	PlanWidth = 1024
)

// Work is what an enumeration has done, or has still to do.
type Work struct {
	Visits      float64   // boxes and tuples judged by closed forms, closer judgements in units of them
	Evaluations []float64 // designs by space
	looking     float64   // ns that it took to estimate it
}

// Ahead estimates the work that is left against the front at hand, by so many boxes of each generation: of all open ones, of their children, of the children of
// those, and so on, each of which stands for as many as there are for one that is looked into (stratified sampling of Knuth, Estimating the
// efficiency of backtrack programs, Math. Comp. 29, 1975: Chen, Heuristic sampling, SIAM J. Comput. 21, 1992). Of the tuples that bounds let pass so many
// are evaluated as of those that passed until now. Fronts that are better later leave less. Nothing may depend on it but what people are told.
func (e *Enumeration) Ahead(width int) Work {
	w := Work{Evaluations: make([]float64, len(e.p.Spaces))}
	rng := stream.New(e.p.Seed, "search.ahead", uint64(e.visits))
	t := newTask(e.p)
	t.first = e.first
	n := e.open.len()
	boxes := make([]node, min(n, width))
	for k := range boxes {
		boxes[k] = e.open.at(k * n / len(boxes))
	}
	each := float64(n) / float64(max(1, len(boxes)))
	var next []node
	for ; len(boxes) > 0; boxes, next = next, boxes {
		next = next[:0]
		for i := range boxes {
			t.begin(&e.front, t.limit)
			next = append(next, t.visit(&boxes[i], nil)...)
			w.Visits += each * float64(t.effort)
			w.looking += float64(t.effort) * VisitNs
			w.Evaluations[boxes[i].space] += each * float64(len(t.out))
		}
		if m := len(next); m > width {
			from := rng.Float64()
			for k := range width {
				next[k] = next[int((float64(k)+from)*float64(m)/float64(width))]
			}
			next, each = next[:width], each*float64(m)/float64(width)
		}
	}
	share := e.evaluatedShare()
	for i := range w.Evaluations {
		w.Evaluations[i] *= share
	}
	for i := range e.pending {
		w.Evaluations[e.pending[i].Space] += share
	}
	return w
}

// evaluatedShare is the part of the tuples that passed the bounds that was evaluated, and not dominated in the end.
func (e *Enumeration) evaluatedShare() float64 {
	evaluated := int64(0)
	for _, n := range e.evaluated {
		evaluated += n
	}
	if evaluated == 0 {
		return 1
	}
	return float64(evaluated) / float64(evaluated+e.dropped)
}

// Ns is what work takes, as it is modelled.
func (e *Enumeration) Ns(w Work) float64 {
	ns := w.Visits * VisitNs
	for i, n := range w.Evaluations {
		ns += n * e.Each[i]
	}
	return ns
}

// lookAgain is by how many times what it takes to estimate the work ahead that work has grown before it is estimated again.
const lookAgain = 30

// Progress is the number of boxes and tuples visited, and the part of the work that is done, of the time that closed forms and
// evaluations have taken and will take, as it is modelled: the geometric mean of what was estimated at several times, as single
// estimates are far off either way. It falls where more turns out to be left.
func (e *Enumeration) Progress() (visited int64, fraction float64) {
	spent := 0.0
	for _, ns := range e.spent {
		spent += ns
	}
	if e.open.len()+len(e.pending) == 0 {
		return e.visits, 1
	}
	if spent >= e.looked+lookAgain*e.looking {
		w := e.Ahead(LiveWidth)
		e.looked, e.looking = spent, w.looking
		if total := spent + e.Ns(w); e.total == 0 {
			e.total = total
		} else {
			e.total = math.Sqrt(e.total * total) // the last one counts as much as all before
		}
	}
	if all := max(spent, e.total); all > 0 {
		return e.visits, min(spent/all, mostDone)
	}
	return e.visits, 0
}

// mostDone is the most that is done as long as something is left.
const mostDone = 0.99

// Families is how many of the families searched are decided, and how many there are.
func (e *Enumeration) Families() (done, all int) {
	waits := make([]bool, len(e.p.Spaces))
	for i := range e.pending {
		waits[e.pending[i].Space] = true
	}
	for i, sp := range e.p.Spaces {
		if e.whole[i] && sp.Size.Sign() > 0 {
			all++
			if e.waiting[i] == 0 && !waits[i] {
				done++
			}
		}
	}
	return done, all
}
