package market

import (
	"toposearch/catalog"
)

// SwitchWith bounds a switch with at least the ports, at their rates or, if these are not known, at any
// faster.
func (m *Market) SwitchWith(needs []catalog.PortNeed, known bool) (b SwitchOffer) {
	b.Watts = m.leastSwitchW
	together := known && len(needs) > 1
	if together {
		low, ok := m.index.CheapestSwitch(needs)
		if b.None = !ok; ok {
			b.Price = float64(low)
			c, _ := m.index.ChooseSwitch(needs)
			b.Unpriced = !c.Part.Priced
		}
		if n, ok := m.index.PortsNeeded(needs); ok {
			b.Ports = float64(n)
		}
	}
	// Any one of the needs bounds: the same count at whatever rate costs least.
	for i := range needs {
		p := m.SpeedOf(float64(needs[i].Gbps))
		if p == nil {
			continue
		}
		o := p.Offer(known)
		n, most := needs[i].Count, len(o.switches)-1
		b.Unpriced = b.Unpriced || !together && n > o.pricedPorts
		x := &o.switches[min(n, most)]
		if n <= most {
			b.LeadWeeks, b.Watts = max(b.LeadWeeks, x.LeadWeeks), max(b.Watts, x.Watts)
			if !together {
				b.Price, b.Ports = max(b.Price, x.Price), max(b.Ports, x.Ports)
			}
			continue
		}
		// Beyond every model: as expensive as the largest, and as many ports as its kind would need.
		b.None = true
		if together {
			continue
		}
		b.Price = max(b.Price, x.Price)
		if n, ok := m.index.PortsNeeded(needs[i : i+1]); ok && known {
			b.Ports = max(b.Ports, float64(n))
		} else {
			b.Ports = max(b.Ports, x.Ports)
		}
	}
	return b
}

// PartWith bounds a switch with at least the ports that may share its box with others: of price and draw it has at
// least the part of its ports.
func (m *Market) PartWith(needs []catalog.PortNeed, known bool) SwitchOffer {
	b := m.SwitchWith(needs, known)
	b.Price, b.Watts = 0, 0
	for i := range needs { // at one of the rates, whichever bounds best
		if p := m.SpeedOf(float64(needs[i].Gbps)); p != nil {
			o, n := p.Offer(known), float64(needs[i].Count)
			b.Price, b.Watts = max(b.Price, n*o.PortPrice), max(b.Watts, n*o.PortW)
		}
	}
	return b
}
