package branch

import (
	"math"

	"toposearch/evaluator/metric"
	"toposearch/search"
)

// boxBound is a violation that no design in the box undercuts.
func (n *nearest) boxBound(sp *search.Space, nd *Node) float64 {
	w := n.w
	lo, hi := w.bounds(sp, nd)
	sp.Fam.SizeBounds(lo, hi, &w.enc.Low, &w.enc.High)
	if w.enc.High.Endpoints < n.wide.Min || w.enc.Low.Endpoints > n.wide.Max || w.unordered(sp, int(nd.depth), lo, hi, nd.lo == nd.hi) {
		return math.Inf(1)
	}
	w.enc.Low.Endpoints, w.enc.High.Endpoints = max(w.enc.Low.Endpoints, n.wide.Min), min(w.enc.High.Endpoints, n.wide.Max)
	window := 0.0
	switch {
	case w.enc.High.Endpoints < n.p.Min:
		window = n.p.Judge.WindowViolation(w.enc.High.Endpoints)
	case w.enc.Low.Endpoints > n.p.Max:
		window = n.p.Judge.WindowViolation(w.enc.Low.Endpoints)
	}
	sp.Fam.BoundPerEndpoint(lo, hi, w.enc.Low.Endpoints, w.enc.High.Endpoints, &w.enc.PerEndpoint)
	w.enc.PerEndpoint.Tighten(&w.enc.Low, &w.enc.High)
	if n.loose == nil {
		return n.boxUnder(n.p, window)
	}
	// A design is judged with the parts that may be bought, if there are.
	b := n.boxUnder(n.loose, window)
	if b >= n.value {
		b = min(b, n.boxUnder(n.p, window))
	}
	return b
}

// boxUnder bounds what the designs of the box miss whose counts are at hand, with the parts of p.
func (n *nearest) boxUnder(p *search.Problem, window float64) float64 {
	w := n.w
	w.enc.Box(p.Model)
	if w.enc.Metrics.Reject.Constraint != "" {
		return n.bound(window, metric.Reject{Constraint: w.enc.Metrics.Reject.Constraint}, nil) // how far off the best of them is, is not known
	}
	b := max(n.bound(window, metric.Reject{}, &w.enc.Metrics), n.riseBound(window, &w.enc.Metrics))
	if n.only == anyLimit {
		b = min(b, farther+window) // some of them may need parts that may not be bought
	}
	return b
}

// bound adds up what is missed at best; infinite if a limit is missed that must be met. iv is not asked if a
// part may not be bought.
func (n *nearest) bound(window float64, r metric.Reject, iv *metric.Intervals) float64 {
	if r.Constraint != "" {
		if n.only != anyLimit {
			return math.Inf(1)
		}
		return farther + window + math.Abs(r.Violation())
	}
	sum := 0.0
	take := func(limit int, v float64) {
		switch {
		case v == 0:
		case n.only == anyLimit || n.only == limit:
			sum += v
		default:
			sum = math.Inf(1)
		}
	}
	take(onlyWindow, window)
	for i := range n.p.Limits {
		if n.only == i && iv.Lacks.Has(n.p.Limits[i].Key) {
			return math.Inf(1) // no other value of the limit admits what has no figure
		}
		take(i, n.p.Limits[i].AtBest(iv))
	}
	for i := range n.p.Objectives {
		if k := n.p.Objectives[i].Key; iv.Lacks.Has(k) && !n.p.Judge.Limited(k) {
			take(notOurs, 1)
		}
	}
	return sum
}

// notOurs is missed by what lacks an objective: changing a limit does not admit it.
const notOurs = -4

// riseSteps is into how many parts the throughput that is asked for is divided where it may be missed.
const riseSteps = 8

// riseBound is what limits on cost and on throughput together make a box miss at least: what reaches a
// throughput costs so much.
func (n *nearest) riseBound(window float64, iv *metric.Intervals) float64 {
	cost, through := -1, -1
	for i := range n.p.Limits {
		switch l := &n.p.Limits[i]; {
		case l.Key == metric.Cost && l.Max:
			cost = i
		case l.Key == metric.UniformThroughput && !l.Max:
			through = i
		}
	}
	if cost < 0 || through < 0 || !iv.CostCurve.Known() {
		return 0
	}
	costs, asked := &n.p.Limits[cost], n.p.Limits[through].Bound
	miss := func(got, reached float64) float64 { // cost at least, throughput at most
		return n.bothMissed(cost, costs.Violation(got), through, n.p.Limits[through].Violation(reached))
	}
	least := miss(iv.CostCurve.CostAt(asked), math.Inf(1))
	for k := range riseSteps {
		from, to := asked*float64(k)/riseSteps, asked*float64(k+1)/riseSteps
		least = min(least, miss(iv.CostCurve.CostAt(from), to))
	}
	if window > 0 && n.only == anyLimit {
		least += window
	}
	return least
}

// bothMissed is the sum of what two limits miss, infinite if one of them must be met.
func (n *nearest) bothMissed(i int, a float64, j int, b float64) float64 {
	if n.only != anyLimit && (a > 0 && n.only != i || b > 0 && n.only != j) {
		return math.Inf(1)
	}
	return a + b
}

// leafBound bounds what a design misses, by closed forms or by these and its cables, laid and priced.
func (n *nearest) leafBound(sp *search.Space, v []int, look look) float64 {
	w := n.w
	if sp.Fam.Size(v, &w.enc.Low) != nil {
		return math.Inf(1)
	}
	window := n.p.Judge.WindowViolation(w.enc.Low.Endpoints)
	r := n.leafUnder(n.p, v, look)
	if n.loose != nil && setsEvaluation(r.Constraint) {
		r = n.leafUnder(n.loose, v, look)
	}
	b := n.bound(window, r, &w.enc.Metrics)
	if n.loose != nil && look == lookJudged && r.Constraint == "" {
		// It may turn out to need longer cables, and be judged with other parts then.
		if r = n.leafUnder(n.loose, v, look); r.Constraint == "" {
			b = min(b, n.bound(window, r, &w.enc.Metrics))
		}
	}
	return b
}

// leafUnder encloses the metrics of the design whose counts are at hand, with the parts of p.
func (n *nearest) leafUnder(p *search.Problem, v []int, look look) metric.Reject {
	w := n.w
	w.enc.Design(p.Model, v, search.FromCounts)
	if look == lookLaid && w.enc.Metrics.Reject.Constraint == "" {
		w.effort += laidVisits + exactVisits + w.enc.Low.SwitchLinks()/linksPerVisit
		if w.enc.Design(p.Model, v, search.FromFloorPlan); w.enc.Metrics.Reject.Constraint == "" {
			w.enc.Design(p.Model, v, search.FromCables)
		}
	}
	return w.enc.Metrics.Reject
}
