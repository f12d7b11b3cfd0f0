package bound

import (
	"toposearch/evaluator/market"
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
