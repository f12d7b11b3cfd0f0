package bound

import (
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// ByCables lays the cables of a design on its floor plan and makes out its bill: cost, cables and, where the routes are
// known, latency are then nearly what an evaluation says. It takes some 50 us at 16,384 endpoints.
var ByCables = Refinement{
	Name: "cables laid and priced",
	Narrows: metric.CostKeys | moneyKeys | 1<<metric.CableMax | 1<<metric.CableTotal | 1<<metric.CablesCopper | 1<<metric.CablesOptical |
		1<<metric.Latency | 1<<metric.MTBF | 1<<metric.Availability | 1<<metric.Goodput,
	Effort: func(_ *Model, s *topology.Size) int64 {
		if s.Family.Bundles == nil {
			return 100 + s.SwitchLinks()/15 // link by link, some 40 ns each
		}
		return 100 + s.SwitchLinks()/100
	},
	refine: (*Ladder).byCables,
}

// ByRoutes walks the routes of a design that are only bounded until then: what its cables show to be dominated is spared it, as
// it takes several times as long as to lay these.
var ByRoutes = Refinement{
	Name:    "routes walked",
	Narrows: moneyKeys | 1<<metric.EffectiveBandwidth | 1<<metric.Latency | routeKeys,
	Effort:  func(_ *Model, s *topology.Size) int64 { return 100 + s.SwitchLinks()/5 }, // some 130 ns a link
	refine:  (*Ladder).byRoutes,
}

// routeKeys follow from routes that have been walked.
const routeKeys = 1<<metric.UniformThroughput | 1<<metric.MeanPathLinks | 1<<metric.MaxPathLinks | 1<<metric.MeanPathSwitches |
	1<<metric.MaxPathSwitches | 1<<metric.MeanHops | 1<<metric.MaxHops

func (l *Ladder) byCables(out *metric.Intervals) {
	m, s, r := l.model, l.size, &l.rates
	f := s.Family
	d := topology.Design{Family: f, V: l.v}
	if !l.placed || !laid(&l.plan, d) {
		return
	}
	lay := floor.NewLayout(&l.plan)
	lay.Stream(d, r)
	runs, rej := lay.Runs(m.market, r)
	lay.Free()
	if out.Reject = rej; rej.Constraint != "" {
		return
	}
	if m.market.MayShare(r, runs) {
		l.raiseCables(runs, out)
		return
	}
	m.market.CablesTogether(f, r, runs, nil)
	l.recordCables(runs, out)
	if out.Have[metric.Cost] {
		l.recordBill(runs, out)
	}
	if m.opt.Uptime {
		e := enclosure{m: m, b: One(l.v, s), l: l, r: r, out: out, known: true}
		e.uptime(runs)
	}
	l.laid = true
	for c, sum := range m.market.Sum(r, runs).Class {
		l.laidM[c] = sum.MeanM
	}
	switch {
	case !out.Have[metric.Latency]:
	case l.unwalked:
		l.raiseLatency(&l.laidM, out)
	default:
		l.recordLatency(out)
	}
}

func (l *Ladder) byRoutes(out *metric.Intervals) {
	if !l.model.routesExactly(l.v, l.size, l, out) {
		return
	}
	if l.unwalked = false; l.laid && out.Have[metric.Latency] {
		l.recordLatency(out)
	}
}

// recordBill states what the design costs.
func (l *Ladder) recordBill(runs []market.Run, out *metric.Intervals) {
	order := market.Order{Size: l.size, Rates: &l.rates, Buys: &l.buys, Runs: runs, ScaleupM: l.plan.ScaleupM(l.model.market)}
	if l.model.market.Bill(&order, &l.total) != nil {
		return
	}
	if x, why := l.model.market.Cost(&order, &l.total); why == "" {
		out.Point(metric.Cost, x)
		out.Point(metric.CostPerEndpoint, x/float64(l.size.Endpoints))
	}
}

// raiseCables says what cables are at least where it depends on parts that several links share which are bought: as long as they are laid.
func (l *Ladder) raiseCables(runs []market.Run, out *metric.Intervals) {
	c := l.model.market.Sum(&l.rates, runs)
	raise := func(k metric.Key, lo float64) { out.Set(k, max(lo, out.At[k].Lo), out.At[k].Hi) }
	raise(metric.CableMax, c.LongestM)
	raise(metric.CableTotal, c.TotalM*metric.Below)
	if c.Unpriced {
		out.Lacks |= metric.CostKeys
	}
	var meanM [topology.MaxClasses]float64
	for i, x := range c.Class {
		meanM[i] = x.MeanM / float64(l.rates.Cables(i))
	}
	switch {
	case !out.Have[metric.Latency]:
	case l.unwalked:
		l.raiseLatency(&meanM, out)
	default:
		l.model.latencyBetween(l.size, l, &meanM, out)
	}
}

// recordLatency states the latency over the routes in l.paths and the cables that are laid.
func (l *Ladder) recordLatency(out *metric.Intervals) {
	lo, hi := l.model.opt.Latency.MeanNs(l.size, &l.rates, &l.paths, l.laidM[:])
	out.Set(metric.Latency, lo*metric.Below, hi*above)
}

// recordCables states what the cables of the design are, and whether one has no price.
func (l *Ladder) recordCables(runs []market.Run, out *metric.Intervals) {
	c := l.model.market.Sum(&l.rates, runs)
	out.Point(metric.CableMax, c.LongestM)
	out.Point(metric.CableTotal, c.TotalM)
	out.Point(metric.CablesCopper, float64(c.Copper))
	out.Point(metric.CablesOptical, float64(c.Optical))
	if c.Unpriced {
		out.Lacks |= metric.CostKeys
	}
}
