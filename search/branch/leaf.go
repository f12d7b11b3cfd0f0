package branch

import (
	"slices"

	"toposearch/constraints"
	"toposearch/objectives"
	"toposearch/search"
)

// look is how closely a box has been looked at, if it is a single tuple.
type look uint8

const (
	lookBox    look = iota // as a box
	lookJudged             // by level 0, which lets it pass
	lookLaid               // on its floor plan, which lets it pass
)

// survivor is a tuple that closed forms cannot exclude.
type Survivor struct {
	search.Candidate
	Best objectives.Vector // the best that is known to be possible
	// certain tells that it meets every limit; worst is then the worst that is possible.
	certain bool
	worst   objectives.Vector
}

// What closer looks at a tuple cost, in visits: fixed, since they decide where a task ends.
const (
	laidVisits    = 10
	exactVisits   = 100
	linksPerVisit = 100
)

// leaf looks at one tuple: value i of the last parameter.
func (w *walker) leaf(sp *search.Space, n *Node, i int32) {
	w.Visits++
	w.effort++
	k := len(sp.Dims)
	v := w.lo[:k]
	for d := range k - 1 {
		v[d] = sp.Dims[d].At(int(n.at[d]))
	}
	v[k-1] = sp.Dims[k-1].At(int(i))
	if sp.Fam.SlowPaths {
		one := *n
		one.lo, one.hi = i, i
		if why := w.cut(sp, &one); why != "" {
			w.tally[n.space].Add(why, k-1, 1)
			return
		}
	}
	if why := w.judge(sp, v); why != "" {
		w.tally[n.space].Add(why, k-1, 1)
		return
	}
	w.Designs++
	if w.Counting {
		return
	}
	if w.rng != nil { // samples need no closer look
		w.survive(n.space, k)
		return
	}
	t := *n
	t.lo, t.hi, t.look = i, i, lookJudged
	if w.best[w.first] > w.limit {
		w.putAside(&t)
		return
	}
	w.lay(&t, v)
}

// tuple takes up a tuple that was put aside.
func (w *walker) tuple(sp *search.Space, n *Node) {
	v := w.lo[:len(sp.Dims)]
	for d := range v[:len(v)-1] {
		v[d] = sp.Dims[d].At(int(n.at[d]))
	}
	v[len(v)-1] = sp.Dims[len(v)-1].At(int(n.lo))
	w.Visits++
	w.effort++
	if why := w.judge(sp, v); why != "" {
		w.tally[n.space].Add(why, len(v)-1, 1)
		return
	}
	w.lay(n, v)
}

// survive records a tuple that nothing excludes; its canonical form is in w.canon.
func (w *walker) survive(space int16, k int) {
	s := Survivor{Candidate: search.Candidate{Space: int(space), V: append([]int(nil), w.canon[:k]...)}, Best: clone(w.best)}
	if w.rng == nil && w.p.Judge.Met(&w.enc.Metrics) && objectives.FillWorst(w.worst, w.p.Objectives, &w.enc.Metrics) {
		s.certain, s.worst = true, clone(w.worst)
		w.sure.Add(search.Member{Candidate: s.Candidate, Vector: s.worst})
	}
	w.out = append(w.out, s)
}

// judge tells why level 0 excludes a tuple, "" if it does not; its best corner is then in w.best.
func (w *walker) judge(sp *search.Space, v []int) string {
	if sp.Fam.Size(v, &w.enc.Low) != nil {
		return constraints.NoNetwork
	}
	if w.enc.Low.Endpoints < w.p.Min || w.enc.Low.Endpoints > w.p.Max {
		return constraints.Window
	}
	if sp.Duplicate(v, w.canon[:len(v)]) {
		return search.Duplicate
	}
	if !sp.Whole && !slices.Equal(v, w.canon[:len(v)]) { // the design is the one of the canonical form
		copy(v, w.canon[:len(v)])
		if sp.Fam.Size(v, &w.enc.Low) != nil {
			return constraints.NoNetwork
		}
	}
	w.enc.Design(w.p.Model, v, search.FromCounts)
	return w.verdict()
}

// lay judges again what judge has let pass, with what the floor plan says: first by bounds, then
// exactly. What is worse than the limit waits.
func (w *walker) lay(n *Node, v []int) {
	if why := w.closer(n, v); why != "" {
		w.tally[n.space].Add(why, len(v)-1, 1)
	}
}

func (w *walker) closer(n *Node, v []int) string {
	w.effort += laidVisits
	w.enc.Design(w.p.Model, v, search.FromFloorPlan)
	if why := w.verdict(); why != "" {
		return why
	}
	if n.look != lookLaid && w.best[w.first] > w.limit {
		n.look = lookLaid
		w.putAside(n)
		return ""
	}
	w.effort += exactVisits + w.enc.Low.SwitchLinks()/linksPerVisit
	w.enc.Design(w.p.Model, v, search.FromCables)
	if why := w.verdict(); why != "" {
		return why
	}
	w.survive(n.space, len(v))
	return ""
}

// covers tells whether something is known to dominate the best corner.
func (w *walker) covers() bool { return w.front.Covers(w.best) || w.sure.Covers(w.best) }

// verdict is why the intervals of w exclude what they are of, "" if they do not; the best corner is
// then in w.best, unless designs are only counted.
func (w *walker) verdict() string {
	if why := w.p.Judge.Excludes(&w.enc.Metrics); why != "" || w.Counting {
		return why
	}
	objectives.FillBest(w.best, w.p.Objectives, &w.enc.Metrics)
	if w.covers() {
		return search.Dominated
	}
	return ""
}
