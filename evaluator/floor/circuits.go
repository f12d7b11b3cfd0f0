package floor

import (
	"toposearch/catalog"
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// circuits are the optical circuit switches of a medium of links. They stand in central racks behind the
// central switches, medium by medium, group by group. As switches they have the numbers behind those of the
// network, which they are no part of.
type circuits struct {
	classes             uint32 // of links, a set
	groups, each, links int64  // boxes of a group, and links that one serves
	first               int64  // number of the first box
	part                *catalog.Part
}

// circuitSet is all optical circuit switches of a design, by medium.
type circuitSet struct {
	of    [market.MostMedia]circuits
	boxes int64
}

// bring fills in the circuit switches that are bought.
func (s *circuitSet) bring(f *topology.Family, b *market.Purchase) {
	for i := range min(len(f.Media), len(b.Media)) {
		m := &b.Media[i]
		groups, each, links := m.Circuits()
		if groups == 0 {
			continue
		}
		s.of[i] = circuits{market.BoardSet(m.Of.Classes), groups, each, max(links, 1), s.boxes, m.Part}
		s.boxes += groups * each
	}
}

// part is the model of box j, nil if the price list has none.
func (s *circuitSet) part(j int64) (p *catalog.Part) {
	for i := range s.of {
		if c := &s.of[i]; c.groups > 0 && j >= c.first {
			p = c.part
		}
	}
	return p
}

// watts is the draw of box j, 0 where it is not known.
func (s *circuitSet) watts(j int64) float64 {
	if p := s.part(j); p != nil {
		return p.PowerW
	}
	return 0
}
