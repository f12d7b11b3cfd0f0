package evaluator

import (
	"context"
	"fmt"
	"math"
	"slices"

	"toposearch/evaluator/metric"
	"toposearch/routing"
)

// worst_throughput of the routings that a study names, of which it is then: what the routing carries of the traffic
// that is worst for it, out of all in which no endpoint sends or takes more than its bandwidth.
//
// Natural routes are oblivious, and routing.WorstCase encloses what they carry. Detours make of any traffic twice uniform
// traffic (worst.go). A routing that chooses between the two splits a traffic: with the same part direct whatever the
// traffic is, a channel carries that part of its bound and the rest of its detours at most, which proves lo; hi is the
// best split of the worst traffic found.
var worstRouted = method{name: "worst traffic of the routing", level: 3, built: true, applies: func(w *work) string {
	switch s := worstApplies(w); {
	case !w.e.usesOwn():
		return "no routings are named: it is of the best possible one"
	case s != "":
		return s
	case !w.res.Have[metric.UniformThroughput]:
		return w.res.Absent[metric.UniformThroughput]
	}
	if s := w.enclosed(w.usualRoutedNs()); s != "" {
		return s
	}
	if ns := w.routedNs(); ns > flowMostNs {
		return fmt.Sprintf("following the traffic of every pair takes about %s", seconds(ns))
	}
	return ""
}, cost: (*work).routedNs, usual: (*work).usualRoutedNs, bytes: func(w *work) float64 {
	most := w.routedBytes()
	if w.fillsWorst() { // after it
		most = max(most, routing.FilledBytes(w.sets(), w.channels()))
	}
	return graphBytes(w) + matchingBytes(w) + most
}, run: runWorstRouted}

// worstTraffic is what is known of the worst traffic of direct routes and of their detours, as relative loads.
type worstTraffic struct {
	bound   []float64   // of any traffic on each channel
	single  []float64   // the same where every flow has one path
	found   [][]float64 // of traffics that are bad
	detours []float64   // of any permutation; nil where the ports of endpoints cannot pass anything on
	any     float64     // what no routing carries more of, of the longest matching; infinite where nothing limits any
	anyWhy  string
	router  *routing.Router
}

func runWorstRouted(w *work) error {
	all := w.allowed()
	tables := func(a Algorithm) bool { return a.Tables || w.byTables() }
	var t *worstTraffic
	if i := slices.IndexFunc(all, func(a Algorithm) bool { return !tables(a) }); i >= 0 {
		var err error
		if t, err = w.worstTraffic(w.ctx); err != nil {
			return err
		}
		if math.IsInf(t.any, 1) {
			w.exact(metric.WorstThroughput, 1, insideSwitches)
			return nil
		}
	}
	best, known, why := -1, metric.Interval{}, ""
	for i := range all {
		iv, text, err := metric.Interval{}, "", error(nil)
		if !tables(all[i]) {
			iv, text = t.of(&all[i])
			w.narrowWorst(&all[i], &iv)
		} else if iv, text, err = w.worstOfTables(&all[i]); err != nil {
			return err
		}
		switch { // of equals the one with more of uniform traffic, then the first
		case best < 0, iv.Lo > known.Lo*(1+same):
		case iv.Lo > known.Lo*(1-same) && all[best].Always && !all[i].Always:
		default:
			continue
		}
		best, known, why = i, iv, text
	}
	if err := w.fillWorst(t, &all[best], &known); err != nil {
		return err
	}
	w.choose(all[best])
	over := " (" + w.rule().Name + ")"
	if tables(*w.chosen) || w.chosen.Name == w.rule().Name {
		over = ""
	}
	if w.limit.Limited { // of the routing that is chosen now
		w.setThroughput(w.limit, w.limitText)
	}
	w.between(metric.WorstThroughput, known.Lo, known.Lo, known.Hi, fmt.Sprintf("routing %s%s, any traffic: %s", all[best].Name, over, why))
	return nil
}

// worstTraffic looks for the worst traffic of the direct routes.
func (w *work) worstTraffic(ctx context.Context) (*worstTraffic, error) {
	n, capacity := w.net, w.linkCapacity()
	r, err := routing.New(n, w.rule())
	if err != nil {
		return nil, err
	}
	m, err := w.longestMatching(ctx)
	if err != nil {
		return nil, err
	}
	t := &worstTraffic{any: math.Inf(1), router: r}
	if w.inside(m) { // all on one switch
		return t, nil
	}
	t.any, t.anyWhy = w.carriesAny(m)
	alike := w.alikeLinks()
	worst, err := r.WorstCase(ctx, capacity, false, alike)
	if err != nil {
		return nil, err
	}
	t.bound = worst.Bound
	if worst.Alone != nil {
		t.found = append(t.found, worst.Alone)
	}
	for _, flows := range [][]routing.Flow{worst.Worst, r.Flows(m.To)} {
		if err := w.found(t, flows); err != nil {
			return nil, err
		}
	}
	if slices.ContainsFunc(w.allowed(), func(a Algorithm) bool { return a.Single }) {
		if worst, err = r.WorstCase(ctx, capacity, true, alike); err != nil {
			return nil, err
		}
		t.single = worst.Bound
	}
	if w.severalPorts() || !slices.ContainsFunc(w.allowed(), func(a Algorithm) bool { return a.Detours }) {
		return t, nil
	}
	l, err := r.UniformLoads(ctx, routing.LoadOptions{Workers: w.e.opt.Workers})
	if err != nil {
		return nil, err
	}
	t.detours = routing.Detoured(l.Relative(n, capacity), n.Endpoints())
	return t, nil
}

// alikeLinks is, for each link class, the first of those whose channels are alike; nil: none are known to be. Shortest paths are kept by every automorphism.
func (w *work) alikeLinks() []int {
	if !w.oneForAll() {
		return nil
	}
	y, capacity := w.symmetry(), w.linkCapacity()
	for class, as := range y.Alike {
		if capacity(class) != capacity(as) {
			y.Alike = nil
			break
		}
	}
	if y.Alike == nil && y.EvenLinks {
		for class := range w.net.LinkClasses {
			y.Alike = append(y.Alike, class)
		}
	}
	return y.Alike
}

// found adds what a traffic loads channels with.
func (w *work) found(t *worstTraffic, flows []routing.Flow) error {
	l, err := t.router.FlowLoads(w.ctx, flows, routing.LoadOptions{Workers: w.e.opt.Workers})
	if err != nil {
		return err
	}
	t.found = append(t.found, l.Relative(w.net, w.linkCapacity()))
	return nil
}

// fillsWorst tells whether fillWorst is worth its time.
func (w *work) fillsWorst() bool { return !w.e.opt.EncloseWorst || w.req.Level >= 2 }

// fillWorst narrows what a routing carries by one more traffic, the permutation that fills channel by channel: of what saturates
// in a simulation it is the worst, and some load one channel more than the heaviest matching of the busiest one. It takes as long as the rest of
// the search, which is not spent on each of the many designs of a study.
func (w *work) fillWorst(t *worstTraffic, a *Algorithm, iv *metric.Interval) error {
	if a.Tables || w.byTables() || a.Detours && t.detours == nil || iv.Lo >= iv.Hi*(1-same) || !w.fillsWorst() {
		return nil
	}
	to, err := t.router.FilledPermutation(w.ctx, w.linkCapacity())
	if err != nil || to == nil {
		return err
	}
	if err := w.found(t, t.router.Flows(to)); err != nil {
		return err
	}
	narrow, _ := t.of(a)
	iv.Hi = math.Max(iv.Lo, math.Min(iv.Hi, narrow.Hi))
	return nil
}

// of encloses what a routing carries, and says how it is known.
func (t *worstTraffic) of(a *Algorithm) (iv metric.Interval, text string) {
	least := func(split func(load []float64) float64) (x float64) {
		x = math.Inf(1)
		for _, load := range t.found {
			x = min(x, split(load))
		}
		return x
	}
	whole := func(load []float64) float64 { return 1 / slices.Max(load) }
	switch {
	case a.Single:
		iv = metric.Interval{Lo: whole(t.single), Hi: least(whole)}
		text = "lo counts the whole of a flow on every channel that one of its paths may cross; hi is of a traffic that was found, in the harmonic mean over hash functions"
	case !a.Detours:
		iv = metric.Interval{Lo: whole(t.bound), Hi: least(whole)}
		text = "lo bounds the matching of sources and destinations that is heaviest on each channel (Towles and Dally 2002), hi is of one that was found"
	case t.detours == nil:
		iv.Hi = t.any
		text = "lo 0: endpoints with several ports cannot pass detours on; hi by " + t.anyWhy + ", whatever the routing"
		if !a.Always {
			iv.Lo = whole(t.bound)
			text = "lo without detours, which endpoints with several ports cannot pass on; hi by " + t.anyWhy + ", whatever the routing"
		}
	case a.Always:
		x := whole(t.detours)
		iv, text = metric.Interval{Lo: x, Hi: x}, "detours by way of any endpoint make twice uniform traffic of every permutation, exact"
	default:
		s := routing.BestSplit(t.bound, t.detours)
		iv = metric.Interval{Lo: s.Throughput, Hi: least(func(load []float64) float64 { return routing.BestSplit(load, t.detours).Throughput })}
		text = fmt.Sprintf("split into direct routes and detours, the same part of every flow: lo with %.3g %% direct whatever the traffic is, hi of the worst traffic that was found, split as is best for it", 100*s.Direct)
	}
	if iv.Lo > iv.Hi*(1-same) { // but for rounding
		iv.Lo = iv.Hi
	}
	return iv, text
}
