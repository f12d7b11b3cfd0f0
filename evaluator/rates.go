package evaluator

import (
	"math"
	"slices"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// What a link class is to a buyer.
const (
	linkBought = iota // cables
	linkBoard         // traces, or wires inside a box: no cable
	linkScale         // scale-up mesh of a server
	linkInside        // endpoint to its embedded switch
)

// rates are the speeds of a counted design, in Gb/s.
type rates struct {
	lane      float64                      // asked of a lane
	link      [topology.MaxClasses]float64 // of a link, rounded up to a rate on sale where cables are bought
	of        [topology.MaxClasses]*speed  // of a class of cables; nil if no switch offers the rate
	kind      [topology.MaxClasses]uint8
	ends      [topology.MaxClasses]uint8 // ends of a link that are ports of bought switches
	ports     float64                    // of all ports of an endpoint together
	bandwidth float64                    // what throughputs are fractions of
	surplus   float64
	reject    metric.Reject
}

// capacity is the rate of a link class as a fraction of the bandwidth of an endpoint.
func (r *rates) capacity(c int) float64 { return r.link[c] / r.bandwidth }

// rate fills r for a design whose link classes in boards, a set of bits, need no cable. An
// endpoint's bandwidth is divided by its lanes; a link gets its lanes' worth, rounded up to a
// rate that switches on sale offer.
func (e *Evaluator) rate(s *topology.Size, boards uint32, r *rates) {
	asked := e.opt.BandwidthGbps
	if asked == 0 {
		asked = defaultEndpointGbps
	}
	r.lane = asked / float64(max(s.EndpointLanes, 1))
	r.reject = metric.Reject{}
	r.classify(s, boards)
	last := -1.0 // what was asked of the class before: mostly the same
	var found *speed
	for c := range s.Family.LinkClasses {
		want := r.lane * float64(s.Lanes[c])
		r.of[c] = nil
		switch r.kind[c] {
		case linkScale:
			r.link[c] = e.opt.ScaleupGbps
		case linkBought:
			if want != last {
				last, found = want, e.speedFrom(want)
			}
			if found != nil {
				r.of[c], r.link[c] = found, float64(found.gbps)
			} else {
				r.link[c] = want
				if s.Link[c] > 0 && r.reject.Constraint == "" {
					r.reject = metric.Reject{Constraint: "link.rate", Got: want, Bound: e.fastest}
				}
			}
		default:
			r.link[c] = want
		}
	}
	r.sumPorts(s)
	r.bandwidth, r.surplus = asked, 0
	if e.opt.BandwidthGbps == 0 {
		r.bandwidth = max(r.ports, r.lane)
	} else if r.ports > asked {
		r.surplus = r.ports/asked - 1
	}
}

// sold is the least rate on sale that is at least gbps.
func (e *Evaluator) sold(gbps float64) (int, bool) {
	if p := e.speedFrom(gbps); p != nil {
		return p.gbps, true
	}
	return 0, false
}

// speedFrom gives its links; nil if none is as fast.
func (e *Evaluator) speedFrom(gbps float64) *speed {
	gbps *= 1 - 1e-9
	for i := range e.speeds {
		if p := &e.speeds[i]; p.rate >= gbps {
			return p
		}
	}
	return nil
}

// speed is what is known of the links of a rate before any is laid.
type speed struct {
	gbps         int
	rate, reach  float64           // gbps; the longest cable, between buildings too
	rank         int               // among the rates on sale
	steps        []catalog.Cabling // by stock length: each the cheapest that is as long
	stocks       []float64         // their lengths in metres, at hand together
	least, most  int64             // price of a link in minor units at any length, at the best and at no price break
	priced       bool              // most is known: every step has a price and is sold singly
	leastW, maxW float64
	lead         float64 // weeks until the parts of a link are delivered, at least,
	leadAny      float64 // over this rate and all faster ones; 0 where a rate has no cables
	stock        float64 // the shortest cable as bought, in metres,
	stockAny     float64 // over this rate and all faster ones; 0 where a rate has no cables
	optical      bool    // no link of the rate is copper
	leastFrom    int64   // least, over this rate and all faster ones
	leastFromW   float64 // and of leastW
	// by step: the least price of a link, minor units, and the least draw, of this step and all longer ones
	fromPrice, fromW []float64

	// By number of ports, all of this rate, up to the most that a switch offers:
	choice   []catalog.SwitchChoice
	cheapest []float64   // lower bound of the price, at this rate
	soonest  []float64   // weeks until any model with so many ports is delivered, at least
	coolest  []float64   // watts of any model with so many ports, at least
	fewest   []float64   // physical ports that they occupy at least
	leastAny []float64   // cheapest, over this rate and all faster ones
	fewAny   []float64   // fewest, over this rate and all faster ones
	soonAny  []float64   // soonest, over this rate and all faster ones
	coolAny  []float64   // coolest, over this rate and all faster ones
	nics     []nicChoice // by ports of an endpoint, up to nicsKnown
	// port is the least price of a port of a full switch, portAny over this rate and all faster ones.
	port, portAny float64
	// The longest cable and the most ports of a switch that have a price, and those over this rate and all
	// faster ones.
	pricedM, pricedAnyM         float64
	pricedPorts, pricedPortsAny int
	options                     [2][]wireOption // where prices of cables vary: of links of other classes, and of class nic
}

// learnSwitches answers every question about switches with ports of one rate.
func (p *speed) learnSwitches(x *catalog.Index) {
	p.choice, p.cheapest, p.fewest, p.soonest, p.coolest = make([]catalog.SwitchChoice, 1), []float64{0}, []float64{0}, []float64{0}, []float64{0}
	for n := 1; ; n++ {
		needs := []catalog.PortNeed{{Gbps: p.gbps, Count: n}}
		c, ok := x.ChooseSwitch(needs)
		if !ok {
			return
		}
		low, _ := x.CheapestSwitch(needs)
		few, _ := x.PortsNeeded(needs)
		p.choice = append(p.choice, c)
		p.cheapest = append(p.cheapest, float64(low))
		p.fewest = append(p.fewest, float64(few))
		soon, cool := math.Inf(1), math.Inf(1)
		x.Fits(needs, func(c catalog.SwitchChoice) bool {
			soon, cool = min(soon, leastLead(c.Part)), min(cool, c.Part.PowerW)
			return true
		})
		p.soonest, p.coolest = append(p.soonest, soon), append(p.coolest, cool)
	}
}

// orFaster fills the bounds over this and all faster rates; next is the next faster one.
func (p *speed) orFaster(next *speed) {
	p.leastAny, p.fewAny = slices.Clone(p.cheapest), slices.Clone(p.fewest)
	p.soonAny, p.coolAny = slices.Clone(p.soonest), slices.Clone(p.coolest)
	p.port = math.Inf(1)
	for n := 1; n < len(p.cheapest); n++ {
		p.port = min(p.port, p.cheapest[n]/float64(n))
	}
	if p.portAny = p.port; next != nil {
		p.portAny = min(p.portAny, next.portAny)
	}
	if math.IsInf(p.portAny, 1) {
		p.port, p.portAny = 0, 0
	}
	if next == nil {
		return
	}
	for n := range next.leastAny {
		if n < len(p.leastAny) {
			p.leastAny[n] = min(p.leastAny[n], next.leastAny[n])
			p.fewAny[n] = min(p.fewAny[n], next.fewAny[n])
			p.soonAny[n], p.coolAny[n] = min(p.soonAny[n], next.soonAny[n]), min(p.coolAny[n], next.coolAny[n])
		} else {
			p.leastAny, p.fewAny = append(p.leastAny, next.leastAny[n]), append(p.fewAny, next.fewAny[n])
			p.soonAny, p.coolAny = append(p.soonAny, next.soonAny[n]), append(p.coolAny, next.coolAny[n])
		}
	}
}

// learnLonger bounds what a link costs and draws that is at least as long as a step.
func (p *speed) learnLonger(e *Evaluator) {
	n := len(p.steps)
	p.fromPrice, p.fromW = make([]float64, n), make([]float64, n)
	price, watts := math.Inf(1), math.Inf(1)
	for i := n - 1; i >= 0; i-- {
		c, least := &p.steps[i], 0.0
		for k := range c.Items {
			it := &c.Items[k]
			if it.Part == nil {
				continue
			}
			if unit, ok := it.Part.MinUnit(); ok {
				if m, ok := e.index.Currency().Convert(unit, it.Part.Currency); ok {
					least += float64(m) * float64(it.Num) / float64(it.Den)
				}
			}
		}
		price, watts = min(price, least), min(watts, c.PowerW)
		p.fromPrice[i], p.fromW[i] = price, watts
	}
}

// longest is the longest cable of the rate, 0 if there is none.
func (p *speed) longest() float64 {
	if n := len(p.steps); n > 0 {
		return p.steps[n-1].StockM
	}
	return 0
}

// at is the step for a laid length, -1 if none is long enough.
func (p *speed) at(m float64) int {
	for i, x := range p.stocks {
		if x >= m {
			return i
		}
	}
	return -1
}

// from is the step for a laid length or, where none is long enough, the last: what fromPrice and fromW
// say of it is a bound for such a length as well. There must be a step.
func (p *speed) from(m float64) int {
	if i := p.at(m); i >= 0 {
		return i
	}
	return len(p.steps) - 1
}

// speedOf gives the links of a rate; nil if no switch offers it.
func (e *Evaluator) speedOf(gbps float64) *speed {
	for i := range e.speeds {
		if e.speeds[i].rate == gbps {
			return &e.speeds[i]
		}
	}
	return nil
}

// learn lists the rates on sale with their cables.
func (e *Evaluator) learn() {
	for g := 0.0; ; {
		r, ok := e.index.RateAtLeast(g)
		if !ok {
			break
		}
		e.fastest = float64(r)
		p := speed{gbps: r, rank: len(e.speeds), rate: float64(r), priced: true, leastW: math.Inf(1)}
		p.take(e.cablingsOf(e.index, r))
		low, _ := e.index.CheapestCable(r)
		p.least = int64(low)
		for i := range p.steps {
			most, ok := e.mostPrice(&p.steps[i])
			p.priced = p.priced && ok
			p.most = max(p.most, most)
			p.leastW = min(p.leastW, p.steps[i].PowerW)
			p.maxW = max(p.maxW, mostLinkW(&p.steps[i]))
		}
		if len(p.steps) == 0 {
			p.leastW, p.priced = 0, false
		}
		p.reach = p.longest()
		p.stock = e.stockAtLeast(p.steps)
		p.lead, p.optical = leadOfSteps(p.steps), len(p.steps) > 0 && !slices.ContainsFunc(p.steps, func(c catalog.Cabling) bool { return c.Copper })
		p.learnLonger(e)
		p.learnSwitches(e.index)
		e.speeds = append(e.speeds, p)
		g = float64(r) + 0.5
	}
	low, lowW := int64(math.MaxInt64), math.Inf(1)
	for i := len(e.speeds) - 1; i >= 0; i-- {
		p := &e.speeds[i]
		var next *speed
		if i+1 < len(e.speeds) {
			next = &e.speeds[i+1]
		}
		p.orFaster(next)
		if len(p.steps) > 0 {
			low, lowW = min(low, p.least), min(lowW, p.leastW)
		}
		p.leastFrom, p.leastFromW = low, lowW
		if low == math.MaxInt64 {
			p.leastFrom, p.leastFromW = 0, 0
		}
	}
}

// take sets the steps.
func (p *speed) take(steps []catalog.Cabling) {
	p.steps = steps
	for i := range steps {
		p.stocks = append(p.stocks, steps[i].StockM)
	}
}

// stockAtLeast is the shortest of some cablings that reaches from anything to anything, 0 if there is
// none.
func (e *Evaluator) stockAtLeast(steps []catalog.Cabling) float64 {
	for i := range steps {
		if steps[i].StockM >= e.leastM {
			return steps[i].StockM
		}
	}
	return 0
}

// learnFaster bounds lead times and stock lengths over each rate and all faster ones.
func (e *Evaluator) learnFaster() {
	for i := len(e.speeds) - 1; i >= 0; i-- {
		p := &e.speeds[i]
		if p.leadAny, p.stockAny = p.lead, p.stock; i+1 < len(e.speeds) {
			next := &e.speeds[i+1]
			p.leadAny, p.stockAny = min(p.lead, next.leadAny), min(p.stock, next.stockAny)
		}
	}
}

// widen makes the bounds of each rate hold for links between buildings too: their cables are
// longer and single-mode.
func (e *Evaluator) widen() {
	for i := range e.speeds {
		p := &e.speeds[i]
		p.priced = false
		p.reach = max(p.reach, e.far[i].longest())
		if len(e.far[i].steps) > 0 {
			p.lead = min(p.lead, leadOfSteps(e.far[i].steps))
			p.stock = min(p.stock, e.stockAtLeast(e.far[i].steps))
		}
		for k := range e.far[i].steps {
			p.leastW = min(p.leastW, e.far[i].steps[k].PowerW)
			p.maxW = max(p.maxW, mostLinkW(&e.far[i].steps[k]))
		}
	}
}

// ladderOf asks the catalogue for ever longer cables.
func ladderOf(x *catalog.Index, gbps int) []catalog.Cabling {
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

// mostPrice bounds what a link of the cabling costs;
// false if a part has no price, is sold in packs or serves several links, which has no bound per
// link.
func (e *Evaluator) mostPrice(c *catalog.Cabling) (int64, bool) {
	total := 0.0
	for i := range c.Items {
		it := &c.Items[i]
		if it.Part == nil {
			continue
		}
		m, ok := e.index.Currency().Convert(mostUnit(it.Part), it.Part.Currency)
		if !it.Part.Priced || !ok || it.Part.MOQ > 1 || it.Part.Pack > 1 || it.Den > 1 {
			return 0, false
		}
		total += float64(m) * float64(it.Num) / float64(it.Den)
	}
	return int64(math.Ceil(total)), true
}
