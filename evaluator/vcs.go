package evaluator

import (
	"context"
	"fmt"
	"sync"

	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/topology"
)

var vcGroup = group{
	keys:  []metric.Key{metric.VCsMinimal},
	after: []metric.Key{metric.MaxHops},
	methods: []method{
		{name: "one VC per hop", level: 1, applies: func(w *work) string {
			switch {
			case !w.natural.HopVCs:
				return "the rule names its VCs"
			case w.dist == nil:
				return w.res.Absent[metric.MaxHops]
			}
			return ""
		}, run: func(w *work) error {
			n, most := w.dist.MaxLinks, int(w.res.Metrics[metric.MaxPathLinks].Hi)
			if w.d.Family.LinkClasses[0].Name != topology.ClassInternal && !w.e.scaled(w.d.Family) {
				n, most = n-2, most-2
			}
			if w.drawn.any() {
				w.between(metric.VCsMinimal, float64(max(n, 1)), float64(max(n, 1)), float64(max(most, 1)),
					"one VC per hop of the longest shortest route found from endpoints drawn; none is longer than hi: dependencies only go to higher VCs (Günther 1981)")
				return nil
			}
			w.exact(metric.VCsMinimal, float64(max(n, 1)), "one VC per hop of the longest shortest route: dependencies only go to higher VCs (Günther 1981)")
			return nil
		}},
		{name: "channel-dependency graph of the network", level: 2, built: true, bytes: waitingBytes, applies: func(w *work) string {
			if w.vertices() > routing.MaxCheckedSwitches {
				return "too many switches to walk"
			}
			return ""
		}, cost: func(w *work) float64 {
			return legsNs(w)
		}, run: runCheckedVCs},
		{name: "channel-dependency graph of a small sibling", level: 1, applies: func(w *work) string {
			if w.natural.HopVCs {
				return "VCs count hops, and the longest route is not known: " + w.res.Absent[metric.MaxHops]
			}
			return ""
		}, run: runSiblingVCs},
	},
}

// legsNs is the cost of a walk per destination over all routes to it.
func legsNs(w *work) float64 {
	return w.sets()*3*(w.channels()+w.vertices())*float64(max(w.natural.States, 1)) + w.compileNs()
}

func runCheckedVCs(w *work) error {
	rep, err := routing.CheckDeadlock(w.ctx, w.net, w.natural, 0)
	if err != nil {
		return err
	}
	if !rep.Acyclic || !rep.Proven {
		w.absent(metric.VCsMinimal, rep.Words(w.net))
		return nil
	}
	text := fmt.Sprintf("rule %s: %s, of this network", w.natural.Name, rep.Method)
	if w.e.scaled(w.d.Family) {
		text += besideScaleup
	}
	w.exact(metric.VCsMinimal, float64(w.net.NetworkVCs(w.natural)), text)
	return nil
}

const besideScaleup = "; scale-up links, before and after the network, have VCs of their own"

// proof is the outcome of a check on a sibling.
type proof struct {
	ok   bool
	vcs  int // of both legs of a way by an intermediate; 0 if these were not walked
	text string
}

// proofs are those of the process: facts of constructions, whatever the options of the evaluator.
var proofs sync.Map

// proofKey is what a proof depends on, ports being those of an endpoint if both legs were walked.
type proofKey struct {
	family *topology.Family
	ports  int32
	rule   string
}

// known is the proof, made once. That of a network from a file, which has no parameters, is not kept: it would keep the network.
func (k proofKey) known(prove func() (proof, error)) (proof, error) {
	if p, ok := proofs.Load(k); ok {
		return p.(proof), nil
	}
	p, err := prove()
	if err == nil && len(k.family.Params) > 0 {
		proofs.Store(k, p)
	}
	return p, err
}

// siblingSwitches and siblingSets bound the sibling on which a rule is checked: large enough to
// hold every kind of route, small enough to be walked in milliseconds.
const (
	siblingSwitches  = 400
	siblingEndpoints = 1500
)

// runSiblingVCs checks the rule on the largest small design of the family that has the same
// rule. Whether channels wait for each other in a circle depends on the kinds of routes that the
// construction has, not on how often it repeats them.
func runSiblingVCs(w *work) error {
	rule, aside := w.natural, ""
	if w.e.scaled(w.d.Family) {
		// Every dependency of domains leads forwards (topology.Domain.Rule): a cycle is one of the network.
		rule, aside = w.d.Family.Natural(w.d.V), besideScaleup
	}
	d := w.d.Base() // scale-up domains aside
	q, err := proofKey{family: d.Family, rule: fmt.Sprint(rule)}.known(func() (proof, error) { return proveSibling(w.ctx, d, rule) })
	if err != nil {
		return err
	}
	if !q.ok {
		w.absent(metric.VCsMinimal, q.text)
		return nil
	}
	w.exact(metric.VCsMinimal, float64(rule.VCs()), q.text+aside)
	return nil
}

func proveSibling(ctx context.Context, d topology.Design, rule topology.Rule) (proof, error) {
	claim := ""
	if d.Family.VCReason != "" {
		claim = ": " + d.Family.VCReason
	}
	v, ok := sibling(d.Family, rule, 0)
	if !ok {
		return proof{ok: true, text: fmt.Sprintf("rule %s, claimed and not checked here%s", rule.Name, claim)}, nil
	}
	s := topology.Design{Family: d.Family, V: v}
	n, err := s.Build()
	if err != nil {
		return proof{}, err
	}
	rep, err := routing.CheckDeadlock(ctx, n, rule, 0)
	if err != nil {
		return proof{}, err
	}
	if !rep.Proven || !rep.Acyclic {
		return proof{text: fmt.Sprintf("%s: %s", s, rep.Words(n))}, nil
	}
	return proof{ok: true, text: fmt.Sprintf("rule %s: %s, of the sibling %s%s", rule.Name, rep.Method, s, claim)}, nil
}

// sibling finds the largest design of the family, in a small grid above the least values, that
// has the same rule and is small, with as many ports to an endpoint if ports is not 0. The same rule always gives
// the same sibling.
func sibling(f *topology.Family, rule topology.Rule, ports int32) ([]int, bool) {
	want := fmt.Sprint(rule)
	v := make([]int, len(f.Params))
	var best []int
	var most int64
	tried := 0
	var s topology.Size
	var fill func(i int)
	fill = func(i int) {
		if tried > 20000 {
			return
		}
		if i == len(v) {
			tried++
			if f.Size(v, &s) != nil || s.AllSwitches() > siblingSwitches || s.Endpoints > siblingEndpoints || s.Endpoints < 2 ||
				ports != 0 && int32(s.EndpointPorts) != ports {
				return
			}
			if k := s.AllSwitches() + s.Endpoints; k > most && (f.Natural == nil || fmt.Sprint(f.Natural(v)) == want) {
				best, most = append(best[:0], v...), k
			}
			return
		}
		p := &f.Params[i]
		ratios := 0 // before it: they stay at their defaults and count for nothing
		for k := range i {
			if f.Params[k].Divides != "" {
				ratios++
			}
		}
		if p.Default != nil && p.Choices == nil && (i-ratios >= 3 || p.Divides != "") {
			v[i] = p.Default(v)
			fill(i + 1)
			return
		}
		for x := p.Min; x <= min(p.Max, p.Min+7); x++ {
			v[i] = x
			fill(i + 1)
		}
	}
	fill(0)
	return best, most > 0
}
