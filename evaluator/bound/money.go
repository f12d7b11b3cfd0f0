package bound

import (
	"math"

	"toposearch/evaluator/cluster"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// moneyKeys are the metrics that follow from the cost of the network, its draw, its throughput and its racks.
const moneyKeys = metric.KeySet(1)<<metric.Capex | metric.KeySet(1)<<metric.NetworkShare | metric.KeySet(1)<<metric.TCO | metric.KeySet(1)<<metric.CostEfficiency

// follow encloses what follows from other metrics, if it is asked for.
func (m *Model) follow(l *Ladder, lo, hi *topology.Size, out *metric.Intervals) {
	if m.opt.Training != nil {
		m.training(lo, hi, out)
	}
	if m.opt.Money {
		m.money(lo, hi, out)
	}
	if m.opt.Left != nil {
		m.growth(l, hi, out)
	}
}

// money encloses what the cluster costs, and what it does for that, by the intervals of cost, power, racks and
// throughput that out holds.
func (m *Model) money(lo, hi *topology.Size, out *metric.Intervals) {
	n := cluster.Span{Lo: float64(lo.Endpoints), Hi: float64(hi.Endpoints)}
	theta := cluster.Span{Lo: 0, Hi: 1} // what is above 1 nobody can use
	if x := out.At[metric.UniformThroughput]; out.Have[metric.UniformThroughput] {
		theta = cluster.Span{Lo: math.Min(1, x.Lo), Hi: math.Min(1, x.Hi)}
	}
	if asked, stated := m.market.AskedGbps(); stated {
		out.Set(metric.EffectiveBandwidth, n.Lo*asked*theta.Lo*metric.Below, n.Hi*asked*theta.Hi*above)
	}
	c := m.opt.Cluster
	if c == nil || c.NoCapex() != "" || !out.Have[metric.Cost] {
		return
	}
	if out.Lacks.Has(metric.Cost) {
		out.Lacks |= moneyKeys
		return
	}
	few, many := spares(c, lo, hi)
	around := c.PriceSpan(few.Around(lo.Endpoints, 0), many.Around(hi.Endpoints, 0), cluster.Span{Lo: out.At[metric.Racks].Lo, Hi: out.At[metric.Racks].Hi})
	cost := out.At[metric.Cost]
	capex := cluster.Span{Lo: cost.Lo + around.Lo, Hi: cost.Hi + around.Hi}
	out.Set(metric.Capex, capex.Lo*metric.Below, capex.Hi*above)
	share := cluster.Span{Hi: 1} // cost / (cost + around) grows with cost and falls with what is around
	if x := cost.Lo / (cost.Lo + around.Hi); x > 0 {
		share.Lo = x
	}
	if !math.IsInf(cost.Hi, 1) {
		share.Hi = cost.Hi / (cost.Hi + around.Lo)
	}
	out.Set(metric.NetworkShare, share.Lo*metric.Below, share.Hi*above)
	watts, ok := m.clusterW(lo, hi, out)
	if _, asked := c.TCO(); !asked || !ok {
		return
	}
	tco := cluster.Span{Lo: c.Total(capex.Lo, watts.Lo) * metric.Below, Hi: inf}
	if !math.IsInf(capex.Hi, 1) && !math.IsInf(watts.Hi, 1) { // energy or maintenance may cost nothing
		tco.Hi = c.Total(capex.Hi, watts.Hi) * above
	}
	out.Set(metric.TCO, tco.Lo, tco.Hi)
	does := cluster.Span{Lo: n.Lo * theta.Lo, Hi: n.Hi * theta.Hi}
	if t := m.opt.Training; t != nil {
		does = cluster.Span{Lo: 0, Hi: 1 / out.At[metric.StepTime].Lo}
	}
	out.Set(metric.CostEfficiency, does.Lo/tco.Hi*metric.Below, does.Hi/tco.Lo*above)
}

// spares gives a cluster with the fewest and with the most spare endpoints that any design of a box has.
func spares(c *cluster.Model, lo, hi *topology.Size) (few, many *cluster.Model) {
	most := hi.Spares()
	if most == 0 {
		return c, c
	}
	few = c.WithSpares(0, 0)
	if least := lo.Spares(); least > 0 {
		few = c.WithSpares(max(1, lo.Endpoints), least)
	}
	return few, c.WithSpares(hi.Endpoints, max(most, c.SparesOf(hi.Endpoints)))
}

// clusterW encloses the draw of the cluster with its cooling.
func (m *Model) clusterW(least, most *topology.Size, out *metric.Intervals) (watts cluster.Span, ok bool) {
	s, c, lo, hi := m.site, m.opt.Cluster, least.Endpoints, most.Endpoints
	few, many := spares(c, least, most)
	if s.EndpointAllInW > 0 {
		return cluster.Span{Lo: s.EndpointAllInW * float64(lo+few.SparesOf(lo)), Hi: s.EndpointAllInW * float64(hi+many.SparesOf(hi))}, true
	}
	if !out.Have[metric.Power] || c.NoPower(s.EndpointPowerW) != "" {
		return watts, false
	}
	p := out.At[metric.Power]
	return cluster.Span{Lo: (p.Lo + few.AroundW(lo, s.EndpointPowerW)) * s.PUE, Hi: (p.Hi + many.AroundW(hi, s.EndpointPowerW)) * s.PUE}, true
}
