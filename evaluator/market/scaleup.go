package market

import (
	"cmp"

	"toposearch/catalog"
	"toposearch/topology"
)

// CountsScaleup tells whether scale-up switches and their cables are part of cost and power.
func (m *Market) CountsScaleup() bool { return m.opt.CountScaleup }

// listScaleup finds what serves the domain of the options, and the meshes of families.
func (m *Market) listScaleup() {
	if !m.opt.CountScaleup {
		return
	}
	x, list, cur := &m.scaleup, m.index.Catalogue(), m.index.Currency()
	for i := range list.Parts {
		if p := &list.Parts[i]; p.Approved && (p.Kind == catalog.KindScaleupSwitch || p.Kind == catalog.KindScaleupCable) {
			x.parts = append(x.parts, tariffOf(&cur, p, m.opt.Limits.LeadWeeks))
		}
	}
	if own := (scaleupMake{links: [2]scaleupLinks{x.bundles(1, m.opt.ScaleupGbps)}}); own.served() {
		x.own = []scaleupMake{own}
	}
	d := &m.opt.Domain
	switch first, _ := d.LinkGbps(m.opt.ScaleupGbps); {
	case d.Endpoints < 2:
	case d.Levels > 0:
		x.switched(d, m.opt.ScaleupGbps)
	default:
		_, links := d.Count()
		k := scaleupMake{links: [2]scaleupLinks{x.bundles(int64(links), first)}}
		if x.makes = []scaleupMake{k}; !k.served() {
			x.makes, x.need = nil, lacksScaleupCables
		}
	}
}

// LacksScaleup says what the list has not that the domain of the options needs, "" if nothing.
func (m *Market) LacksScaleup() string { return m.scaleup.need }

// ScaleupEndpoints is how many endpoints the domains have that are counted beside a family's own construction, 0 if there
// are none.
func (m *Market) ScaleupEndpoints(f *topology.Family) int64 {
	if d := &m.opt.Domain; m.opt.CountScaleup && d.Endpoints > 1 && (d.Levels > 0 || !f.HasScaleup()) {
		return int64(d.Endpoints)
	}
	return 0
}

// scaleupOf are the ways to make the scale-up of a family's designs, and how many of them a design of a size takes: its
// domains, or the links of meshes of its own. 0 if it has no scale-up links.
func (m *Market) scaleupOf(s *topology.Size) (ways []scaleupMake, count float64) {
	f := s.Family
	if per := m.ScaleupEndpoints(f); per > 1 {
		return m.scaleup.makes, float64(s.Endpoints) / float64(per)
	}
	for c := range f.LinkClasses {
		if topology.IsScaleup(f.LinkClasses[c].Name) {
			count += float64(s.Link[c])
		}
	}
	return m.scaleup.own, count
}

// buyScaleup chooses the model of the scale-up switches: the cheapest together, then of the least draw, then by part
// number; one without a price only if no other serves.
func (m *Market) buyScaleup(s *topology.Size, b *Scaleups) {
	*b = Scaleups{}
	if !m.opt.CountScaleup {
		return
	}
	ways, count := m.scaleupOf(s)
	n := int64(count)
	least := 0.0
	for i := range ways {
		k := &ways[i]
		x := 0.0
		if k.model != nil {
			x = k.model.price(n * k.switches)
		}
		if b.scaleup == nil || cmp.Or(cmp.Compare(x, least), k.model.compare(b.scaleup.model)) < 0 {
			b.scaleup, least = k, x
		}
	}
	if k := b.scaleup; k != nil && k.model != nil && n > 0 {
		b.ScaleupModel, b.ScaleupSwitches = k.model.part, n*k.switches
		b.ScaleupW = k.model.part.PowerW * float64(b.ScaleupSwitches)
	}
}

// ScaleupUnit encloses what one of the scale-up domains of designs, or one link of their own meshes, costs and draws, and
// how many there are between two sizes: with the switches of b, or any that may be bought if b is nil. ok is false if
// nothing on the list serves.
func (m *Market) ScaleupUnit(lo, hi *topology.Size, b *Scaleups) (u Unit, least, most float64, ok bool) {
	ways, least := m.scaleupOf(lo)
	_, most = m.scaleupOf(hi)
	if b != nil && b.scaleup != nil {
		return b.scaleup.unit(), least, most, true
	}
	for i := range ways {
		x := ways[i].unit()
		if i == 0 {
			u = x
		} else {
			u = u.either(&x)
		}
	}
	return u, least, most, len(ways) > 0
}
