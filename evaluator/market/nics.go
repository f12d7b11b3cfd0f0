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

// BuyCards finds the cards for the cables at the endpoints (see nicPorts).
func (m *Market) BuyCards(s *topology.Size, r *Rates, b *Cards) {
	b.NIC, b.NICs, b.NICW, b.Rivals, b.NoNICGbps = nil, 0, 0, nil, 0
	ports, class := nicPorts(s, r)
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

// nicPorts is the number of ports that the network cards of an endpoint must have, and the class of the
// fastest of their links: one for each cable at the endpoint, whether it leads to a switch or to another
// endpoint. There are none where chips have the ports: where the family says so, and where no cable of
// endpoints leads to a switch. Where endpoints differ, all get the cards of the one with the most.
func nicPorts(s *topology.Size, r *Rates) (ports, class int) {
	f := s.Family
	if f.LinkClasses[0].Name == topology.ClassNic {
		return int(s.EndpointPorts), 0
	}
	toSwitch := false
	for i := range f.SwitchClasses {
		k := &s.Switch[i]
		if !f.SwitchClasses[i].Embedded || f.SwitchClasses[i].OnChip || k.Ports[0] == 0 {
			continue // no endpoint hangs on it
		}
		sum := 0
		for c := range f.LinkClasses {
			if r.Kind[c] != Cable || k.Ports[c] == 0 {
				continue
			}
			toSwitch = toSwitch || f.LinkClasses[c].Name == topology.ClassNic
			if sum += int(k.Ports[c]); class == 0 || r.Link[c] > r.Link[class] {
				class = c
			}
		}
		ports = max(ports, min(sum, int(s.EndpointPorts)))
	}
	if !toSwitch {
		return 0, 0
	}
	return ports, class
}
