package evaluator

import (
	"fmt"
	"math"
	"slices"

	"toposearch/evaluator/adversary"
	"toposearch/evaluator/flow"
	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/topology"
)

// worst_throughput, unless routings are named (worstrouted.go): what the best possible routing carries of the traffic that is worst for it, out of all in which
// no endpoint sends or takes more than its bandwidth (the hose model of Namyar et al., SIGCOMM 2021). Nobody knows
// how to compute it for large networks, so that it is enclosed: from above by the worst permutation that an adversary
// finds, whose bound is proven by lengths of the links; from below by routings that carry any traffic alike.
//
// These are three. Over the top of a tree everything is spread (cut.Fabric.HoseThroughput). Elsewhere traffic takes two
// phases (Valiant, A Scheme for Fast Parallel Communication, SIAM J. Comput. 11(2), 1982): each endpoint sends an
// equal share of everything to each of the N endpoints, itself included, from where it goes to its destination.
// Whatever the traffic, either phase is at most uniform traffic, of which a load theta puts theta/(N-1) between each
// two endpoints: if that is carried, any traffic is at half of theta N/(N-1). Phases meet on the switch of the endpoint
// between, or in the endpoint if that relays. Endpoints with several ports that do not relay cannot pass anything
// on: there the phases meet on switches, each with a share in proportion to the ports on it. Where these leave a gap direct
// routes are followed, too (carriedDirectly).
var worstGroup = group{keys: []metric.Key{metric.WorstThroughput}, after: []metric.Key{metric.MeanPathLinks, metric.UniformThroughput}, methods: []method{
	worstInside,
	worstExact,
	worstRouted,
	{name: "adversary by concurrent flows", level: 3, built: true, bytes: func(w *work) float64 {
		most := matchingBytes(w)
		if w.followsWorst() {
			most = max(most, graphBytes(w)+w.routedBytes())
		}
		return most
	}, applies: func(w *work) string {
		if s := bestPossible(w); s != "" {
			return s
		}
		if s := w.enclosed(w.worstNs()); s != "" {
			return s
		}
		if ns := w.worstNs(); ns > flowMostNs {
			return fmt.Sprintf("the concurrent flows of the worst permutations take about %s", seconds(ns))
		}
		return ""
	}, cost: (*work).worstNs, run: runWorst}, // direct routes are followed only where a gap is left, within the same limit
	{name: "longest matching and what carries anything", level: 3, built: true, bytes: func(w *work) float64 { return matchingBytes(w) + w.countedBytes() }, applies: func(w *work) string {
		if s := worstApplies(w); s != "" {
			return s
		}
		return w.enclosed(math.Max(w.matchNs()+w.compileNs(), w.usualNaturalNs()))
	},
		cost: func(w *work) float64 { return w.matchNs() + w.compileNs() }, usual: func(w *work) float64 { return w.usualNaturalNs() + w.countedNs() }, run: runWorstNatural},
	worstCounted, // which is held inside closed bounds
	worstEnclosed,
}}

func runWorst(w *work) error {
	classes := w.classIn(w.net)
	low := w.treeBound()
	if !w.severalPorts() {
		x, _, _, err := w.uniformFlow(w.ctx)
		if err != nil {
			return err
		}
		low.raise(w.twoPhases(x), twoPhasesText+bestText)
	} else if low.x < 1 {
		x, err := w.overSwitches(&classes)
		if err != nil {
			return err
		}
		low.raise(x/2, "lo carries anything in two phases over all switches with endpoints, each by the best routing")
	}
	g, at := flowGraph(w.net, &classes, w.rates.Bandwidth, flow.EachDirection)
	worst, err := adversary.Find(w.ctx, g, at, low.x)
	switch {
	case err != nil:
		return err
	case worst.Hi == 0:
		w.absent(metric.WorstThroughput, "some endpoint pairs are unreachable")
	case math.IsInf(worst.Hi, 1):
		w.exact(metric.WorstThroughput, 1, insideSwitches)
	default:
		if low.x < worst.Hi*(1-same) && w.followsWorst() {
			if err := w.carriedDirectly(&low); err != nil {
				return err
			}
		}
		w.worstBetween(low, worst.Hi, fmt.Sprintf("%s, the worst of %d permutations", worst.Name, worst.Tried))
	}
	return nil
}

// runWorstNatural is for networks on which flows, or following every pair, take too long.
func runWorstNatural(w *work) error {
	m, err := w.longestMatching(w.ctx)
	if err != nil {
		return err
	}
	if w.inside(m) {
		w.exact(metric.WorstThroughput, 1, insideSwitches)
		return nil
	}
	most, longest := w.carriesAny(m)
	if m.Hops > 0 && worstCounted.applies(w) == "" {
		return w.countWorst(float64(m.Hops), longest)
	}
	if w.e.usesOwn() {
		w.worstUnfollowed(most, longest)
		return nil
	}
	low := w.treeBound()
	if !w.severalPorts() && !math.IsInf(w.throughput, 1) {
		low.raise(w.twoPhases(w.throughput), twoPhasesText+", each over "+w.routesText())
		low.raise(w.twoPhases(w.optimal.Lo), twoPhasesText+bestText) // 0 if it was not asked for
	}
	w.worstBetween(low, most, longest)
	return nil
}

// worstUnfollowed encloses what the routings that are named carry where pairs are too many to be followed: a routing that
// makes detours at least what it carries if all packets do. Natural routes prove nothing then.
func (w *work) worstUnfollowed(hi float64, by string) {
	all := w.allowed()
	best := 0
	for i := range all {
		if all[i].Detours && (!all[best].Detours || all[best].Always && !all[i].Always) {
			best = i
		}
	}
	low := lowBound{why: "pairs are too many to be followed over its routes, so that no lo above 0 is proven"}
	if all[best].Detours && !w.severalPorts() && w.limit.Limited {
		low.raise(w.twoPhases(w.throughput), "lo if all packets make detours, over the routes of "+w.rule().Name)
	} else {
		best = 0
	}
	w.choose(all[best])
	if w.limit.Limited {
		w.setThroughput(w.limit, w.limitText)
	}
	iv := metric.Interval{Lo: math.Min(low.x, hi), Hi: hi}
	w.narrowWorst(w.chosen, &iv)
	w.between(metric.WorstThroughput, iv.Lo, iv.Lo, iv.Hi, fmt.Sprintf("routing %s, any traffic: %s; hi by %s, whatever the routing", w.chosen.Name, low.why, by))
}

// followsWorst tells whether the worst traffic of direct routes is looked for beside the flows: within the time that these may take.
func (w *work) followsWorst() bool { return w.worstNs()+w.routedNs() <= flowMostNs }

// carriedDirectly raises a bound to what direct routes carry of any traffic: the best routing carries no less. Phases in two lose half where the
// endpoints are the limit, and carry nothing where planes meet in endpoints that do not relay.
func (w *work) carriedDirectly(low *lowBound) error {
	r, err := routing.New(w.net, w.rule())
	if err != nil {
		return err
	}
	worst, err := r.WorstCase(w.ctx, w.linkCapacity(), false, w.alikeLinks())
	if err != nil {
		return err
	}
	low.raise(1/slices.Max(worst.Bound), "lo is what "+w.routesText()+" carries of its own worst traffic (Towles and Dally 2002)")
	return nil
}

// overSwitches is the load at which every endpoint can send to all switches with ports of endpoints, in
// proportion to these.
func (w *work) overSwitches(classes *[topology.MaxClasses]netClass) (float64, error) {
	ports, all := make([]float64, w.net.Switches()), 0.0
	for i := range w.net.Groups() {
		first, end, on := w.net.Group(i)
		for _, s := range on {
			ports[s] += float64(end - first)
			all += float64(end - first)
		}
	}
	var shares []flow.Demand
	for s, x := range ports {
		if x > 0 {
			shares = append(shares, flow.Demand{Vertex: int32(s), Amount: x / all})
		}
	}
	// The second phase is the first one turned round, so that both together load the directions of a link alike.
	g, at := flowGraph(w.net, classes, w.rates.Bandwidth, flow.EachEdge)
	x, _, err := g.Throughput(w.ctx, flow.Spread(at, shares))
	return x, err
}

// worstBetween records what is proven from below and from above. The figure is what is certain.
func (w *work) worstBetween(low lowBound, hi float64, adversary string) {
	iv := metric.Interval{Lo: math.Min(low.x, hi), Hi: hi}
	w.narrowWorst(nil, &iv)
	w.between(metric.WorstThroughput, iv.Lo, iv.Lo, iv.Hi, fmt.Sprintf("best possible routing, any traffic: %s; hi is proven for %s", low.why, adversary))
}
