package bound

import (
	"math"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// growth encloses what has to be bought, kept and moved on the way from the network that runs, by the cost that out holds. Let n of a
// part be needed and k <= n of them be left. Where prices do not rise with the quantity, n-k cost at least what n cost less the price of one for each
// unit by which the order shrinks; that is at most k rounded up to packs, or the whole minimum order. This holds of
// switches and of all other parts by themselves.
func (m *Model) growth(l *Ladder, hi *topology.Size, out *metric.Intervals) {
	left := m.opt.Left()
	if left == nil {
		return
	}
	links := float64(hi.EndpointLinks() + hi.SwitchLinks())
	out.Set(metric.KeptSwitches, 0, math.Min(float64(left.Switches), float64(hi.Switches())))
	out.Set(metric.KeptCables, 0, math.Min(float64(left.Cables), links))
	out.Set(metric.MovedCables, 0, math.Min(float64(left.Cables), links))
	if out.Have[metric.Cost] && !out.Lacks.Has(metric.Cost) {
		cost, minor := out.At[metric.Cost].Lo, m.market.Minor()
		least := math.Max(0, l.switchLo/minor-left.SwitchWorth) + math.Max(0, cost-l.switchHi/minor*above-left.OtherWorth)
		out.Set(metric.GrowthCost, math.Max(0, math.Max(least, cost-left.SwitchWorth-left.OtherWorth))*metric.Below, inf)
	}
}
