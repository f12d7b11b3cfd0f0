package evaluator

import (
	"math"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// listRoutes sums a family's routes up, over its types or in brief; false if it has no closed form.
func listRoutes(f *topology.Family, v []int, p *topology.Paths) bool {
	p.Reset()
	switch {
	case f.Paths == nil:
		return false
	case f.Brief != nil && f.Brief(v, p):
		return p.Sums.Pairs > 0
	}
	if !f.Paths(v, p) || len(p.Types) == 0 {
		return false
	}
	p.Sum(f)
	return true
}

// listDistances is the same of shortest routes, where natural ones can be longer.
func listDistances(f *topology.Family, v []int, p *topology.Paths) bool {
	p.Reset()
	if f.Distances == nil || !f.Distances(v, p) || len(p.Types) == 0 {
		return false
	}
	p.Sum(f)
	return true
}

// meanCrossing is what a route crosses on average, the slowest link and the cables aside. Interior
// vertices are switches that are bought, or endpoints that relay. Every link has two ends; those on
// bought switches belong to interior vertices.
func (r *rates) meanCrossing(f *topology.Family, s *topology.Sums) (c crossing) {
	n := float64(s.Pairs)
	for k := range f.LinkClasses {
		if s.Cross[k] != 0 {
			c.switches += float64(s.Cross[k]) / n * float64(r.ends[k]) / 2
		}
	}
	c.links = float64(s.Links) / n
	c.relays = c.links - 1 - c.switches
	return c
}

// slowest bounds the mean of 1 over the rate of the slowest link of a route, in 1/(Gb/s): exactly if all
// classes that routes cross have one rate, if no one is slower than the links of endpoints, or if the
// types of routes are listed.
func (r *rates) slowest(f *topology.Family, p *topology.Paths) (lo, hi float64) {
	s := &p.Sums
	slow, fast := math.Inf(1), 0.0
	for c := range f.LinkClasses {
		if s.Cross[c] != 0 {
			slow, fast = min(slow, r.link[c]), max(fast, r.link[c])
		}
	}
	switch {
	case fast == 0: // ports of one endpoint's own: no route between distinct endpoints
		return 1 / r.bandwidth, 1 / r.bandwidth
	case slow == fast, s.Cross[0] == 2*s.Pairs && r.link[0] == slow:
		return 1 / slow, 1 / slow
	case len(p.Types) == 0:
		return 1 / fast, 1 / slow
	}
	sum := 0.0
	for i := range p.Types {
		t := &p.Types[i]
		x := math.Inf(1)
		for c := range f.LinkClasses {
			if t.Cross[c] != 0 && s.Cross[c] != 0 {
				x = min(x, r.link[c])
			}
		}
		if math.IsInf(x, 1) {
			x = r.bandwidth
		}
		sum += float64(t.Weight) / x
	}
	x := sum / float64(s.Pairs)
	return x, x
}

// meanLatency is the zero-load latency over the routes p with cables of these mean lengths, or
// encloses it.
func (e *Evaluator) meanLatency(s *topology.Size, r *rates, p *topology.Paths, meanM []float64) (lo, hi float64) {
	c := r.meanCrossing(s.Family, &p.Sums)
	for k := range s.Family.LinkClasses {
		if r.kind[k] == linkBought {
			c.cableM += float64(p.Sums.Cross[k]) / float64(p.Sums.Pairs) * meanM[k]
		}
	}
	return e.opt.Latency.between(&c, r, s.Family, p)
}

// between is the latency of a mean crossing with the bounds of what its slowest links add.
func (l *LatencyModel) between(c *crossing, r *rates, f *topology.Family, p *topology.Paths) (lo, hi float64) {
	a, b := r.slowest(f, p)
	c.slowest = 1 / a
	lo = l.latencyOf(c)
	if a == b {
		return lo, lo
	}
	c.slowest = 1 / b
	return lo, l.latencyOf(c)
}

// latencyBetween takes every cable as short as any, or as short as lay says, and as long as any.
func (e *Evaluator) latencyBetween(s *topology.Size, r *rates, p *topology.Paths, lay *leastLay, out *metric.Intervals) {
	c := r.meanCrossing(s.Family, &p.Sums)
	lo, hi := e.opt.Latency.between(&c, r, s.Family, p)
	n := float64(p.Sums.Pairs)
	near, far := 0.0, 0.0
	for k := range s.Family.LinkClasses {
		if x := float64(p.Sums.Cross[k]) / n; x > 0 && r.kind[k] == linkBought {
			near += x * lay.atLeast(k, e.leastM)
			if p := r.of[k]; p != nil {
				far += x * p.reach
			} else {
				far = math.Inf(1)
			}
		}
	}
	per := e.opt.Latency.CableNsPerM
	out.Set(metric.Latency, (lo+near*per)*(1-1e-12), (hi+far*per)*(1+1e-12))
}
