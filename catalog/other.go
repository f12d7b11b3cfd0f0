package catalog

import "cmp"

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
// one whose ports need not be split, then the cheapest, the least power, and by part number. count is
// the number of cards. A NIC whose row has breakouts serves several planes from one physical port.
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

// ChooseTrace picks the trace of a medium for a rate: the slowest that is fast enough, then the
// cheapest, then by part number; one without a price only if no other is as fast.
func (x *Index) ChooseTrace(medium string, gbps float64) (part *Part, ok bool) {
	for _, p := range x.traces {
		if p.Medium != medium || float64(p.RateGbps) < gbps*(1-1e-9) {
			continue
		}
		if part == nil || cmp.Or(cmp.Compare(p.RateGbps, part.RateGbps), cmp.Compare(p.unitIn(x.currency), part.unitIn(x.currency)),
			cmp.Compare(p.PartNo, part.PartNo)) < 0 {
			part = p
		}
	}
	return part, part != nil
}

// ChooseCircuit picks the optical circuit switches that offer a number of ports between them: the
// cheapest in all, then the fewest, then by part number. count is how many.
func (x *Index) ChooseCircuit(ports int64) (part *Part, count int64, ok bool) {
	price := 0.0
	for _, p := range x.circuits {
		n := (ports + int64(p.Ports) - 1) / int64(p.Ports)
		m := float64(p.unitIn(x.currency)) * float64(n)
		if part == nil || cmp.Or(cmp.Compare(m, price), cmp.Compare(n, count), cmp.Compare(p.PartNo, part.PartNo)) < 0 {
			part, count, price = p, n, m
		}
	}
	return part, count, part != nil
}
