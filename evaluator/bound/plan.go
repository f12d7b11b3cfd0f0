package bound

import (
	"math"

	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// ByFloorPlan places the racks of a design: what stands in different racks is at least as far apart as these are.
// It takes several microseconds. Several buildings are not foreseen: intervals stay as they are.
var ByFloorPlan = Refinement{
	Name: "floor plan",
	Narrows: metric.CostKeys | metric.PowerKeys | moneyKeys | 1<<metric.BuildingPower | 1<<metric.Latency |
		1<<metric.Racks | 1<<metric.FloorArea,
	Effort: func(_ *Model, s *topology.Size) int64 {
		if s.Family.Unplaced == nil {
			return 10
		}
		return 20 + s.SwitchLinks()/2000 // racks of blocks: 0.6 ms of a million endpoints
	},
	refine: (*Ladder).byFloorPlan,
}

// excess is what the cables of a design need beyond what closed forms count for them, and their mean lengths as
// bought, at least.
type excess struct {
	price, watts float64
	meanM        [topology.MaxClasses]float64
}

func (l *Ladder) byFloorPlan(out *metric.Intervals) {
	m, s, r := l.model, l.size, &l.rates
	f := s.Family
	if m.site.Buildings > 1 || f.Place == nil || s.Endpoints < 1 {
		return
	}
	place := f.Place(l.v)
	if out.Reject = l.plan.Place(m.site, m.opt.PerServer, s, &place, &l.buys); out.Reject.Constraint != "" {
		return
	}
	l.placed = true
	out.Point(metric.Racks, float64(l.plan.Racks()))
	out.Point(metric.FloorArea, l.plan.AreaM2())
	if l.plan.Racks() > planMostRacks {
		return
	}
	f.BoundPerEndpoint(l.v, l.v, s.Endpoints, s.Endpoints, &l.per)
	var x excess
	for c := range f.LinkClasses {
		if p := r.Speed[c]; r.Kind[c] == market.Cable && s.Link[c] > 0 && len(p.Steps) > 0 {
			l.placedCables(c, p, &x, out)
		}
	}
	m.raise(s, &x, out)
	switch {
	case !out.Have[metric.Latency]:
	case l.unwalked:
		l.raiseLatency(&x.meanM, out)
	default:
		m.latencyBetween(s, l, &x.meanM, out)
	}
	// Cables that must be longer than any on sale, which the next step rejects, would take longer than those.
	out.At[metric.Latency].Lo = min(out.At[metric.Latency].Lo, out.At[metric.Latency].Hi)
}

// placedCables bounds the cables of one class.
func (l *Ladder) placedCables(c int, p *market.Speed, x *excess, out *metric.Intervals) {
	m, s := l.model, l.size
	f, n := s.Family, float64(s.Link[c])
	if l.rates.Cables(c) > 1 { // not from switch to switch
		x.meanM[c] = m.shortestM
		return
	}
	known := topology.Cables{I: -1, J: -1}
	if f.Cables != nil {
		known = f.Cables(l.v, c)
	}
	if known.Pairs.Each > 0 {
		if pairs := m.plans.between(&l.plan, known.I, p); pairs != nil {
			l.tooLong(p, pairs.LongestM, out)
			if mean, ok := pairs.Mean(known.Pairs, s.Link[c]); ok {
				l.meanCables(c, p, n, meanCable{mean.MeanM, mean.Price, mean.Watts}, x, out)
				return
			}
		}
	}
	if m.ownRoutes(f) {
		if mean, ok := m.plans.mean(f, &l.per, c, p); ok {
			l.meanCables(c, p, n, mean, x, out)
			return
		}
	}
	least, _ := l.plan.LeastCables(c, &known, p, m.rings, &l.distances)
	if y, ok := m.spread(f, &l.per, s, c, p, true); ok {
		least.MeanM = max(least.MeanM, y.meanM*metric.Below)
		least.Price, least.Watts = max(least.Price, n*y.price*metric.Below), max(least.Watts, n*y.watts*metric.Below)
	}
	l.tooLong(p, least.LongestM, out)
	x.meanM[c] = least.MeanM
	u := &p.Offer(true).Link // which closed forms count
	x.price += math.Max(0, least.Price-n*u.Price)
	x.watts += math.Max(0, least.Watts-n*u.Watts)
	if m.lacksCable(f, &l.per, c, p, true, max(least.MeanM, least.LongestM)) {
		out.Lacks |= metric.CostKeys
	}
}

// tooLong rejects a design one of whose cables is laid longer than any of its rate.
func (l *Ladder) tooLong(p *market.Speed, longestM float64, out *metric.Intervals) {
	if longest := p.LongestM(); longestM*metric.Below > longest {
		out.Reject = metric.Reject{Constraint: metric.RejectReach, Got: longestM, Bound: longest}
	}
}

// meanCables bounds the n cables of a class of which the mean is bounded.
func (l *Ladder) meanCables(c int, p *market.Speed, n float64, mean meanCable, x *excess, out *metric.Intervals) {
	u := &p.Offer(true).Link // which closed forms count
	x.meanM[c] = mean.meanM * metric.Below
	x.price += n * math.Max(0, mean.price*metric.Below-u.Price)
	x.watts += n * math.Max(0, mean.watts*metric.Below-u.Watts)
	if m := l.model; m.lacksCable(l.size.Family, &l.per, c, p, true, x.meanM[c]) {
		out.Lacks |= metric.CostKeys
	}
}

// raise adds to cost and power what the floor plan knows beyond the cheapest cables.
func (m *Model) raise(s *topology.Size, x *excess, out *metric.Intervals) {
	n, minor := float64(s.Endpoints), m.market.Minor()
	up := func(k metric.Key, x float64) {
		if out.Have[k] {
			out.At[k].Lo = (out.At[k].Lo + x) * metric.Below
		}
	}
	up(metric.Cost, x.price/minor)
	up(metric.CostPerEndpoint, x.price/minor/n)
	up(metric.Power, x.watts)
	up(metric.PowerPerEndpoint, x.watts/n)
	if out.Have[metric.BuildingPower] {
		up(metric.BuildingPower, m.site.BuildingW(n, x.watts)-m.site.BuildingW(n, 0))
	}
}

// raiseLatency adds to a bound of latency from routes that are not walked yet what is known of the mean lengths of their cables
// now, and was not before.
func (l *Ladder) raiseLatency(meanM *[topology.MaxClasses]float64, out *metric.Intervals) {
	m, more := l.model, 0.0
	for c := range l.size.Family.LinkClasses {
		if l.rates.Kind[c] == market.Cable && l.size.Link[c] > 0 {
			known := max(m.shortestM, l.meanM[c])
			l.meanM[c] = max(known, meanM[c]*metric.Below)
			more += m.crosses(l.size.Family, &l.per, c) * (l.meanM[c] - known)
		}
	}
	before := max(l.cablesM, l.acrossM)
	l.cablesM += more
	out.At[metric.Latency].Lo += max(0, l.cablesM-before) * m.opt.Latency.CableNsPerM * metric.Below
}
