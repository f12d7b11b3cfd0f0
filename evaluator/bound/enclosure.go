package bound

import (
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
)

// enclosure is a box under way.
type enclosure struct {
	m     *Model
	b     Box
	l     *Ladder
	r     *market.Rates // of the upper corner
	out   *metric.Intervals
	known bool // the rates are those of all designs
	t     sum
}

// slowest is the slowest rate that links of class c can have in the box; nil if none is as fast.
func (e *enclosure) slowest(c int) *market.Speed {
	if e.known {
		return e.m.market.SpeedOfClass(e.r, c, false)
	}
	return e.m.market.SpeedFrom(e.leastGbps(c))
}

// leastGbps is what a link of class c has to carry at least in the box: where the rates are known it is rounded up to one on sale, if there is one.
func (e *enclosure) leastGbps(c int) float64 {
	if e.known {
		return e.r.Link[c]
	}
	asked, _ := e.m.market.AskedGbps()
	return asked / float64(max(e.b.Hi.EndpointLanes, 1)) * float64(min(e.b.Lo.Lanes[c], e.b.Hi.Lanes[c]))
}

// fastest is the fastest rate that links of class c can have in the box, Gb/s.
func (e *enclosure) fastest(c int) float64 {
	asked, _ := e.m.market.AskedGbps()
	gbps := asked / float64(max(e.b.Lo.EndpointLanes, 1)) * float64(max(e.b.Lo.Lanes[c], e.b.Hi.Lanes[c]))
	switch e.r.Kind[c] {
	case market.Scaleup:
		return e.r.Link[c]
	case market.Cable:
		if p := e.m.market.SpeedFrom(gbps); p != nil {
			return float64(p.Gbps)
		}
	}
	return gbps
}
