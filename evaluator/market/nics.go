package market

import (
	"fmt"
	"math"
	"slices"

	"toposearch/catalog"
	"toposearch/topology"
)

// Cards is the network cards of a design.
type Cards struct {
	NIC    *catalog.Part   // nil: none is needed, or none is on the list
	NICs   int64           // of all endpoints
	NICW   float64         // draw of all
	Rivals []*catalog.Part // the cards of which NIC is the cheapest for as many, where that depends on how many are bought
	// NoNICGbps is the rate of the ports for which the list has no card; 0 if it has one, or none is needed.
	NoNICGbps float64
}

// NoNIC says that there is no network card on the list, "" if there is.
func (c *Cards) NoNIC() string {
	if c.NoNICGbps == 0 {
		return ""
	}
	return fmt.Sprintf("no NIC for %g Gb/s ports on the list", c.NoNICGbps)
}

// cardsFor chooses the network cards for ports of a rate; a faster one does as well.
func (m *Market) cardsFor(rate, ports int) cards {
	for {
		if part, count, ok := m.index.ChooseNIC(rate, ports); ok {
			return cards{part, count, m.rivals(rate, ports)}
		}
		next := m.SpeedFrom(float64(rate) + 0.5)
		if next == nil {
			return cards{}
		}
		rate = next.Gbps
	}
}

// rivals are the priced cards that may be the cheapest, where their prices vary with the quantity.
func (m *Market) rivals(rate, ports int) []*catalog.Part {
	if !m.nicBreaks {
		return nil
	}
	varies := false
	all := slices.DeleteFunc(m.index.NICs(rate, ports), func(p *catalog.Part) bool {
		t := m.modelOf(p)
		varies = varies || t.varies()
		return len(t.steps) == 0
	})
	if !varies || len(all) < 2 {
		return nil
	}
	return all
}

// BuyCards finds the cards for the nic ports of the endpoints; endpoints whose ports all face other
// endpoints have them on the chip.
func (m *Market) BuyCards(s *topology.Size, r *Rates, b *Cards) {
	b.NIC, b.NICs, b.NICW, b.Rivals, b.NoNICGbps = nil, 0, 0, nil, 0
	ports, class := nicPorts(s)
	if ports == 0 || m.noNICs {
		return
	}
	var c cards
	if p := r.Speed[class]; p != nil && ports <= mostNICPorts {
		c = p.nics[ports]
	} else {
		c = m.cardsFor(int(math.Ceil(r.Link[class])), ports)
	}
	if c.part == nil {
		b.NoNICGbps = r.Link[class]
		return
	}
	b.NIC, b.NICs, b.Rivals = c.part, int64(c.count)*s.Endpoints, c.rivals
	if b.Rivals != nil {
		b.NIC = m.cheapestOf(b.Rivals, b.NICs)
	}
	b.NICW = b.NIC.PowerW * float64(b.NICs)
}

// cheapestOf is the part of which n cost least together, the first of several.
func (m *Market) cheapestOf(parts []*catalog.Part, n int64) *catalog.Part {
	best, least := parts[0], math.Inf(1)
	for _, p := range parts {
		if x, ok := m.modelOf(p).total(n); ok && x < least {
			best, least = p, x
		}
	}
	return best
}

// CardUnit encloses what a network card of b costs, where cards are counted, and draws: that bought or, if it is
// not known how many are, any that may be the cheapest.
func (m *Market) CardUnit(b *Cards, known bool) Unit {
	u := *m.UnitOf(b.NIC)
	if !known {
		u = Unit{math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1), false}
		for _, p := range b.Rivals {
			u.Price, u.Watts, u.LeadWeeks = min(u.Price, m.modelOf(p).one.Price), min(u.Watts, p.PowerW), min(u.LeadWeeks, leastLead(p))
		}
	}
	if !m.opt.CountNICs {
		u.Price, u.MostPrice, u.LeadWeeks, u.Unpriced = 0, 0, 0, false
	}
	return u
}

// nicPorts is the number of nic ports of an endpoint and the class of their links.
func nicPorts(s *topology.Size) (ports, class int) {
	f := s.Family
	if f.LinkClasses[0].Name == topology.ClassNic {
		return int(s.EndpointPorts), 0
	}
	for c := range f.LinkClasses {
		if f.LinkClasses[c].Name != topology.ClassNic {
			continue
		}
		sum := 0
		for i := range f.SwitchClasses {
			if f.SwitchClasses[i].Embedded {
				sum = max(sum, int(s.Switch[i].Ports[c]))
			}
		}
		if sum > 0 {
			ports += sum
			class = c
		}
	}
	return ports, class
}
