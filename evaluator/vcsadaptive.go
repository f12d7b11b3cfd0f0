package evaluator

import (
	"errors"
	"fmt"
	"slices"

	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/topology"
)

// vcs_adaptive: Valiant's routing and UGAL make two phases, to a random intermediate and on from there,
// each with VCs of its own. Both legs are walked from wherever they can start.
var adaptiveGroup = group{keys: []metric.Key{metric.VCsAdaptive}, after: []metric.Key{metric.VCsMinimal}, methods: []method{
	{name: "no channels", level: 1, applies: func(w *work) string {
		switch {
		case w.size.SwitchLinks() > 0 || w.e.scaled(w.d.Family):
			return "switches are linked"
		case w.size.EmbeddedSwitches() > 0 && w.size.EndpointPorts > 1:
			return "endpoints relay from port to port"
		}
		return ""
	}, run: func(w *work) error {
		w.exact(metric.VCsAdaptive, 1, "no link joins two switches: no packet holds a channel and waits for another")
		return nil
	}},
	{name: "two natural routes", level: 1, applies: func(w *work) string {
		switch {
		case !w.res.Have[metric.VCsMinimal]:
			return w.res.Absent[metric.VCsMinimal]
		case w.size.EndpointPorts > 1 && w.d.Family.LinkClasses[0].Name != topology.ClassInternal:
			return "endpoints have several ports: the second leg starts at any of the intermediate's, not at the nearest"
		case w.e.scaled(w.d.Family) && w.natural.HopVCs:
			return "VCs count the hops of scale-up domains, too, and the second leg starts at any switch of the intermediate's domain"
		}
		return ""
	}, run: func(w *work) error {
		f := w.res.Metrics[metric.VCsMinimal]
		w.between(metric.VCsAdaptive, 2*f.Value, 2*f.Lo, 2*f.Hi, "two phases through a random intermediate switch (Valiant, UGAL), in VCs one above the other; "+
			"endpoints have one port on the network, so that both legs are natural routes in it: "+f.Method)
		return nil
	}},
	{name: "dependency graph of both legs", level: 2, built: true, bytes: waitingBytes, applies: func(w *work) string {
		switch {
		case !w.res.Have[metric.VCsMinimal]:
			return w.res.Absent[metric.VCsMinimal]
		case w.vertices() > routing.MaxCheckedSwitches:
			return fmt.Sprintf("legs by way of an intermediate are walked up to %d switches", routing.MaxCheckedSwitches)
		}
		return ""
	}, cost: func(w *work) float64 { return 3 * legsNs(w) }, run: func(w *work) error {
		return w.setAdaptive(w.net, w.natural, "of this network")
	}},
	{name: "dependency graph of both legs of a small sibling", level: 1, applies: func(w *work) string {
		switch {
		case !w.res.Have[metric.VCsMinimal]:
			return w.res.Absent[metric.VCsMinimal]
		case w.natural.HopVCs || w.e.scaled(w.d.Family):
			return fmt.Sprintf("legs by way of an intermediate have to be walked: level 2, up to %d switches",
				routing.MaxCheckedSwitches)
		}
		return ""
	}, run: runSiblingAdaptive},
}}

func (w *work) setAdaptive(n *topology.Network, rule topology.Rule, of string) error {
	vcs, text, err := w.adaptiveVCs(n, rule)
	switch {
	case err != nil:
		return err
	case vcs == 0:
		w.absent(metric.VCsAdaptive, text)
	default:
		w.exact(metric.VCsAdaptive, float64(vcs), text+", "+of)
	}
	return nil
}

// adaptiveVCs is the number for a network and the words of its proof, or 0 and why there is none.
func (w *work) adaptiveVCs(n *topology.Network, rule topology.Rule) (vcs int, text string, err error) {
	r, err := routing.New(n, rule)
	if err != nil {
		return 0, "", err
	}
	vcs, cycle, err := r.TwoPhaseVCs(w.ctx)
	switch {
	case errors.Is(err, routing.ErrNoIntermediate):
		return 0, "no switch with endpoints can be an intermediate: from none do natural routes lead to all others", nil
	case err != nil:
		return 0, "", err
	case cycle != nil:
		rep := routing.DeadlockReport{Proven: true, Cycle: cycle}
		return 0, "routes by way of an intermediate: " + rep.Words(n), nil
	}
	how := "channel-dependency graph of each leg"
	if rule.HopVCs {
		how = "one VC per hop of the longest leg"
	}
	return vcs, fmt.Sprintf("two phases through a random intermediate (Valiant, UGAL), in VCs one above the other: rule %s, %s", rule.Name, how), nil
}

// runSiblingAdaptive checks the legs where runSiblingVCs checks the routes.
func runSiblingAdaptive(w *work) error {
	key := proofKey{w.d.Base().Family, w.size.EndpointPorts, fmt.Sprint(w.natural)} // scale-up domains aside
	q, err := key.known(func() (proof, error) { return w.siblingAdaptive(key.family) })
	if err != nil {
		return err
	}
	if q.vcs == 0 {
		w.absent(metric.VCsAdaptive, q.text)
		return nil
	}
	w.exact(metric.VCsAdaptive, float64(q.vcs), q.text)
	return nil
}

func (w *work) siblingAdaptive(f *topology.Family) (proof, error) {
	v, ok := sibling(f, w.natural, w.size.EndpointPorts)
	if !ok {
		return proof{text: "no small sibling has the same rule and as many ports to an endpoint: level 2 walks the network"}, nil
	}
	s := topology.Design{Family: f, V: v}
	n, err := s.Build()
	if err != nil {
		return proof{}, err
	}
	vcs, text, err := w.adaptiveVCs(n, w.natural)
	return proof{ok: vcs > 0, vcs: vcs, text: fmt.Sprintf("%s, of the sibling %s", text, s)}, err
}

// vcs_after_failure: every failure is a network of its own, whose routes are walked anew.

// mostFailureNs is the time beyond which failures are not looked at even if asked for: ten minutes.
const mostFailureNs = 600e9

var afterFailureGroup = group{keys: []metric.Key{metric.VCsAfterFailure}, after: []metric.Key{metric.VCsMinimal}, methods: []method{
	{name: "every single failure", level: 2, built: true, bytes: waitingBytes, applies: func(w *work) string {
		switch ns := failureNs(w); {
		case !slices.Contains(w.req.Keys, metric.VCsAfterFailure):
			return "not asked for by name: every failure is a network of its own"
		case w.d.Family.Unidirectional:
			return "failures of channels without a partner are not looked at"
		case !w.res.Have[metric.VCsMinimal]:
			return w.res.Absent[metric.VCsMinimal]
		case w.vertices() > routing.MaxCheckedSwitches:
			return fmt.Sprintf("the routes of up to %d switches are walked", routing.MaxCheckedSwitches)
		case ns > mostFailureNs:
			return fmt.Sprintf("every single failure takes about %s; up to %s are spent", seconds(ns), seconds(mostFailureNs))
		}
		return ""
	}, cost: failureNs, usual: (*work).usualFailureNs, run: runAfterFailure},
}}

// failureNs is the cost of two walks after each failure.
func failureNs(w *work) float64 { return (w.channels()/2 + w.vertices()) * 2 * legsNs(w) }

func runAfterFailure(w *work) error {
	f, err := routing.VCsAfterFailure(w.ctx, w.net, w.natural)
	if err != nil {
		return err
	}
	by := "by the channel-dependency graph"
	if w.natural.HopVCs {
		by = "one VC per hop"
	}
	text := fmt.Sprintf("natural routing (%s) after each of %d failures of a link or a switch, one at a time, %s", w.natural.Name, f.Failures, by)
	if f.Rerouted > 0 {
		text += fmt.Sprintf("; after %d of them (%s first) it leaves connected pairs without a route or has a cycle: then shortest paths, one VC per hop", f.Rerouted, f.First)
	}
	if slices.ContainsFunc(w.net.LinkClasses, func(c topology.LinkClass) bool { return topology.IsScaleup(c.Name) }) && (f.Rerouted > 0 || w.natural.HopVCs) {
		text += ", hops of scale-up domains included"
	}
	w.exact(metric.VCsAfterFailure, float64(f.VCs), text+"; pairs that a failure parts do not count")
	return nil
}
