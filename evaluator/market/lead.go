package market

import (
	"math"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Late tells whether the part for want of which a design was rejected is on the price list and comes later than the limit on lead times allows.
func (m *Market) Late(rej *metric.Reject, s *topology.Size, r *Rates) bool {
	if m.opt.Limits.LeadWeeks == 0 || !metric.Unsold(rej.Constraint) {
		return false
	}
	all := m.unhurried()
	if all == nil {
		return false
	}
	switch rej.Constraint {
	case metric.RejectRate:
		return all.SpeedFrom(rej.Got) != nil
	case metric.RejectPorts:
		var b Purchase
		return all.buySwitches(s, r, &b).Constraint == ""
	}
	for c := range s.Family.LinkClasses {
		for _, between := range []bool{false, true} {
			now, any := m.SpeedOfClass(r, c, between), all.SpeedOfClass(r, c, between)
			if s.Link[c] > 0 && r.Kind[c] == Cable && now != nil && any != nil && now.LongestM() == rej.Bound && any.LongestM() >= rej.Got {
				return true
			}
		}
	}
	return false
}

// makeUnhurried prepares the market without the limit; nil if it cannot be made.
func (m *Market) makeUnhurried() *Market {
	opt := m.whole
	opt.Limits.LeadWeeks = 0
	all, err := New(opt)
	if err != nil {
		return nil
	}
	return all
}

// leadOf is how long an order of a part takes, in weeks: nothing if all of it is in stock.
func leadOf(p *catalog.Part, order int64) float64 {
	if p.Stock > 0 && int64(p.Stock) >= order {
		return 0
	}
	return p.LeadWeeks
}

// leastLead is how long an order of any size takes at least.
func leastLead(p *catalog.Part) float64 { return leadOf(p, 1) }

// leadOfSteps is how long any one of some cablings takes at least, 0 if there are none.
func leadOfSteps(steps []catalog.Cabling) float64 {
	if len(steps) == 0 {
		return 0
	}
	least := math.Inf(1)
	for i := range steps {
		x := 0.0
		for k := range steps[i].Items {
			if p := steps[i].Items[k].Part; p != nil {
				x = max(x, leastLead(p))
			}
		}
		least = min(least, x)
	}
	return least
}
