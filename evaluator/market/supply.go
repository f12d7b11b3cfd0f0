package market

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"toposearch/catalog"
)

// NoSpares, as Options.Spares, keeps none.
const NoSpares = -1

// SparesEnough is the probability that the spares of a part last until what replaces the first of them arrives: 95 % is
// the usual level of service for spare parts.
const SparesEnough = 0.95

// SparesWeeks is how long a replacement takes at least, whatever the price list says of an order: it has to be noticed, claimed and sent.
const SparesWeeks = 2.0

const hoursPerWeek = 168

// mostAlternates is how many parts are named in place of another.
const mostAlternates = 3

// Supply is what a buyer asks of a line of a bill beyond its price. Spares are not in the bill, nor in any cost.
type Supply struct {
	// Spares is how many to keep: what the quantity needs at the failure rate of the part until replacements come, at
	// SparesEnough, or the share of the quantity that was asked for, rounded up.
	Spares int64
	// Order is the quantity with its spares, rounded up to MOQ and pack; never less than without. What packs leave over are spares.
	Order      int64
	Unit       catalog.Money // at the price break of Order
	Total      catalog.Money // of Order, in the currency of the line; less than without spares where a price break is reached
	LeadWeeks  float64       // of the line as ordered, 0 from stock
	Alternates []Alternate   // the cheapest first, at most three
}

// Alternate is another part that would do, for the quantity that the bill needs.
type Alternate struct {
	Part      *catalog.Part
	Order     int64
	Total     catalog.Money
	Priced    bool
	LeadWeeks float64
}

// Supply answers for each line of a bill; perHour is how often one of a part fails.
func (m *Market) Supply(lines []Line, perHour func(*catalog.Part) float64) []Supply {
	out := make([]Supply, len(lines))
	for i := range lines {
		l, s := &lines[i], &out[i]
		*s = Supply{Spares: m.spares(l, perHour), Order: l.Order, Unit: l.Unit, Total: l.Total, LeadWeeks: leadOf(l.Part, l.Order)}
		if with, ok := m.ordered(l.Part, l.Quantity+s.Spares); ok && with.Order > l.Order {
			s.Order, s.Unit, s.Total = with.Order, with.Unit, with.Total
		}
		for _, p := range m.index.Alternates(l.Part) {
			if len(s.Alternates) == mostAlternates {
				break
			}
			if o, ok := m.ordered(p, l.Quantity); ok {
				s.Alternates = append(s.Alternates, Alternate{p, o.Order, o.Total, o.Priced, leadOf(p, o.Order)})
			}
		}
	}
	return out
}

// ordered is a line of its own for so many of a part; false where that is beyond counting.
func (m *Market) ordered(p *catalog.Part, n int64) (Line, bool) {
	cur := m.index.Currency()
	l, err := m.price(&line{part: p, num: n, den: 1}, &cur)
	return l, err == nil
}

// spares is how many of the part of a line to keep beside those in use.
func (m *Market) spares(l *Line, perHour func(*catalog.Part) float64) int64 {
	switch {
	case m.opt.Spares < 0:
		return 0
	case m.opt.Spares > 0:
		return int64(math.Ceil(float64(l.Quantity) * m.opt.Spares * (1 - 1e-12))) // 2 % of 150 are 3, whatever 0.02 is in binary
	}
	return enough(float64(l.Quantity) * perHour(l.Part) * max(l.Part.LeadWeeks, SparesWeeks) * hoursPerWeek)
}

// enough is the smallest number that a Poisson variable of a mean is not above, at SparesEnough.
func enough(mean float64) int64 {
	if !(mean > 0) {
		return 0
	}
	d := distuv.Poisson{Lambda: mean}
	// 20 standard deviations above the mean nothing is left of the distribution, whatever the mean.
	return int64(sort.Search(int(mean+20*math.Sqrt(mean)+20), func(k int) bool { return d.CDF(float64(k)) >= SparesEnough }))
}
