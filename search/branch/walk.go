package branch

import (
	"maps"
	"math"
	"slices"

	"toposearch/constraints"
	"toposearch/search"
)

// run works on the stack, whose last node is the next, until it is empty or a number of visits or
// of survivors is reached, and returns what is left of it.
func (t *task) run(stack []node, visits int64, survivors int) []node {
	end := t.effort + visits
	for len(stack) > 0 && t.effort < end && len(t.out) < survivors {
		n := stack[len(stack)-1]
		before := t.effort
		stack = t.visit(&n, stack[:len(stack)-1])
		t.spent[n.space] += t.effort - before
	}
	return stack
}

func (t *task) visit(n *node, stack []node) []node {
	sp := t.p.Spaces[n.space]
	t.raised = math.Inf(-1)
	if n.best != nil { // put aside: the front is better now
		if t.covers(n.best) {
			t.exclude(search.Dominated, n, n.lo, n.hi, n.best)
			return stack
		}
		n.checked = true
		if n.stage == asBox && t.waitsAgain(sp, n) {
			return stack
		}
	}
	if n.stage != asBox {
		t.resume(sp, n)
		return stack
	}
	if !n.checked && !t.admit(sp, n) {
		return stack
	}
	if n.few(sp) {
		for i := n.lo; i <= n.hi; i++ {
			t.tuple(sp, n, i)
		}
		return stack
	}
	if n.lo == n.hi { // the same tuples, by the next parameter
		next := *n
		next.deepen(sp)
		next.checked, next.best = true, nil
		if !t.shrink(sp, &next.box) {
			return stack
		}
		return append(stack, next)
	}
	if t.rng != nil && t.aim == nil {
		return t.splitAtRandom(n, stack)
	}
	return t.split(sp, n, stack)
}

// leastGain is by how much the bound of a box must have risen to wait again rather than to be split. It is
// bounded again if the front has grown by a share of 1/leastGrowth since: else the bound is seldom another.
const (
	leastGain   = 0.02
	leastGrowth = 16
)

// waitsAgain means that a box that was put aside is dominated now, or is put aside again.
func (t *task) waitsAgain(sp *search.Space, n *node) bool {
	if t.ref != nil || t.p.ThroughputAt < 0 || t.p.CostAt != t.first || t.front.Len() < int(n.seen)+int(n.seen)/leastGrowth {
		return false
	}
	before := n.key
	if !t.admit(sp, n) {
		return true
	}
	if n.key > t.limit && n.key > before*(1+leastGain) {
		t.putAside(n)
		return true
	}
	return false
}

// split halves a range. The half that may hold what is best by the first objective comes first, the
// lower one if they are equal: a front of such designs soon excludes most of the rest.
func (t *task) split(sp *search.Space, n *node, stack []node) []node {
	halves := [2]node{*n, *n}
	halves[0].best, halves[1].best = nil, nil
	halves[0].hi = n.middle()
	halves[1].lo = halves[0].hi + 1
	first := math.Inf(1)
	for i := range halves {
		h := &halves[i]
		if !t.admit(sp, h) {
			continue
		}
		if h.key > t.limit {
			if t.aim == nil {
				t.putAside(h)
			}
			continue
		}
		stack = append(stack, *h)
		if k := len(stack); i == 0 {
			first = h.key
		} else if !math.IsInf(first, 1) && (first < h.key || first == h.key && (t.rng == nil || t.rng.Uint64()&1 == 0)) { // the last is the next
			stack[k-1], stack[k-2] = stack[k-2], stack[k-1]
		}
	}
	return stack
}

// splitAtRandom halves a range for a sample, which comes upon one of the halves first.
func (t *task) splitAtRandom(n *node, stack []node) []node {
	halves := [2]node{*n, *n}
	halves[0].hi = n.geometricMiddle()
	halves[1].lo = halves[0].hi + 1
	for i := range halves {
		halves[i].best, halves[i].checked = nil, false
	}
	if t.rng.Uint64()&1 == 0 {
		halves[0], halves[1] = halves[1], halves[0]
	}
	return append(stack, halves[1], halves[0])
}

// Counts is what closed forms say of a space.
type Counts struct {
	Designs int64 // tuples that neither their size nor a limit excludes; at least, if Stopped
	Visits  int64 // boxes and tuples that it took
	Stopped bool  // not all of the space was come by
	// Barred are the limits that no design within the window of endpoints meets, in the order of the judge; empty where that is not known.
	Barred []Barred
	// Why names what excludes designs where there is none: constraints in the order of their names, without the window of endpoints and
	// values that make no network. Empty: no network has an allowed number of endpoints.
	Why []string
}

// Barred is a limit that everything judged in a space misses.
type Barred struct {
	Limit *constraints.Limit
	Best  float64 // the bound of the metric that comes nearest to the limit; infinite where designs have no value of it
}

// Count enumerates a space by closed forms alone, in a number of steps at most.
func Count(p *search.Problem, sp int, steps int64) Counts {
	all, ok := root(p, sp)
	if !ok {
		return Counts{}
	}
	t := newTask(p)
	t.counting = true
	left := t.run([]node{{box: all}}, steps, 1)
	c := Counts{Designs: t.designs, Visits: t.visits, Stopped: len(left) > 0}
	if c.Designs == 0 && !c.Stopped {
		c.Barred = t.barred()
		for _, name := range slices.Sorted(maps.Keys(t.tally[sp].Tuples(p.Spaces[sp]))) {
			if name != constraints.NoNetwork && name != constraints.Window && name != search.Duplicate {
				c.Why = append(c.Why, name)
			}
		}
	}
	return c
}

// barred are the limits that all that was excluded misses.
func (t *task) barred() (out []Barred) {
	for i, m := range t.missing {
		if m.times == t.excluded {
			out = append(out, Barred{&t.p.Limits[i], m.best})
		}
	}
	return out
}
