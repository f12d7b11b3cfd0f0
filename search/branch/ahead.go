package branch

import (
	"math"
	"math/rand/v2"
	"slices"

	"toposearch/internal/stream"
	"toposearch/search"
)

// What looks ahead may judge, in visits: while a search runs, in 10 ms as these are modelled, and at the end of the trial of a plan, in 2.5 s.
const (
	LiveLook = 1 << 14
	PlanLook = 1 << 22
)

// Work is what an enumeration has done, or has still to do.
type Work struct {
	Visits      float64   // boxes and tuples judged by closed forms, closer judgements in units of them,
	BySpace     []float64 // and those of each space
	Evaluations []float64 // designs by space
	Looked      float64   // visits that it took to estimate it
	Off         float64   // by what factor estimates of Visits differ
}

// A look goes into leastWidth boxes of each generation, and the next one into twice as many, as long as there may be more: the first make the front that is foreseen, so
// that it is one of designs where those are that last, and the last, which have most boxes, count by how many that are.
const (
	leastWidth = 32
	mostWidth  = 1 << 14
	// lookShare is the part of the work ahead that looks may judge, and lookLeast what they may in any case.
	lookShare = 0.05
	lookLeast = 1 << 20
)

// Ahead estimates the work that is left, by some boxes of each generation: of all open ones, of their children, of the children of
// those, and so on, each of which stands for as many as there are for one that is looked into (stratified sampling of Knuth, Estimating the
// efficiency of backtrack programs, Math. Comp. 29, 1975: Chen, Heuristic sampling, SIAM J. Comput. 21, 1992). What it finds will make the
// front better and so leave less: it is looked at several times, each against the front at hand with what earlier looks found on it. Much of the work may be under few
// boxes, which a narrow look misses or takes for many: each is twice as wide as the one before, until they have judged most. Nothing may depend on it but what people are told.
func (e *Enumeration) Ahead(most float64) Work {
	w := Work{Evaluations: make([]float64, len(e.p.Spaces))}
	front := e.front.Clone()
	rng := stream.New(e.p.Seed, "search.ahead", uint64(e.visits))
	e.foresee(front, e.pending, rng)
	var looks []look
	for width := leastWidth; ; width *= 2 {
		l := e.look(front, width, rng)
		looks, w.Looked = append(looks, l), w.Looked+l.looked
		ahead, _, _ := mean(looks)
		if l.whole || width == mostWidth || w.Looked+2*l.looked > min(most, max(lookLeast, lookShare*sum(ahead))) {
			break
		}
		e.foresee(front, l.found, rng)
	}
	var pass []float64
	w.BySpace, pass, w.Off = mean(looks)
	w.Visits = sum(w.BySpace)
	found := looks[len(looks)-1].found
	lasting := e.lasting(front, found, sum(pass), rng)
	for i, n := range pass {
		w.Evaluations[i] = lasting * n
	}
	e.foresee(front, found, rng)
	for i := range e.pending {
		if s := &e.pending[i]; !front.Covers(s.Best) {
			w.Evaluations[s.Space]++
		}
	}
	return w
}

// look is what one look ahead has told.
type look struct {
	ahead  []float64  // boxes and tuples of each space that are left, closer judgements in units of them
	looked float64    // and those judged for it
	pass   []float64  // tuples of each space that their bounds let pass
	found  []Survivor // those of them that were met
	width  float64    // boxes of a generation that it went into at most
	whole  bool       // it went into all
}

// mean is the geometric mean of what several looks tell is left, by how wide they are, of that the part that passes, and by what factor looks are off it, which is how far the
// last ones are from one another.
func mean(looks []look) (ahead, pass []float64, off float64) {
	ahead, pass = make([]float64, len(looks[0].pass)), make([]float64, len(looks[0].pass))
	logs, squares, weights, all := 0.0, 0.0, 0.0, 0.0
	for _, l := range looks[(len(looks)-1)/2:] {
		n, w := sum(l.ahead), l.width
		log := math.Log(max(n, 1))
		logs, squares, weights, all = logs+w*log, squares+w*log*log, weights+w, all+w*n
		for i := range pass {
			ahead[i], pass[i] = ahead[i]+w*l.ahead[i], pass[i]+w*l.pass[i]
		}
	}
	logs /= weights
	scale := math.Exp(logs) / max(all, 1)
	for i := range pass {
		ahead[i], pass[i] = ahead[i]*scale, pass[i]*scale
	}
	return ahead, pass, math.Exp(math.Sqrt(max(0, squares/weights-logs*logs)))
}

// Within cuts what is ahead of each space where it would be abandoned, and tells which would be, or are.
func (e *Enumeration) Within(w Work) (cut Work, abandoned []bool) {
	cut, abandoned = Work{BySpace: slices.Clone(w.BySpace), Evaluations: slices.Clone(w.Evaluations), Looked: w.Looked, Off: w.Off}, slices.Clone(e.Abandoned)
	for i, limit := range e.Limit {
		ns := w.BySpace[i]*VisitNs + w.Evaluations[i]*e.Each[i]
		if room := max(limit-e.spent[i], 0); limit > 0 && ns > room {
			abandoned[i] = true
			cut.BySpace[i], cut.Evaluations[i] = w.BySpace[i]*room/ns, w.Evaluations[i]*room/ns
		}
	}
	cut.Visits = sum(cut.BySpace)
	return cut, abandoned
}

// look estimates what is left against a front.
func (e *Enumeration) look(front *search.Archive, width int, rng *rand.Rand) look {
	front.Tree.Prepare(max(e.p.ThroughputAt, 0))
	l := look{ahead: make([]float64, len(e.p.Spaces)), pass: make([]float64, len(e.p.Spaces)), width: float64(width)}
	t := newTask(e.p)
	t.first = e.first
	n := e.open.len() + len(e.later)
	boxes := make([]node, min(n, width))
	from := rng.Float64()
	for k := range boxes {
		if at := int((float64(k) + from) * float64(n) / float64(len(boxes))); at < e.open.len() {
			boxes[k] = e.open.at(at)
		} else {
			boxes[k] = e.later[at-e.open.len()]
		}
	}
	each := float64(n) / float64(max(1, len(boxes)))
	l.whole = n <= width
	var next []node
	for ; len(boxes) > 0; boxes, next = next, boxes {
		next = next[:0]
		for i := range boxes {
			t.begin(front, t.limit)
			next = append(next, t.visit(&boxes[i], nil)...)
			space := boxes[i].space
			l.ahead[space] += each * float64(t.effort)
			l.looked += float64(t.effort)
			l.pass[space] += each * float64(len(t.out))
			l.found = append(l.found, t.out...)
		}
		if m := len(next); m > width {
			l.whole = false
			from := rng.Float64()
			for k := range width {
				next[k] = next[int((float64(k)+from)*float64(m)/float64(width))]
			}
			next, each = next[:width], each*float64(m)/float64(width)
		}
	}
	return l
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
