package branch

import (
	"math"
	"slices"

	"toposearch/objectives"
	"toposearch/search"
	"toposearch/study"
)

// What work costs, fixed so that what is planned never depends on the machine or on its load. Measured on
// one core of 2024 with the built-in families; see the benchmarks of this package.
const (
	VisitNs    = 600       // a box or a tuple by closed forms
	EvaluateNs = 1_000_000 // a design at level 1, where nothing is known of its family's
)

// mostOpen is how many boxes may wait, some 180 bytes each; beyond, none is put aside.
const mostOpen = 3 << 20

// batchTasks are the tasks worked on between two readings of the front, the fourth part of a batch of designs.
const batchTasks = 32

// taskVisits are the steps of a task between two readings of the front, about 50 ms. They are part of the result, as the sizes in
// batch.go are.
const taskVisits = 1 << 16

// Enumeration is a strategy: branch and bound over whole spaces, best first. Boxes wait in a queue by the best
// that the first objective can be in them, of which a batch at a time is worked on in parallel against the
// same front. Tuples that bounds let pass wait in the same queue, by what closer judgements have shown.
type Enumeration struct {
	// Limit is what a space may cost, ns by the fixed costs of a plan, 0 for no limit; what has
	// spent more is Abandoned, and left to another strategy.
	Limit     []float64
	Abandoned []bool
	Each      []float64      // ns of an evaluation in a space, as it is modelled
	Steps     int64          // that a task takes between two borders at most: taskVisits, but for trials
	Tally     []search.Tally // what became of the tuples, by space
	Remote    search.Remote  // works on tasks elsewhere; nil: nobody does
	// Pause is the work, ns as it is modelled, after which it asks for nothing more until Pause is raised; 0: never.
	Pause float64

	p       *search.Problem
	width   int // tasks worked on between two readings of the front
	workers int
	whole   []bool // by space: enumerated by this strategy
	first   int    // the objective whose bound orders boxes,
	blind   bool   // if there is one: otherwise samples make a first front
	wide    bool   // some space is: dives make one
	most    int    // mostOpen

	open    queue[node]
	waiting []int      // of them by space
	pending []Survivor // to evaluate, best first
	asked   []Survivor
	untold  bool // their scores are not known
	ask     int  // how many are asked for next
	// later is what waits for a finer stage than the one at hand, of eps (coarse.go).
	later        []node
	laterDesigns []Survivor
	stages       int // that have begun
	eps          float64
	// parked is what was left of abandoned spaces.
	parked        []node
	parkedDesigns []Survivor
	ref           objectives.Vector // task.ref
	measured      int64             // visits when the part proved was measured last,
	unmeasured    int               // and designs that were pending
	proved        float64
	within        float64
	started       bool
	seeding       bool
	front         search.Archive
	log           []objectives.Vector // what it took in, where others have to follow it,
	logged        *int                // and which log that is
	lately        int64               // effort of the last batch
	told          int64               // feasible designs that came in
	swept         int64               // told when the boxes that the front dominates were dropped last
	visits        int64
	effort        int64     // visits, and what closer judgements cost in units of them
	spent         []float64 // ns by space
	looked        float64   // ns spent when what is ahead was estimated last,
	total         float64   // ns in all, as estimated until then,
	looking       float64   // and ns that it took to estimate them
	outcomes      []outcome // by space: nothing but what people are told depends on them
	tasks         []*task
	// counted are the designs that the tree has come to. A narrowed space may hold two ways to write
	// a design and not its canonical one: the second is a duplicate.
	counted map[string]bool
}

// NewEnumeration enumerates the spaces that which marks; nil: all of them.
func NewEnumeration(p *search.Problem, workers int, which []bool) *Enumeration {
	n := len(p.Spaces)
	e := &Enumeration{p: p, width: batchTasks * p.Batch() / study.DefaultBatch, workers: workers, most: mostOpen, Steps: taskVisits, Tally: make([]search.Tally, n), whole: which, counted: map[string]bool{}, logged: new(int),
		Limit: make([]float64, n), spent: make([]float64, n), Abandoned: make([]bool, n), Each: slices.Repeat([]float64{EvaluateNs}, n), outcomes: make([]outcome, n), waiting: make([]int, n)}
	if which == nil {
		e.whole = make([]bool, n)
		for i := range e.whole {
			e.whole[i] = true
		}
	}
	for i, sp := range p.Spaces {
		if b, ok := root(p, i); ok && e.whole[i] {
			e.push(&node{box: b})
			e.wide = e.wide || sp.Size.BitLen() > wideBits
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
	e.waiting[n.space]++
	e.open.push(n.key, n)
}

// pop takes the most promising box.
func (e *Enumeration) pop() node {
	n := e.open.pop()
	e.waiting[n.space]--
	return n
}

// drop forgets the boxes that f names.
func (e *Enumeration) drop(f func(n *node) bool) {
	e.open.drop(func(n *node) bool {
		drop := f(n)
		if drop {
			e.waiting[n.space]--
		}
		return drop
	})
}

// add takes a design into the front that boxes are pruned against.
func (e *Enumeration) add(m search.Member) {
	if e.front.Add(m) && e.Remote != nil {
		e.log = append(e.log, m.At())
	}
}

// await takes designs that are to be evaluated. Those that are certain are on the front before, but for coarse stages.
func (e *Enumeration) await(list []Survivor) {
	for i := range list {
		if s := &list[i]; s.certain && e.eps == 0 {
			e.add(search.Member{Candidate: s.Candidate, Vector: s.worst, Held: e.p.Slackened(s.worst)})
		}
	}
	e.pending = append(e.pending, list...)
}

// evaluated is the front without what is certain and not evaluated yet; what only that dominates may be missing.
func (e *Enumeration) evaluated() *search.Archive {
	waits := map[string]bool{}
	for _, list := range [][]Survivor{e.asked, e.pending, e.parkedDesigns, e.laterDesigns} {
		for i := range list {
			if s := &list[i]; s.certain && !e.counted[search.Key(s.Space, s.V)] {
				waits[search.Key(s.Space, s.V)] = true
			}
		}
	}
	if len(waits) == 0 {
		return &e.front
	}
	front := new(search.Archive)
	for _, m := range e.front.Ordered() {
		if !waits[m.Name] {
			front.Add(m)
		}
	}
	return front
}

// left is how much is left, boxes and designs.
func (e *Enumeration) left() int {
	return e.open.len() + len(e.pending) + len(e.later) + len(e.laterDesigns)
}

// Spent is the work until now, ns as it is modelled.
func (e *Enumeration) Spent() float64 { return sum(e.spent) }

func sum(xs []float64) (s float64) {
	for _, x := range xs {
		s += x
	}
	return s
}
