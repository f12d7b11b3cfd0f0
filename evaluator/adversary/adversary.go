// Package adversary looks for the traffic that a network carries worst under the best possible routing, out of all
// traffic in which no endpoint sends or takes more than its bandwidth (the hose model). The worst of it is a
// permutation: what can be carried is quasiconcave in the traffic.
//
// Every traffic that is tried bounds the worst case from above, and so does every choice of lengths of the links
// together with the permutation whose routes are longest under them (duality). Find tries matchings with the longest
// routes, shifts, bit permutations and what is like them, in a few rounds of the solver each; then it takes the worst
// of them in turn, computes the lengths that prove what they get, and goes on with the longest matching under
// those, until that is not worse any more: a local search in which each step is the best of all permutations for
// the lengths at hand. It proves nothing from below.
//
// The same network always gives the same traffic. Ns is a model of the time.
package adversary

import (
	"context"
	"math"

	"toposearch/evaluator/flow"
)

// The stages of the search: all traffics get a few rounds of the solver, those that get least then some more, and
// of these the ones that may be the worst as many as it takes. What is carried after 4 rounds is within a factor of
// two of what it is in the end, after 24 within some 15 %; what proves that no more is carried takes longer.
var stages = [...]struct {
	rounds int
	ns     float64 // that all of them take at most, but for the first
	least  int     // that are tried whatever it takes
	most   int     // and not more
}{
	{rounds: 4, ns: 2e8, least: 16, most: 1000},
	{rounds: 24, ns: 4e8, least: 6, most: 100},
	{rounds: 200, ns: 6e8, least: 2, most: 30},
}

// gap is the part of it by which a bound is above what is certain that no search is worth.
const gap = 1e-4

// slack is the part of a bound that a step of the local search must gain: the solver's gap is no less.
const slack = 1e-3

// counts are how many traffics are tried in each stage.
func counts(roundNs float64) (n [len(stages)]int) {
	for i, s := range stages {
		n[i] = int(max(float64(s.least), min(float64(s.most), s.ns/(roundNs*float64(s.rounds)))))
	}
	return n
}

// earlyEnds is the share of the rounds that are made at most, as measured: traffics that get more than the worst so far
// end before their time.
const earlyEnds = 0.6

// Ns is the time that Find takes on a graph with a number of vertices with endpoints, arcs and vertices, in ns.
func Ns(sources, arcs, vertices float64) (ns float64) {
	round := flow.QuickNs(sources, arcs, vertices, arcs)
	n := counts(round)
	for i, s := range stages {
		ns += float64(n[i]*s.rounds) * round * earlyEnds
	}
	// A matching for each solution of the last stage, and some at first.
	return ns + float64(n[len(n)-1]+others+1)*(sources*sources*matchNs+sources*(arcs*25+vertices*100))
}

// Find looks for the worst traffic between endpoints, each at a vertex of a graph that takes every direction
// of every edge by itself. It ends when the worst gets no more than certain, which any traffic is known to get. Hi
// is 0 if some endpoints cannot reach others, and +Inf if all are at one vertex. The error is that of the context.
func Find(ctx context.Context, g *flow.Graph, at []int32, certain float64) (Worst, error) {
	h := newHunt(g, at)
	h.enough = certain * (1 + gap)
	if len(h.sites) < 2 {
		return Worst{Hi: math.Inf(1)}, nil
	}
	arcs, vertices := g.Count()
	n := counts(flow.QuickNs(float64(len(h.sites)), float64(arcs), float64(vertices), float64(arcs)))
	all, err := h.matchings(ctx)
	if err != nil || len(all) == 0 {
		return Worst{}, err
	}
	all = append(all, h.patterns(max(n[0]-len(all), 0))...)
	for i := range all {
		if err := h.try(ctx, &all[i], stages[0].rounds); err != nil {
			return Worst{}, err
		}
	}
	for k := range n[1] {
		// Those named first are likely to be bad; then those of which least is carried.
		figure := func(t *traffic) float64 { return t.lo }
		if k < n[1]/2 {
			figure = func(*traffic) float64 { return 0 }
		}
		if err := h.try(ctx, h.suspect(all, 1, figure), stages[1].rounds); err != nil {
			return Worst{}, err
		}
	}
	for range n[2] {
		t := h.suspect(all, 2, func(t *traffic) float64 { return t.lo * t.hi })
		if t == nil || h.over() {
			break
		}
		if err := h.try(ctx, t, stages[2].rounds); err != nil {
			return Worst{}, err
		}
		next, err := h.longest(ctx, t.lengths, "longest matching under the prices of "+t.root)
		if err != nil {
			return Worst{}, err
		}
		if next.root = t.root; next.hi < t.hi*(1-slack) {
			next.lo, next.stage = t.lo, 2 // it is not likely to get much less
			h.note(next)
			all = append(all, *next)
		}
	}
	return h.best, nil
}

// suspect is the traffic with the least figure of those that have been through a stage and not through the next, and
// may be worse than the worst so far; nil if there is none.
func (h *hunt) suspect(all []traffic, stage int, figure func(t *traffic) float64) (t *traffic) {
	for i := range all {
		if q := &all[i]; q.stage == stage && q.lo < h.best.Hi && (t == nil || figure(q) < figure(t)) {
			t = q
		}
	}
	return t
}
