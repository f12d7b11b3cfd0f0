package catalog

import (
	"cmp"
	"math"
	"slices"
)

// portsAt is the number of ports of a rate that a NIC offers, and whether its ports are split for it.
func (p *Part) portsAt(gbps int) (ports int, split bool) {
	if p.RateGbps == gbps {
		return p.Ports, false
	}
	for _, b := range p.Breakouts {
		if b.Gbps == gbps {
			return b.Count, true
		}
	}
	return 0, false
}

// ChooseNIC picks the NIC for an endpoint with a number of ports at a rate: the fewest cards, then
// one whose ports need not be split, then the cheapest at quantity 1, the least power, and by part number.
// count is the number of cards. A NIC whose row has breakouts serves several planes from one physical port.
func (x *Index) ChooseNIC(gbps, ports int) (part *Part, count int, ok bool) {
	var price Money
	best, bestSplit := 0, 0
	for _, p := range x.nics {
		each, split := p.portsAt(gbps)
		if each <= 0 {
			continue
		}
		n, m, cut := (ports+each-1)/each, p.unitIn(x.currency), 0
		if split {
			cut = 1
		}
		if part == nil || cmp.Or(cmp.Compare(n, count), cmp.Compare(cut, bestSplit), cmp.Compare(m, price),
			cmp.Compare(p.PowerW, part.PowerW), cmp.Compare(each, best), cmp.Compare(p.PartNo, part.PartNo)) < 0 {
			part, count, price, best, bestSplit = p, n, m, each, cut
		}
	}
	return part, count, part != nil
}

// NICs are the cards among which price decides for such an endpoint: as few, with their ports split or not as
// those of the one that ChooseNIC picks.
func (x *Index) NICs(gbps, ports int) []*Part {
	best, count, ok := x.ChooseNIC(gbps, ports)
	if !ok {
		return nil
	}
	_, split := best.portsAt(gbps)
	return slices.DeleteFunc(slices.Clone(x.nics), func(p *Part) bool {
		each, cut := p.portsAt(gbps)
		return each <= 0 || (ports+each-1)/each != count || cut != split
	})
}

// totalIn is the price of n units bought together; +Inf if the part has no price.
func (p *Part) totalIn(c Currency, n int64) float64 {
	each, order, ok := p.Price(int(min(n, math.MaxInt32)))
	m, known := c.Convert(each, p.Currency)
	if !ok || !known {
		return math.Inf(1)
	}
	return float64(m) * float64(order)
}

// ChooseTrace picks the trace of a medium for a number of links of a rate: the slowest that is fast enough, then
// the cheapest for all of them, then by part number; one without a price only if no other is as slow.
func (x *Index) ChooseTrace(medium string, gbps float64, links int64) (part *Part, ok bool) {
	for _, p := range x.traces {
		if p.Medium != medium || float64(p.RateGbps) < gbps*(1-1e-9) {
			continue
		}
		if part == nil || cmp.Or(cmp.Compare(p.RateGbps, part.RateGbps), cmp.Compare(p.totalIn(x.currency, links), part.totalIn(x.currency, links)),
			cmp.Compare(p.PartNo, part.PartNo)) < 0 {
			part = p
		}
	}
	return part, part != nil
}

// ChooseCircuit picks the optical circuit switches that give each of some groups a number of ports: the model
// whose switches are cheapest in all, at the price of that quantity, then the fewest, then by part number.
// count is the number of switches of a group.
func (x *Index) ChooseCircuit(ports, groups int64) (part *Part, count int64, ok bool) {
	price := 0.0
	for _, p := range x.circuits {
		n := (ports + int64(p.Ports) - 1) / int64(p.Ports)
		m := p.totalIn(x.currency, n*groups)
		if part == nil || cmp.Or(cmp.Compare(m, price), cmp.Compare(n, count), cmp.Compare(p.PartNo, part.PartNo)) < 0 {
			part, count, price = p, n, m
		}
	}
	return part, count, part != nil
}

// Circuits are the optical circuit switches that may be bought, in the order of the list.
func (x *Index) Circuits() []*Part { return x.circuits }
