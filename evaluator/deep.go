package evaluator

import (
	"fmt"
	"math"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Searches between all take as many steps as the network is deep, which no count tells: models assume four. Where metrics of levels 0 and 1
// alone are asked for by name, what turns out to take long leaves them to the method behind it, which encloses them.

// deepMostNs is what a search between all may take by the depth of the network: its model is good to a factor of two, and what takes half a
// second stays exact.
const deepMostNs = 8e8

// tooDeep tells whether a search from so many places takes too long for what is asked: its first switch tells how deep it is.
func (w *work) tooDeep(step string, from float64) error {
	if !w.brisk() || !w.rule().Free() || w.net.Unidirectional {
		return nil
	}
	levels, _, connected, err := w.net.DiameterWithin(w.ctx, 1)
	if err != nil || !connected {
		return err
	}
	if ns := math.Ceil(from/256) * float64(levels) * w.levelNs(); ns > math.Max(deepMostNs, w.patienceNs()) {
		return tooLong(fmt.Sprintf("%s takes about %s", step, seconds(ns)))
	}
	return nil
}

// levelNs is a step of a search from 256 places: what four words of bits take at each switch, and twice more where a second search goes without
// nic links (measured on DCells and random graphs of 10,000 to 60,000 switches).
func (w *work) levelNs() float64 {
	each := 20.0
	if w.net.LinkClasses[0].Name == topology.ClassInternal {
		each = 60
	}
	return 1.3*w.channels() + each*w.vertices()
}

// brisk tells whether metrics of levels 0 and 1 alone are asked for, and the one under way by name: what higher levels compute, and the budgets
// that they share, stay as they are. Bounds of uniform_throughput and of the bisection (Request.Enclosed) take no longer.
func (w *work) brisk() bool {
	if w.how != named || w.req.Level > 1 {
		return false
	}
	for _, keys := range [][]metric.Key{w.req.Keys, w.req.Wished} {
		for _, k := range keys {
			if metric.Keys[k].Level > 1 && !(w.req.Enclosed && (k == metric.UniformThroughput || k == metric.Bisection)) {
				return false
			}
		}
	}
	return true
}

// patienceNs is the time of a method that the request allows: the default is of levels above 1, and says nothing of these.
func (w *work) patienceNs() float64 {
	if w.req.BudgetNs > defaultBudgetNs {
		return w.req.BudgetNs
	}
	return 0
}

// networkMostNs is what drawing the links of a network and joining its switches may take where metrics of levels 0 and 1 alone are asked for: the
// other half of a second is for what is computed on it.
const networkMostNs = 5e8

// undrawn is why the links of the design are not drawn and what hangs on them is enclosed (Request.Enclosed), "" if that is not so.
func (w *work) undrawn() string {
	if w.net != nil || !w.req.Enclosed {
		return ""
	}
	switch ns, _ := w.d.WireTakes(); {
	case w.how == unnamed:
		return w.wired()
	case !w.brisk():
	case ns < slowDrawNs: // drawn as they are laid
	case ns+w.buildNs() > max(networkMostNs, w.patienceNs()):
		return fmt.Sprintf("the network takes about %s to make: ask for level 2", seconds(ns+w.buildNs()))
	}
	return ""
}
