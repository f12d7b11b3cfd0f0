package bound

import (
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
	"toposearch/topology"
)

// routesExactly adds what follows from the family's closed forms; it leaves the routes that the routing takes in
// l.paths, and tells whether it knows them.
func (m *Model) routesExactly(v []int, s *topology.Size, l *Ladder, out *metric.Intervals) bool {
	f, p := s.Family, &l.paths
	if !route.Natural(f, v, p) {
		return false
	}
	if phases, ok := m.closedRouting(s, s); ok {
		if x := route.Busiest(s, &l.rates, p); x.Limited {
			least := x.Throughput / phases.Hi
			if m.opt.Hashed {
				least = 0
			}
			out.Set(metric.UniformThroughput, least, x.Throughput/phases.Lo)
		}
	}
	if m.opt.Routing == "minimal" && !p.Shortest && !route.Shortest(f, v, p) {
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

// latencyBetween takes every cable as short as any on sale that reaches, or as short as its class is bought on
// average in meanM unless that is nil, and as long as any.
func (m *Model) latencyBetween(s *topology.Size, l *Ladder, meanM *[topology.MaxClasses]float64, out *metric.Intervals) {
	r, p := &l.rates, &l.paths
	lo, hi := m.opt.Latency.CablelessNs(s, r, p)
	n := float64(p.Sums.Pairs)
	near, far, busiest := 0.0, 0.0, 1.0
	for k := range s.Family.LinkClasses {
		if skips(r.Kind[k]) && p.Sums.Cross[k] > 0 {
			busiest = inf
		}
		if x := float64(p.Sums.Cross[k]) / n; x > 0 && r.Kind[k] == market.Cable {
			busiest = max(busiest, p.Peak[k])
			least := l.meanM[k]
			if meanM != nil {
				least = max(least, meanM[k]*metric.Below)
			}
			x *= float64(r.Cables(k))
			near += x * least
			if p := r.Speed[k]; p != nil {
				far += x * p.ReachM
			} else {
				far = inf
			}
		}
	}
	near = max(near, min(far, m.acrossM(s.Family, s.Endpoints, busiest))) // where that is farther than cables reach, which the next step rejects
	per := m.opt.Latency.CableNsPerM
	out.Set(metric.Latency, (lo+near*per)*metric.Below, (hi+far*per)*above)
}
