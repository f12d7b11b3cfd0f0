package catalog

import (
	"cmp"
	"slices"
)

// Alternates are the other parts on the list that do what p does, the cheapest at quantity 1 first; of equal price the one delivered
// first, then by part number. Switches have at least its ports, of the same rate and splits, and meet the limits of the index; cables
// the same rate, ports and cage, and are at least as long, whatever their medium; fibres and modules besides the same
// medium, modules at least the reach; network cards and circuit switches the rate and at least the ports. Forms
// of cages are compared where the list states both. Parts with continued prices and those of other kinds have none.
func (x *Index) Alternates(p *Part) []*Part {
	var out []*Part
	consider := func(q *Part) {
		if q.PartNo != p.PartNo && q.Kind == p.Kind && q.Approved && !q.Derived && replaces(q, p) && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	switch p.Kind {
	case KindSwitch:
		for i := range x.models {
			consider(x.models[i].part)
		}
	case KindCable: // those within the reach that the limits allow
		if l := x.ladder(p.linkGbps()); l != nil {
			for i := range l.all {
				consider(l.all[i].cab.Items[0].Part)
			}
		}
	case KindFibre, KindTransceiver, KindNIC, KindOCS:
		for i := range x.cat.Parts {
			consider(&x.cat.Parts[i])
		}
	}
	slices.SortFunc(out, func(a, b *Part) int {
		return cmp.Or(cmp.Compare(a.unitIn(x.currency), b.unitIn(x.currency)), cmp.Compare(a.LeadWeeks, b.LeadWeeks),
			cmp.Compare(a.Ports, b.Ports), cmp.Compare(a.LengthM, b.LengthM), cmp.Compare(a.PartNo, b.PartNo))
	})
	return out
}

// replaces reports whether q does what p, a part of the same kind, does.
func replaces(q, p *Part) bool {
	if q.FormFactor != p.FormFactor && q.FormFactor != "" && p.FormFactor != "" || q.Splitter() != p.Splitter() {
		return false
	}
	far := q.ReachM == 0 || p.ReachM > 0 && q.ReachM >= p.ReachM // 0: not limited by it
	switch p.Kind {
	case KindSwitch, KindNIC:
		return q.RateGbps == p.RateGbps && q.Ports >= p.Ports && q.BufferBytes >= p.BufferBytes && q.ReductionGbps >= p.ReductionGbps &&
			!slices.ContainsFunc(p.Breakouts, func(b Breakout) bool {
				return !slices.ContainsFunc(q.Breakouts, func(c Breakout) bool { return c.Gbps == b.Gbps && c.Count >= b.Count })
			})
	case KindOCS:
		return q.Ports >= p.Ports
	case KindCable:
		return q.RateGbps == p.RateGbps && q.perPort() == p.perPort() && q.LengthM >= p.LengthM
	case KindFibre:
		return q.Medium == p.Medium && q.perPort() == p.perPort() && q.LengthM >= p.LengthM && q.lanesPerLink() == p.lanesPerLink() && far &&
			(q.RateGbps == 0 || q.RateGbps == p.RateGbps)
	case KindTransceiver:
		return q.Medium == p.Medium && q.RateGbps == p.RateGbps && q.perPort() == p.perPort() && q.lanesPerLink() == p.lanesPerLink() && far
	}
	return false
}
