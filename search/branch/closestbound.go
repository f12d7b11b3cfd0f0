package branch

import (
	"math"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/search"
)

// boxBound is a violation that no design in the box undercuts.
func (a *attempt) boxBound(sp *search.Space, b *box) float64 {
	if a.counts(sp, b) != "" {
		return math.Inf(1)
	}
	p := a.closest.p
	window := 0.0
	switch lo, hi := a.enc.Low.Endpoints, a.enc.High.Endpoints; {
	case hi < p.Min:
		window = p.Judge.WindowViolation(hi)
	case lo > p.Max:
		window = p.Judge.WindowViolation(lo)
	}
	// A design is judged with the parts that may be bought, if there are.
	bound := math.Inf(1)
	for _, q := range a.loose {
		if bound = min(bound, a.boxBoundOf(q, window)); bound <= window { // no other is less
			break
		}
	}
	if bound >= a.best {
		bound = min(bound, a.boxBoundOf(p, window))
	}
	return bound
}

// boxBoundOf bounds what the designs of the box miss whose counts are at hand, with the parts of p.
func (a *attempt) boxBoundOf(p *search.Problem, window float64) float64 {
	a.enc.Box(p.Model)
	iv := &a.enc.Metrics
	if iv.Reject.Constraint != "" {
		return a.partBound(window, 0) // how far off the best of them is, is not known
	}
	bound := max(a.bound(window, iv), a.curveBound(window, iv))
	if a.target.kind == everything {
		bound = min(bound, withoutPart+window) // some of them may need parts that may not be bought
	}
	return bound
}

// partBound is for designs that need a part which may not be bought, missed by the violation.
func (a *attempt) partBound(window, violation float64) float64 {
	if a.target.kind != everything {
		return math.Inf(1)
	}
	return withoutPart + window + violation
}

// bound adds up what is missed at best; infinite if a limit is missed that must be met.
func (a *attempt) bound(window float64, iv *metric.Intervals) float64 {
	p := a.closest.p
	sum := cost(window, a.target.bearsWindow())
	for i := range p.Limits {
		l := &p.Limits[i]
		if a.target.isLimit(i) && iv.Lacks.Has(l.Key) {
			return math.Inf(1) // no other value of the limit admits what has no figure
		}
		sum += cost(l.AtBest(iv), a.target.bearsLimit(i))
	}
	for _, k := range p.Compared {
		if iv.Lacks.Has(k) && !p.Judge.Limited(k) {
			sum += cost(1, a.target.kind == everything) // changing a limit does not admit it
		}
	}
	return sum
}

// curveSteps is into how many parts the throughput that is asked for is divided where it may be missed.
const curveSteps = 8

// curveBound is what limits on cost and on throughput together make a box miss at least: what reaches a
// throughput costs at least what the curve says.
func (a *attempt) curveBound(window float64, iv *metric.Intervals) float64 {
	limits := a.closest.p.Limits
	var dear, through *constraints.Limit
	var dearAllowed, throughAllowed bool
	for i := range limits {
		switch l := &limits[i]; {
		case l.Key == metric.Cost && l.Max:
			dear, dearAllowed = l, a.target.bearsLimit(i)
		case l.Key == metric.UniformThroughput && !l.Max:
			through, throughAllowed = l, a.target.bearsLimit(i)
		}
	}
	if dear == nil || through == nil || !iv.CostCurve.Known() {
		return 0
	}
	miss := func(usd, reached float64) float64 { // cost at least, throughput at most
		return cost(dear.Violation(usd), dearAllowed) + cost(through.Violation(reached), throughAllowed)
	}
	asked := through.Bound
	least := miss(iv.CostCurve.CostAt(asked), math.Inf(1))
	for k := range curveSteps {
		from, to := asked*float64(k)/curveSteps, asked*float64(k+1)/curveSteps
		least = min(least, miss(iv.CostCurve.CostAt(from), to))
	}
	if a.target.kind == everything {
		least += window
	}
	return least
}

// tupleBound bounds what a design misses, from its counts or, refined, as closely as can be without an
// evaluation.
func (a *attempt) tupleBound(v []int, refined bool) float64 {
	p := a.closest.p
	if p.Spaces[a.family].Fam.Size(v, &a.enc.Low) != nil {
		return math.Inf(1)
	}
	window := p.Judge.WindowViolation(a.enc.Low.Endpoints)
	a.enclose(p, v, refined)
	part := a.enc.Metrics.Reject.Constraint
	bound := a.enclosedBound(window)
	switch {
	case len(a.loose) > 0 && setsEvaluation(part):
		bound = a.looseBound(window, v, refined)
	case part == "" && !refined: // it may turn out to need longer cables, and be judged with other parts then
		bound = min(bound, a.looseBound(window, v, refined))
	}
	return bound
}

// looseBound is tupleBound with parts that may not be bought, infinite if all may be.
func (a *attempt) looseBound(window float64, v []int, refined bool) float64 {
	bound := math.Inf(1)
	for _, q := range a.loose {
		a.enclose(q, v, refined)
		if bound = min(bound, a.enclosedBound(window)); bound <= window { // no other is less
			break
		}
	}
	return bound
}

// enclosedBound bounds what the design misses whose metrics are enclosed.
func (a *attempt) enclosedBound(window float64) float64 {
	if r := a.enc.Metrics.Reject; r.Constraint != "" {
		return a.partBound(window, math.Abs(r.Violation())+r.Ports.Short().Violation())
	}
	return a.bound(window, &a.enc.Metrics)
}

// enclose encloses the metrics of the design whose counts are at hand, with the parts of p.
func (a *attempt) enclose(p *search.Problem, v []int, refined bool) {
	a.enc.Design(p.Model, v)
	if !refined {
		return
	}
	for effort := a.enc.Refine(); effort > 0; effort = a.enc.Refine() {
		a.effort += effort
	}
}
