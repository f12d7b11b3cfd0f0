package evaluator

import (
	"fmt"

	"toposearch/topology"
)

// buildingW is the draw of a building, of several the one that draws most.
func (w *work) buildingW(b *purchase) (float64, string) {
	s, n := &w.e.opt.Site, float64(w.size.Endpoints)
	text := "(power + endpoints x endpoint power) x PUE"
	if s.EndpointAllInW > 0 {
		text = "endpoints x all-in power"
	}
	if w.floor.buildings <= 1 {
		return w.e.buildingAt(n, b.switchW+b.cableW+b.nicW), text
	}
	ends, switches := w.floor.loads(func(class int) float64 {
		if p := b.switches[class].Part; p != nil {
			return p.PowerW
		}
		return 0
	})
	most := 0.0
	for i := range ends {
		share := float64(ends[i])
		most = max(most, w.e.buildingAt(share, switches[i]+(b.cableW+b.nicW)*share/n))
	}
	return most, fmt.Sprintf("%s, of the building of %d that draws most; modules by its share of endpoints", text, w.floor.buildings)
}

// buildingAt is the draw of one building that holds n endpoints and network watts.
func (e *Evaluator) buildingAt(n, network float64) float64 {
	s := &e.opt.Site
	if s.EndpointAllInW > 0 {
		return n * s.EndpointAllInW
	}
	return (network + n*s.EndpointPowerW) * s.PUE
}

// loads gives the endpoints of each building and the draw of its switches; watts is that of a
// switch of a class.
func (p *floorPlan) loads(watts func(class int) float64) (endpoints []int64, switches []float64) {
	endpoints, switches = make([]int64, p.buildings), make([]float64, p.buildings)
	in := p.sectionsIn * p.perSection * p.perBlock
	for b := range p.buildings {
		endpoints[b] = max(0, min(in, p.size.Endpoints-b*in))
	}
	for i := range p.size.Family.SwitchClasses {
		if p.home[i] == topology.Inside {
			continue
		}
		from := int64(0)
		p.eachRun(i, func(to, position int64) {
			switches[position/p.perBuilding] += float64(to-from) * watts(i)
			from = to
		})
	}
	return endpoints, switches
}
