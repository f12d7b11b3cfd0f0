package evaluator

import (
	"fmt"
	"math"

	"toposearch/evaluator/metric"
	"toposearch/routing"
)

// worst_throughput of networks without closed forms, by counting how many endpoints are within so many hops: passes over the
// channels, whatever the number of pairs. Certified, but wider than what searches for the worst traffic give.
var worstCounted = method{name: "endpoints within so many hops", level: 1, built: true, quick: countedQuickNs, applies: func(w *work) string {
	switch {
	case w.dist == nil:
		return "how far endpoints are apart is not known: " + w.res.Absent[metric.MeanPathLinks]
	case w.res.Reject.Constraint == metric.RejectRate:
		return w.res.Reject.Words()
	case w.e.scaled(w.d.Family):
		return "links of scale-up domains"
	case w.d.Family.Unidirectional:
		return "channels have no partner: the flow is not computed"
	case !w.res.Have[metric.UniformThroughput]:
		return w.res.Absent[metric.UniformThroughput]
	case !w.limit.Limited && !w.pretended[metric.UniformThroughput]:
		return noLink
	case w.byTables(), w.named[w.routing().Name].tables != nil:
		return "paths of tables are not counted"
	}
	return ""
}, cost: (*work).countedNs, bytes: func(w *work) float64 { return graphBytes(w) + w.countedBytes() },
	run: func(w *work) error { return w.countWorst(0, "") }}

// countedNs is the cost of counting, and of crowds.
func (w *work) countedNs() float64 {
	ns := w.passesNs()
	if w.evenFits() {
		ns += w.evenNs()
	}
	if k := w.crowdSets(); k > 0 {
		ns += w.crowdNs(k)
	}
	return ns
}

// enclosed says why a method that takes so long is not taken where many designs are compared and there is one that counts, "" if it may be.
func (w *work) enclosed(ns float64) string {
	if w.e.opt.EncloseWorst && w.req.Level < 2 && ns > longNs && worstCounted.applies(w) == "" {
		return fmt.Sprintf("it takes about %s, and of many designs compared an interval that is certified does", seconds(ns))
	}
	return ""
}

// countedQuickNs keeps it from level 1 where it was not asked for: a study that does not weigh it has no use of an interval for which networks are built.
const countedQuickNs = 1

// countAll counts; most are the hops of a permutation that is known already and why says which, 0 if there is none.
func (w *work) countAll(most float64, why string) counts {
	n, ends := w.net, float64(w.net.Endpoints())
	far := w.reached(true)
	raise := func(x float64, of string) {
		if x > most {
			most, why = x, of
		}
	}
	raise(farApart(within(n, far, w.symmetry().Endpoints), ends), "all capacity over the hops of a permutation between endpoints that are so far apart, as few are nearer")
	if d := w.shortestKnown(); d != nil {
		links := float64(w.endLinks())
		raise(ends*(d.MeanLinks()-w.drawn.below-links), "all capacity over the hops of uniform traffic")
		if len(w.symmetry().Endpoints) == 1 && !w.drawn.any() { // each has as many others at the largest distance
			raise(ends*(float64(d.MaxLinks)-links), "all capacity over the hops between the furthest endpoints, of which each has as many")
		}
	}
	c := counts{hi: math.Inf(1), why: why}
	if most > 0 {
		c.hi = w.allCapacity() / most
	}
	c.crossed = w.crossed(w.reached(w.takesShortest()))
	return c
}

// low is what a routing carries of any traffic by what is counted, over direct routes or in two phases; nil: the best possible one.
func (c *counts) low(w *work, a *Algorithm) (low lowBound) {
	direct, detours, natural := 1/c.crossed, 0.0, "lo counts the endpoints whose routes may cross a channel"
	if c.even != nil {
		if x := least(c.even); x >= direct {
			direct, natural = x, evenText
		}
	}
	if !w.severalPorts() && w.throughput > 0 && !math.IsInf(w.throughput, 1) {
		detours = w.twoPhases(w.throughput)
	}
	const twice = twoPhasesText
	if a == nil {
		low = w.treeBound()
		low.raise(direct, natural)
		low.raise(detours, twice+", each over "+w.routesText())
		if !w.severalPorts() {
			low.raise(w.twoPhases(w.optimal.Lo), twice+bestText) // 0 if it was not asked for
		}
		return low
	}
	if a.Tables || a.Single {
		return low
	}
	if !a.Always {
		low.raise(direct, natural)
	}
	if a.Detours {
		low.raise(detours, twice+", over the routes of "+w.rule().Name)
		if !a.Always && c.detours != nil {
			s := routing.BestSplit(c.even, c.detours)
			low.raise(s.Throughput, fmt.Sprintf("split into direct routes and detours, the same part of every flow: lo with %.3g %% direct whatever the traffic is", 100*s.Direct))
		}
	}
	return low
}

// countWorst records what counting, closed forms and crowds say together; most is as for countAll.
func (w *work) countWorst(most float64, why string) error {
	c := w.countAll(most, why)
	if err := w.countEven(&c); err != nil {
		return err
	}
	hi, why := c.hi, c.why
	var low lowBound
	var of *Algorithm
	if w.e.usesOwn() {
		all, best := w.worstChoices(), 0.0
		for i := range all {
			l := c.low(w, &all[i])
			iv := metric.Interval{Lo: l.x, Hi: math.Inf(1)}
			w.narrowWorst(&all[i], &iv)
			// Of equals the one with more of uniform traffic, then the first.
			if of == nil || iv.Lo > best*(1+same) || iv.Lo > best*(1-same) && of.Always && !all[i].Always {
				low, of, best = l, &all[i], iv.Lo
			}
		}
		if w.worstDecides() {
			w.choose(*of)
			w.setThroughput(w.limit, w.limitText)
		}
		if x := w.limit.Throughput * w.slack(); hi > x {
			hi, why = x, "uniform traffic, which direct routes carry best"
		}
		switch x, err := w.crowded(of); {
		case err != nil:
			return err
		case of.Always:
			hi, why = low.x, "the same, which detours make of every permutation"
		case x < hi:
			hi, why = x, "a traffic that crowds on one channel"
		}
	} else {
		low = c.low(w, nil)
	}
	iv := metric.Interval{Lo: math.Min(low.x, hi), Hi: hi}
	lo, why2 := iv.Lo, low.why
	if w.narrowWorst(of, &iv); iv.Lo > lo*(1+same) {
		why2 = "lo is known in closed form"
	}
	if iv.Hi < hi*(1-same) {
		why = "what is known in closed form"
	}
	if iv.Lo > iv.Hi*(1-same) { // but for rounding
		iv.Lo = iv.Hi
	}
	if iv.Lo == 0 || math.IsInf(iv.Hi, 1) {
		w.absent(metric.WorstThroughput, "counting endpoints within so many hops bounds it from one side alone, and no closed form from the other: ask for it by name")
		return nil
	}
	what := "best possible routing"
	if w.e.usesOwn() {
		what = fmt.Sprintf("routing %s (%s)", w.routing().Name, w.rule().Name)
	}
	w.between(metric.WorstThroughput, iv.Lo, iv.Lo, iv.Hi, fmt.Sprintf("%s, any traffic: %s; hi is of %s", what, why2, why))
	return nil
}
