package market

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"toposearch/catalog"
	"toposearch/topology"
)

// scaleups is what the scale-up domains of endpoints may be made of.
type scaleups struct {
	parts []tariff
	makes []scaleupMake // of a domain of the options, by switch model; a mesh has one, without a switch
	own   []scaleupMake // of a link of a family's own mesh, one
	need  string        // what the list lacks where there are no makes, in words
}

// scaleupMake is one way to make a domain: switches of one model, and the cables of both levels.
type scaleupMake struct {
	model    *tariff // nil: a mesh
	switches int64
	links    [2]scaleupLinks
}

// scaleupLinks are links that each take the cables of a kind that are as fast together.
type scaleupLinks struct {
	count  int64
	cables []scaleupCable // none where nothing on the list serves, or no links are needed
}

type scaleupCable struct {
	*tariff
	each int64 // for a link
}

// Scaleups is the scale-up switches of a design, where they are counted.
type Scaleups struct {
	ScaleupModel    *catalog.Part // nil: none
	ScaleupSwitches int64
	// ScaleupW is the draw of those switches, which stand in the racks of their endpoints.
	ScaleupW float64
	scaleup  *scaleupMake
}

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
			x.parts = append(x.parts, tariffOf(&cur, p))
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

const lacksScaleupCables = "scale-up cables (the price list has none of kind " + catalog.KindScaleupCable + " that is as fast as a port)"

// switched lists the switches with the ports for a domain of one or two levels: a link takes as many ports as are as fast
// together, and a cable for each of them, as fast as its share. Leaves and spines are of one model.
func (x *scaleups) switched(d *topology.Domain, gbps float64) {
	first, second := d.LinkGbps(gbps)
	switches, links := d.Count()
	down := d.Endpoints * d.Switches
	most, fastest, short := 0, 0, false
	for i := range x.parts {
		t := &x.parts[i]
		if t.part.Kind != catalog.KindScaleupSwitch {
			continue
		}
		a, b := portsFor(first, t.part.RateGbps), portsFor(second, t.part.RateGbps) // of a link of either level
		ports := d.Endpoints * a
		if d.Levels == 2 {
			leaves := d.Endpoints / d.Box * d.Switches
			ports = max(d.Box*a+d.Spines*b, leaves*b)
		}
		most, fastest = max(most, t.part.Ports), max(fastest, t.part.RateGbps)
		if ports > t.part.Ports {
			continue
		}
		k := scaleupMake{model: t, switches: int64(switches)}
		k.links[0] = x.singles(int64(down*a), first/float64(a))
		if d.Levels == 2 {
			k.links[1] = x.singles(int64((links-down)*b), second/float64(b))
		}
		if short = short || !k.served(); k.served() {
			x.makes = append(x.makes, k)
		}
	}
	switch {
	case len(x.makes) > 0:
	case short:
		x.need = lacksScaleupCables
	case most == 0:
		x.need = fmt.Sprintf("scale-up switches (the price list has none of kind %s)", catalog.KindScaleupSwitch)
	default:
		x.need = fmt.Sprintf("scale-up switches for %s, in which each of %d endpoints has %.4g Gb/s to each of %d switches (of kind %s the price list has %d ports of %d Gb/s at most)",
			d.Name(), d.Endpoints, first, d.Switches, catalog.KindScaleupSwitch, most, fastest)
	}
}

// portsFor is how many ports or cables of a rate a link takes.
func portsFor(link float64, gbps int) int { return int(max(1, math.Ceil(link/float64(gbps)-1e-9))) }

// bundles are the links of a mesh: each of as many cables as are as fast together.
func (x *scaleups) bundles(count int64, gbps float64) scaleupLinks {
	l := scaleupLinks{count: count}
	for i := range x.parts {
		if t := &x.parts[i]; t.part.Kind == catalog.KindScaleupCable {
			l.cables = append(l.cables, scaleupCable{t, int64(portsFor(gbps, t.part.RateGbps))})
		}
	}
	return l
}

// singles are links between ports: a cable each that is as fast.
func (x *scaleups) singles(count int64, gbps float64) scaleupLinks {
	l := x.bundles(count, gbps)
	l.cables = slices.DeleteFunc(l.cables, func(c scaleupCable) bool { return c.each > 1 })
	return l
}

// served tells whether there are cables for all links.
func (k *scaleupMake) served() bool {
	for i := range k.links {
		if k.links[i].count > 0 && len(k.links[i].cables) == 0 {
			return false
		}
	}
	return true
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

// price is the total of n units, +Inf without a price.
func (t *tariff) price(n int64) float64 {
	if x, ok := t.total(n); ok {
		return x
	}
	return math.Inf(1)
}

// compare orders parts of equal price: by draw, then by part number.
func (t *tariff) compare(u *tariff) int {
	return cmp.Or(cmp.Compare(t.part.PowerW, u.part.PowerW), cmp.Compare(t.part.PartNo, u.part.PartNo))
}

// addScaleup adds the scale-up switches and cables of an order: the cheapest cables that reach o.ScaleupM, the same for all
// links of a level.
func (m *Market) addScaleup(o *Order, t *Total) {
	if !m.opt.CountScaleup {
		return
	}
	_, count := m.scaleupOf(o.Size)
	k, n := o.Buys.scaleup, int64(count)
	if n == 0 {
		return
	}
	if k == nil {
		t.Missing = cmp.Or(t.Missing, m.scaleup.need, lacksScaleupCables)
		return
	}
	t.add(o.Buys.ScaleupModel, o.Buys.ScaleupSwitches, 1, 1, topology.ClassScaleup)
	t.MediaW += o.Buys.ScaleupW
	for i, class := range []string{topology.ClassScaleup, topology.ClassScaleup2} {
		l := &k.links[i]
		if l.count == 0 {
			continue
		}
		var best scaleupCable
		least := 0.0
		for _, c := range l.cables {
			x := c.price(n * l.count * c.each)
			if reachOf(c.part) >= o.ScaleupM*(1-1e-9) && (best.each == 0 || cmp.Or(cmp.Compare(x, least), c.compare(best.tariff)) < 0) {
				best, least = c, x
			}
		}
		if best.each == 0 {
			t.Missing = cmp.Or(t.Missing, fmt.Sprintf("scale-up cables of %.3g m: the longest of kind %s that are fast enough have %.3g m (domains that stand in one rack need shorter ones: building.rack_servers)",
				o.ScaleupM, catalog.KindScaleupCable, l.longestM()))
			continue
		}
		cables := n * l.count * best.each
		t.add(best.part, cables, 1, 1, class)
		t.MediaW += best.part.PowerW * float64(cables)
	}
}

// reachOf is how far a scale-up cable leads.
func reachOf(p *catalog.Part) float64 { return max(p.LengthM, p.ReachM) }

func (l *scaleupLinks) longestM() (m float64) {
	for _, c := range l.cables {
		m = max(m, reachOf(c.part))
	}
	return m
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

// unit encloses one domain.
func (k *scaleupMake) unit() (u Unit) {
	if k.model != nil {
		u.plus(float64(k.switches), &k.model.one)
	}
	for i := range k.links {
		var link Unit
		for j, c := range k.links[i].cables {
			var one Unit
			one.plus(float64(c.each), &c.one)
			one.LeadWeeks = 0 // none of them may be long enough, and nothing is ordered then
			if j == 0 {
				link = one
			} else {
				link = link.either(&one)
			}
		}
		if n := k.links[i].count; n > 0 {
			u.plus(float64(n), &link)
		}
	}
	return u
}

// plus adds n, not 0, of something that is bought with u.
func (u *Unit) plus(n float64, x *Unit) {
	u.Price, u.MostPrice = u.Price+n*x.Price, u.MostPrice+n*x.MostPrice
	u.Watts, u.MostW = u.Watts+n*x.Watts, u.MostW+n*x.MostW
	u.LeadWeeks, u.Unpriced = max(u.LeadWeeks, x.LeadWeeks), u.Unpriced || x.Unpriced
}

// either encloses both.
func (u Unit) either(x *Unit) Unit {
	return Unit{min(u.Price, x.Price), max(u.MostPrice, x.MostPrice), min(u.Watts, x.Watts), max(u.MostW, x.MostW),
		min(u.LeadWeeks, x.LeadWeeks), u.Unpriced && x.Unpriced}
}

// ScaleupParts are the part numbers of kinds that make scale-up domains.
func ScaleupParts(lines []Line) []Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l Line) bool {
		return l.Part.Kind != catalog.KindScaleupSwitch && l.Part.Kind != catalog.KindScaleupCable
	})
}
