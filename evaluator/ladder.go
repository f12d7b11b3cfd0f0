package evaluator

import (
	"context"
	"fmt"
	"slices"

	"toposearch/evaluator/metric"
	"toposearch/internal/crew"
	"toposearch/topology"
)

// groups is the ladder, in the order in which metrics are computed: later groups use what
// earlier ones left in work.
var groups = []group{
	countGroup, jobsGroup, planGroup, uptimeGroup, rackCablesGroup, distanceGroup, diameterGroup, mooreGroup, vcGroup, fixedGroup, tableGroup, latencyGroup,
	throughputGroup, optimalGroup, bisectionGroup, failGroup, routesGroup, disjointGroup, tubGroup, worstGroup, adaptiveGroup, lashGroup, dfssspGroup, afterFailureGroup,
	allreduceGroup, alltoallGroup, stepGroup, moneyGroup, bandwidthGroup, failThroughputGroup, efficiencyGroup, growthGroup,
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

// later are the metrics that no method of the ladder computes, and who does.
var later = map[metric.Key]string{
	metric.SimSaturation:      "measured by simulation, where it is asked for by name",
	metric.SimLatencyHalfLoad: "measured by simulation, where it is asked for by name",
}

// Evaluate computes the metrics that req asks for. The error is for designs that do not exist
// (topology.ErrInfeasible) and for cancellation; everything else is in the result.
func (e *Evaluator) Evaluate(ctx context.Context, d topology.Design, req Request) (*Result, error) {
	if ns, _ := d.WireTakes(); ns < slowWireNs {
		return e.evaluate(ctx, d, req)
	}
	done := make(chan func() (*Result, error), 1)
	crew.Detach(func() {
		res, err := e.evaluate(ctx, d, req)
		done <- func() (*Result, error) { return res, err }
	}, func(fault error) { done <- func() (*Result, error) { panic(fault) } })
	select {
	case result := <-done:
		return result()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// slowWireNs is the cost of drawing the links of a design from which on its evaluation is left behind when it is cancelled:
// constructions know no context.
const slowWireNs = 5e8

func (e *Evaluator) evaluate(ctx context.Context, d topology.Design, req Request) (res *Result, err error) {
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
	w.ask(ladder, &asked)
	for i := range ladder {
		g := &ladder[i]
		wanted, byName := false, false
		w.upTo = w.req.Level
		for _, k := range g.keys {
			if slices.Contains(w.req.Wished, k) {
				wanted, w.upTo = true, max(w.upTo, metric.Keys[k].Level)
			}
			wanted = wanted || asked[k] || metric.Keys[k].Level <= w.req.Level || metric.Keys[k].Level == 0
			byName = byName || asked[k]
		}
		for m := range g.methods {
			wanted = wanted || g.methods[m].level <= w.req.Level
		}
		if g.keys[0] == metric.VCsAdaptive && (w.mayDetour() || w.mayTable()) {
			if done, err := w.settle(g, budget); err != nil {
				return err
			} else if done {
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
	if err := w.wishUptime(budget); err != nil {
		return err
	}
	w.unpretend()
	for k := range metric.Count {
		if why, ok := later[k]; ok && !w.res.Have[k] {
			w.absent(k, why)
		} else if !w.res.Have[k] && w.res.Absent[k] == "" {
			w.absent(k, "not computed")
		}
	}
	w.routing()
	switch {
	case !w.settled():
		w.unsettle()
	case w.e.usesOwn():
		w.res.Unfit = w.unfitText()
		w.rejectUnfit()
	}
	w.note()
	return nil
}
