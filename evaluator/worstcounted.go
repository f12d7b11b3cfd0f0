package evaluator

import (
	"fmt"
	"math"

	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/topology"
)

// worst_throughput of networks without closed forms, by counting how many endpoints are within so many hops: passes over the
// channels, whatever the number of pairs. Certified, but wider than what searches for the worst traffic give.
var worstCounted = method{name: "endpoints within so many hops", level: 1, built: true, quick: countedQuickNs, applies: func(w *work) string {
	switch {
	case w.dist == nil:
		return "how far endpoints are apart is not known: " + w.res.Absent[metric.MeanPathLinks]
	case w.res.Reject.Constraint == metric.RejectRate:
		return w.res.Reject.Words()
	case w.e.scaled(w.d.Family):
		return "links of scale-up domains"
	case w.d.Family.Unidirectional:
		return "channels have no partner: the flow is not computed"
	case !w.res.Have[metric.UniformThroughput]:
		return w.res.Absent[metric.UniformThroughput]
	case !w.limit.Limited && !w.pretended[metric.UniformThroughput]:
		return noLink
	case w.named[w.routing().Name].tables != nil:
		return "paths of tables are not counted"
	}
	return ""
}, cost: (*work).countedNs, bytes: func(w *work) float64 { return graphBytes(w) + w.countedBytes() },
	run: func(w *work) error { return w.countWorst(0, "") }}

// countedBytes is the memory of what reach counts.
func (w *work) countedBytes() float64 { return 8 * w.vertices() * float64(w.countedHops()+2) }

// passesNs is the cost of reach, and of going through the channels once more.
func (w *work) passesNs() float64 { return countedPassNs * w.arcs() * float64(w.countedHops()+2) }

// countedNs is the cost of counting, and of crowds.
func (w *work) countedNs() float64 {
	ns := w.passesNs()
	if w.evenFits() {
		ns += w.evenNs()
	}
	if k := w.crowdSets(); k > 0 {
		ns += w.crowdNs(k)
	}
	return ns
}

// enclosed says why a method that takes so long is not taken where many designs are compared and there is one that counts, "" if it may be.
func (w *work) enclosed(ns float64) string {
	if w.e.opt.EncloseWorst && w.req.Level < 2 && ns > longNs && worstCounted.applies(w) == "" {
		return fmt.Sprintf("it takes about %s, and of many designs compared an interval that is certified does", seconds(ns))
	}
	return ""
}

// countedQuickNs keeps it from level 1 where it was not asked for: a study that does not weigh it has no use of an interval for which networks are built.
const countedQuickNs = 1

// countedPassNs is a channel in a pass: a read at random, and the sum of what passes.
const countedPassNs = 8

// countedMostNs is what counting may take: of large grids, whose routes are long, the hops that it holds. What is further away is then everybody.
const countedMostNs = 5e8

// countedHops is up to how many hops is counted.
func (w *work) countedHops() int {
	return min(w.mostHops(), max(1, int(countedMostNs/(countedPassNs*w.arcs()))-2))
}

// mostHops is of the routes, between switches.
func (w *work) mostHops() int {
	if w.pretended[metric.MaxPathLinks] {
		_, most := w.across()
		return int(most)
	}
	links := int(w.res.Metrics[metric.MaxPathLinks].Hi)
	if w.d.Family.LinkClasses[0].Name != topology.ClassInternal {
		links -= 2
	}
	return max(0, links)
}

// reach bounds, from every switch, the endpoints to which a route has exactly so many hops, by the number of walks: of shortest paths those that do not go
// back on the link by which they came. Of these A(k+1) = A A(k) - (degree - 1) A(k-1), but A(2) = A A(1) - degree A(0).
func reach(n *topology.Network, hops int, shortest bool) *walks {
	w := &walks{hops: hops, at: make([]float64, n.Switches()*(hops+1))}
	for g := range n.Groups() {
		first, end, on := n.Group(g)
		for _, s := range on {
			w.from(s)[0] += float64(end - first)
		}
	}
	for k := 1; k <= hops; k++ {
		for s := range topology.SwitchID(n.Switches()) {
			own, near, sum := w.from(s), n.Neighbors(s), 0.0
			for _, t := range near {
				sum += w.at[int(t)*(hops+1)+k-1]
			}
			if k >= 2 && shortest {
				back := float64(len(near))
				if k > 2 {
					back--
				}
				sum -= back * own[k-2]
			}
			own[k] = max(0, sum)
		}
	}
	return w
}

// walks are numbers of endpoints at 0, 1, ... hops from every switch, those of a switch side by side.
type walks struct {
	hops int
	at   []float64
}

func (w *walks) from(s topology.SwitchID) []float64 {
	return w.at[int(s)*(w.hops+1) : (int(s)+1)*(w.hops+1)]
}

// reached is reach along the routes that the routing takes, counted once.
func (w *work) reached(shortest bool) *walks {
	i := 0
	if shortest {
		i = 1
	}
	if w.walks[i] == nil {
		w.walks[i] = reach(w.net, w.countedHops(), shortest)
	}
	return w.walks[i]
}

// farApart is the least that the hops of some permutation of endpoints add up to. within[d] endpoints at most are within d hops of any
// endpoint, itself included. So each has at least N - within[d] that are further away, and a bipartite graph whose
// degrees are at least k has a matching of min(N, 2k) (König): all of them if within[d] is at most N/2, and beyond d + 1 hops as many as leave enough
// others to match the rest beyond d.
func farApart(within []float64, n float64) float64 {
	best := 0.0
	for d, x := range within {
		if x > n/2 {
			break
		}
		further := 0.0
		if d+1 < len(within) {
			further = math.Max(0, math.Min(2*(n-within[d+1]), n-2*x))
		}
		best = math.Max(best, n*float64(d+1)+math.Floor(further))
	}
	return best
}

// within are the most endpoints within 0, 1, ... hops of an endpoint, or of one of those that stand for all.
func within(n *topology.Network, far *walks, all []topology.Orbit) []float64 {
	out := make([]float64, far.hops+1)
	for _, g := range groupsOf(n, all) {
		_, _, on := n.Group(g)
		sum := 0.0
		for d := range out {
			for _, s := range on {
				sum += far.from(s)[d]
			}
			out[d] = math.Max(out[d], sum)
		}
	}
	return out
}

// groupsOf are the groups of endpoints that stand for all; nil: all of them.
func groupsOf(n *topology.Network, all []topology.Orbit) []int {
	out := make([]int, 0, n.Groups())
	for _, o := range all {
		out = append(out, n.GroupOf(topology.EndpointID(o.Rep)))
	}
	if all == nil {
		for g := range n.Groups() {
			out = append(out, g)
		}
	}
	return out
}

// crossed is what any traffic loads a channel with over routes of at most so many hops, relative to capacity, on the busiest channel: those for
// which it is the hop after i others come from endpoints i hops before it, and go to such as the rest of the hops reach behind it. Of
// switches that are alike one is looked at.
func (w *work) crossed(far *walks) (most float64) {
	if w.severalPorts() { // all that an endpoint sends may leave by one of its ports
		most = 1 / w.rates.Capacity(0)
	}
	if far.hops < w.mostHops() {
		return math.Max(most, w.everybody())
	}
	w.eachStanding(func(s topology.SwitchID) { most = math.Max(most, w.crossedFrom(s, far)) })
	return most
}

// everybody is the load of a channel that all endpoints cross, relative to the least capacity of any.
func (w *work) everybody() float64 {
	capacity, least := w.linkCapacity(), math.Inf(1)
	for c := range w.net.LinkClasses {
		if w.net.LinkClasses[c].Name != topology.ClassInternal {
			least = math.Min(least, capacity(c))
		}
	}
	return float64(w.net.Endpoints()) / least
}

// eachStanding visits switches that stand for all.
func (w *work) eachStanding(visit func(s topology.SwitchID)) {
	orbits := w.symmetry().Switches
	if orbits == nil {
		for s := range topology.SwitchID(w.net.Switches()) {
			visit(s)
		}
	}
	for _, o := range orbits {
		visit(topology.SwitchID(o.Rep))
	}
}

// crossedFrom is crossed of the channels out of a switch.
func (w *work) crossedFrom(s topology.SwitchID, far *walks) (most float64) {
	n, capacity, hops, before := w.net, w.linkCapacity(), far.hops, far.from(s)
	sums := make([]float64, hops+1)
	for c, end := n.Out(s); c < end; c++ {
		if n.LinkClasses[n.LinkClass(c)].Name == topology.ClassInternal {
			continue
		}
		behind := 0.0
		for j, x := range far.from(n.To(c))[:hops] {
			behind += x
			sums[j] = behind
		}
		load := 0.0
		for i := range hops {
			load += math.Min(before[i], sums[hops-1-i])
		}
		most = math.Max(most, math.Min(load, float64(n.Endpoints()))/capacity(n.LinkClass(c)))
	}
	return most
}

// counts is what counting knows of any routing: what all capacity carries of the permutation with the most hops that is proven,
// how much any traffic loads a channel over direct routes, and, where channels of a kind are alike, which kinds it loads with how much (even), and
// detours of any traffic (detours; nil: not known).
type counts struct {
	hi            float64
	why           string
	crossed       float64
	even, detours []float64
}

// countAll counts; hops are those of a permutation that is known already, 0 if there is none.
func (w *work) countAll(most float64, why string) counts {
	n, ends := w.net, float64(w.net.Endpoints())
	far := w.reached(true)
	raise := func(x float64, of string) {
		if x > most {
			most, why = x, of
		}
	}
	raise(farApart(within(n, far, w.symmetry().Endpoints), ends), "all capacity over the hops of a permutation between endpoints that are so far apart, as few are nearer")
	if d := w.shortestKnown(); d != nil {
		links := 0.0
		if n.LinkClasses[0].Name != topology.ClassInternal {
			links = 2
		}
		raise(ends*(d.MeanLinks()-w.drawn-links), "all capacity over the hops of uniform traffic")
		if len(w.symmetry().Endpoints) == 1 && w.drawn == 0 { // each has as many others at the largest distance
			raise(ends*(float64(d.MaxLinks)-links), "all capacity over the hops between the furthest endpoints, of which each has as many")
		}
	}
	c := counts{hi: math.Inf(1), why: why}
	if most > 0 {
		c.hi = w.allCapacity() / most
	}
	c.crossed = w.crossed(w.reached(w.takesShortest()))
	return c
}

// low is what a routing carries of any traffic by what is counted, over direct routes or in two phases; nil: the best possible one.
func (c *counts) low(w *work, a *Algorithm) (low lowBound) {
	direct, detours, natural := 1/c.crossed, 0.0, "lo counts the endpoints whose routes may cross a channel"
	if c.even != nil {
		if x := least(c.even); x >= direct {
			direct, natural = x, evenText
		}
	}
	if !w.severalPorts() && w.throughput > 0 && !math.IsInf(w.throughput, 1) {
		detours = w.twoPhases(w.throughput)
	}
	const twice = twoPhasesText
	if a == nil {
		low = w.treeBound()
		low.raise(direct, natural)
		low.raise(detours, twice+", each over "+w.routesText())
		if !w.severalPorts() {
			low.raise(w.twoPhases(w.optimal.Lo), twice+bestText) // 0 if it was not asked for
		}
		return low
	}
	if a.Tables || a.Single {
		return low
	}
	if !a.Always {
		low.raise(direct, natural)
	}
	if a.Detours {
		low.raise(detours, twice+", over the routes of "+w.rule().Name)
		if !a.Always && c.detours != nil {
			s := routing.BestSplit(c.even, c.detours)
			low.raise(s.Throughput, fmt.Sprintf("split into direct routes and detours, the same part of every flow: lo with %.3g %% direct whatever the traffic is", 100*s.Direct))
		}
	}
	return low
}

// countWorst records what counting, closed forms and crowds say together; most is as for countAll.
func (w *work) countWorst(most float64, why string) error {
	c := w.countAll(most, why)
	if err := w.countEven(&c); err != nil {
		return err
	}
	hi, why := c.hi, c.why
	var low lowBound
	var of *Algorithm
	if w.e.usesOwn() {
		all, best := w.worstChoices(), 0.0
		for i := range all {
			l := c.low(w, &all[i])
			iv := metric.Interval{Lo: l.x, Hi: math.Inf(1)}
			w.narrowWorst(&all[i], &iv)
			// Of equals the one with more of uniform traffic, then the first.
			if of == nil || iv.Lo > best*(1+same) || iv.Lo > best*(1-same) && of.Always && !all[i].Always {
				low, of, best = l, &all[i], iv.Lo
			}
		}
		if w.worstDecides() {
			w.choose(*of)
			w.setThroughput(w.limit, w.limitText)
		}
		if x := w.limit.Throughput * w.slack(); hi > x {
			hi, why = x, "uniform traffic, which direct routes carry best"
		}
		switch x, err := w.crowded(of); {
		case err != nil:
			return err
		case of.Always:
			hi, why = low.x, "the same, which detours make of every permutation"
		case x < hi:
			hi, why = x, "a traffic that crowds on one channel"
		}
	} else {
		low = c.low(w, nil)
	}
	iv := metric.Interval{Lo: math.Min(low.x, hi), Hi: hi}
	lo, why2 := iv.Lo, low.why
	if w.narrowWorst(of, &iv); iv.Lo > lo*(1+same) {
		why2 = "lo is known in closed form"
	}
	if iv.Hi < hi*(1-same) {
		why = "what is known in closed form"
	}
	if iv.Lo > iv.Hi*(1-same) { // but for rounding
		iv.Lo = iv.Hi
	}
	if iv.Lo == 0 || math.IsInf(iv.Hi, 1) {
		w.absent(metric.WorstThroughput, "counting endpoints within so many hops bounds it from one side alone: ask for it by name")
		return nil
	}
	what := "best possible routing"
	if w.e.usesOwn() {
		what = fmt.Sprintf("routing %s (%s)", w.routing().Name, w.rule().Name)
	}
	w.between(metric.WorstThroughput, iv.Lo, iv.Lo, iv.Hi, fmt.Sprintf("%s, any traffic: %s; hi is of %s", what, why2, why))
	return nil
}
