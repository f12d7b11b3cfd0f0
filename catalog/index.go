package catalog

import (
	"fmt"
	"math"
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
	x := &Index{cat: c, currency: cur, ladders: ladders(c.Parts, r, cur)}
	x.models, x.rates = switchModels(c.Parts, lim, cur)
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

// rateIndex is the index of a rate, -1 if it is not sold. It scans: a catalogue has a handful of rates.
func (x *Index) rateIndex(gbps int) int {
	for i, r := range x.rates { // slices.Index is not inlined
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

// Nearest is how many physical ports switches with these ports and so many whole ones take of the model that comes nearest to having them, the largest of
// several, and how many it has; 0 where no model offers all the rates.
func (x *Index) Nearest(needs []PortNeed, whole int) (takes, has int) {
	for i := range x.models {
		m := &x.models[i]
		n, of := x.occupied(m, needs), int(m.ports)
		if n < 0 {
			continue
		}
		n += whole
		if d := n*has - takes*of; has == 0 || d < 0 || d == 0 && of > has {
			takes, has = n, of
		}
	}
	return takes, has
}

// MostRates is the number of the rates needed that the model with most of them offers.
func (x *Index) MostRates(needs []PortNeed) (most int) {
	for i := range x.models {
		n := 0
		for _, need := range needs {
			if k := x.rateIndex(need.Gbps); k >= 0 && x.models[i].split[k] > 0 {
				n++
			}
		}
		most = max(most, n)
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
