package evaluator

import (
	"context"
	"fmt"
	"slices"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/crew"
	"toposearch/topology"
)

// groups is the ladder, in the order in which metrics are computed: later groups use what
// earlier ones left in work.
var groups = []group{
	countGroup, planGroup, uptimeGroup, rackCablesGroup, distanceGroup, diameterGroup, mooreGroup, vcGroup, fixedGroup, tableGroup, latencyGroup,
	throughputGroup, optimalGroup, bisectionGroup, failGroup, routesGroup, disjointGroup, tubGroup, worstGroup, adaptiveGroup, lashGroup, dfssspGroup, afterFailureGroup,
	trainingGroup, moneyGroup, bandwidthGroup, failThroughputGroup, efficiencyGroup,
}

// routedGroups are the groups where throughput is of a routing that is chosen by the VCs it needs: they come first.
var routedGroups = func() []group {
	at := func(gs []group, k metric.Key) int {
		return slices.IndexFunc(gs, func(g group) bool { return g.keys[0] == k })
	}
	from := at(groups, metric.VCsAdaptive)
	out := slices.Delete(slices.Clone(groups), from, from+1)
	return slices.Insert(out, at(out, metric.VCsMinimal)+1, groups[from])
}()

// Later tells why a search cannot have a metric for an objective or a limit yet: no method computes it, or it has no bounds
// of boxes of designs; "" if it can, or the simulator measures it.
func Later(k metric.Key) string {
	if metric.Keys[k].Level == 4 {
		return ""
	}
	if later[k] == needsWorkload {
		return "a search has no bounds of it yet; reports and eval show it of designs of a study with [workload]"
	}
	return later[k]
}

// later are the metrics that no method computes yet, or that no search can be steered by.
var later = map[metric.Key]string{
	metric.AllreduceTime:      needsWorkload,
	metric.AlltoallTime:       needsWorkload,
	metric.StepTime:           needsWorkload,
	metric.Linearity:          needsWorkload,
	metric.SimSaturation:      "measured by simulation, where it is asked for by name",
	metric.SimLatencyHalfLoad: "measured by simulation, where it is asked for by name",
}

// Evaluate computes the metrics that req asks for. The error is for designs that do not exist
// (topology.ErrInfeasible) and for cancellation; everything else is in the result.
func (e *Evaluator) Evaluate(ctx context.Context, d topology.Design, req Request) (res *Result, err error) {
	defer crew.Doing(func() string { return fmt.Sprintf("evaluating %s at level %d", d, req.Level) })
	defer topology.Finish(&err)
	e = e.of(d)
	w := &work{e: e, ctx: ctx, d: d, req: req, res: &Result{Design: d, Absent: map[metric.Key]string{}}}
	if err := d.Family.Size(d.V, &w.res.Size); err != nil {
		return nil, fmt.Errorf("%s: %w", d, err)
	}
	w.size = &w.res.Size
	defer w.done()
	if err := w.climb(); err != nil {
		return nil, err
	}
	return w.res, nil
}

// climb runs the ladder.
func (w *work) climb() error {
	budget := w.req.BudgetNs
	if budget == 0 {
		budget = defaultBudgetNs
	}
	w.prepare()
	var asked [metric.Count]bool
	for _, k := range w.req.Keys {
		asked[k] = true
	}
	ladder := groups
	if w.e.usesOwn() {
		ladder = routedGroups
	}
	for i := len(ladder) - 1; i >= 0; i-- {
		for _, k := range ladder[i].keys {
			for _, need := range ladder[i].after {
				asked[need] = asked[need] || asked[k]
			}
		}
	}
	for i := range ladder {
		g := &ladder[i]
		wanted, byName := false, false
		for _, k := range g.keys {
			wanted = wanted || asked[k] || metric.Keys[k].Level <= w.req.Level || metric.Keys[k].Level == 0
			byName = byName || asked[k]
		}
		for m := range g.methods {
			wanted = wanted || g.methods[m].level <= w.req.Level
		}
		if !byName && g.keys[0] == metric.VCsAdaptive && w.mayDetour() {
			// Of every design, so only what costs little.
			if done, _, err := w.try(g, budget, func(m *method) bool { return m.level <= 1 }, true); done || err != nil {
				if err != nil {
					return err
				}
				continue
			}
		}
		if !wanted {
			for _, k := range g.keys {
				w.absent(k, fmt.Sprintf("not asked for: level %d", metric.Keys[k].Level))
			}
			continue
		}
		if err := w.compute(g, byName, budget); err != nil {
			return err
		}
	}
	for k := range metric.Count {
		if why, ok := later[k]; ok && !w.res.Have[k] && !(w.trains(k) && w.res.Absent[k] != "") {
			w.absent(k, why)
		} else if !w.res.Have[k] && w.res.Absent[k] == "" {
			w.absent(k, "not computed")
		}
	}
	w.routing()
	w.note()
	return nil
}

// compute takes the best method of a group. What was asked for by name is computed by the best
// method of the metric's own level, whatever it takes, and failing that by any.
func (w *work) compute(g *group, byName bool, budget float64) error {
	why := ""
	if byName {
		done, _, err := w.try(g, budget, func(m *method) bool { return m.level <= metric.Keys[g.keys[0]].Level }, true)
		if done || err != nil {
			return err
		}
		if done, why, err = w.try(g, budget, func(*method) bool { return true }, true); done || err != nil {
			return err
		}
	} else {
		var done bool
		var err error
		if done, why, err = w.try(g, budget, func(*method) bool { return true }, false); done || err != nil {
			return err
		}
	}
	for _, k := range g.keys {
		if !w.res.Have[k] {
			w.absent(k, why)
		}
	}
	return nil
}

// try runs the first method of a group that is allowed, applies and fits; why is the reason of
// the last that did not.
func (w *work) try(g *group, budget float64, allowed func(*method) bool, byName bool) (done bool, why string, err error) {
	for i := range g.methods {
		m := &g.methods[i]
		if !allowed(m) {
			continue
		}
		if m.applies != nil {
			if s := m.applies(w); s != "" {
				why = s
				continue
			}
		}
		cost := 0.0
		if m.cost != nil {
			cost = m.cost(w)
		}
		if m.built && w.net == nil {
			cost += w.buildNs()
		}
		bytes := w.bytesOf(m)
		if why = w.tooMuch(m.name, bytes); why == "" { // whatever the time is
			why = w.fits(m, cost, byName, budget)
		}
		if why != "" {
			continue
		}
		if err := w.take(m.name, bytes); err != nil {
			return false, "", err
		}
		if m.built {
			if err := w.build(); err != nil {
				why = err.Error()
				continue
			}
		}
		if m.level > 1 || cost > quickNs {
			w.spent += cost
		}
		if err := m.run(w); err != nil {
			return false, "", err
		}
		return true, "", w.ctx.Err()
	}
	return false, why, nil
}

// bytesOf predicts the memory that a method takes.
func (w *work) bytesOf(m *method) float64 {
	bytes := 0.0
	switch {
	case m.bytes != nil:
		bytes = m.bytes(w)
	case m.built:
		bytes = graphBytes(w)
	}
	if m.built { // two thirds of what it takes to make the network stay
		network := w.networkBytes()
		bytes = max(network, bytes+0.7*network)
	}
	return bytes
}

// fits tells whether a method of that cost may run: "" or why not.
func (w *work) fits(m *method, cost float64, byName bool, budget float64) string {
	quick := m.quick
	if quick == 0 {
		quick = quickNs
	}
	switch {
	case byName:
		return ""
	case (m.built && w.net == nil || m.wires) && w.wired() != "":
		return w.wired()
	case m.level > max(w.req.Level, 0):
		return fmt.Sprintf("not asked for: %s is level %d", m.name, m.level)
	case m.level <= 1 && w.req.Level <= 1 && cost > quick:
		return fmt.Sprintf("%s takes about %s: ask for level 2", m.name, seconds(cost))
	case (m.level > 1 || cost > quick) && w.spent+cost > budget:
		return fmt.Sprintf("%s takes about %s, which the budget of %s does not hold: ask for it by name", m.name, seconds(cost), seconds(budget))
	}
	return ""
}

// prepare finds placement, rates and natural rule.
func (w *work) prepare() {
	f := w.d.Family
	if f.Place != nil {
		w.place, w.placed = f.Place(w.d.V), true
	}
	w.e.market.Rate(w.size, market.BoardSet(w.place.Boards), &w.rates)
	if w.rates.Reject.Constraint != "" {
		w.res.Reject = w.rates.Reject
	}
	w.natural = w.e.opt.Natural(w.d)
}
