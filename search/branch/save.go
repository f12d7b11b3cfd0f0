package branch

import (
	"math"

	"toposearch/internal/pack"
	"toposearch/search"
)

// Save packs an enumeration between two batches.
func (e *Enumeration) Save(w *pack.Writer) {
	w.Fixed(signature(e.p))
	for _, whole := range e.whole {
		w.Bool(whole)
	}
	for i := range e.Tally {
		e.Tally[i].Save(w)
		w.Bool(e.Abandoned[i])
		w.Float(e.Limit[i])
		w.Float(e.Each[i])
		w.Float(e.spent[i])
		e.outcomes[i].save(w)
	}
	e.open.save(w, packNode)
	for _, list := range [][]Survivor{e.pending, e.asked, e.parkedDesigns, e.laterDesigns} {
		packSurvivors(w, list)
	}
	packNodes(w, e.parked)
	packNodes(w, e.later)
	e.front.Save(w)
	for _, x := range e.numbers() {
		w.Int(*x)
	}
	for _, x := range e.estimates() {
		w.Float(*x)
	}
	for _, x := range e.marks() {
		w.Bool(*x)
	}
	w.Int(int64(e.ask))
	w.Int(int64(e.unmeasured))
	w.Int(int64(e.stages))
	w.Int(int64(len(e.counted)))
	for k := range e.counted {
		w.Text(k)
	}
}

func (e *Enumeration) numbers() []*int64 {
	return []*int64{&e.measured, &e.lately, &e.told, &e.swept, &e.visits, &e.effort}
}

func (e *Enumeration) estimates() []*float64 {
	return []*float64{&e.proved, &e.within, &e.eps, &e.looked, &e.total, &e.looking}
}

func (e *Enumeration) marks() []*bool { return []*bool{&e.untold, &e.started, &e.seeding} }

// LoadEnumeration reads what Enumeration.Save packed of an enumeration of the same problem, and tells which spaces it enumerates. What ends r in error is none.
func LoadEnumeration(p *search.Problem, workers int, remote search.Remote, r *pack.Reader) (e *Enumeration, which []bool) {
	if r.Fixed() != signature(p) {
		r.Fail("an enumeration of another problem")
	}
	which = make([]bool, len(p.Spaces))
	for i := range which {
		which[i] = r.Bool()
	}
	e = NewEnumeration(p, workers, which)
	e.Remote = remote
	for i, sp := range p.Spaces {
		e.Tally[i].Load(r, sp)
		e.Abandoned[i], e.Limit[i], e.Each[i], e.spent[i] = r.Bool(), r.Float(), r.Float(), r.Float()
		e.outcomes[i].load(r, len(p.Objectives))
	}
	e.open = queue[node]{}
	clear(e.waiting)
	e.open.load(r, func(r *pack.Reader) node { return unpackNode(r, p) })
	e.open.each(func(b *node) { e.waiting[b.space]++ })
	for _, list := range []*[]Survivor{&e.pending, &e.asked, &e.parkedDesigns, &e.laterDesigns} {
		*list = unpackSurvivors(r, p)
	}
	e.parked, e.later = unpackNodes(r, p), unpackNodes(r, p)
	for i := range e.later {
		e.waiting[e.later[i].space]++
	}
	if e.front = p.LoadArchive(r); remote != nil {
		e.log = e.front.Held()
	}
	for _, x := range e.numbers() {
		*x = r.Int()
	}
	for _, x := range e.estimates() {
		*x = r.Float()
	}
	for _, x := range e.marks() {
		*x = r.Bool()
	}
	e.ask, e.unmeasured = int(r.Within(0, math.MaxInt32)), int(r.Within(0, math.MaxInt32))
	e.stages = int(r.Within(0, int64(len(epsilons))))
	for n := r.Count(1); n > 0 && !r.Failed(); n-- {
		e.counted[r.Text()] = true
	}
	return e, which
}
