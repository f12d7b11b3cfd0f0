package market

import (
	"cmp"
	"math"
	"slices"

	"toposearch/catalog"
)

// listModels reads the tariffs of everything that is bought whole: switches, network cards, traces and
// circuit switches.
func (m *Market) listModels() {
	list, cur := m.index.Catalogue(), m.index.Currency()
	m.noNICs = !m.opt.CountNICs && !list.Has(catalog.KindNIC)
	m.leastSwitchW = math.Inf(1)
	for i := range list.Parts {
		p := &list.Parts[i]
		switch p.Kind {
		case catalog.KindSwitch, catalog.KindNIC, catalog.KindTrace, catalog.KindOCS:
		default:
			continue
		}
		t := tariffOf(&cur, p, m.opt.Limits.LeadWeeks)
		switch varies := t.varies() && p.Approved; p.Kind {
		case catalog.KindSwitch:
			m.leastSwitchW = min(m.leastSwitchW, p.PowerW)
			m.switchBreaks = m.switchBreaks || varies
		case catalog.KindNIC:
			m.nicBreaks = m.nicBreaks || varies
		case catalog.KindOCS:
			m.circuitBreaks = m.circuitBreaks || varies
		}
		m.models = append(m.models, t)
	}
	if math.IsInf(m.leastSwitchW, 1) {
		m.leastSwitchW = 0
	}
}

// listWires reads the tariffs of the parts of links.
func (m *Market) listWires() {
	parts, cur := m.index.Catalogue().Parts, m.index.Currency()
	for i := range parts {
		p := &parts[i]
		switch p.Kind {
		case catalog.KindCable, catalog.KindTransceiver, catalog.KindFibre:
		default:
			continue
		}
		t := tariffOf(&cur, p, m.opt.Limits.LeadWeeks)
		m.wiresVary = m.wiresVary || p.Approved && (t.varies() || p.Ports > 1)
		m.wires = append(m.wires, t)
	}
	// The search for the cheapest together goes through them, and of several at one price the first stays: not that of the first row.
	slices.SortStableFunc(m.wires, func(a, b tariff) int { return cmp.Compare(a.part.PartNo, b.part.PartNo) })
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
		p.Key = p.Rank
		p.take(m.cablingsOf(m.index, r))
		p.ReachM = p.LongestM()
		p.Optical = len(p.Steps) > 0 && !slices.ContainsFunc(p.Steps, func(c catalog.Cabling) bool { return c.Copper })
		p.boundLonger(m)
		low, _ := m.index.CheapestCable(r)
		m.offerLinks(&p, low)
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

// listTrunks lists the links without splitters, of which all else is as with them: between switches their single ends would each take a cage that is split
// for several, or is there for two ports of a list that counts ports.
func (m *Market) listTrunks(x *catalog.Index) {
	for i := range m.speeds {
		q := m.speeds[i]
		q.Key, q.stocks = len(m.speeds)+i, nil
		q.take(m.cablingsOf(x, q.Gbps))
		q.ReachM = q.LongestM()
		q.Optical = len(q.Steps) > 0 && !slices.ContainsFunc(q.Steps, func(c catalog.Cabling) bool { return c.Copper })
		q.boundLonger(m)
		low, _ := x.CheapestCable(q.Gbps)
		m.offerLinks(&q, low)
		if i < len(m.between) {
			q.ReachM = max(q.ReachM, m.between[i].LongestM())
			m.offerBetween(&q.own, m.between[i].Steps)
		}
		m.trunk = append(m.trunk, q)
	}
}

// listCircuits lists what leads to circuit switches.
func (m *Market) listCircuits(x *catalog.Index) {
	for i := range m.speeds {
		p := &m.speeds[i]
		q := Speed{Gbps: p.Gbps, Rank: p.Rank, rate: p.rate, Optical: true}
		q.take(m.cablingsOf(x, p.Gbps))
		q.ReachM = q.LongestM()
		q.boundLonger(m)
		low, _ := x.CheapestCable(p.Gbps)
		m.offerLinks(&q, low)
		m.circuit = append(m.circuit, q)
	}
}

// cablingsOf lists what may make a link of a rate, by length: where prices do not vary the cheapest for each,
// otherwise all of them, but none without a price where one that is as long has one.
func (m *Market) cablingsOf(x *catalog.Index, gbps int) []catalog.Cabling {
	if !m.wiresVary {
		return longestEach(x, gbps)
	}
	all := x.Cablings(gbps)
	priced := pricedTo(all)
	return slices.DeleteFunc(all, func(c catalog.Cabling) bool { return !c.Priced() && c.StockM <= priced })
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
