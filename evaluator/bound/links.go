package bound

import (
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
)

// cables adds the links that are bought: the cheapest, as long as is known of them. Of several designs it adds
// what they need of switches beyond what is counted, too: ports in use cost at least their share of a full
// switch, in all classes together.
func (e *enclosure) cables() {
	switches, inUse := e.t.lo, 0.0
	longest, reach, total, copper, optical, most := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for c := range e.b.Lo.Family.LinkClasses {
		each := float64(e.r.Cables(c))
		lo, hi := each*float64(e.b.Lo.Link[c]), each*float64(e.b.Hi.Link[c])
		if e.r.Kind[c] != market.Cable || hi == 0 {
			continue
		}
		p := e.r.Speed[c]
		if !e.known {
			p = e.slowest(c)
		}
		most += hi
		allOptical := e.known && p != nil && p.Optical
		if !allOptical {
			copper += hi
		}
		if lo == 0 {
			continue
		}
		if p == nil {
			e.out.Reject = metric.Reject{Constraint: metric.RejectRate, Got: e.leastGbps(c), Bound: e.m.market.FastestGbps()}
			continue
		}
		offer := p.Offer(e.known)
		e.l.meanM[c] = max(e.m.shortestM, offer.StockM)
		longest, reach, total = max(longest, offer.StockM), max(reach, p.ReachM), total+lo*offer.StockM
		if allOptical {
			optical += lo
		}
		if e.b.Single() {
			e.t.add(lo, hi, &offer.Link)
			continue
		}
		if e.known {
			e.reach(c, p)
		}
		u := e.linkUnit(c, p)
		port := float64(e.r.Ends[c]) * offer.PortPrice
		e.t.add(lo, hi, &u)
		inUse += lo * port
		e.out.CostCurve.Class(lo, each*e.linksFor(c), u.Price, port)
	}
	if !e.b.Single() {
		e.out.CostCurve.Minor, e.out.CostCurve.Switches = e.m.market.Minor(), switches
		e.t.lo += max(0, inUse-switches)
		reach = inf
	}
	e.out.Set(metric.CableMax, longest, reach)
	e.out.Set(metric.CableTotal, total*metric.Below, inf)
	e.out.Set(metric.CablesCopper, 0, copper)
	e.out.Set(metric.CablesOptical, optical, most)
}

// reach rejects designs of which a cable of class c is longer than any at its rate. Where cables may be as long as any on sale, only the
// shortest is looked at until the floor plan is known: few are beyond.
func (e *enclosure) reach(c int, p *market.Speed) {
	need, longest := e.m.shortestM, p.LongestM()
	if e.b.Per != nil && (e.m.reaches || e.b.Per.OnePlan) {
		need = max(need, e.m.longest(e.b.Lo.Family, e.b.Per, c)*metric.Below)
	}
	if longest < need {
		e.out.Reject = metric.Reject{Constraint: metric.RejectReach, Got: need, Bound: longest}
	}
}

// linkUnit is a link of class c of several designs, at the rate p or any faster: as long as its cables are on
// average.
func (e *enclosure) linkUnit(c int, p *market.Speed) market.Unit {
	u := p.Offer(e.known).Link
	if e.b.Per == nil {
		return u
	}
	if x, ok := e.m.spread(e.b.Hi.Family, e.b.Per, e.b.Hi, c, p, e.known); ok {
		u.Price, u.Watts = max(u.Price, x.price*metric.Below), max(u.Watts, x.watts*metric.Below)
		e.l.meanM[c] = max(e.l.meanM[c], x.meanM*metric.Below)
	}
	u.Unpriced = e.m.lacksCable(e.b.Lo.Family, e.b.Per, c, p, e.known, e.l.meanM[c])
	return u
}

// linksFor is how many links of class c a uniform throughput of 1 needs at least, 0 if not known: they
// carry what crosses the class in both directions.
func (e *enclosure) linksFor(c int) float64 {
	asked, stated := e.m.market.AskedGbps()
	per := e.b.Per
	if per == nil || per.Flow[c] == 0 || !stated || !e.m.ownRoutes(e.b.Lo.Family) {
		return 0
	}
	if _, ok := e.m.closedRouting(e.b.Lo, e.b.Hi); !ok {
		return 0
	}
	return float64(e.b.Lo.Endpoints) * asked * per.Flow[c] / (2 * e.fastest(c))
}
