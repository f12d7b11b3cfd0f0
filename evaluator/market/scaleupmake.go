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

// reachOf is how far a scale-up cable leads.
func reachOf(p *catalog.Part) float64 { return max(p.LengthM, p.ReachM) }

func (l *scaleupLinks) longestM() (m float64) {
	for _, c := range l.cables {
		m = max(m, reachOf(c.part))
	}
	return m
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
