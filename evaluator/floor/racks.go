package floor

import (
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// Links is how many links of class c the design has.
func (p *Plan) Links(c int) int64 { return p.size.Link[c] }

// Racks is the number of racks that hold something. The last sections and the last buildings may have
// fewer switches than the others have room for.
func (p *Plan) Racks() int64 {
	n := p.sections * p.endRacks
	if p.netRacks > 0 {
		full := p.fullSections()
		n += full * p.netRacks
		for s := full; s < p.sections; s++ {
			n += p.netInUse(s)
		}
	}
	if p.central > 0 {
		_, in := p.beforeInCenter(0)
		all := p.centralSwitches()
		n += all / in * p.central
		if left := all % in; left > 0 {
			n += (left-1)*p.central/in + 1
		}
	}
	return n
}

// fullSections is the number of sections, from the first on, that have all the switches of a section.
func (p *Plan) fullSections() int64 {
	full := p.sections
	for i := range p.size.Family.SwitchClasses {
		if each := p.share(i) * p.perSection; p.home[i] == topology.InBlock && each > 0 {
			full = min(full, p.count[i]/each)
		}
	}
	return full
}

// netInUse is the number of network racks of a section that hold a switch: as positionOfSwitch has it, the
// switches of a class stand in racks that follow one another, and the classes one behind the other.
func (p *Plan) netInUse(section int64) int64 {
	_, all := p.beforeInBlock(0)
	before, n, next := int64(0), int64(0), int64(0)
	for i := range p.size.Family.SwitchClasses {
		each := p.share(i) * p.perSection
		if p.home[i] != topology.InBlock || each == 0 {
			continue
		}
		if here := min(p.count[i]-section*each, each); here > 0 {
			first, last := max(before*p.netRacks/all, next), (before+here-1)*p.netRacks/all
			n += max(0, last-first+1)
			next = max(next, last+1)
		}
		before += each
	}
	return n
}

// Loads gives the endpoints of each building and the draw of its switches.
func (p *Plan) Loads(b *market.Purchase) (endpoints []int64, switches []float64) {
	endpoints, switches = make([]int64, p.buildings), make([]float64, p.buildings)
	in := p.sectionsIn * p.perSection * p.perBlock
	for k := range p.buildings {
		endpoints[k] = max(0, min(in, p.size.Endpoints-k*in))
	}
	for i := range p.size.Family.SwitchClasses {
		if p.home[i] == topology.Inside {
			continue
		}
		from := int64(0)
		p.eachRun(i, func(to, position int64) {
			switches[position/p.perBuilding] += float64(to-from) * b.PowerW(i)
			from = to
		})
	}
	p.eachCircuit(func(j, position int64) { switches[position/p.perBuilding] += p.circuits.watts(j) })
	return endpoints, switches
}
