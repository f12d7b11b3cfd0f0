package bound

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// routes adds what follows from routes: of one design from their closed forms, where those take long from
// bounds of them; of several from bounds.
func (e *enclosure) routes() {
	f := e.b.Lo.Family
	switch {
	case !e.l.ownRoutes:
	case !e.b.Single():
		if e.b.Per != nil && e.b.Per.Known {
			e.routesAtLeast(e.b.Per)
		}
	case e.b.Lo.Endpoints >= 2:
		if f.Walks != nil && f.Walks(e.b.V) || !e.m.routesExactly(e.b.V, e.b.Lo, e.l, e.out) {
			e.routesUnwalked()
		}
	}
}

// routesUnwalked encloses the metrics of routes that only a walk over ports tells, by what the family
// says of the design as a box of one. The throughput that is known already is left.
func (e *enclosure) routesUnwalked() {
	f, s, out := e.b.Lo.Family, e.b.Lo, e.out
	if e.l.unwalked = f.PerEndpoint != nil; !e.l.unwalked {
		return
	}
	known, x := out.Have[metric.UniformThroughput], out.At[metric.UniformThroughput]
	f.BoundPerEndpoint(e.b.V, e.b.V, s.Endpoints, s.Endpoints, &e.l.per)
	if e.l.per.Known {
		e.routesAtLeast(&e.l.per)
	}
	if known {
		out.At[metric.UniformThroughput] = x
	}
}

// routesAtLeast bounds paths and latency from below, with cables at least as long as is known, and throughput
// from above.
func (e *enclosure) routesAtLeast(per *topology.PerEndpoint) {
	f, r, out := e.b.Lo.Family, e.r, e.out
	asked, stated := e.m.market.AskedGbps()
	model := &e.m.opt.Latency
	fastest, best := 0.0, inf
	mean, links, hops := 0.0, 0.0, 0.0
	for c := range f.LinkClasses {
		if r.Kind[c] == market.Inside {
			continue
		}
		gbps := e.fastest(c)
		if e.b.Hi.Link[c] > 0 {
			fastest = max(fastest, gbps)
		}
		if per.Load[c] > 0 && stated && (c > 0 || e.b.Lo.EndpointPorts > 1) {
			best = min(best, gbps/asked/per.Load[c])
		}
		x := per.Cross[c]
		if e.m.opt.Routing != "minimal" {
			x = max(x, per.Flow[c]) // natural routes, where these are longer
		}
		links += x
		if f.LinkClasses[c].Name != topology.ClassNic {
			hops += x
		}
		onSwitches := float64(r.Ends[c]) / 2
		mean += x * (onSwitches*model.SwitchNs + (1-onSwitches)*model.RelayNs)
		if r.Kind[c] == market.Cable {
			mean += x * max(e.m.shortestM, e.l.meanM[c]) * model.CableNsPerM
		}
	}
	if x := per.Hops - hops; x > 0 {
		hops, links = hops+x, links+x
		mean += x * min(model.SwitchNs, model.RelayNs)
	}
	pathsAtLeast(links, hops, out)
	if per.VCs > 0 {
		out.Set(metric.VCsMinimal, float64(per.VCs), inf)
		out.Set(metric.VCsAdaptive, float64(per.VCs), inf)
	}
	if fastest > 0 && links >= 1 {
		mean += model.NICNs - model.RelayNs + 8*float64(model.MTUBytes)/fastest
		out.Set(metric.Latency, mean*metric.Below, inf)
	}
	if phases, ok := e.m.closedRouting(); ok && !math.IsInf(best, 1) {
		out.Set(metric.UniformThroughput, 0, best/phases.Lo*above)
	}
}

// pathsAtLeast bounds paths by the mean numbers of links, all but internal ones, and of those that are
// no nic links: of these all but two lie between the first and the last of a path.
func pathsAtLeast(links, hops float64, out *metric.Intervals) {
	links, hops = max(1, links*metric.Below), hops*metric.Below
	out.Set(metric.MeanPathLinks, links, inf)
	out.Set(metric.MeanPathSwitches, links-1, inf)
	out.Set(metric.MeanHops, hops, inf)
	// The longest is a whole number that is not below the mean.
	longest := math.Ceil(links * metric.Below)
	out.Set(metric.MaxPathLinks, longest, inf)
	out.Set(metric.MaxPathSwitches, longest-1, inf)
	out.Set(metric.MaxHops, math.Ceil(hops*metric.Below), inf)
}
