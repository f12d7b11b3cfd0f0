package bound

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
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
	clear(e.l.meanM[:])
	known, x := out.Have[metric.UniformThroughput], out.At[metric.UniformThroughput]
	f.BoundPerEndpoint(e.b.V, e.b.V, s.Endpoints, s.Endpoints, &e.l.per)
	if e.l.per.Known {
		e.routesAtLeast(&e.l.per)
	}
	if known {
		out.At[metric.UniformThroughput] = x
	}
}

// routesExactly adds what follows from the family's closed forms; it leaves the shortest routes in l.paths,
// and tells whether it knows them.
func (m *Model) routesExactly(v []int, s *topology.Size, l *Ladder, out *metric.Intervals) bool {
	f, p := s.Family, &l.paths
	if !route.Natural(f, v, p) {
		return false
	}
	if phases, ok := m.closedRouting(); ok {
		if x := route.Busiest(s, &l.rates, p); x.Limited {
			out.Point(metric.UniformThroughput, x.Throughput/phases)
		}
	}
	if !p.Shortest && !route.Shortest(f, v, p) {
		return false
	}
	g := route.FiguresOf(&p.Sums)
	links, hops := g.MeanLinks(), g.MeanHops()
	out.Point(metric.MeanPathLinks, links)
	out.Point(metric.MaxPathLinks, float64(g.MaxLinks))
	out.Point(metric.MeanPathSwitches, links-1)
	out.Point(metric.MaxPathSwitches, float64(g.MaxLinks-1))
	out.Point(metric.MeanHops, hops)
	out.Point(metric.MaxHops, float64(g.MaxHops))
	m.latencyBetween(s, l, nil, out)
	return true
}

// latencyBetween takes every cable as short as any, or as short as its class is on average in meanM unless that
// is nil, and as long as any.
func (m *Model) latencyBetween(s *topology.Size, l *Ladder, meanM *[topology.MaxClasses]float64, out *metric.Intervals) {
	r, p := &l.rates, &l.paths
	lo, hi := m.opt.Latency.CablelessNs(s, r, p)
	n := float64(p.Sums.Pairs)
	near, far := 0.0, 0.0
	for k := range s.Family.LinkClasses {
		if x := float64(p.Sums.Cross[k]) / n; x > 0 && r.Kind[k] == market.Cable {
			least := m.shortestM
			if meanM != nil {
				least = max(least, meanM[k]*metric.Below)
			}
			near += x * least
			if p := r.Speed[k]; p != nil {
				far += x * p.ReachM
			} else {
				far = inf
			}
		}
	}
	per := m.opt.Latency.CableNsPerM
	out.Set(metric.Latency, (lo+near*per)*metric.Below, (hi+far*per)*above)
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
		out.Set(metric.UniformThroughput, 0, best/phases*above)
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
