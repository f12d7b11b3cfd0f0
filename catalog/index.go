package catalog

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Index is a catalogue prepared for one set of limits and one currency: it answers what to buy
// without allocating. It is immutable and safe for concurrent use; the parts it returns are those
// of the catalogue, which must not change meanwhile. Parts that are not approved are left out.
type Index struct {
	cat      *Catalogue
	currency Currency
	rates    []int         // rates of switch ports in use, ascending
	models   []switchModel // cheapest first
	ladders  []ladder      // cables by rate, ascending
	nics     []*Part
	traces   []*Part
	circuits []*Part
}

// switchModel is a switch with what each physical port becomes at each rate of the index.
type switchModel struct {
	part  *Part
	price Money
	least Money
	ports int32
	split []int32 // by index of rate: ports that one physical port offers; 0: none
}

// ladder holds the cablings of one rate: steps in ascending order of length, each the cheapest
// that is at least that long.
type ladder struct {
	gbps  int
	steps []step
	all   []step // every cabling, by length
	least Money  // lower bound of any cabling of the rate, at the best price breaks, per link, rounded down
}

type step struct {
	stockM float64
	cab    Cabling
	price  float64 // of one link at quantity 1, minor units; only compared
}

// Prepare makes the index. It fails if a priced part is in a currency without a rate, or if a
// model that the limits name is not in the catalogue.
func (c *Catalogue) Prepare(lim SwitchLimits, r Reach, cur Currency) (*Index, error) {
	if missing := cur.missingRates(c.Parts); len(missing) > 0 && !cur.Lenient {
		return nil, &ErrNoRate{cur.code(), missing}
	}
	for _, m := range lim.Models {
		if p := c.Part(m); p == nil || p.Kind != KindSwitch {
			return nil, fmt.Errorf("there is no switch %q in catalogue %s", m, c.Name)
		}
	}
	x := &Index{cat: c, currency: cur}
	x.indexSwitches(lim)
	x.indexCables(r)
	for i := range c.Parts {
		switch p := &c.Parts[i]; {
		case !p.Approved:
		case p.Kind == KindNIC:
			x.nics = append(x.nics, p)
		case p.Kind == KindTrace:
			x.traces = append(x.traces, p)
		case p.Kind == KindOCS:
			x.circuits = append(x.circuits, p)
		}
	}
	return x, nil
}

func (l SwitchLimits) allows(p *Part) bool {
	switch {
	case p.Kind != KindSwitch, !p.Approved, p.Ports <= 0:
		return false
	case l.Models != nil && !slices.Contains(l.Models, p.PartNo):
		return false
	case l.MaxPorts > 0 && p.Ports > l.MaxPorts:
		return false
	case l.PortGbps > 0 && p.RateGbps != l.PortGbps:
		return false
	case l.MaxBuffer > 0 && p.BufferBytes > l.MaxBuffer:
		return false
	}
	return true
}

// splits calls f for every rate that a physical port of p offers, with the number of such ports.
func (l SwitchLimits) splits(p *Part, f func(gbps, each int)) {
	unsplit := false
	for _, b := range p.Breakouts {
		each := b.Count / p.Ports
		if each < 1 || b.Gbps <= 0 || each > 1 && l.NoBreakout {
			continue
		}
		unsplit = unsplit || b.Gbps == p.RateGbps
		f(b.Gbps, each)
	}
	if !unsplit && p.RateGbps > 0 {
		f(p.RateGbps, 1)
	}
}

func (x *Index) indexSwitches(lim SwitchLimits) {
	for i := range x.cat.Parts {
		if p := &x.cat.Parts[i]; lim.allows(p) {
			x.models = append(x.models, switchModel{part: p, price: p.unitIn(x.currency), least: p.minIn(x.currency), ports: int32(p.Ports)})
			lim.splits(p, func(gbps, _ int) { x.rates = append(x.rates, gbps) })
		}
	}
	slices.Sort(x.rates)
	x.rates = slices.Compact(x.rates)
	for i := range x.models {
		m := &x.models[i]
		m.split = make([]int32, len(x.rates))
		lim.splits(m.part, func(gbps, each int) {
			k, _ := slices.BinarySearch(x.rates, gbps)
			m.split[k] = max(m.split[k], int32(each))
		})
	}
	// Equal prices: what is delivered first, then the smaller box, then the part number.
	slices.SortFunc(x.models, func(a, b switchModel) int {
		return cmp.Or(cmp.Compare(a.price, b.price), cmp.Compare(a.part.LeadWeeks, b.part.LeadWeeks),
			cmp.Compare(a.ports, b.ports), cmp.Compare(a.part.PartNo, b.part.PartNo))
	})
}

// rateIndex finds a rate by scanning: a catalogue has a handful.
func (x *Index) rateIndex(gbps int) int {
	for i, r := range x.rates {
		if r == gbps {
			return i
		}
	}
	return -1
}

// occupied is the number of physical ports of m that the needs fill, each physical port in one
// breakout mode; -1 if m lacks a rate.
func (x *Index) occupied(m *switchModel, needs []PortNeed) int {
	total := 0
	for i := range needs {
		if needs[i].Count <= 0 {
			continue
		}
		k := x.rateIndex(needs[i].Gbps)
		if k < 0 || m.split[k] == 0 {
			return -1
		}
		each := int(m.split[k])
		total += (needs[i].Count + each - 1) / each
	}
	return total
}

// ChooseSwitch picks the cheapest model that offers the ports; at equal price the one delivered
// first, then the one with fewer ports, then by part number. A model without a price is taken
// only if no priced one fits. Needs of the same rate may stand apart.
func (x *Index) ChooseSwitch(needs []PortNeed) (SwitchChoice, bool) {
	for i := range x.models {
		m := &x.models[i]
		if n := x.occupied(m, needs); n >= 0 && n <= int(m.ports) {
			return SwitchChoice{m.part, n}, true
		}
	}
	return SwitchChoice{}, false
}

// Fits calls f for every model that offers the ports, the cheapest at quantity 1 first, until it returns
// false: in the order in which ChooseSwitch picks.
func (x *Index) Fits(needs []PortNeed, f func(SwitchChoice) bool) {
	for i := range x.models {
		m := &x.models[i]
		if n := x.occupied(m, needs); n >= 0 && n <= int(m.ports) && !f(SwitchChoice{m.part, n}) {
			return
		}
	}
}

// PortsNeeded is the least number of physical ports that any model's kind of port needs to offer
// the ports, however many ports it has: how far a switch is beyond what can be bought. false if
// no model offers one of the rates.
func (x *Index) PortsNeeded(needs []PortNeed) (int, bool) {
	best := -1
	for i := range x.models {
		if n := x.occupied(&x.models[i], needs); n >= 0 && (best < 0 || n < best) {
			best = n
		}
	}
	return max(best, 0), best >= 0
}

// MostPorts is the largest number of physical ports of a model that offers the rate.
func (x *Index) MostPorts(gbps int) int {
	k, most := x.rateIndex(gbps), 0
	for i := range x.models {
		if k >= 0 && x.models[i].split[k] > 0 {
			most = max(most, int(x.models[i].ports))
		}
	}
	return most
}

// CheapestSwitch is a lower bound of the price of a switch that offers the ports, in minor units
// of the index's currency, at the best price break. It does not decrease when needs grow.
func (x *Index) CheapestSwitch(needs []PortNeed) (Money, bool) {
	best := Money(math.MaxInt64)
	found := false
	for i := range x.models {
		m := &x.models[i]
		if m.least >= best {
			continue
		}
		if n := x.occupied(m, needs); n >= 0 && n <= int(m.ports) {
			best, found = m.least, true
		}
	}
	return best, found
}

// RateAtLeast is the smallest port rate sold, breakouts included, that is at least gbps.
func (x *Index) RateAtLeast(gbps float64) (int, bool) {
	for _, r := range x.rates {
		if float64(r) >= gbps*(1-1e-9) {
			return r, true
		}
	}
	return 0, false
}

// Catalogue is what the index was made of.
func (x *Index) Catalogue() *Catalogue { return x.cat }

// Currency is that in which the index compares prices.
func (x *Index) Currency() Currency { return x.currency }
