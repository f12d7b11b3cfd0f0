package evaluator

import (
	"fmt"
	"math"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

var countGroup = group{
	keys: []metric.Key{metric.Endpoints, metric.Switches, metric.EmbeddedSwitches, metric.SwitchLinks, metric.EndpointLinks, metric.Radix, metric.EndpointPorts,
		metric.PortsPerEndpoint, metric.PhysicalPorts, metric.PortsBoughtPerEndpoint, metric.NonblockingRegion},
	methods: []method{{name: "closed form of the construction", level: 0, run: runCounts}},
}

func runCounts(w *work) error {
	s, countText := w.size, "closed form of the construction, exact"
	if said := w.d.Family.Counted; said != "" {
		countText = said
	}
	w.exact(metric.Endpoints, float64(s.Endpoints), countText)
	w.exact(metric.Switches, float64(s.Switches()), countText)
	w.exact(metric.EmbeddedSwitches, float64(s.EmbeddedSwitches()), countText)
	w.exact(metric.SwitchLinks, float64(s.SwitchLinks()), countText)
	w.exact(metric.EndpointLinks, float64(s.EndpointLinks()), countText)
	w.exact(metric.Radix, float64(s.Radix()), countText)
	w.exact(metric.EndpointPorts, float64(s.EndpointPorts), countText)
	w.exact(metric.PortsPerEndpoint, float64(w.rates.PortsInUse(s))/float64(s.Endpoints), "ends of links on switches / endpoints, exact")
	w.runBought()
	if f := w.d.Family.NonBlocking; f != nil {
		text := "largest block of the construction with full bisection by its middle cut"
		if said := w.d.Family.NonBlockingFrom; said != "" {
			text = said
		}
		w.exact(metric.NonblockingRegion, float64(f(w.d.V)), text)
	} else {
		w.absent(metric.NonblockingRegion, "the family names no blocks")
	}
	return nil
}

// runBought chooses a switch model for each class, or says why there is none.
func (w *work) runBought() {
	s := w.size
	if w.res.Reject.Constraint != "" {
		w.absent(metric.PhysicalPorts, w.res.Reject.Words())
		w.absent(metric.PortsBoughtPerEndpoint, w.res.Reject.Words())
		return
	}
	var buys market.Purchase
	if rej := w.e.market.Buy(s, &w.rates, &buys); rej.Constraint != "" {
		w.reject(rej)
		w.absent(metric.PhysicalPorts, w.res.Reject.Words())
		w.absent(metric.PortsBoughtPerEndpoint, w.res.Reject.Words())
		return
	}
	fullest, bought := buys.PortsBought(s)
	w.exact(metric.PhysicalPorts, float64(fullest), "ports of the chosen models that the fullest switch occupies")
	w.exact(metric.PortsBoughtPerEndpoint, bought/float64(s.Endpoints), "all ports of the chosen models, split as those in use")
}

var mooreGroup = group{
	keys:  []metric.Key{metric.MooreEfficiency},
	after: []metric.Key{metric.MaxHops},
	methods: []method{
		{name: "Moore bound", level: 0, applies: func(w *work) string {
			switch {
			case w.dist == nil:
				return "needs max_hops: " + w.res.Absent[metric.MaxHops]
			case w.drawn.any():
				return drawnText
			case w.shortestKnown() == nil:
				return "no closed form of shortest paths"
			}
			return ""
		}, run: runMoore},
		{name: "Moore bound, shortest paths by search", level: 1, built: true, quick: 1e8, longest: longNs, applies: func(w *work) string {
			switch {
			case w.dist == nil:
				return "needs max_hops: " + w.res.Absent[metric.MaxHops]
			case w.drawn.any():
				return drawnText
			}
			return ""
		}, cost: searchNs, run: func(w *work) error {
			if err := w.searchShortest(); err != nil {
				return err
			}
			return runMoore(w)
		}},
		{name: "Moore bound, shortest paths enclosed", level: 1, built: true, applies: func(w *work) string {
			if w.dist == nil {
				return "needs max_hops: " + w.res.Absent[metric.MaxHops]
			}
			return ""
		}, cost: (*work).apartNs, run: runMooreWithin},
		{name: "Moore bound, shortest paths enclosed by counts", level: 1, applies: func(w *work) string {
			switch {
			case w.dist == nil:
				return "needs max_hops: " + w.res.Absent[metric.MaxHops]
			case !w.apart.known:
				return drawnText
			}
			return ""
		}, run: runMooreWithin},
	},
}

// drawnText is why shortest paths between some endpoints do not tell the longest.
const drawnText = "the longest shortest path is only enclosed"

// runMoore divides the endpoints by the most that any direct network of the same radix and the
// same largest number of hops on a shortest path could have: N <= (k-k') (1 + k' sum over i < D of (k'-1)^i),
// maximised over the network degree k' (survey, equations 9 to 11). For endpoints that relay
// there is one per vertex, and k' is their number of ports. Networks whose endpoints have several
// ports can pass 1.
func runMoore(w *work) error {
	hops := w.nearest.MaxHops
	b := mooreBound(w.size, hops)
	if b <= 0 {
		w.absent(metric.MooreEfficiency, "no ports to bound")
		return nil
	}
	w.exact(metric.MooreEfficiency, float64(w.size.Endpoints)/b,
		fmt.Sprintf("endpoints / Moore bound of %.6g for direct networks of the same radix and shortest paths of %d hops; indirect ones can pass it", b, hops))
	return nil
}

// runMooreWithin takes for the longest shortest path that of the routes, which is no shorter, and from below what searches from some switches
// found, if endpoints are on all.
func runMooreWithin(w *work) error {
	least, most := 1, int(w.res.Metrics[metric.MaxHops].Hi)
	if w.drawn.any() && w.takesShortest() {
		least = max(least, w.dist.MaxHops)
	}
	if w.everySwitchAttached() {
		x, err := w.howFar()
		if err != nil {
			return err
		}
		if x.connected {
			least = min(max(least, x.lo), most)
		}
	}
	n := float64(w.size.Endpoints)
	lo, hi := n/mooreBound(w.size, most), n/mooreBound(w.size, least)
	w.between(metric.MooreEfficiency, lo, lo, hi, fmt.Sprintf("endpoints / Moore bound, shortest paths of %d to %d hops", least, most))
	return nil
}

func mooreBound(s *topology.Size, hops int) float64 {
	ball := func(k float64) float64 {
		sum, layer := 1.0, k
		for range hops {
			sum += layer
			layer *= k - 1
		}
		return sum
	}
	k := float64(s.Radix())
	if s.Switches() == 0 {
		return ball(float64(s.EndpointPorts))
	}
	best := 0.0
	for d := 0.0; d < k; d++ {
		best = math.Max(best, (k-d)*ball(d))
	}
	return best
}
