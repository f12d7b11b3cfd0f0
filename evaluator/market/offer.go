package market

import (
	"math"

	"toposearch/catalog"
)

// offerLinks bounds the links of a rate, of which none costs less than low.
func (m *Market) offerLinks(p *Speed, low catalog.Money) {
	o := &p.own
	o.Link = Unit{Price: float64(low), Watts: math.Inf(1), LeadWeeks: leadOfSteps(p.Steps)}
	for i := range p.Steps {
		c := &p.Steps[i]
		o.Link.MostPrice = max(o.Link.MostPrice, m.mostPrice(c))
		o.Link.Watts = min(o.Link.Watts, c.PowerW)
		o.Link.MostW = max(o.Link.MostW, mostLinkW(c))
	}
	if len(p.Steps) == 0 {
		o.Link.Watts, o.Link.MostPrice = 0, math.Inf(1)
	}
	o.StockM = m.stockAtLeast(p.Steps)
	o.PricedM = pricedTo(p.Steps)
}

// offerBetween makes the bounds of links hold for those between buildings.
func (m *Market) offerBetween(o *Offer, steps []catalog.Cabling) {
	o.Link.MostPrice = math.Inf(1)
	if len(steps) > 0 {
		o.Link.LeadWeeks = min(o.Link.LeadWeeks, leadOfSteps(steps))
		o.StockM = min(o.StockM, m.stockAtLeast(steps))
	}
	for i := range steps {
		o.Link.Watts = min(o.Link.Watts, steps[i].PowerW)
		o.Link.MostW = max(o.Link.MostW, mostLinkW(&steps[i]))
	}
	o.PricedM = max(o.PricedM, pricedTo(steps))
}

// stockAtLeast is the shortest of some cablings that reaches from anything to anything, 0 if there is none.
func (m *Market) stockAtLeast(steps []catalog.Cabling) float64 {
	for i := range steps {
		if steps[i].StockM >= m.opt.ShortestM {
			return steps[i].StockM
		}
	}
	return 0
}

// offerSwitches answers every question about switches with ports of one rate.
func (m *Market) offerSwitches(p *Speed) {
	o := &p.own
	p.choice, o.switches = make([]catalog.SwitchChoice, 1), make([]SwitchOffer, 1)
	o.PortPrice, o.PortW = math.Inf(1), math.Inf(1)
	for n := 1; ; n++ {
		needs := []catalog.PortNeed{{Gbps: p.Gbps, Count: n}}
		c, ok := m.index.ChooseSwitch(needs)
		if !ok {
			break
		}
		low, _ := m.index.CheapestSwitch(needs)
		few, _ := m.index.PortsNeeded(needs)
		x := SwitchOffer{Price: float64(low), Ports: float64(few), Watts: math.Inf(1), LeadWeeks: math.Inf(1)}
		m.index.Fits(needs, func(c catalog.SwitchChoice) bool {
			x.LeadWeeks, x.Watts = min(x.LeadWeeks, leastLead(c.Part)), min(x.Watts, c.Part.PowerW)
			return true
		})
		if c.Part.Priced {
			o.pricedPorts = n
		}
		o.PortPrice, o.PortW = min(o.PortPrice, x.Price/float64(n)), min(o.PortW, x.Watts/float64(n))
		p.choice, o.switches = append(p.choice, c), append(o.switches, x)
	}
}

// boundFaster fills the bounds over each rate and all faster ones.
func (m *Market) boundFaster() {
	m.allPriced = true
	low, lowW, port, portW := math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1) // of those that have any
	for i := len(m.speeds) - 1; i >= 0; i-- {
		p := &m.speeds[i]
		own := &p.own
		if port = min(port, own.PortPrice); math.IsInf(port, 1) {
			own.PortPrice = 0
		}
		if portW = min(portW, own.PortW); math.IsInf(portW, 1) {
			own.PortW = 0
		}
		m.allPriced = m.boundPriced(p, i) && m.allPriced
		if len(p.Steps) > 0 {
			low, lowW = min(low, own.Link.Price), min(lowW, own.Link.Watts)
		}
		p.faster = *own
		o := &p.faster
		if i < len(m.trunk) && len(m.trunk[i].Steps) > 0 { // what a splitter is cheaper than may be shorter, draw less and come sooner
			x := &m.trunk[i].own
			lowW = min(lowW, x.Link.Watts)
			o.StockM, o.PricedM, o.Link.LeadWeeks = min(o.StockM, x.StockM), max(o.PricedM, x.PricedM), min(o.Link.LeadWeeks, x.Link.LeadWeeks)
		}
		o.Link.Price, o.Link.Watts, o.PortPrice, o.PortW = finite(low), finite(lowW), finite(port), finite(portW)
		o.Link.MostPrice, o.Link.MostW = math.Inf(1), math.Inf(1)
		if i+1 < len(m.speeds) {
			o.orAsGood(&m.speeds[i+1].faster)
		}
	}
	for i := range m.trunk {
		m.allPriced = m.boundPriced(&m.trunk[i], i) && m.allPriced
		m.trunk[i].faster = m.speeds[i].faster
		m.trunk[i].own.PortPrice, m.trunk[i].own.PortW = m.speeds[i].own.PortPrice, m.speeds[i].own.PortW
	}
	for _, list := range [][]Speed{m.speeds, m.trunk} {
		for i := range list {
			for _, known := range [2]bool{true, false} {
				o := list[i].Offer(known)
				o.Link.Unpriced = !m.allPriced && m.opt.ShortestM > o.PricedM
			}
		}
	}
}

// boundPriced tells whether the longest cable at a rate has a price.
func (m *Market) boundPriced(p *Speed, rank int) bool {
	longest := p.LongestM()
	if rank < len(m.between) {
		longest = max(longest, m.between[rank].LongestM())
	}
	if longest == 0 { // no cable at all: a design is rejected for that
		p.own.PricedM = math.Inf(1)
	}
	return p.own.PricedM >= longest
}

func finite(x float64) float64 {
	if math.IsInf(x, 1) {
		return 0
	}
	return x
}

// orAsGood lowers the bounds to those of next as well, prices and draws of links aside.
func (o *Offer) orAsGood(next *Offer) {
	o.Link.LeadWeeks, o.StockM = min(o.Link.LeadWeeks, next.Link.LeadWeeks), min(o.StockM, next.StockM)
	o.PricedM, o.pricedPorts = max(o.PricedM, next.PricedM), max(o.pricedPorts, next.pricedPorts)
	own := o.switches
	o.switches = make([]SwitchOffer, max(len(own), len(next.switches)))
	for n := range o.switches {
		switch x := &o.switches[n]; {
		case n >= len(own):
			*x = next.switches[n]
		case n >= len(next.switches):
			*x = own[n]
		default:
			y := &next.switches[n]
			*x = SwitchOffer{Price: min(own[n].Price, y.Price), Watts: min(own[n].Watts, y.Watts),
				Ports: min(own[n].Ports, y.Ports), LeadWeeks: min(own[n].LeadWeeks, y.LeadWeeks)}
		}
	}
}

// boundLonger bounds what a link costs and draws that is at least as long as a step.
func (p *Speed) boundLonger(m *Market) {
	p.byStep = make([]longer, len(p.Steps))
	least := longer{math.Inf(1), math.Inf(1)}
	for i := len(p.Steps) - 1; i >= 0; i-- {
		least.price = min(least.price, m.leastPrice(&p.Steps[i]))
		least.watts = min(least.watts, p.Steps[i].PowerW)
		p.byStep[i] = least
	}
}

// leastPrice is what a link of a cabling costs at the best price breaks.
func (m *Market) leastPrice(c *catalog.Cabling) (sum float64) {
	for k := range c.Items {
		it := &c.Items[k]
		if it.Part == nil {
			continue
		}
		if unit, ok := it.Part.MinUnit(); ok {
			if x, ok := m.index.Currency().Convert(unit, it.Part.Currency); ok {
				sum += float64(x) * float64(it.Num) / float64(it.Den)
			}
		}
	}
	return sum
}

// MostOf bounds what a link of a step of a rate costs, in minor units, and draws.
func (m *Market) MostOf(p *Speed, step int) (price, watts float64) {
	return m.mostPrice(&p.Steps[step]), mostLinkW(&p.Steps[step])
}

// mostPrice bounds what a link of a cabling costs, +Inf if a part has no price, is sold in packs or serves
// several links, which has no bound per link.
func (m *Market) mostPrice(c *catalog.Cabling) float64 {
	total := 0.0
	for i := range c.Items {
		it := &c.Items[i]
		if it.Part == nil {
			continue
		}
		x, ok := m.index.Currency().Convert(it.Part.MaxUnit(), it.Part.Currency)
		if !it.Part.Priced || !ok || it.Part.MOQ > 1 || it.Part.Pack > 1 || it.Den > 1 {
			return math.Inf(1)
		}
		total += float64(x) * float64(it.Num) / float64(it.Den)
	}
	return math.Ceil(total)
}
