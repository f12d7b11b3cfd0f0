package market

import (
	"toposearch/catalog"
)

// Speed is what is known of the links of a rate before any is laid.
type Speed struct {
	Gbps    int
	Rank    int               // among the rates on sale, the slowest first
	Key     int               // tells tables of cables apart inside a building: Rank, and beyond all ranks without splitters
	Steps   []catalog.Cabling // by stock length: each the cheapest that is as long
	ReachM  float64           // the longest cable, between buildings too
	Optical bool              // no link of the rate is copper
	several bool              // some cabling has a part for several links
	own     Offer             // what is sold at the rate at least costs, and
	faster  Offer             // what is sold at it or at any faster rate

	rate    float64   // Gbps
	stocks  []float64 // the lengths of the steps in metres, at hand together
	byStep  []longer
	choice  []catalog.SwitchChoice // by number of ports, all of this rate, up to the most that a switch offers
	nics    []cards                // by ports of an endpoint, up to mostNICPorts
	options [2][]wireOption        // where prices of cables vary: of links of other classes, and of class nic
}

// longer is the least price of a link, in minor units, and the least draw, of a step and all longer ones.
type longer struct{ price, watts float64 }

// LongestM is the longest cable of the rate inside a building, 0 if there is none.
func (p *Speed) LongestM() float64 {
	if n := len(p.Steps); n > 0 {
		return p.Steps[n-1].StockM
	}
	return 0
}

// Step is the first that is long enough for a laid length, -1 if none is.
func (p *Speed) Step(m float64) int {
	for i, x := range p.stocks {
		if x >= m {
			return i
		}
	}
	return -1
}

// StockM is the length that is bought, at least, for a laid length: that of the first step which is long enough,
// or m itself where none is.
func (p *Speed) StockM(m float64) float64 {
	if i := p.Step(m); i >= 0 {
		return p.stocks[i]
	}
	return m
}

// AtLeast is the least price, in minor units, and the least draw of a link that is laid as long as m or longer.
// There must be a step; where none is long enough, what the last one says is a bound as well.
func (p *Speed) AtLeast(m float64) (price, watts float64) {
	i := p.Step(m)
	if i < 0 {
		i = len(p.Steps) - 1
	}
	return p.byStep[i].price, p.byStep[i].watts
}

// Offer is what is bounded at the rate or, if it is not known to be the rate, at it and any faster.
func (p *Speed) Offer(known bool) *Offer {
	if known {
		return &p.own
	}
	return &p.faster
}

// MostLinks is how many links the part of a cabling serves that serves the most, 1 where none is for several.
func MostLinks(c *catalog.Cabling) int {
	n := 1
	for _, it := range c.Items {
		if it.Part != nil {
			n = max(n, it.Den)
		}
	}
	return n
}

// fewest is the first step, from one on, of parts for the fewest links.
func (p *Speed) fewest(from int) int {
	best := from
	for i := from + 1; i < len(p.Steps); i++ {
		if MostLinks(&p.Steps[i]) < MostLinks(&p.Steps[best]) {
			best = i
		}
	}
	return best
}

// take sets the steps.
func (p *Speed) take(steps []catalog.Cabling) {
	p.Steps = steps
	p.several = false
	for i := range steps {
		p.several = p.several || MostLinks(&steps[i]) > 1
		p.stocks = append(p.stocks, steps[i].StockM)
	}
}

// Offer bounds from below what links and switches cost at a rate, or at it and any faster one.
type Offer struct {
	Link Unit // a link of any length
	// PortPrice is the least price of a port of a full switch, minor units, and PortW the least draw.
	PortPrice, PortW float64
	StockM           float64 // the shortest cable as bought; 0 if there is none
	// PricedM is the longest cable, and pricedPorts the most ports of a switch, that have a price. A part
	// without a price is chosen only where none that fits has one: what is longer, or has more ports, has
	// none either.
	PricedM     float64
	pricedPorts int
	switches    []SwitchOffer // by ports in use, up to the most that a switch has
}

// SwitchOffer is what a switch with at least some ports costs, in minor units, draws, occupies of physical
// ports, and takes until it is delivered, in weeks.
type SwitchOffer struct {
	Price, Watts, Ports, LeadWeeks float64
	// None is set if no model has that many; Unpriced if none of those that have has a price.
	None, Unpriced bool
}

// mostNICPorts bounds the ports of an endpoint for which network cards are looked up beforehand.
const mostNICPorts = 32

// cards is the network cards of one endpoint.
type cards struct {
	part   *catalog.Part // nil: none on the list is as fast
	count  int
	rivals []*catalog.Part
}

// wireOption is a cabling: its step, its parts by their place among the wires, -1 for none, how many of each a link takes that
// serve a single one, and the price of a link.
type wireOption struct {
	step       int
	part       [2]int32
	units      [2]int64
	unit, less float64 // price at quantity 1, parallels aside; and at the best price breaks with all links of each part in use
	late       bool    // what is not in stock of one of the parts comes too late
	links      int     // that the part for the most of them serves, 1 where none is for several
}

// pricedTo is the longest of some cablings that has a price, 0 if none has.
func pricedTo(steps []catalog.Cabling) (m float64) {
	for i := range steps {
		if steps[i].Priced() {
			m = max(m, steps[i].StockM)
		}
	}
	return m
}
