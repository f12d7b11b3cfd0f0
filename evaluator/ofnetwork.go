package evaluator

import (
	"math"
	"slices"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// networkKeys are metrics above level 1 that follow from the graph, the rates of its links and the routing alone: no price, no floor
// plan and no part that is bought changes them. No other group of the ladder uses what their methods leave behind, but for the
// optimal flow, which bisection and worst_throughput read, and for the routing, which worst_throughput may choose (KeepNetwork).
var networkKeys = []metric.Key{metric.Bisection, metric.MeanPathLinksFail, metric.ShortestPaths, metric.DisjointPaths, metric.TUB, metric.WorstThroughput,
	metric.UniformThroughputOptimal, metric.VCsAfterFailure, metric.UniformThroughputFail}

// OfNetwork tells whether a metric stays as it is when prices, parts, floor or currency change, so that what was computed
// once may be taken over by KeepNetwork.
func OfNetwork(k metric.Key) bool { return slices.Contains(networkKeys, k) }

// NetworkFacts are what the metrics that OfNetwork names depend on besides the design and Version. Two evaluators with equal facts
// give them the same values.
type NetworkFacts struct {
	RatesGbps     []int // on sale: links are rounded up to them
	BandwidthGbps float64
	PerServer     int
	Scaleup       bool
	ScaleupGbps   float64
	Domain        topology.Domain
	Routing       string
	Algorithms    []string
	ByWorst       bool
	EncloseWorst  bool
	RejectUnfit   bool
	MaxVCs        int
	MaxRouteHops  int
	MemoryBytes   int64
}

// NetworkFacts are those of the options and of the rates that the catalogue sells under the site's limits.
func (e *Evaluator) NetworkFacts() NetworkFacts {
	o := &e.opt
	f := NetworkFacts{BandwidthGbps: o.BandwidthGbps, PerServer: o.PerServer, Scaleup: o.Scaleup, ScaleupGbps: o.ScaleupGbps, Domain: o.Domain, Routing: o.Routing,
		Algorithms: o.Algorithms, ByWorst: o.ByWorst, EncloseWorst: o.EncloseWorst, RejectUnfit: o.RejectUnfit, MaxVCs: o.MaxVCs, MaxRouteHops: o.MaxRouteHops, MemoryBytes: o.MemoryBytes}
	for i := range e.market.Speeds() {
		f.RatesGbps = append(f.RatesGbps, e.market.SpeedAt(i).Gbps)
	}
	return f
}

// Kept are figures of an earlier evaluation of the same design under equal NetworkFacts.
type Kept struct {
	Keys    []metric.Key // those that it was asked for by name
	Routing string       // that it chose, "" if none
	Value   *[metric.Count]float64
	Lo, Hi  *[metric.Count]float64
}

// NotKept is why no figures of the network are taken over for a request; "" if those that OfNetwork names are.
func NotKept(req Request, byWorst bool) string {
	for _, k := range req.Keys {
		if OfTraining(k) || k == metric.CostEfficiency {
			return metric.Keys[k].Name + " depends on how long cables are as they are bought, which prices and parts decide, and on the routing that is chosen"
		}
	}
	if byWorst {
		return "each design takes the routing with the best worst_throughput, of which a journal has one alone"
	}
	return ""
}

// KeepNetwork prepares a request in which metrics that OfNetwork names are taken from kept instead of computed; what money, floor
// and parts decide is computed. finish puts them into the result. ok is false if what is asked for now would not give the same
// figures as then: one of the metrics is not among those kept or has no value, the optimal flow was known to others then and is not
// asked for now, the routing is judged by worst_throughput, or a time of the workload depends on the routing that it chooses.
func KeepNetwork(req Request, byWorst bool, kept *Kept) (with Request, finish func(*Result), ok bool) {
	if NotKept(req, byWorst) != "" {
		return req, nil, false
	}
	var take [metric.Count]bool
	any := false
	for _, k := range req.Keys {
		switch {
		case !OfNetwork(k):
			continue
		case !slices.Contains(kept.Keys, k) || math.IsNaN(kept.Value[k]):
			return req, nil, false
		}
		take[k], any = true, true
	}
	flow := metric.UniformThroughputOptimal
	if !any || req.Trace != nil || slices.Contains(kept.Keys, flow) != slices.Contains(req.Keys, flow) {
		return req, nil, false
	}
	req.Trace = func(s Step, run func() error) error {
		if take[s.Metric] {
			return ErrSkipped
		}
		return run()
	}
	return req, func(r *Result) { kept.putInto(r, take) }, true
}

// putInto adds the metrics that were taken to a result in whose evaluation their methods were not run. Those that it would not
// have computed stay absent.
func (kept *Kept) putInto(r *Result, take [metric.Count]bool) {
	put := func(k metric.Key) {
		r.Metrics[k] = metric.Figure{Value: kept.Value[k], Lo: kept.Lo[k], Hi: kept.Hi[k], Unit: metric.Keys[k].Unit, Method: "of an earlier run"}
		r.Have[k] = true
		delete(r.Absent, k)
	}
	for k := range metric.Count {
		if take[k] && r.Absent[k] == NotRun {
			put(k)
			if k == metric.WorstThroughput && r.Chosen != "" { // it has chosen the routing, of which uniform_throughput is
				r.Chosen, r.Routing = kept.Routing, kept.Routing
				put(metric.UniformThroughput)
			}
		}
	}
}
