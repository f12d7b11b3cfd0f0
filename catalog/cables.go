package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// IsCopper tells whether a medium is copper: NetBox's slugs dac-passive, dac-active, cat6a, ...
func IsCopper(medium string) bool {
	for _, p := range []string{"dac", "acc", "aec", "cat", "coaxial", "copper", "mrj21", "power"} {
		if strings.HasPrefix(medium, p) {
			return true
		}
	}
	return false
}

// IsSingleMode tells whether a medium is single-mode fibre: NetBox's slugs smf, smf-os1, smf-os2.
func IsSingleMode(medium string) bool { return strings.HasPrefix(medium, "smf") }

// allows tells whether a length of a medium may be laid.
func (r Reach) allows(medium string, stockM float64) bool {
	if r.SingleMode && !IsSingleMode(medium) {
		return false
	}
	if r.MaxM > 0 && stockM > r.MaxM {
		return false
	}
	kind := "optical"
	if IsCopper(medium) {
		kind = "copper"
	}
	for _, name := range [2]string{kind, medium} {
		if most, ok := r.MediumM[name]; ok && stockM > most {
			return false
		}
	}
	return true
}

// perPort is the number of links that a cage or cable serves, at least 1.
func (p *Part) perPort() int { return max(p.Ports, 1) }

// Splitter tells whether a cable or fibre has one cage at one end and single ports at the other, as its
// breakouts say; otherwise what serves several links joins the same two boxes by all of them.
func (p *Part) Splitter() bool {
	return (p.Kind == KindCable || p.Kind == KindFibre) && len(p.Breakouts) > 0
}

// linkGbps is the rate of one of the links that a cable or module serves.
func (p *Part) linkGbps() int { return p.RateGbps / p.perPort() }

// lanesPerLink is the number of lanes of one link; 0 if not given.
func (p *Part) lanesPerLink() int { return p.Lanes / p.perPort() }

// indexCables collects the cablings of each rate and keeps the cheapest for each length.
func (x *Index) indexCables(r Reach) {
	byRate := map[int][]step{}
	least := map[int]float64{}
	add := func(gbps int, c Cabling) {
		if !r.allows(c.Medium, c.StockM) {
			return
		}
		price, low := x.linkPrice(&c)
		if old, ok := least[gbps]; !ok || low < old {
			least[gbps] = low
		}
		byRate[gbps] = append(byRate[gbps], step{c.StockM, c, price})
	}
	var modules, fibres []*Part
	for i := range x.cat.Parts {
		switch p := &x.cat.Parts[i]; {
		case !p.Approved:
		case p.Kind == KindCable && p.linkGbps() > 0 && p.LengthM > 0 && (p.ReachM == 0 || p.ReachM >= p.LengthM):
			n := p.perPort()
			add(p.linkGbps(), Cabling{Medium: p.Medium, Copper: IsCopper(p.Medium), StockM: p.LengthM,
				PowerW: 2 * p.PowerW / float64(n), Items: [2]Item{{p, 1, n}, {}}})
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
				add(m.linkGbps(), Cabling{Medium: f.Medium, Copper: IsCopper(f.Medium), StockM: f.LengthM,
					PowerW: 2 * m.PowerW / float64(n), Items: [2]Item{{f, 1, f.perPort()}, {m, 2, n}}})
			}
		}
	}
	for gbps, steps := range byRate {
		x.ladders = append(x.ladders, ladder{gbps, cheapest(steps), steps, Money(least[gbps])})
	}
	slices.SortFunc(x.ladders, func(a, b ladder) int { return cmp.Compare(a.gbps, b.gbps) })
}

// fits tells whether two modules m can be joined by fibre f: same medium, within reach of the
// module and of the fibre, same rate and enough fibre lanes where the fibre states them.
func fits(m, f *Part) bool {
	switch {
	case m.Medium != f.Medium:
		return false
	case m.ReachM > 0 && f.LengthM > m.ReachM, f.ReachM > 0 && f.LengthM > f.ReachM:
		return false
	case f.RateGbps > 0 && f.linkGbps() != m.linkGbps():
		return false
	}
	return f.lanesPerLink() == 0 || m.lanesPerLink() == 0 || f.lanesPerLink() >= m.lanesPerLink()
}

// linkPrice gives the price of one link at quantity 1, as though it had no parallel, and at the best price
// breaks, all links of a part in use, in minor units; an unpriced link sorts last and bounds nothing.
func (x *Index) linkPrice(c *Cabling) (each, least float64) {
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
		each += float64(it.Part.unitIn(x.currency)) * whole
		least += float64(it.Part.minIn(x.currency)) * share
	}
	return each, least
}

// cheapest sorts the cablings by length and replaces each by the cheapest that is as long or
// longer; at equal price the shorter, then by part number. Steps that a longer, cheaper one
// covers are dropped.
func cheapest(s []step) []step {
	slices.SortFunc(s, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.stockM, b.stockM), cmp.Compare(a.price, b.price),
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

func (c *Cabling) partNo(i int) string {
	if c.Items[i].Part == nil {
		return ""
	}
	return c.Items[i].Part.PartNo
}

func (x *Index) ladder(gbps int) *ladder {
	for i := range x.ladders {
		if x.ladders[i].gbps == gbps {
			return &x.ladders[i]
		}
	}
	return nil
}

// ChooseCable picks what to buy for a link of a rate that must be at least lengthM long: the
// cheapest by unit price among copper, active optical cable, and two transceivers with a fibre,
// of the shortest stock length. It looks up a short table and does not allocate.
func (x *Index) ChooseCable(gbps int, lengthM float64) (Cabling, bool) {
	if l := x.ladder(gbps); l != nil {
		for i := range l.steps {
			if s := &l.steps[i]; s.stockM >= lengthM {
				return s.cab, true
			}
		}
	}
	return Cabling{}, false
}

// Cablings are all that may make a link of a rate, by length, then by price at quantity 1: for a buyer for whom
// the price depends on the quantity.
func (x *Index) Cablings(gbps int) []Cabling {
	var out []Cabling
	if l := x.ladder(gbps); l != nil {
		for i := range l.all {
			out = append(out, l.all[i].cab)
		}
	}
	return out
}

// LongestCable is the longest length that can be bought for a rate within the limits; 0 if none.
func (x *Index) LongestCable(gbps int) float64 {
	l := x.ladder(gbps)
	if l == nil {
		return 0
	}
	return l.steps[len(l.steps)-1].stockM
}

// CheapestCable is a lower bound of the price of a link of the rate, of any length and at the best
// price breaks, in minor units of the index's currency.
func (x *Index) CheapestCable(gbps int) (Money, bool) {
	l := x.ladder(gbps)
	if l == nil {
		return 0, false
	}
	return l.least, true
}
