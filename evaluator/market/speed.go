package market

import (
	"math"
	"slices"

	"toposearch/catalog"
)

// Speed is what is known of the links of a rate before any is laid.
type Speed struct {
	Gbps    int
	Rank    int               // among the rates on sale, the slowest first
	Steps   []catalog.Cabling // by stock length: each the cheapest that is as long
	ReachM  float64           // the longest cable, between buildings too
	Optical bool              // no link of the rate is copper
	own     Offer             // what is sold at the rate at least costs, and
	faster  Offer             // what is sold at it or at any faster rate

	rate    float64   // Gbps
	stocks  []float64 // the lengths of the steps in metres, at hand together
	byStep  []longer
	choice  []catalog.SwitchChoice // by number of ports, all of this rate, up to the most that a switch offers
	nics    []cards                // by ports of an endpoint, up to mostPorts
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

// listSpeeds lists the rates on sale with their cables and switches.
func (m *Market) listSpeeds() {
	for g := 0.0; ; {
		r, ok := m.index.RateAtLeast(g)
		if !ok {
			break
		}
		m.fastest = float64(r)
		p := Speed{Gbps: r, Rank: len(m.speeds), rate: float64(r)}
		p.take(m.cablingsOf(m.index, r))
		p.ReachM = p.LongestM()
		p.Optical = len(p.Steps) > 0 && !slices.ContainsFunc(p.Steps, func(c catalog.Cabling) bool { return c.Copper })
		p.boundLonger(m)
		m.offerLinks(&p)
		m.offerSwitches(&p)
		m.speeds = append(m.speeds, p)
		g = float64(r) + 0.5
	}
}

// listBetween lists the links between buildings, and makes the bounds of each rate hold for them too: their
// cables are longer, and single-mode.
func (m *Market) listBetween(x *catalog.Index) {
	for i := range m.speeds {
		p := &m.speeds[i]
		q := Speed{Gbps: p.Gbps, Rank: p.Rank, rate: p.rate}
		q.take(m.cablingsOf(x, p.Gbps))
		p.ReachM = max(p.ReachM, q.LongestM())
		m.offerBetween(&p.own, q.Steps)
		m.between = append(m.between, q)
	}
}

// take sets the steps.
func (p *Speed) take(steps []catalog.Cabling) {
	p.Steps = steps
	for i := range steps {
		p.stocks = append(p.stocks, steps[i].StockM)
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

// mostPrice bounds what a link of a cabling costs, +Inf if a part has no price, is sold in packs or serves
// several links, which has no bound per link.
func (m *Market) mostPrice(c *catalog.Cabling) float64 {
	total := 0.0
	for i := range c.Items {
		it := &c.Items[i]
		if it.Part == nil {
			continue
		}
		x, ok := m.index.Currency().Convert(mostUnit(it.Part), it.Part.Currency)
		if !it.Part.Priced || !ok || it.Part.MOQ > 1 || it.Part.Pack > 1 || it.Den > 1 {
			return math.Inf(1)
		}
		total += float64(x) * float64(it.Num) / float64(it.Den)
	}
	return math.Ceil(total)
}

// longestEach asks the catalogue for ever longer cables, the cheapest of each length.
func longestEach(x *catalog.Index, gbps int) []catalog.Cabling {
	var steps []catalog.Cabling
	for m := 0.0; ; {
		c, ok := x.ChooseCable(gbps, m)
		if !ok {
			return steps
		}
		steps = append(steps, c)
		m = math.Nextafter(c.StockM, math.Inf(1))
	}
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
