package branch

import (
	"math"

	"toposearch/objectives"
	"toposearch/search"
)

// What work costs, fixed so that what is planned never depends on the machine or on its load. Measured on
// one core of 2024 with the built-in families; see the benchmarks of this package.
const (
	VisitNs    = 600       // a box or a tuple by closed forms
	EvaluateNs = 1_000_000 // a design at level 1
)

// mostOpen is how many boxes may wait, some 180 bytes each; beyond, none is put aside.
const mostOpen = 3 << 20

// Enumeration is a strategy: branch and bound over whole spaces, best first. Boxes wait in a queue by the best
// that the first objective can be in them, of which a batch at a time is worked on in parallel against the
// same front. Tuples that bounds let pass wait in the same queue, by what closer judgements have shown.
type Enumeration struct {
	// Limit is what a space may cost, ns by the fixed costs of a plan, 0 for no limit; what has
	// spent more is Abandoned, and left to another strategy.
	Limit     []float64
	Abandoned []bool
	Tally     []search.Tally // what became of the tuples, by space

	p       *search.Problem
	workers int
	whole   []bool // by space: enumerated by this strategy
	first   int    // the objective whose bound orders boxes,
	blind   bool   // if there is one: otherwise samples make a first front
	most    int    // mostOpen

	open    queue[node]
	left    float64    // shares of what is open
	done    float64    // the largest share of the spaces that was ever decided
	pending []Survivor // to evaluate, best first
	asked   []Survivor
	untold  bool // their scores are not known
	ask     int  // how many are asked for next
	// parked is what was left of abandoned spaces.
	parked        []node
	parkedDesigns []Survivor
	steps         int64             // of a task in a batch of a proof, 0: taskVisits
	ref           objectives.Vector // task.ref
	measured      int64             // visits when the part proved was measured last
	proved        float64
	started       bool
	seeding       bool
	front         search.Archive
	told          int64 // feasible designs that came in
	swept         int64 // told when the boxes that the front dominates were dropped last
	visits        int64
	spent         []float64 // ns by space
	tasks         []*task
	// counted are the designs that the tree has come to. A narrowed space may hold two ways to write
	// a design and not its canonical one: the second is a duplicate.
	counted map[string]bool
}

// NewEnumeration enumerates the spaces that which marks; nil: all of them.
func NewEnumeration(p *search.Problem, workers int, which []bool) *Enumeration {
	n := len(p.Spaces)
	e := &Enumeration{p: p, workers: workers, most: mostOpen, Tally: make([]search.Tally, n), whole: which, counted: map[string]bool{},
		Limit: make([]float64, n), spent: make([]float64, n), Abandoned: make([]bool, n)}
	if which == nil {
		e.whole = make([]bool, n)
		for i := range e.whole {
			e.whole[i] = true
		}
	}
	for i := range p.Spaces {
		if b, ok := root(p, i); ok && e.whole[i] {
			e.push(&node{box: b})
		}
	}
	e.first, e.blind = boundedObjective(p, e.whole)
	return e
}

// boundedObjective is the first objective that bounds of boxes say something of in every family; blind tells
// that there is none.
func boundedObjective(p *search.Problem, which []bool) (objective int, blind bool) {
	t := newTask(p)
	for j := range p.Objectives {
		known := true
		for i, sp := range p.Spaces {
			if b, ok := root(p, i); ok && which[i] && t.cut(sp, &b) == "" {
				known = known && !math.IsInf(t.best[j], -1)
			}
		}
		if known {
			return j, false
		}
	}
	return 0, true
}

// push opens a box.
func (e *Enumeration) push(n *node) {
	e.left += n.share(e.p)
	e.open.push(n.key, n)
}

// pop takes the most promising box.
func (e *Enumeration) pop() node {
	n := e.open.pop()
	e.left -= n.share(e.p)
	return n
}

// drop forgets the boxes that f names.
func (e *Enumeration) drop(f func(n *node) bool) {
	e.open.drop(func(n *node) bool {
		drop := f(n)
		if drop {
			e.left -= n.share(e.p)
		}
		return drop
	})
}

// add takes a design into the front that boxes are pruned against.
func (e *Enumeration) add(c search.Candidate, v objectives.Vector) {
	e.front.Add(search.Member{Candidate: c, Vector: v})
}

// Progress is the number of boxes and tuples visited, and the part of the spaces that is decided, never
// decreasing.
func (e *Enumeration) Progress() (visited int64, fraction float64) {
	var all float64
	for i, sp := range e.p.Spaces {
		if e.whole[i] && sp.Size.Sign() > 0 {
			all++
		}
	}
	if e.open.len() == 0 {
		e.left = 0 // sums round
	}
	if all > 0 {
		e.done = max(e.done, 1-max(e.left, 0)/all)
	}
	return e.visits, e.done
}
