package evaluator

import (
	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
	"toposearch/topology"
)

// Exact narrows the intervals of cost, latency and cables to what level 1 gives, for a design that Laid has
// just let pass with the same scratch: it lays the cables on the floor plan and prices them, and
// leaves out everything else that an evaluation says. It costs some 50 us at 16,384 endpoints.
func (e *Evaluator) Exact(v []int, s *topology.Size, sc *Scratch, out *metric.Intervals) metric.Reject {
	f := s.Family
	known := true // the shortest routes
	if sc.walk {
		e.rate(s, sc.boards, &sc.rates)
		known = e.routesExactly(v, s, &sc.rates, &sc.Paths, out)
	}
	if e.opt.Site.Buildings > 1 || f.Place == nil || s.Endpoints < 1 {
		return metric.Reject{}
	}
	p, r := &sc.floor, &sc.rates
	if p.size != s {
		return metric.Reject{}
	}
	lay := newLayout(p)
	lay.stream(topology.Design{Family: f, V: v}, r)
	rs, rej := lay.gather(e, r)
	lay.free()
	if rej.Constraint != "" {
		return rej
	}
	e.chooseCables(f, r, rs)
	e.exactCables(r, rs, out)
	if out.Have[metric.Cost] && !e.sharesCages(r, rs) { // else odd links have parts of their own
		e.exactCost(s, sc, rs, out)
	}
	if !known || !out.Have[metric.Latency] {
		return metric.Reject{}
	}
	l := &sc.lay
	var sum, count [topology.MaxClasses]float64
	for i := range rs {
		sum[rs[i].class] += rs[i].sumM
		count[rs[i].class] += float64(rs[i].count)
	}
	for c := range f.LinkClasses {
		l.meanM[c] = 0
		if count[c] > 0 {
			l.meanM[c] = sum[c] / count[c]
		}
	}
	lo, hi := e.meanLatency(s, r, &sc.Paths, l.meanM[:])
	out.Set(metric.Latency, lo*(1-1e-12), hi*(1+1e-12))
	return metric.Reject{}
}

func (e *Evaluator) exactCost(s *topology.Size, sc *Scratch, rs []runs, out *metric.Intervals) {
	b := &bill{e: e, lines: sc.lines[:0]}
	for i := range s.Family.SwitchClasses {
		b.add(sc.buys.switches[i].Part, s.Switch[i].Count, 1, 1, "")
	}
	for i := range rs {
		b.cables(e.cabling(sc.rates.link[rs[i].class], rs[i].far, rs[i].step), &s.Family.LinkClasses[rs[i].class], rs[i].count, "")
	}
	if e.opt.CountNICs {
		b.add(sc.buys.nic, sc.buys.nics, 1, 1, "")
	}
	_, missing := e.billMedia(s, &sc.rates, b)
	_, total, unpriced, err := b.price()
	sc.lines = b.lines[:0]
	if err != nil || len(unpriced) > 0 || missing != "" || e.opt.CountNICs && sc.buys.noNIC > 0 {
		return
	}
	x := unit.Money{Minor: int64(total), Currency: e.opt.Currency}.Major()
	out.Point(metric.Cost, x)
	out.Point(metric.CostPerEndpoint, x/float64(s.Endpoints))
}

// exactCables says what a design's cables are, and whether one has no price.
func (e *Evaluator) exactCables(r *rates, rs []runs, out *metric.Intervals) {
	longest, total := 0.0, 0.0
	var copper, optical int64
	for i := range rs {
		cab := e.cabling(r.link[rs[i].class], rs[i].far, rs[i].step)
		longest, total = max(longest, cab.StockM), total+cab.StockM*float64(rs[i].count)
		if cab.Copper {
			copper += rs[i].count
		} else {
			optical += rs[i].count
		}
		if !cab.Priced() {
			out.Lacks |= metric.CostKeys
		}
	}
	out.Point(metric.CableMax, longest)
	out.Point(metric.CableTotal, total)
	out.Point(metric.CablesCopper, float64(copper))
	out.Point(metric.CablesOptical, float64(optical))
}
