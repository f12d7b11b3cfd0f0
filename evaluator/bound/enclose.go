package bound

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Enclose encloses the metrics of every design of a box: counts, cost, power, latency, throughput and what else
// follows from counts. Of one design counts are exact, and so is whatever its closed forms say; out holds at
// every later step, and l stands on the first step of its ladder for it. out.Reject is set if there is no part
// for any of the designs, and may then leave metrics out. out must be empty. Under 1 us, no allocation.
//
// Cost is a sum of counts times units, both of them intervals: of one design the units are those of the parts
// that it takes, of several those of the cheapest parts that serve the least that any of them needs.
func (m *Model) Enclose(b Box, l *Ladder, out *metric.Intervals) {
	f := b.Lo.Family
	l.begin(m, &b)
	m.counts(&b, out)
	r := &l.rates
	m.market.Rate(b.Hi, l.boards, r)
	if b.Single() {
		if rej := m.choose(&b, l, out); rej.Constraint != "" {
			out.Reject, l.left = rej, 0
			return
		}
	} else if f.Place != nil && b.Lo.Switches() > 0 { // there is something to place
		out.Reject = m.tooHot
	}
	e := enclosure{m: m, b: b, l: l, r: r, out: out}
	e.known = b.Single() || b.Lo.EndpointLanes == b.Hi.EndpointLanes && b.Lo.Lanes == b.Hi.Lanes
	if !b.Single() {
		e.t.hi, e.t.hiW = inf, inf
	}
	clear(l.meanM[:])
	e.switches()
	l.switchLo, l.switchHi = e.t.lo, e.t.hi
	e.cables()
	e.cards()
	e.media()
	e.scaleup()
	m.record(b.Lo, b.Hi, &e.t, out)
	m.racksAtLeast(f, float64(b.Lo.Endpoints), out)
	e.routes()
	if m.opt.Uptime {
		e.uptime(nil)
	}
	m.follow(l, b.Lo, b.Hi, out)
	if !b.Single() && e.loadsWidest() {
		m.follow(l, b.Lo, b.Hi, out)
	}
}

// choose buys the switches and network cards of one design. The rejection is a part that is not on sale.
func (m *Model) choose(b *Box, l *Ladder, out *metric.Intervals) metric.Reject {
	s, r := b.Lo, &l.rates
	if r.Reject.Constraint != "" {
		return m.market.RateReject(s, r)
	}
	out.Point(metric.PortsPerEndpoint, float64(r.PortsInUse(s))/float64(s.Endpoints))
	if rej := m.market.Buy(s, r, &l.buys); rej.Constraint != "" {
		return rej
	}
	for c := range s.Family.LinkClasses { // the shortest cable that each class can need
		if r.Kind[c] != market.Cable || s.Link[c] == 0 || r.Cables(c) > 1 {
			continue
		}
		if longest := r.Speed[c].LongestM(); longest < m.shortestM {
			return metric.Reject{Constraint: metric.RejectReach, Got: m.shortestM, Bound: longest}
		}
	}
	return metric.Reject{}
}

// counts encloses what follows from the counts alone.
func (m *Model) counts(b *Box, out *metric.Intervals) {
	l, h := b.Lo, b.Hi
	out.Point(metric.Endpoints, float64(l.Endpoints))
	out.Point(metric.Switches, float64(l.Switches()))
	out.Point(metric.EmbeddedSwitches, float64(l.EmbeddedSwitches()))
	out.Point(metric.SwitchLinks, float64(l.SwitchLinks()))
	out.Point(metric.EndpointLinks, float64(l.EndpointLinks()))
	out.Point(metric.Radix, float64(l.Radix()))
	out.Point(metric.EndpointPorts, float64(l.EndpointPorts))
	if !b.Single() {
		out.At[metric.Endpoints].Hi = float64(h.Endpoints)
		out.At[metric.Switches].Hi = float64(h.Switches())
		out.At[metric.EmbeddedSwitches].Hi = float64(h.EmbeddedSwitches())
		out.At[metric.SwitchLinks].Hi = float64(h.SwitchLinks())
		out.At[metric.EndpointLinks].Hi = float64(h.EndpointLinks())
		out.At[metric.Radix].Hi = float64(h.Radix())
		out.At[metric.EndpointPorts].Hi = float64(h.EndpointPorts)
	}
	out.Set(metric.Bisection, 0, 1)
	switch region := b.Lo.Family.NonBlocking; {
	case region == nil:
	case b.Single():
		out.Point(metric.NonblockingRegion, float64(region(b.V)))
	default:
		out.Set(metric.NonblockingRegion, 0, float64(h.Endpoints))
	}
	if within := m.opt.JobsWithin; within != nil && b.Lo.Family.NonBlocking != nil {
		r := out.At[metric.NonblockingRegion]
		out.Set(metric.JobsIsolated, within(int64(r.Lo)), within(int64(r.Hi)))
	}
}

// racksAtLeast bounds racks and floor by the racks of the endpoints alone; a construction that has racks of its
// own says how many only once a design is placed.
func (m *Model) racksAtLeast(f *topology.Family, endpoints float64, out *metric.Intervals) {
	s, racks := m.site, 1.0
	if !f.OwnRacks {
		racks = max(1, math.Ceil(endpoints/float64(m.rackServers*int64(m.opt.PerServer))))
	}
	out.Set(metric.Racks, racks, inf)
	out.Set(metric.FloorArea, racks*s.RackPitchM*s.RowPitchM*metric.Below, inf)
}

// record states cost, power and lead time of designs between two sizes.
func (m *Model) record(least, most *topology.Size, t *sum, out *metric.Intervals) {
	l, h := max(float64(least.Endpoints), 1), float64(most.Endpoints)
	m.lack(t, out)
	lo, hi := t.lo/m.market.Minor()*metric.Below, t.hi/m.market.Minor()*above
	out.Set(metric.Cost, lo, hi)
	out.Set(metric.CostPerEndpoint, lo/h, hi/l)
	out.Set(metric.LeadTime, t.leadWeeks, inf)
	if !t.noPower {
		out.Set(metric.Power, t.loW*metric.Below, t.hiW*above)
		out.Set(metric.PowerPerEndpoint, t.loW/h*metric.Below, t.hiW/l*above)
	}
	if !t.noPower || m.site.EndpointAllInW > 0 {
		// The building that draws most has at least an even share of all, and at most all.
		if c := m.opt.Cluster; c != nil {
			few, many := spares(c, least, most)
			l, h = l+float64(few.SparesOf(least.Endpoints)), h+float64(many.SparesOf(most.Endpoints))
		}
		loB, hiB := m.site.BuildingW(l, t.loW)/float64(max(m.site.Buildings, 1)), m.site.BuildingW(h, t.hiW)
		out.Set(metric.BuildingPower, loB*metric.Below, hiB*above)
	}
}

// lack records the metrics that no design within the bounds has, by what its parts lack.
func (m *Model) lack(t *sum, out *metric.Intervals) {
	if t.noCost {
		out.Lacks |= metric.CostKeys
	}
	if t.noPower {
		out.Lacks |= metric.PowerKeys
		if m.site.EndpointAllInW == 0 {
			out.Lacks |= metric.KeySet(1) << metric.BuildingPower
		}
	}
}
