package evaluator

import (
	"math"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Level0 encloses the metrics of a counted design from closed forms: counts exactly, cost,
// power, latency and throughput as intervals that hold at every later level. Under 1 us, no
// allocation. v are the design's values. The classes of a family that need no cable are asked
// once: they must not depend on its values.
func (e *Evaluator) Level0(v []int, s *topology.Size, sc *Scratch, out *metric.Intervals) metric.Reject {
	f := s.Family
	if sc.family != f {
		sc.family, sc.boards = f, e.boardsOf(f)
	}
	sc.walk = false
	countsAt(s, out)
	if f.NonBlocking != nil {
		out.Point(metric.NonblockingRegion, float64(f.NonBlocking(v)))
	}
	var r rates
	e.rate(s, sc.boards, &r)
	if r.reject.Constraint != "" {
		return r.reject
	}
	out.Point(metric.PortsPerEndpoint, float64(r.used(s))/float64(s.Endpoints))
	buys, rej := e.switches(s, &r)
	if rej.Constraint != "" {
		return rej
	}
	if rej := e.cablesExist(s, &r); rej.Constraint != "" {
		return rej
	}
	var m money
	e.countSwitches(s, &buys, &m, out)
	e.countCables(s, s, &r, &m, out)
	e.countNICs(s, &r, false, &m)
	e.countMedia(s, &r, &m)
	e.enclose(float64(s.Endpoints), float64(s.Endpoints), &m, out)
	e.racksAtLeast(float64(s.Endpoints), out)
	if s.Endpoints >= 2 && !e.scaled(f) && !e.opt.built {
		e.routesAtLevel0(v, s, &r, sc, out)
	}
	return metric.Reject{}
}

// countsAt is countsBetween of one size.
func countsAt(s *topology.Size, out *metric.Intervals) {
	out.Point(metric.Endpoints, float64(s.Endpoints))
	out.Point(metric.Switches, float64(s.Switches()))
	out.Point(metric.EmbeddedSwitches, float64(s.EmbeddedSwitches()))
	out.Point(metric.SwitchLinks, float64(s.SwitchLinks()))
	out.Point(metric.EndpointLinks, float64(s.EndpointLinks()))
	out.Point(metric.Radix, float64(s.Radix()))
	out.Point(metric.EndpointPorts, float64(s.EndpointPorts))
	out.Set(metric.Bisection, 0, 1)
}

// money collects bounds of cost in minor units and of power in watts.
type money struct {
	lo, hi   float64
	loW, hiW float64
	leadLo   float64
	noPower  bool // the draw of a part is not known,
	noCost   bool // or its price
}

// cablesExist tells whether the shortest cable that a class can need is sold.
func (e *Evaluator) cablesExist(s *topology.Size, r *rates) metric.Reject {
	least := e.leastM
	for c := range s.Family.LinkClasses {
		if r.kind[c] != linkBought || s.Link[c] == 0 {
			continue
		}
		if p := r.of[c]; p == nil || p.longest() < least {
			bound := 0.0
			if p != nil {
				bound = p.longest()
			}
			return metric.Reject{Constraint: metric.RejectReach, Got: least, Bound: bound}
		}
	}
	return metric.Reject{}
}

// shortestM bounds every laid length from below: in the rack, or to a rack beside it.
func shortestM(s *Site) float64 {
	return min(s.InRackM, s.besideM())
}

// besideM is the length to the nearest other rack.
func (s *Site) besideM() float64 { return min(s.lengthM(1, 0, false), s.lengthM(0, 1, false)) }

func (e *Evaluator) countSwitches(s *topology.Size, buys *[topology.MaxClasses]catalog.SwitchChoice, m *money, out *metric.Intervals) {
	most, bought := 0, 0.0
	var last *modelPrice // classes mostly share a model
	for i := range s.Family.SwitchClasses {
		part := buys[i].Part
		if part == nil {
			continue
		}
		most = max(most, buys[i].PhysicalPorts)
		inUse := 0
		for c := range s.Family.LinkClasses {
			inUse += int(s.Switch[i].Ports[c])
		}
		bought += float64(s.Switch[i].Count) * float64(inUse) * float64(part.Ports) / float64(buys[i].PhysicalPorts)
		n := float64(s.Switch[i].Count)
		if last == nil || last.part != part {
			last = e.modelOf(part)
		}
		m.lo += n * last.least
		m.hi += n * last.most
		m.loW += n * part.PowerW
		m.hiW += n * part.PowerW
		m.leadLo = max(m.leadLo, leastLead(part))
		m.noCost = m.noCost || !part.Priced
	}
	out.Point(metric.PhysicalPorts, float64(most))
	out.Point(metric.PortsBoughtPerEndpoint, bought/float64(s.Endpoints))
}

// countCables bounds the cables of designs with at least the links of l and at most those of h,
// whose rates are those of r.
func (e *Evaluator) countCables(l, h *topology.Size, r *rates, m *money, out *metric.Intervals) {
	longest, shortest, total, most, copper, optical := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for c := range l.Family.LinkClasses {
		if r.kind[c] != linkBought || h.Link[c] == 0 {
			continue
		}
		p := r.of[c]
		if p == nil {
			m.hi, m.hiW, longest, copper = math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)
			continue
		}
		lo, hi := float64(l.Link[c]), float64(h.Link[c])
		most += hi
		m.lo += lo * float64(p.least)
		m.hi += hi * p.mostPrice()
		m.loW += lo * p.leastW
		m.hiW += hi * p.maxW
		longest = max(longest, p.reach)
		if lo > 0 {
			shortest = max(shortest, p.stock)
			total += lo * p.stock
			m.leadLo = max(m.leadLo, p.lead)
			m.noCost = m.noCost || !e.cablesPriced && e.unpricedCable(p, true, 0)
		}
		if p.optical {
			optical += lo
		} else {
			copper += hi
		}
	}
	out.Set(metric.CableMax, shortest, longest)
	out.Set(metric.CableTotal, total*(1-1e-12), math.Inf(1))
	out.Set(metric.CablesCopper, 0, copper)
	out.Set(metric.CablesOptical, optical, most)
}

// mostPrice is the highest price of a link, +Inf if it is not known.
func (p *speed) mostPrice() float64 {
	if !p.priced {
		return math.Inf(1)
	}
	return float64(p.most)
}

// countNICs bounds the network cards of a design; with atLeast, of all designs with no fewer endpoints.
func (e *Evaluator) countNICs(s *topology.Size, r *rates, atLeast bool, m *money) {
	var b purchase
	e.chooseNICs(s, r, &b)
	if atLeast && b.rivals != nil {
		e.countRivals(&b, m)
		return
	}
	m.noPower = m.noPower || b.noNIC > 0
	m.loW += b.nicW
	m.hiW += b.nicW
	if !e.opt.CountNICs {
		return
	}
	m.noCost = m.noCost || b.noNIC > 0 || b.nic != nil && !b.nic.Priced
	if b.nic != nil {
		m.leadLo = max(m.leadLo, leastLead(b.nic))
		a := e.modelOf(b.nic)
		m.lo += float64(b.nics) * a.least
		m.hi += float64(b.nics) * a.most
	}
}

// countRivals bounds network cards of which it is not known which are the cheapest.
func (e *Evaluator) countRivals(b *purchase, m *money) {
	watts, lead, least := math.Inf(1), math.Inf(1), math.Inf(1)
	for _, p := range b.rivals {
		watts, lead, least = min(watts, p.PowerW), min(lead, leastLead(p)), min(least, e.modelOf(p).least)
	}
	m.loW += watts * float64(b.nics)
	m.hi, m.hiW = math.Inf(1), math.Inf(1)
	if e.opt.CountNICs {
		m.leadLo = max(m.leadLo, lead)
		m.lo += least * float64(b.nics)
	}
}

// enclose records cost and power for between l and h endpoints.
func (e *Evaluator) enclose(l, h float64, m *money, out *metric.Intervals) {
	l = max(l, 1)
	e.lack(m, out)
	// Sums of products of floats round: a few parts in 10^16 each.
	const above = 1 + 1e-12
	lo, hi := m.lo/e.minor*metric.Below, m.hi/e.minor*above
	out.Set(metric.Cost, lo, hi)
	out.Set(metric.CostPerEndpoint, lo/h, hi/l)
	out.Set(metric.LeadTime, m.leadLo, math.Inf(1))
	if !m.noPower {
		out.Set(metric.Power, m.loW*metric.Below, m.hiW*above)
		out.Set(metric.PowerPerEndpoint, m.loW/h*metric.Below, m.hiW/l*above)
	}
	if !m.noPower || e.opt.Site.EndpointAllInW > 0 {
		// The building that draws most has at least an even share of all, and at most all.
		loB, hiB := e.buildingAt(l, m.loW)/float64(max(e.opt.Site.Buildings, 1)), e.buildingAt(h, m.hiW)
		out.Set(metric.BuildingPower, loB*metric.Below, hiB*above)
	}
}

// heat works out how many servers a rack can feed at most, network cards and switches aside.
func (e *Evaluator) heat() {
	s := &e.opt.Site
	e.rackServers = int64(max(s.RackServers, 1))
	each := s.EndpointPowerW
	if s.EndpointAllInW > 0 {
		each = s.EndpointAllInW
	}
	each *= float64(e.opt.PerServer)
	if s.RackPowerW <= 0 || each <= 0 {
		return
	}
	if each > s.RackPowerW {
		e.tooHot = metric.Reject{Constraint: metric.RejectRack, Got: each, Bound: s.RackPowerW}
	}
	e.rackServers = max(1, min(e.rackServers, int64(s.RackPowerW/each*(1+1e-12))))
}

// racksAtLeast bounds racks and floor by the racks of the endpoints alone.
func (e *Evaluator) racksAtLeast(endpoints float64, out *metric.Intervals) {
	s := &e.opt.Site
	racks := max(1, math.Ceil(endpoints/float64(e.rackServers*int64(e.opt.PerServer))))
	out.Set(metric.Racks, racks, math.Inf(1))
	out.Set(metric.FloorArea, racks*s.RackPitchM*s.RowPitchM*(1-1e-12), math.Inf(1))
}

// routesAtLevel0 adds what follows from closed forms of the routes, or from bounds where those take
// long.
func (e *Evaluator) routesAtLevel0(v []int, s *topology.Size, r *rates, sc *Scratch, out *metric.Intervals) {
	if walks := s.Family.Walks; walks != nil && walks(v) || !e.routesExactly(v, s, r, &sc.Paths, out) {
		e.routesAtLeast(v, s, r, sc, out)
	}
}

// routesAtLeast encloses the metrics of routes that only a walk over ports tells, by what the family
// says of the design as a box of one.
func (e *Evaluator) routesAtLeast(v []int, s *topology.Size, r *rates, sc *Scratch, out *metric.Intervals) {
	if sc.walk = s.Family.PerEndpoint != nil; !sc.walk {
		return
	}
	known, x := out.Have[metric.UniformThroughput], out.At[metric.UniformThroughput]
	s.Family.BoundPerEndpoint(v, v, s.Endpoints, s.Endpoints, &sc.per)
	if sc.per.Known {
		e.boxRoutes(s, s, r, &sc.per, new([topology.MaxClasses]float64), out)
	}
	if known {
		out.At[metric.UniformThroughput] = x
	}
}

// routesExactly adds what follows from the family's closed forms; it leaves the shortest routes in p,
// and tells whether it knows them.
func (e *Evaluator) routesExactly(v []int, s *topology.Size, r *rates, p *topology.Paths, out *metric.Intervals) bool {
	f := s.Family
	if !listRoutes(f, v, p) {
		return false
	}
	switch e.opt.Routing {
	case "", "natural", "valiant":
		if l := closedLimit(s, r, p); l.class >= 0 {
			x := l.throughput
			if e.opt.Routing == "valiant" {
				x /= 2
			}
			out.Point(metric.UniformThroughput, x)
		}
	}
	if !p.Shortest && !listDistances(f, v, p) {
		return false
	}
	g := figuresOf(&p.Sums)
	out.Point(metric.MeanPathLinks, g.meanLinks())
	out.Point(metric.MaxPathLinks, float64(g.maxLinks))
	out.Point(metric.MeanPathSwitches, g.meanLinks()-1)
	out.Point(metric.MaxPathSwitches, float64(g.maxLinks-1))
	out.Point(metric.MeanHops, g.meanHops())
	out.Point(metric.MaxHops, float64(g.maxHops))
	e.latencyBetween(s, r, p, nil, out)
	return true
}

// countsBetween encloses the counts between two sizes.
func countsBetween(l, h *topology.Size, out *metric.Intervals) {
	out.Set(metric.Endpoints, float64(l.Endpoints), float64(h.Endpoints))
	out.Set(metric.Switches, float64(l.Switches()), float64(h.Switches()))
	out.Set(metric.EmbeddedSwitches, float64(l.EmbeddedSwitches()), float64(h.EmbeddedSwitches()))
	out.Set(metric.SwitchLinks, float64(l.SwitchLinks()), float64(h.SwitchLinks()))
	out.Set(metric.EndpointLinks, float64(l.EndpointLinks()), float64(h.EndpointLinks()))
	out.Set(metric.Radix, float64(l.Radix()), float64(h.Radix()))
	out.Set(metric.EndpointPorts, float64(l.EndpointPorts), float64(h.EndpointPorts))
	out.Set(metric.Bisection, 0, 1)
}
