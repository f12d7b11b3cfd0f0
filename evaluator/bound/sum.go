package bound

import (
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
)

// above is a little more than 1, by which a sum or product of floats is multiplied so that it stays an upper
// bound in spite of rounding: a few parts in 10^16 each.
const above = 1 + 1e-12

// sum adds up bounds of cost in minor units, of power in watts and of lead time in weeks.
type sum struct {
	lo, hi    float64
	loW, hiW  float64
	leadWeeks float64
	noPower   bool // the draw of a part is not known,
	noCost    bool // or its price
}

// add takes lo to hi units into account, hi not 0.
func (t *sum) add(lo, hi float64, u *market.Unit) {
	t.lo += lo * u.Price
	t.hi += hi * u.MostPrice
	t.loW += lo * u.Watts
	t.hiW += hi * u.MostW
	if lo > 0 {
		t.leadWeeks = max(t.leadWeeks, u.LeadWeeks)
		t.noCost = t.noCost || u.Unpriced
	}
}

// record states cost, power and lead time of designs with l to h endpoints.
func (m *Model) record(l, h float64, t *sum, out *metric.Intervals) {
	l = max(l, 1)
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
