package evaluator

import (
	"math"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// lack records the metrics that no design within the bounds has, by what its parts lack.
func (e *Evaluator) lack(m *money, out *metric.Intervals) {
	if m.noCost {
		out.Lacks |= metric.CostKeys
	}
	if m.noPower {
		out.Lacks |= metric.PowerKeys
		if e.opt.Site.EndpointAllInW == 0 {
			out.Lacks |= metric.KeySet(1) << metric.BuildingPower
		}
	}
}

// learnPriced finds how far cables and how many ports of a switch have a price, at each rate and at any
// at least as fast. A part without a price is chosen only where none that fits has one: what is
// longer, or has more ports, has none either.
func (e *Evaluator) learnPriced() {
	e.cablesPriced = true
	for i := len(e.speeds) - 1; i >= 0; i-- {
		p := &e.speeds[i]
		p.pricedM = pricedTo(p.steps)
		longest := p.longest()
		if i < len(e.far) {
			p.pricedM = max(p.pricedM, pricedTo(e.far[i].steps))
			longest = max(longest, e.far[i].longest())
		}
		if longest == 0 { // no cable at all: a design is rejected for that
			p.pricedM = math.Inf(1)
		}
		e.cablesPriced = e.cablesPriced && p.pricedM >= longest
		for n := range p.choice {
			if part := p.choice[n].Part; part != nil && part.Priced {
				p.pricedPorts = n
			}
		}
		p.pricedAnyM, p.pricedPortsAny = p.pricedM, p.pricedPorts
		if i+1 < len(e.speeds) {
			next := &e.speeds[i+1]
			p.pricedAnyM, p.pricedPortsAny = max(p.pricedM, next.pricedAnyM), max(p.pricedPorts, next.pricedPortsAny)
		}
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

// unpricedCable tells that one of several cables, the longest at least so long, has no price, at the
// rate p or, if not same, at any faster.
func (e *Evaluator) unpricedCable(p *speed, same bool, longestM float64) bool {
	priced := p.pricedAnyM
	if same {
		priced = p.pricedM
	}
	return max(e.leastM, longestM*metric.Below) > priced
}

// lacksCable tells that one of the cables of class c of every design of a box has no price. meanM is their
// mean length, at least.
func (e *Evaluator) lacksCable(f *topology.Family, per *topology.PerEndpoint, c int, p *speed, same bool, meanM float64) bool {
	if e.cablesPriced {
		return false
	}
	longest := meanM
	if per != nil {
		longest = max(longest, e.longestOf(f, per, c))
	}
	return e.unpricedCable(p, same, longest)
}

// longestOf bounds the longest cable of class c from below, 0 if nothing is known: the last of the racks
// over which far ends spread is no nearer than the nearest that are so many.
func (e *Evaluator) longestOf(f *topology.Family, per *topology.PerEndpoint, c int) float64 {
	if per.Alike {
		if x := e.alikeOf(f, &per.Like); x != nil && x.known[c] {
			return x.maxM[c]
		}
	}
	racks, spacing, apart, ok := e.fanOf(&per.Fan[c])
	if !ok {
		return 0
	}
	each := e.fanSums(spacing).each
	i := math.Ceil(racks*metric.Below) - 1
	if apart {
		i++
	}
	return each[int(max(0, min(i, float64(len(each)-1))))]
}

// unpricedSwitch tells that no switch with at least the ports has a price, at their rates or, if not same,
// at any faster.
func (e *Evaluator) unpricedSwitch(needs []catalog.PortNeed, same bool) bool {
	if same && len(needs) > 1 {
		c, ok := e.index.ChooseSwitch(needs)
		return ok && !c.Part.Priced
	}
	for i := range needs {
		p := e.speedOf(float64(needs[i].Gbps))
		if p == nil {
			continue
		}
		most := p.pricedPortsAny
		if same {
			most = p.pricedPorts
		}
		if needs[i].Count > most {
			return true
		}
	}
	return false
}

// lackMedia tells what no design of a box has by the parts that its links need which are no cable.
func (e *Evaluator) lackMedia(bl, bh *topology.Size, r *rates, same bool, m *money) {
	for i := range bl.Family.Media {
		medium := &bl.Family.Media[i]
		links, rate, sure := int64(0), 0.0, same
		for _, c := range medium.Classes {
			links += bl.Link[c]
			if bl.Link[c] > 0 {
				rate = max(rate, r.link[c])
			} else if bh.Link[c] > 0 {
				sure = false // the fastest of the classes is not known
			}
		}
		switch {
		case links == 0:
		case medium.Medium == catalog.MediumOCS:
			c, _, ok := e.index.ChooseCircuit(1, 1)
			m.noPower = m.noPower || !ok
			m.noCost = m.noCost || !ok || !c.Priced // one with a price is taken before any without
		case sure:
			if c, ok := e.index.ChooseTrace(medium.Medium, rate, links); ok && !c.Priced {
				m.noCost = true
			}
		}
	}
}
