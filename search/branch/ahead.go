package branch

import (
	"math"
	"slices"

	"toposearch/internal/stream"
)

// What looks ahead may judge, in visits: while a search runs, in 10 ms as these are modelled, and at the end of the trial of a plan, in 0.6 s.
const (
	LiveLook = 1 << 14
	PlanLook = 1 << 20
)

// Work is what an enumeration has done, or has still to do.
type Work struct {
	Visits      float64   // boxes and tuples judged by closed forms, closer judgements in units of them,
	BySpace     []float64 // and those of each space
	Evaluations []float64 // designs by space
	Looked      float64   // visits that it took to estimate it
	// Off is by what factor estimates of a space differ, of its visits and of its evaluations, whichever is more.
	Off []float64
	// Fewer is by what factor evaluations may be fewer or more than those that are told of the visits.
	Fewer float64
}

// A look goes into leastWidth boxes of each stratum, and the next one of a space into twice as many, as long as there may be more: the first make the front that is foreseen, so
// that it is one of designs where those are that last, and the last, which have most boxes, count by how many that are.
const (
	leastWidth = 8
	mostWidth  = 1 << 14
	// What fewer looks than enoughLooks tell is off by a factor of offFew at least, however near to one another they are: all of them may have missed the same.
	enoughLooks, offFew = 4, 2
)

// Ahead estimates the work that is left. What it finds will make the front better and so leave less: each space is looked into several times, each time against the front at
// hand with what earlier looks found on it. Much of the work may be under few boxes, which a narrow look misses or takes for many: each is twice as wide as the one before, in the space that has most work ahead
// for what was judged of it, until all of a space or most visits have been judged. Nothing may depend on it but what people are told.
func (e *Enumeration) Ahead(most float64) Work {
	n := len(e.p.Spaces)
	w := Work{BySpace: make([]float64, n), Evaluations: make([]float64, n), Off: slices.Repeat([]float64{1}, n)}
	front := e.front.Clone()
	rng := stream.New(e.p.Seed, "search.ahead", uint64(e.visits))
	e.foresee(front, e.pending, rng)
	waits := e.waitings()
	looks := make([][]look, n)
	found := make([][]met, n)
	pass := make([]float64, n)
	for {
		i, width := e.lookNext(looks, waits, w, pass, most)
		if i < 0 {
			break
		}
		l := e.look(front, waits[i], width, rng)
		looks[i], found[i], w.Looked = append(looks[i], l), l.found, w.Looked+l.looked
		w.BySpace[i], pass[i], w.Off[i] = mean(looks[i])
		e.foreseeMet(front, l.found, rng)
	}
	w.Visits = sum(w.BySpace)
	w.Fewer = e.lasting(front, found, pass, w.Evaluations, rng)
	for i := range e.pending {
		if s := &e.pending[i]; !front.Covers(s.Best) {
			w.Evaluations[s.Space]++
		}
	}
	return w
}

// lookNext is the space that is to be looked into next, and how widely; -1: none is. Each is twice, where that does not tell all.
func (e *Enumeration) lookNext(looks [][]look, waits []strata[int32], w Work, pass []float64, most float64) (space, width int) {
	space, best := -1, -1.0
	for i, ls := range looks {
		if len(waits[i]) == 0 {
			continue
		}
		if len(ls) == 0 {
			return i, leastWidth
		}
		last := ls[len(ls)-1]
		if last.whole || last.width == mostWidth {
			continue
		}
		if len(ls) == 1 {
			return i, 2 * leastWidth
		}
		if w.Looked+2*last.looked > most {
			continue
		}
		looked := 0.0
		for _, l := range ls {
			looked += l.looked
		}
		ns := w.BySpace[i]*VisitNs + pass[i]*e.Each[i]
		if e.Limit[i] > 0 {
			ns = min(ns, max(e.Limit[i]-e.spent[i], 0))
		}
		if gain := ns / looked; gain > best {
			space, width, best = i, 2*int(last.width), gain
		}
	}
	return space, width
}

// mean is the geometric mean of what several looks into a space tell is left, by the squares of how wide they are, since the narrow ones foresee less, of that the part that passes, and by what factor looks are off either, which is how far the
// last ones are from one another.
func mean(looks []look) (ahead, pass, off float64) {
	if l := looks[len(looks)-1]; l.whole {
		return l.ahead, l.pass, 1
	}
	last := looks[(len(looks)-1)/2:]
	var left, passed spread
	for i := range last {
		l := &last[i]
		left.add(l.ahead, l.width*l.width)
		passed.add(l.pass, l.width*l.width)
	}
	ahead, off = left.mean()
	_, other := passed.mean()
	if len(looks) < enoughLooks {
		off = max(off, offFew)
	}
	return ahead, ahead * passed.sum / max(left.sum, 1), max(off, other)
}

// spread sums what weighs so much, to tell how far it differs.
type spread struct{ logs, squares, weights, sum float64 }

func (s *spread) add(x, weight float64) {
	log := math.Log(max(x, 1))
	s.logs, s.squares, s.weights, s.sum = s.logs+weight*log, s.squares+weight*log*log, s.weights+weight, s.sum+weight*x
}

// mean is the geometric mean, and by what factor it is off in the mean.
func (s *spread) mean() (mean, off float64) {
	log := s.logs / s.weights
	return math.Exp(log), math.Exp(math.Sqrt(max(0, s.squares/s.weights-log*log)))
}

// Within cuts what is ahead of each space where it would be abandoned, and tells which would be, or are.
func (e *Enumeration) Within(w Work) (cut Work, abandoned []bool) {
	cut, abandoned = Work{BySpace: slices.Clone(w.BySpace), Evaluations: slices.Clone(w.Evaluations), Looked: w.Looked, Off: slices.Clone(w.Off), Fewer: w.Fewer}, slices.Clone(e.Abandoned)
	for i, limit := range e.Limit {
		ns := w.BySpace[i]*VisitNs + w.Evaluations[i]*e.Each[i]
		if room := max(limit-e.spent[i], 0); limit > 0 && ns > room {
			abandoned[i] = true
			cut.BySpace[i], cut.Evaluations[i] = w.BySpace[i]*room/ns, w.Evaluations[i]*room/ns
			cut.Off[i] = max(1, w.Off[i]*room/ns) // the limit ends it also where there is somewhat less
		}
	}
	cut.Visits = sum(cut.BySpace)
	return cut, abandoned
}

// Outlasts tells whether a space would be abandoned, or is, or would be if what is ahead of it were as much more as estimates of it differ, by a factor of least at least.
func (e *Enumeration) Outlasts(w Work, least float64) bool {
	for i, limit := range e.Limit {
		ns := w.BySpace[i]*VisitNs + w.Evaluations[i]*e.Each[i]
		if e.Abandoned[i] || limit > 0 && ns > 0 && ns*max(least, w.Off[i]) > limit-e.spent[i] {
			return true
		}
	}
	return false
}

// Off is by what factor what is estimated of some work, of all spaces together, may be off: errors of spaces are not alike, and make up for each other.
func (e *Enumeration) Off(w Work) float64 {
	all, squares := 0.0, 0.0
	for i, off := range w.Off {
		ns := w.BySpace[i]*VisitNs + w.Evaluations[i]*e.Each[i]
		all, squares = all+ns, squares+ns*ns*(off-1)*(off-1)
	}
	return 1 + math.Sqrt(squares)/max(all, 1)
}

// Ns is what work takes, as it is modelled.
func (e *Enumeration) Ns(w Work) float64 {
	ns := w.Visits * VisitNs
	for i, n := range w.Evaluations {
		ns += n * e.Each[i]
	}
	return ns
}

// lookAgain is by how many times what it takes to estimate the work ahead that work has grown before it is estimated again: boxes that are drawn are of
// other floor plans each, and take some three times as long as is modelled, so that it is 3 % of a search.
const lookAgain = 100

// firstLook is the work, ns, before which nothing is estimated: without a front all that is looked into is judged as closely as can be, which took four seconds at
// 16,384 endpoints before the first design was evaluated.
const firstLook = 1e8

// Progress is the number of boxes and tuples visited, and the part of the work that is done, of the time that closed forms and
// evaluations have taken and will take, as it is modelled: the geometric mean of what was estimated at several times, as single
// estimates are far off either way. It falls where more turns out to be left.
func (e *Enumeration) Progress() (visited int64, fraction float64) {
	spent := e.Spent()
	if e.left() == 0 {
		return e.visits, 1
	}
	if spent >= max(firstLook, e.looked+lookAgain*e.looking) {
		w := e.Ahead(LiveLook)
		e.looked, e.looking = spent, w.Looked*VisitNs
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
