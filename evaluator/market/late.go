package market

import (
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
	case metric.RejectPorts, metric.RejectRates:
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
