package wire

import (
	"math"
	"math/rand/v2"
)

// annealer walks from graph to graph by moves that are accepted as in S. Kirkpatrick et al., Science 220, 1983.
type annealer struct {
	g      *Graph
	m      *meter
	rng    *rand.Rand
	pull   *pull   // nil: cables weigh nothing
	swings bool    // hosts move between switches; not with a pull
	now    float64 // sum of distances and what cables weigh, and those alone
	cables float64
	// best is the best graph so far.
	best  *Graph
	score Score
	// ops are words combined, judged graphs measured.
	ops, judged int64
}

// pull is what cables weigh: how much of the sum of distances a metre of all of them is worth.
type pull struct {
	hall  *hall
	at    []int32
	metre float64
}

// of is what the cables of the links of some ends of orbits weigh.
func (w *pull) of(g *Graph, orbits, slots []int32) (x float64) {
	for i, o := range orbits {
		e := g.links[o][slots[i]]
		for r := range g.Turns {
			other := (r + int(e.turn)) % g.Turns
			x += w.hall.length(w.at[int(o)*g.Turns+r], w.at[int(e.orbit)*g.Turns+other])
		}
	}
	return w.metre * x / 2 // both ends of a link are among them
}

func newAnnealer(g *Graph, rng *rand.Rand, w *pull, swings bool) *annealer {
	a := &annealer{g: g, m: newMeter(g, swings), rng: rng, best: g.clone(), pull: w, swings: swings}
	sum, d, _ := a.m.measure(far)
	cables := 0.0
	if w != nil { // of all turns, as the sum is of one: the same
		cables = w.metre * w.hall.total(g, w.at)
	}
	a.now, a.cables = float64(sum)+cables, cables
	a.score = a.m.score(sum, d, cables)
	return a
}

// Temperatures in units of the sum of distances from one switch of each orbit. At the coldest a sum that is larger by one
// is accepted once in 150 times. A walk from a random graph begins with the warmest and a part of the hottest: without
// symmetry a move changes the ways of some hundred pairs, under symmetry the turned pairs share one. A gentle walk keeps
// most of what an algebraic graph is.
const (
	coldest = 0.2
	warmest = 3
	hottest = 30
	gentle  = 2
)

// enough is how many words a walk may combine before another from a new graph finds more: 25 times the graphs next to
// one, each measured in two steps. On (64,8) 12 walks of that length reached 1.9524 twice, and none that was longer.
func (a *annealer) enough() int64 {
	const walks, steps = 25, 2
	orbits := int64(a.g.Links()/a.g.Turns) + 1
	return walks * steps * orbits * orbits * int64(a.g.Turns) * a.m.perStep
}

// run walks until it has combined so many words more, while the temperature falls from hot.
func (a *annealer) run(ops int64, hot float64, stop func() bool) {
	const illegal = 60 // what a move that is none costs, in words
	from := a.ops
	var mv move
	temperature := hot
	for i := 0; a.ops-from < ops; i++ {
		if i%64 == 0 {
			temperature = hot * math.Pow(coldest/hot, float64(a.ops-from)/float64(ops))
			if stop() {
				return
			}
		}
		a.ops += illegal
		if mv.draw(a.g, a.rng, a.swings) {
			a.judge(&mv, a.now-temperature*math.Log(1-a.rng.Float64()))
		}
	}
}

// judge keeps a move if what it leads to is limit at most, and takes it back otherwise.
func (a *annealer) judge(mv *move, limit float64) {
	n := mv.n
	cables := 0.0
	if w := a.pull; w != nil {
		after := w.of(a.g, mv.orbit[:n], mv.slot[:n])
		mv.exchange(a.g)
		cables = a.cables + after - w.of(a.g, mv.orbit[:n], mv.slot[:n])
		mv.exchange(a.g)
	}
	a.touched(mv)
	back := move{n: n, orbit: mv.orbit, from: mv.to, to: mv.from}
	a.judged++
	most := int64(math.Min(limit-cables, far))
	sum, d, ok := a.m.measure(most)
	a.ops += a.m.ops
	if !ok || sum > most {
		mv.undo(a.g)
		a.touched(&back)
		return
	}
	a.now, a.cables = float64(sum)+cables, cables
	if s := a.m.score(sum, d, cables); s.less(a.score) {
		a.score, a.best = s, a.g.clone()
	}
}

// touched tells the meter what a move has changed.
func (a *annealer) touched(mv *move) {
	for _, o := range mv.orbit[:mv.n] {
		a.m.reach.touched(o)
	}
	if mv.from != mv.to {
		a.m.moved(mv.from, mv.to)
	}
}
