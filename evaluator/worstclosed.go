package evaluator

import (
	"fmt"
	"math"
	"slices"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/routing"
	"toposearch/topology"
)

// closedWorstApplies says why closed forms do not tell the worst traffic, "" if they do.
func closedWorstApplies(w *work) string {
	switch {
	case !w.res.Have[metric.UniformThroughput]:
		return w.res.Absent[metric.UniformThroughput]
	case w.naturalPaths() == nil:
		return "no closed form of the routes"
	case !w.limit.Limited:
		return noLink
	case w.d.Family.Unidirectional:
		return "channels have no partner: the flow is not computed"
	case w.byTables(), w.e.opt.Routing == RoutingMinimal && w.d.Family.Natural != nil:
		return "it is of natural routes"
	}
	for _, a := range w.worstChoices() {
		if a.Single || a.Tables {
			return "no closed form of single paths"
		}
	}
	return ""
}

// worstChoices are the routings of which the one with the best worst case is taken: all that are allowed if worst_throughput
// decides or was asked for, else the one that uniform traffic chose.
func (w *work) worstChoices() []Algorithm {
	if w.worstDecides() {
		return w.allowed()
	}
	return []Algorithm{*w.routing()}
}

// worstDecides tells whether worst_throughput is what routings are chosen by.
func (w *work) worstDecides() bool {
	return w.e.opt.ByWorst || slices.Contains(w.req.Keys, metric.WorstThroughput)
}

// classLoads are relative loads by class of links that traffic crosses.
type classLoads struct {
	detour       []float64 // of all traffic on detours, the busiest channel; nil if endpoints cannot pass traffic on
	even         []bool    // on the channel of what was found detours are as heavy
	bound, found []float64 // of direct routes, nil if nothing is known
	split        []float64 // what no split of the two relieves some channel of; 0 where the family does not say
	cut          bool      // what was found holds for any routing
}

// closedWorst encloses it, of the best of the routings that may be chosen, or of the best possible one.
func (w *work) closedWorst() closedWorst {
	if w.closed != nil {
		return *w.closed
	}
	l := w.classLoads()
	var best closedWorst
	if !w.e.usesOwn() {
		best = w.closedBest(&l)
	} else {
		for i, a := range w.worstChoices() {
			iv, text := w.closedOf(&l, &a)
			switch {
			case i == 0:
				best = closedWorst{iv: iv, text: text, of: a}
			case iv.Lo > best.iv.Lo*(1+same), iv.Lo > best.iv.Lo*(1-same) && best.of.Always && !a.Always: // of equals the one with more of uniform traffic
				best = closedWorst{iv, text, a, math.Max(best.rival, best.iv.Hi)}
			default:
				best.rival = math.Max(best.rival, iv.Hi)
			}
		}
	}
	if best.iv.Lo > best.iv.Hi*(1-same) { // but for rounding
		best.iv.Lo = best.iv.Hi
	}
	w.closed = &best
	return best
}

// classLoads reads the closed forms.
func (w *work) classLoads() (l classLoads) {
	f, p, n := w.d.Family, w.naturalPaths(), float64(w.size.Endpoints)
	known := f.Worst != nil && f.Worst(w.d.V, &w.worst)
	l.cut = known && w.worst.Cut
	for c := range f.LinkClasses {
		sum := float64(p.Sums.Cross[c])
		if sum == 0 || w.rates.Kind[c] == market.Inside || c == 0 && w.size.EndpointPorts <= 1 {
			continue
		}
		capacity := w.rates.Capacity(c)
		if known {
			l.bound, l.found = append(l.bound, w.worst.Bound[c]/capacity), append(l.found, w.worst.Found[c]/capacity)
			l.split = append(l.split, w.worst.Split[c]/capacity)
		}
		if !w.severalPorts() {
			uniform := sum / float64(p.Sums.Pairs) * n / (2 * float64(w.size.Link[c])) * p.Peak[c] / capacity
			l.detour, l.even = append(l.detour, 2*uniform*(n-1)/n), append(l.even, p.Peak[c] == 1 || w.worst.Each)
		}
	}
	return l
}

// least is what a load per class leaves of traffic.
func least(loads []float64) float64 {
	x := math.Inf(1)
	for _, l := range loads {
		x = math.Min(x, 1/l)
	}
	return x
}

const (
	closedFound = "hi is of a traffic that is known"
	closedEven  = "; hi is of uniform traffic"
)

// closedOf encloses what a routing carries: no more than of uniform traffic over direct routes, which is a traffic, too.
func (w *work) closedOf(l *classLoads, a *Algorithm) (iv metric.Interval, text string) {
	iv.Hi = w.limit.Throughput
	switch {
	case a.Always && l.detour != nil:
		x := least(l.detour)
		return metric.Interval{Lo: x, Hi: x}, "detours by way of any endpoint make twice uniform traffic of every permutation, exact"
	case !a.Detours:
		text = "no lo above 0 is known in closed form" + closedEven
		if l.bound != nil {
			iv.Lo, text = least(l.bound), "the heaviest matching of sources and destinations on each class of channels (Towles and Dally 2002)"+closedEven
			if x := least(l.found); x <= iv.Hi {
				iv.Hi, text = x, "the heaviest matching of sources and destinations on each class of channels (Towles and Dally 2002); "+closedFound
			}
		}
	case l.detour == nil:
		text = "lo without detours, which endpoints with several ports cannot pass on" + closedEven
		if l.bound != nil && !a.Always {
			iv.Lo = least(l.bound)
		}
	default:
		iv.Lo, text = least(l.detour), "lo by detours alone"
		if l.bound != nil {
			s := routing.BestSplit(l.bound, l.detour)
			iv.Lo, text = math.Max(iv.Lo, s.Throughput), fmt.Sprintf("split into direct routes and detours, the same part of every flow: lo with %.3g %% direct whatever the traffic is", 100*s.Direct)
		}
		hi := closedEven
		for i := range l.found {
			left := l.split[i]
			if left == 0 && l.even[i] {
				left = math.Min(l.found[i], l.detour[i])
			}
			if x := 1 / left; left > 0 && x <= iv.Hi {
				iv.Hi, hi = x, "; hi of a traffic that loads a channel of which neither way relieves the other"
			}
		}
		text += hi
	}
	if l.cut {
		iv.Hi = math.Min(iv.Hi, least(l.found))
	}
	return iv, text
}

// closedBest encloses what the best possible routing carries.
func (w *work) closedBest(l *classLoads) closedWorst {
	low := lowBound{why: "no lo above 0 is known in closed form"}
	if l.detour != nil {
		low.raise(least(l.detour), twoPhasesText+", each over "+w.routesText())
	}
	if l.bound != nil {
		low.raise(least(l.bound), "lo carries anything over natural routes")
	}
	hi, why := math.Inf(1), ""
	if l.cut {
		hi, why = least(l.found), "what leaves a subtree"
	}
	if d := w.shortestKnown(); d != nil && (w.d.Family.LinkClasses[0].Name == topology.ClassInternal || !w.d.Family.SwitchClasses[0].Embedded) {
		hops := d.MeanHops() // over links between switches alone
		// Each switch has as many others at the largest distance: a matching of them.
		if o := w.symmetry().Switches; len(o) == 1 && !w.severalPorts() {
			hops = float64(d.MaxHops)
		}
		if x := w.linkCapacities() / (hops * float64(w.size.Endpoints)); x < hi {
			hi, why = x, "all capacity over the hops of shortest paths"
		}
	}
	if x := w.leafCapacity(); x < hi {
		hi, why = x, "what leaves a switch of endpoints, or an endpoint by all its ports"
	}
	if math.IsInf(hi, 1) {
		return closedWorst{}
	}
	return closedWorst{iv: metric.Interval{Lo: math.Min(low.x, hi), Hi: hi}, text: low.why + "; hi is proven for " + why}
}

// leafCapacity is what leaves the switch with the most endpoints of a class, for each of these, if all send to others; of endpoints with several ports
// what these carry.
func (w *work) leafCapacity() float64 {
	least := math.Inf(1)
	if w.severalPorts() {
		return float64(w.size.EndpointPorts) * w.rates.Capacity(0)
	}
	for i := range w.d.Family.SwitchClasses {
		s := &w.size.Switch[i]
		if s.Count == 0 || s.Ports[0] == 0 || 2*int64(s.Ports[0]) > w.size.Endpoints || w.d.Family.SwitchClasses[i].StandsIn {
			continue
		}
		out := 0.0
		for c := 1; c < len(w.d.Family.LinkClasses); c++ {
			out += float64(s.Ports[c]) * w.rates.Capacity(c)
		}
		least = math.Min(least, out/float64(s.Ports[0]))
	}
	return least
}

// linkCapacities is what all channels between switches carry, in bandwidths of an endpoint.
func (w *work) linkCapacities() (total float64) {
	for c := range w.d.Family.LinkClasses {
		if c > 0 && w.rates.Kind[c] != market.Inside {
			total += 2 * float64(w.size.Link[c]) * w.rates.Capacity(c)
		}
	}
	return total
}

// narrowWorst holds what a search found inside what is known in closed form.
func (w *work) narrowWorst(a *Algorithm, iv *metric.Interval) {
	if closedWorstApplies(w) != "" {
		return
	}
	l := w.classLoads()
	var known metric.Interval
	if a == nil {
		known = w.closedBest(&l).iv
	} else {
		known, _ = w.closedOf(&l, a)
	}
	if known.Hi > 0 {
		iv.Lo, iv.Hi = math.Max(iv.Lo, known.Lo), math.Min(iv.Hi, known.Hi)
		iv.Lo = math.Min(iv.Lo, iv.Hi)
	}
}
