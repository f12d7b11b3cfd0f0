package catalog

import (
	"cmp"
	"maps"
	"slices"
)

// ladder holds the cablings of one rate: steps in ascending order of length, each the cheapest
// that is at least that long.
type ladder struct {
	gbps  int
	steps []step
	all   []step // every cabling, by length
	least Money  // lower bound of any cabling of the rate, at the best price breaks, per link, rounded down
}

// step is a link that can be bought.
type step struct {
	stockM float64 // its length
	cab    Cabling
	price  float64 // of one link at quantity 1, minor units; only compared
}

// perPort is the number of links that a cage or cable serves, at least 1.
func (p *Part) perPort() int { return max(p.Ports, 1) }

// Splitter reports whether a cable or fibre has one cage at one end and single ports at the other, as its
// breakouts say; otherwise what serves several links joins the same two boxes by all of them.
func (p *Part) Splitter() bool {
	return (p.Kind == KindCable || p.Kind == KindFibre) && len(p.Breakouts) > 0
}

// farW is what a link of a cable draws at the end that is not in the cage of a splitter: the share of one link of a cable with cages at both ends. Where a list
// says nothing of split ends they draw as much as their cage together, within an eighth of what they do: of NVIDIA's 100G-PAM4 parts (LinkX 100G-PAM4 product line
// overview, 2025) modules of 800 and 400 Gb/s draw 17 and 9 W, and ends of active copper of 800, 400 and 200 Gb/s 1.5, 0.6 and 0.35 W, that is 35, 2.7 and 2.9 W for splitters where
// cages at both ends would draw 34, 3 and 3.
func (p *Part) farW() float64 {
	if p.PowerSplitW > 0 {
		return p.PowerSplitW
	}
	return p.PowerW / float64(p.perPort())
}

// linkGbps is the rate of one of the links that a cable or module serves.
func (p *Part) linkGbps() int { return p.RateGbps / p.perPort() }

// lanesPerLink is the number of lanes of one link; 0 if not given.
func (p *Part) lanesPerLink() int { return p.Lanes / p.perPort() }

// ladders gives, in ascending order of the rate, all links that parts within the reach can make, with the
// cheapest for each length. Prices are in cur.
func ladders(parts []Part, r Reach, cur Currency) []ladder {
	byRate := map[int]*ladder{}
	all := cablings(parts)
	if r.Circuit {
		all = toCircuits(all)
	}
	for _, c := range all {
		if !r.allows(c.Medium, c.StockM) || r.Straight && c.Items[0].Part.Splitter() {
			continue
		}
		price, least := c.price(cur)
		l := byRate[c.gbps()]
		if l == nil {
			l = &ladder{gbps: c.gbps(), least: Money(least)}
			byRate[l.gbps] = l
		}
		l.least = min(l.least, Money(least))
		l.all = append(l.all, step{c.StockM, c, price})
	}
	out := make([]ladder, 0, len(byRate))
	for _, gbps := range slices.Sorted(maps.Keys(byRate)) {
		l := byRate[gbps]
		l.steps = cheapest(l.all)
		out = append(out, *l)
	}
	return out
}

// cablings are the links that approved parts can make: by one cable, or by a fibre and two modules.
func cablings(parts []Part) (out []Cabling) {
	var modules, fibres []*Part
	for i := range parts {
		switch p := &parts[i]; {
		case !p.Approved:
		case p.Kind == KindCable && p.linkGbps() > 0 && p.LengthM > 0 && (p.ReachM == 0 || p.ReachM >= p.LengthM):
			n := p.perPort()
			out = append(out, Cabling{Medium: p.Medium, Copper: IsCopper(p.Medium), StockM: p.LengthM,
				PowerW: p.PowerW/float64(n) + p.farW(), Items: [2]Item{{p, 1, n}, {}}})
		case p.Kind == KindTransceiver && p.linkGbps() > 0:
			modules = append(modules, p)
		case p.Kind == KindFibre && p.LengthM > 0:
			fibres = append(fibres, p)
		}
	}
	for _, m := range modules {
		for _, f := range fibres {
			if fits(m, f) {
				n := m.perPort()
				out = append(out, Cabling{Medium: f.Medium, Copper: IsCopper(f.Medium), StockM: f.LengthM,
					PowerW: 2 * m.PowerW / float64(n), Items: [2]Item{{f, 1, f.perPort()}, {m, 2, n}}})
			}
		}
	}
	return out
}

// toCircuits makes of links by modules those that end at an optical circuit switch.
func toCircuits(links []Cabling) (out []Cabling) {
	for _, c := range links {
		if m := &c.Items[1]; m.Part != nil && (m.Part.ReachM == 0 || 2*c.StockM <= m.Part.ReachM) {
			m.Num, c.PowerW = 1, c.PowerW/2
			out = append(out, c)
		}
	}
	return out
}

// fits reports whether two modules m can be joined by fibre f: same medium, within reach of the
// module and of the fibre, same rate and enough fibre lanes where the fibre states them.
func fits(m, f *Part) bool {
	switch {
	case m.Medium != f.Medium:
		return false
	case m.ReachM > 0 && f.LengthM > m.ReachM, f.ReachM > 0 && f.LengthM > f.ReachM:
		return false
	case f.RateGbps > 0 && f.linkGbps() != m.linkGbps():
		return false
	case f.Splitter() && m.perPort()%f.perPort() != 0:
		return false // its one end takes all its links from a single connector
	}
	return f.lanesPerLink() == 0 || m.lanesPerLink() == 0 || f.lanesPerLink() >= m.lanesPerLink()
}

// gbps is the rate of the link: that of its transceivers, else of its cable.
func (c *Cabling) gbps() int {
	if m := c.Items[1].Part; m != nil {
		return m.linkGbps()
	}
	return c.Items[0].Part.linkGbps()
}

// price gives, in minor units of cur, what one link costs: each is the price at quantity 1 of a link that
// shares no cable or fibre with a parallel one, least a lower bound, at the best price breaks and with all
// links of each part in use. A link without a price sorts after all others and has the lower bound 0.
func (c *Cabling) price(cur Currency) (each, least float64) {
	for i := range c.Items {
		it := &c.Items[i]
		if it.Part == nil {
			continue
		}
		share := float64(it.Num) / float64(it.Den)
		whole := share
		if it.Part.Kind != KindTransceiver && !it.Part.Splitter() {
			whole = float64(it.Num) // a link without a parallel takes all of it
		}
		each += float64(it.Part.unitIn(cur)) * whole
		least += float64(it.Part.minIn(cur)) * share
	}
	return each, least
}

// cheapest sorts the cablings by length and replaces each by the cheapest that is as long or
// longer; at equal price the shorter, then the one that draws less, the one delivered first, and by part number. Steps that a longer, cheaper one
// covers are dropped.
func cheapest(s []step) []step {
	slices.SortFunc(s, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.stockM, b.stockM), cmp.Compare(a.price, b.price), cmp.Compare(a.cab.PowerW, b.cab.PowerW), cmp.Compare(a.cab.leadWeeks(), b.cab.leadWeeks()),
			cmp.Compare(a.cab.partNo(0), b.cab.partNo(0)), cmp.Compare(a.cab.partNo(1), b.cab.partNo(1)))
	})
	var out []step // descending while it is built
	for i := len(s) - 1; i >= 0; i-- {
		if n := len(out); n == 0 || s[i].price <= out[n-1].price {
			out = append(out, s[i])
		}
	}
	slices.Reverse(out)
	// Equal lengths stand cheapest first: keep the first of each.
	return slices.CompactFunc(out, func(a, b step) bool { return a.stockM == b.stockM })
}

// leadWeeks is when the last part of a link comes.
func (c *Cabling) leadWeeks() float64 {
	weeks := c.Items[0].Part.LeadWeeks
	if m := c.Items[1].Part; m != nil {
		weeks = max(weeks, m.LeadWeeks)
	}
	return weeks
}

// partNo is the part number of an item, "" where the link has none.
func (c *Cabling) partNo(i int) string {
	if c.Items[i].Part == nil {
		return ""
	}
	return c.Items[i].Part.PartNo
}
