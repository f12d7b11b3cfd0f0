package evaluator

import (
	"errors"
	"fmt"
	"math"

	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/topology"
)

// failThroughputGroup is the uniform throughput after the single failure that costs most of it.
var failThroughputGroup = group{keys: []metric.Key{metric.UniformThroughputFail}, after: []metric.Key{metric.UniformThroughput}, methods: []method{
	{name: "loads after every single failure", level: 2, built: true, applies: func(w *work) string {
		switch {
		case !w.res.Have[metric.UniformThroughput]:
			return "needs uniform_throughput: " + w.res.Absent[metric.UniformThroughput]
		case w.size.Switches() == 0 && w.size.SwitchLinks() == 0:
			return "there is no switch and no link between switches"
		case w.d.Family.Unidirectional:
			return "channels lead one way"
		case w.byTables() || w.routing().Tables:
			return "one path for each pair: no tables are made of what failures leave"
		}
		return ""
	}, cost: func(w *work) float64 {
		each := w.failLoads()*w.sets()*3*(w.channels()+w.vertices())*float64(max(w.rule().States, 1)) + w.compileNs() + w.buildNs()
		if o := w.alike(); o != nil {
			return float64(len(o)+len(w.d.Family.LinkClasses)) * each
		}
		return float64(w.size.Switches()+w.size.SwitchLinks()) * each
	}, usual: (*work).usualFailThroughputNs, run: runFailThroughput},
}}

// alike are the orbits of switches where the family claims that the links of a class are alike too; else nil.
func (w *work) alike() []topology.Orbit {
	o := w.symmetry()
	if !o.EvenLinks {
		return nil
	}
	return o.Switches
}

// singleFailures are the failures that are tried: of every switch and every link between switches or, where the family
// claims that they are alike, of one of each sort.
func (w *work) singleFailures() (out []topology.Failures, text string) {
	n := w.net
	boxes, claimed := w.failing(w.alike())
	for _, o := range boxes {
		out = append(out, topology.Failures{Switches: []topology.SwitchID{topology.SwitchID(o.Rep)}})
	}
	var seen [topology.MaxClasses]bool
	for _, c := range n.Cables() {
		class := n.LinkClass(c)
		if topology.IsScaleup(n.LinkClasses[class].Name) || claimed && seen[class] {
			continue
		}
		seen[class] = true
		out = append(out, topology.Failures{Links: []topology.ChannelID{c}})
	}
	if claimed {
		return out, "one of each claimed orbit of switches and links"
	}
	return out, "every switch and link by itself"
}

// runFailThroughput computes the loads of what each failure leaves, over the same routing where that still reaches all
// and over shortest paths elsewhere. Failures that leave endpoints apart are those that stop a job (mtbf).
func runFailThroughput(w *work) error {
	failures, text := w.singleFailures()
	least, worst, stop := math.Inf(1), "", 0
	for i := range failures {
		left, err := w.net.Without(&failures[i])
		if err != nil {
			return err
		}
		if routing.Disconnected(left).Pairs > 0 {
			stop++
			continue
		}
		x, how, err := w.throughputOf(left)
		if err != nil {
			return err
		}
		if x < 0 {
			w.absent(metric.UniformThroughputFail, how)
			return nil
		}
		if x < least {
			least, worst = x, routing.FailureName(w.net, &failures[i])+how
		}
	}
	switch {
	case stop == len(failures):
		w.absent(metric.UniformThroughputFail, "every failure of a switch or link between switches leaves endpoints apart")
		return nil
	case math.IsInf(least, 1):
		w.exact(metric.UniformThroughputFail, 1, insideSwitches)
		return nil
	}
	value, lo, hi := least, least, least
	by := w.routingText()
	if w.routing().Detours && !w.routing().Always { // what goes directly is another part after each failure
		by = w.splitText()
	}
	if w.routing().Single && w.hashes != nil { // what is left deals out as many flows over nearly as many channels
		lo, value, hi = 0, least*w.hashes.part, max(least, w.hashes.most) // and has less capacity
		if w.hashes.sure {
			by += " (around a failure one may have a choice: lo 0)"
		}
	}
	w.between(metric.UniformThroughputFail, value, lo, hi, fmt.Sprintf("%s, loads after %s; worst: %s; %d of the %d failures %s",
		by, text, worst, stop, len(failures), map[bool]string{true: "leaves endpoints apart and stops a job", false: "leave endpoints apart and stop a job"}[stop == 1]))
	return nil
}

// throughputOf is the uniform throughput of what is left; below 0, how says why there is none.
func (w *work) throughputOf(left *topology.Network) (x float64, how string, err error) {
	rule := w.rule()
	l, err := routing.UniformLoads(w.ctx, left, rule, routing.LoadOptions{Workers: w.e.opt.Workers})
	if err != nil {
		return 0, "", err
	}
	if l.UnreachablePairs > 0 && w.routing().Detours && !w.e.scaled(w.d.Family) { // where it reaches all, both legs of detours are uniform traffic, which loads every channel more
		if x, how, err = w.detouredOf(left, rule); x > 0 || err != nil {
			return x, how, err
		}
	}
	if l.UnreachablePairs > 0 {
		how, rule = ", over shortest paths, since its own routes do not reach all", topology.Minimal()
		if l, err = routing.UniformLoads(w.ctx, left, rule, routing.LoadOptions{Workers: w.e.opt.Workers}); err != nil {
			return 0, "", err
		}
	}
	if !l.Exact {
		return -1, "channels of a kind are not equally loaded: " + l.Method, nil
	}
	limit := w.loadLimitIn(left, l)
	if !limit.Limited {
		return math.Inf(1), how, nil
	}
	times, ok := w.phases(w.routing())
	if !ok || w.routing().Always && left.Endpoints() < w.net.Endpoints() {
		limit, err = w.aroundLimit(left, rule, limit)
		if much := (routing.TooManyTurns{}); errors.Is(err, errNoLegs) || errors.As(err, &much) {
			return -1, "after a failure: " + err.Error(), nil
		}
		return limit.Throughput, how, err
	}
	return limit.Throughput / times, how, nil
}

// detouredOf is the uniform throughput of what is left where packets may make detours: pairs that the rule misses do, others by the best split, or all. 0: that is not known, or nothing joins a pair, so
// that all take shortest paths (route.Native.Rerouted).
func (w *work) detouredOf(left *topology.Network, rule topology.Rule) (x float64, how string, err error) {
	r, err := routing.New(left, rule)
	if err != nil {
		return 0, "", err
	}
	a, err := r.Around(w.ctx)
	if a == nil || err != nil {
		return 0, "", err
	}
	if a.Missed > 0 {
		how = fmt.Sprintf(", with detours of %d pairs of switches that the rule does not reach", a.Missed)
	}
	classes := w.classIn(left)
	relative := func(flows []routing.Flow) ([]float64, error) {
		l, err := r.FlowLoads(w.ctx, flows, routing.LoadOptions{Workers: w.e.opt.Workers})
		if err != nil {
			return nil, err
		}
		return l.Relative(left, func(link int) float64 { return classes[link].gbps / w.rates.Bandwidth }), nil
	}
	detours, err := relative(a.Detours)
	if err != nil {
		return 0, "", err
	}
	direct := detours
	if !w.routing().Always {
		if direct, err = relative(a.Direct); err != nil {
			return 0, "", err
		}
	}
	split := routing.BestSplit(direct, detours)
	if !w.routing().Always && split.Direct < 1 {
		how += fmt.Sprintf(" and of %.3g %% of what others send", 100*(1-split.Direct))
	}
	return split.Throughput, how, nil
}

// failLoads are the sweeps for each failure: of direct routes and, where these miss pairs, which all shortest paths never do, what the rule reaches and the loads of detours.
func (w *work) failLoads() float64 {
	switch {
	case w.rule().HopVCs:
		return 1
	case w.e.opt.mayDivide(w.d.Family):
		return 3
	case w.mayDetour() || len(w.algorithms) == 0 && w.e.opt.asked().Detours:
		return 2
	}
	return 1
}

// usualFailThroughputNs: for each failure tables towards all endpoints, whose sweeps go through the states of the rule, and the network that is left.
func (w *work) usualFailThroughputNs() float64 {
	failures := float64(w.size.Switches() + w.size.SwitchLinks())
	if o := w.alike(); o != nil {
		failures = float64(len(o))
		for c := 1; c < len(w.d.Family.LinkClasses); c++ {
			if w.size.Link[c] > 0 {
				failures++
			}
		}
	}
	return failures * w.arcs() * (w.failLoads()*w.attached()*(7+0.67*float64(max(w.rule().States, 1))) + 450)
}
