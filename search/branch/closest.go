package branch

import (
	"math"

	"toposearch/search"
)

// closest is what is known of the closest design of a family by one target: the answer of a best-first branch
// and bound, which may be tried again and be told of designs that others have come by.
type closest struct {
	p      *search.Problem
	family int // index of its space
	target target
	// loose is p with larger switches and longer cables than may be bought, as of Loosened: what misses least with one of them is what a design misses that
	// needs them; none: without.
	loose []*search.Problem
	// relaxed is the setting that p has changed, nil if none.
	relaxed *relaxed

	best      float64 // the smallest violation so far, by the target
	found     *Judged // the design that has it; nil: none yet
	exhausted bool    // nothing left can be closer
	judged    []Judged
	known     map[string]bool // the designs of which judging again shows nothing: they were offered
}

// offer takes a design that is closer than the closest so far, and reports whether it is.
func (c *closest) offer(d *Judged) bool {
	x := c.target.worth(c.p, d)
	if !(x < c.best) {
		return false
	}
	c.best, c.found = x, d
	return true
}

// attempt is one search for a closest design. Boxes are bounded as in an enumeration, tuples by closed forms,
// then by their floor plan and cables, and at last they are evaluated.
type attempt struct {
	*closest
	bounder
	wide    search.Problem // the problem with the window in which what is closer must lie
	open    queue[openBox]
	tuples  queue[openTuple]
	kept    map[string]bool // tuples that were opened
	effort  int64
	evals   int
	left    float64    // ns that evaluations may still take, as modelled
	beyond  *openTuple // of the tuples that would take more the one with the least bound
	partial bool       // seeds of random numbers were left out, or designs that take too long to evaluate
}

// openBox is a box with the violation that none of its designs undercuts.
type openBox struct {
	box
	bound float64
}

// openTuple is a design with the violation that it does not undercut, from its counts or from its cables.
type openTuple struct {
	v       []int
	bound   float64
	refined bool
}

// newAttempt prepares to search the whole space.
func (c *closest) newAttempt() *attempt {
	a := &attempt{closest: c, wide: *c.p, kept: map[string]bool{}}
	a.open.newest, a.tuples.newest = true, true // so that it comes by a design before it has seen all else
	a.bounder = newBounder(&a.wide)
	a.widen()
	return a
}

// widen bounds the endpoints of what is closer than the closest so far.
func (a *attempt) widen() {
	p := a.closest.p
	if !a.target.bearsWindow() {
		return
	}
	a.wide.Min = max(1, int64(float64(p.Min)/(1+a.best*(1+1e-9))))
	a.wide.Max = mostWithin
	if v := float64(p.Max) * (1 + a.best*(1+1e-9)); v < mostWithin {
		a.wide.Max = int64(math.Ceil(v))
	}
}
