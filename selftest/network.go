package selftest

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/topology"
)

// graphKeys are figures that do not depend on where racks stand, nor on names.
var graphKeys = []metric.Key{metric.MeanPathLinks, metric.MaxPathLinks, metric.MeanPathSwitches, metric.MeanHops, metric.MaxHops, metric.GraphDiameter,
	metric.UniformThroughput, metric.MeanPathLinksFail, metric.ShortestPaths, metric.VCsMinimal, metric.Radix}

// smallKeys take longer and are compared in small networks only. The bisection is a search there, so that only
// its bounds can be compared.
var smallKeys = []metric.Key{metric.TUB, metric.DisjointPaths, metric.PhysicalPorts}

// network checks a design by its links: figures of the levels beyond 1, and relations. flat is an evaluator with
// a price list in which links cost the same at any length.
func (t *tester) network(ctx context.Context, e, flat *evaluator.Evaluator, rng *rand.Rand) error {
	w, err := takeApart(t.d)
	if err != nil {
		return err
	}
	last := 2
	if w.n.Endpoints() <= mostOptimal {
		last = 3
	}
	r, err := e.Evaluate(ctx, t.d, evaluator.Request{Level: 1})
	for level := 2; err == nil && level <= last; level++ {
		before := r
		if r, err = e.Evaluate(ctx, t.d, evaluator.Request{Level: level}); err == nil {
			t.figures(r)
			t.narrows(before, r)
		}
	}
	if err != nil || r.Reject.Constraint != "" {
		return err // without parts there are no rates, and so no throughputs
	}
	t.bounds(r)
	if err := t.loads(ctx, e, w); err != nil {
		return err
	}
	if err := t.renumbered(ctx, e, w.clone(), rng); err != nil {
		return err
	}
	if err := t.addedLinks(ctx, e, w.clone(), rng); err != nil {
		return err
	}
	if err := t.doubled(ctx, e, w.clone()); err != nil {
		return err
	}
	return t.union(ctx, flat, w)
}

// mostOptimal is the number of endpoints up to which the best routing is computed, too: a concurrent flow,
// whose time grows with the square of the endpoints.
const mostOptimal = 48

// bounds compares throughputs and cuts with one another.
func (t *tester) bounds(r *evaluator.Result) {
	at := func(k metric.Key) (metric.Interval, bool) {
		return metric.Interval{Lo: r.Metrics[k].Lo, Hi: r.Metrics[k].Hi}, r.Have[k]
	}
	natural, known := at(metric.UniformThroughput)
	best, knownBest := at(metric.UniformThroughputOptimal)
	if known && knownBest {
		t.holds(Throughput, natural.Lo <= best.Hi*(1+rounding), "uniform throughput is %.12g under its routing, and at most %.12g under any", natural.Lo, best.Hi)
	}
	worst, knownWorst := at(metric.WorstThroughput)
	if knownBest && knownWorst { // uniform traffic is a mix of permutations
		t.holds(Throughput, worst.Lo <= best.Hi*(1+rounding), "the worst throughput is at least %.12g, uniform traffic has at most %.12g", worst.Lo, best.Hi)
	}
	if tub, ok := at(metric.TUB); ok && knownWorst {
		t.holds(Throughput, worst.Lo <= tub.Hi*(1+rounding), "the worst throughput is at least %.12g, its upper bound is %.12g", worst.Lo, tub.Hi)
	}
	// Over a balanced cut uniform traffic sends, each way, what half of the endpoints send to the other half.
	cut, ok := at(metric.Bisection)
	n := r.Metrics[metric.Endpoints].Value
	half := math.Floor(n / 2)
	if most := cut.Hi * (n - 1) / (n - half); ok && most < 1 {
		t.holds(Cut, !known || natural.Lo <= most*(1+rounding), "uniform throughput is at least %.12g, a cut of %.12g lets pass %.12g", natural.Lo, cut.Hi, most)
		t.holds(Cut, !knownBest || best.Lo <= most*(1+rounding), "the best uniform throughput is at least %.12g, a cut of %.12g lets pass %.12g", best.Lo, cut.Hi, most)
	}
}

// loads: over all channels they sum up to the hops of all packets, and throughput follows from the largest.
func (t *tester) loads(ctx context.Context, e *evaluator.Evaluator, w *wiring) error {
	opt, n := e.Options(), w.n
	l, err := routing.UniformLoads(ctx, n, opt.Natural(t.d), routing.LoadOptions{})
	if err != nil || l.UnreachablePairs > 0 {
		return err
	}
	sum, largest := 0.0, 0.0
	for c, x := range l.Channel {
		sum += x
		largest = max(largest, x*float64(n.EndpointLanes)/float64(n.Lanes[n.LinkClass(topology.ChannelID(c))]))
	}
	hops := l.MeanHops * float64(n.Endpoints())
	t.holds(LoadSum, math.Abs(sum-hops) <= rounding*hops, "loads sum up to %.12g, packets take %.12g hops", sum, hops)
	if limit := l.Throughput(n); !limit.None && largest > 0 {
		t.holds(LoadSum, limit.Throughput <= (1+rounding)/largest, "throughput is %.12g, the fullest channel allows %.12g", limit.Throughput, 1/largest)
	}
	return nil
}

// renumbered: numbers of switches, endpoints, links and ports change no figure, nor does it matter that nothing
// is known any more of symmetries and closed forms.
func (t *tester) renumbered(ctx context.Context, e *evaluator.Evaluator, w *wiring, rng *rand.Rand) error {
	keys, asked := graphKeys, evaluator.Request{Keys: graphKeys}
	small := w.n.Endpoints() <= mostOptimal
	if small {
		keys = slices.Concat(graphKeys, smallKeys)
		asked.Keys = append(slices.Clip(keys), metric.Bisection)
	}
	want, err := e.Evaluate(ctx, t.d, asked)
	if err != nil {
		return err
	}
	w.shuffle(rng)
	got, err := e.Evaluate(ctx, w.design(true), asked)
	if err != nil {
		return err
	}
	t.same(Renumbered, want, got, keys)
	x, y := &want.Metrics[metric.Bisection], &got.Metrics[metric.Bisection]
	t.holds(Renumbered, !small || want.Have[metric.Bisection] == got.Have[metric.Bisection] && x.Lo <= y.Hi*(1+rounding) && y.Lo <= x.Hi*(1+rounding),
		"bisection in [%.12g, %.12g], and in [%.12g, %.12g]", x.Lo, x.Hi, y.Lo, y.Hi)
	return nil
}

// addedLinks: further links make no shortest path longer.
func (t *tester) addedLinks(ctx context.Context, e *evaluator.Evaluator, w *wiring, rng *rand.Rand) error {
	if len(w.links) == 0 {
		return nil
	}
	keys := []metric.Key{metric.MeanPathLinks, metric.MaxPathLinks, metric.GraphDiameter}
	before, err := e.Evaluate(ctx, w.design(false), evaluator.Request{Keys: keys})
	if err != nil {
		return err
	}
	for range 1 + rng.IntN(3) {
		like := w.links[rng.IntN(len(w.links))]
		if to := w.links[rng.IntN(len(w.links))].to; to != like.from {
			w.links = append(w.links, link{like.class, like.from, to})
		}
	}
	after, err := e.Evaluate(ctx, w.design(false), evaluator.Request{Keys: keys})
	if err != nil {
		return err
	}
	for _, k := range keys {
		a, b := before.Metrics[k].Value, after.Metrics[k].Value
		t.holds(AddedLink, !before.Have[k] || after.Have[k] && b <= a*(1+rounding), "%s grew from %.12g to %.12g", metric.Keys[k].Name, a, b)
	}
	return nil
}

// doubled: a second link beside every one between switches halves the load of each.
func (t *tester) doubled(ctx context.Context, e *evaluator.Evaluator, w *wiring) error {
	opt := e.Options()
	largest := func() (out []float64, err error) {
		d := w.design(true)
		n, err := d.Build()
		if err != nil {
			return nil, err
		}
		l, err := routing.UniformLoads(ctx, n, opt.Natural(d), routing.LoadOptions{})
		if err != nil {
			return nil, err
		}
		out = make([]float64, len(n.LinkClasses))
		for c, x := range l.Channel {
			class := n.LinkClass(topology.ChannelID(c))
			out[class] = max(out[class], x)
		}
		return out, nil
	}
	one, err := largest()
	if err != nil {
		return err
	}
	w.parallel()
	two, err := largest()
	if err != nil {
		return err
	}
	for c := range one {
		t.holds(Doubled, math.Abs(one[c]-2*two[c]) <= rounding*one[c], "of %s a link carries %.12g, and %.12g beside a second one",
			w.n.LinkClasses[c].Name, one[c], two[c])
	}
	return nil
}

// union: two networks side by side cost and draw what they do apart, if a link costs the same at any length.
func (t *tester) union(ctx context.Context, e *evaluator.Evaluator, w *wiring) error {
	keys := []metric.Key{metric.Cost, metric.Power, metric.Switches, metric.SwitchLinks, metric.EndpointLinks}
	one, err := e.Evaluate(ctx, w.design(false), evaluator.Request{Keys: keys})
	if err != nil {
		return err
	}
	w.twice()
	two, err := e.Evaluate(ctx, w.design(false), evaluator.Request{Keys: keys})
	if err != nil {
		return err
	}
	for _, k := range keys {
		a, b := one.Metrics[k].Value, two.Metrics[k].Value
		t.holds(Union, one.Have[k] == two.Have[k] && math.Abs(2*a-b) <= rounding*b, "%s is %.12g%s, of two such networks %.12g%s",
			metric.Keys[k].Name, a, parens(one.Absent[k]), b, parens(two.Absent[k]))
	}
	return nil
}
