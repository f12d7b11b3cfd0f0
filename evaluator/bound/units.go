package bound

import (
	"toposearch/catalog"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// switches adds the switches: of one design those chosen, of several the cheapest that offer the least ports of
// each class.
func (e *enclosure) switches() {
	if e.b.Single() {
		e.switchesChosen()
		return
	}
	f := e.b.Lo.Family
	ports, inUse, most := 0.0, 0.0, 0.0
	for i := range f.SwitchClasses {
		if n := float64(e.b.Lo.Switch[i].Count); n > 0 && !f.SwitchClasses[i].Embedded {
			ports = max(ports, e.switchesAtLeast(i, n))
		}
	}
	for c := range f.LinkClasses {
		inUse += float64(e.b.Lo.Link[c]) * float64(e.r.Ends[c])
		most += float64(e.b.Hi.Link[c]) * float64(e.r.Ends[c])
	}
	e.out.Set(metric.PhysicalPorts, ports, inf)
	if l, h := float64(e.b.Lo.Endpoints), float64(e.b.Hi.Endpoints); l > 0 {
		e.out.Set(metric.PortsPerEndpoint, inUse/h, most/l)
		e.out.Set(metric.PortsBoughtPerEndpoint, inUse/h*metric.Below, inf) // whole switches: those in use, and more
	}
}

// switchesChosen adds the switches of one design.
func (e *enclosure) switchesChosen() {
	s, buys := e.b.Lo, &e.l.buys
	var last *catalog.Part // classes mostly share a model
	var unit *market.Unit
	for i := range s.Family.SwitchClasses {
		part := buys.Switches[i].Part
		if part == nil {
			continue
		}
		if part != last {
			last, unit = part, e.m.market.UnitOf(part)
		}
		n := float64(buys.Boxes(s, i))
		e.t.add(n, n, unit)
	}
	fullest, all := buys.PortsBought(s)
	e.out.Point(metric.PhysicalPorts, float64(fullest))
	e.out.Point(metric.PortsBoughtPerEndpoint, all/float64(s.Endpoints))
}

// switchesAtLeast adds at least n switches of class i, and returns the physical ports that the fullest of them
// occupies at least.
func (e *enclosure) switchesAtLeast(i int, n float64) (ports float64) {
	var buf [topology.MaxClasses]catalog.PortNeed
	needs := buf[:0]
	for c := range e.b.Lo.Family.LinkClasses {
		k := int(e.b.Lo.Switch[i].Ports[c])
		if k == 0 || e.r.Ends[c] == 0 {
			continue
		}
		p := e.slowest(c)
		if p == nil {
			continue
		}
		at := 0
		for at < len(needs) && needs[at].Gbps != p.Gbps {
			at++
		}
		if at == len(needs) {
			needs = append(needs, catalog.PortNeed{Gbps: p.Gbps})
		}
		needs[at].Count += k
	}
	if len(needs) == 0 {
		return 0
	}
	x := e.m.market.SwitchWith(needs, e.known)
	if e.b.Lo.Family.SwitchClasses[i].SharesBox {
		x = e.m.market.PartWith(needs, e.known)
	}
	e.t.add(n, n, &market.Unit{Price: x.Price, MostPrice: inf, Watts: x.Watts, MostW: inf, LeadWeeks: x.LeadWeeks, Unpriced: x.Unpriced && !x.None})
	if x.None {
		e.out.Reject = e.m.market.TooFewPorts(needs)
	}
	return x.Ports
}

// cards adds the network cards: of several designs if all have as many ports to an endpoint, at the same
// rate.
func (e *enclosure) cards() {
	c := &e.l.buys.Cards
	if !e.b.Single() {
		if !e.known || e.b.Lo.EndpointPorts != e.b.Hi.EndpointPorts || e.b.Lo.Family.LinkClasses[0].Name != topology.ClassNic {
			return
		}
		e.m.market.BuyCards(e.b.Lo, e.r, c)
	}
	counted := e.m.market.CountsNICs()
	if c.NoNICGbps > 0 {
		e.t.noPower, e.t.noCost = true, e.t.noCost || counted
		return
	}
	known := e.b.Single() || c.Rivals == nil
	if known && !counted {
		e.t.loW, e.t.hiW = e.t.loW+c.NICW, e.t.hiW+c.NICW
	} else if c.NIC != nil {
		u := e.m.market.CardUnit(c, known)
		e.t.add(float64(c.NICs), float64(c.NICs), &u)
	}
}

// media adds what links need that is no cable: of several designs only what none of them has.
func (e *enclosure) media() {
	if len(e.b.Lo.Family.Media) == 0 {
		return
	}
	if !e.b.Single() {
		noPower, noPrice := e.m.market.LackMedia(e.b.Lo, e.b.Hi, e.r, e.known)
		e.t.noPower, e.t.noCost = e.t.noPower || noPower, e.t.noCost || noPrice
		return
	}
	var buys [market.MostMedia]market.Medium
	for i := range e.m.market.MediaOf(e.b.Lo, e.r, &buys) {
		switch b := &buys[i]; {
		case b.Part != nil:
			e.t.add(float64(b.Count), float64(b.Count), e.m.market.UnitOf(b.Part))
		case b.Of.Medium == catalog.MediumOCS:
			e.t.hi, e.t.noPower, e.t.noCost = inf, true, true
		}
	}
}

// scaleup adds scale-up switches and cables, where they are counted.
func (e *enclosure) scaleup() {
	if !e.m.market.CountsScaleup() {
		return
	}
	var bought *market.Scaleups
	if e.b.Single() {
		bought = &e.l.buys.Scaleups
	}
	u, least, most, ok := e.m.market.ScaleupUnit(e.b.Lo, e.b.Hi, bought)
	switch {
	case most == 0:
	case ok:
		e.t.add(least, most, &u)
	case least > 0:
		e.t.hi, e.t.hiW, e.t.noPower, e.t.noCost = inf, inf, true, true
	default:
		e.t.hi, e.t.hiW = inf, inf
	}
}
