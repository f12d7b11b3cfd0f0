package evaluator

import (
	"fmt"

	"toposearch/evaluator/metric"
)

// worst_throughput without the network: from the closed form of uniform traffic and, where the family has it, that of what
// the worst traffic of natural routes loads channels with (topology.WorstLoads). It is decided class by class of links. Detours load
// channels as uniform traffic does, so that a channel on which these and a traffic that was found are both heavy
// cannot be relieved by any split of the two: the bounds of it meet in most networks.
var (
	// worstExact is used instead of any method that searches.
	worstExact = method{name: "closed form of the worst traffic", level: 1, applies: func(w *work) string {
		if s := closedWorstApplies(w); s != "" {
			return s
		}
		c := w.closedWorst()
		if c.iv.Hi == 0 {
			return "no closed form of the hops of shortest paths"
		}
		if c.iv.Lo < c.iv.Hi*(1-same) || c.rival > c.iv.Lo*(1+same) {
			if c.iv.Lo > 0 && w.e.opt.EncloseWorst && w.req.Level < 2 && w.searchNs() > worstSearchNs {
				return "" // of many designs compared, as in a study, an interval that is certified does
			}
			return "the closed form only encloses it"
		}
		return ""
	}, cost: func(w *work) float64 {
		if w.countsToo() {
			return w.buildNs() + w.countedNs()
		}
		return 0
	}, run: func(w *work) error {
		if !w.countsToo() {
			return runClosedWorst(w)
		}
		if err := w.build(); err != nil {
			return err
		}
		return w.countWorst(0, "")
	}}
	// worstEnclosed is for levels and budgets that hold no search.
	worstEnclosed = method{name: "closed bounds of the worst traffic", level: 1, applies: func(w *work) string {
		if s := closedWorstApplies(w); s != "" {
			return s
		}
		if c := w.closedWorst(); c.iv.Lo == 0 { // which would be read as the figure
			return "no closed form bounds it from below: ask for it by name"
		}
		return ""
	}, run: runClosedWorst}
)

// countsToo tells whether what closed forms only enclose is counted, too, where many designs are compared: if that takes no longer than a search
// might.
func (w *work) countsToo() bool {
	c := w.closedWorst()
	return c.iv.Lo < c.iv.Hi*(1-same) && w.e.opt.EncloseWorst && w.worstDecides() && worstCounted.applies(w) == "" && w.buildNs()+w.countedNs() <= worstSearchNs
}

func runClosedWorst(w *work) error {
	c := w.closedWorst()
	what := "best possible routing"
	if w.e.usesOwn() {
		w.choose(c.of)
		w.setThroughput(w.limit, w.limitText)
		what = fmt.Sprintf("routing %s (%s)", c.of.Name, w.rule().Name)
	}
	w.between(metric.WorstThroughput, c.iv.Lo, c.iv.Lo, c.iv.Hi, what+", any traffic, in closed form: "+c.text)
	return nil
}
