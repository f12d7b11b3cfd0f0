package market

import (
	"math"

	"toposearch/catalog"
)

// Unit encloses what one of something costs, in minor units, and draws, and bounds how long it takes to be
// delivered.
type Unit struct {
	Price, MostPrice float64 // +Inf at most if that is not known
	Watts, MostW     float64
	LeadWeeks        float64 // at least
	Unpriced         bool    // it has no price for certain
}

// tariff is what a part costs by the quantity needed, in minor units: price breaks, minimum orders and
// packs count the total of a part in a design.
type tariff struct {
	part *catalog.Part
	// one is priced from the best price break to the worst, up to +Inf if the part has no price, or is sold in
	// packs or from a minimum order on.
	one   Unit
	steps []priceStep // none without a price
	late  bool        // what is not in stock comes after the limit on lead times
}

// tooLate is added to the price of an order that comes too late, in minor units: another part is bought wherever there is one. Ten billion
// major units are dearer than any network, and several of them and prices still add up exactly.
const tooLate = 1e12

// priceStep is a unit price from a quantity on.
type priceStep struct {
	from int
	unit float64
}

// drawW is what one of a part draws: of a scale-up cable both ends, of which the price list says what one does, as it does of every cable.
func drawW(p *catalog.Part) float64 {
	if p.Kind == catalog.KindScaleupCable {
		return 2 * p.PowerW
	}
	return p.PowerW
}

// tariffOf reads the prices of a part, of which an order may take so many weeks; 0: any number.
func tariffOf(cur *catalog.Currency, p *catalog.Part, weeks float64) tariff {
	t := tariff{part: p, late: weeks > 0 && p.LeadWeeks > weeks, one: Unit{0, math.Inf(1), drawW(p), drawW(p), leastLead(p), !p.Priced}}
	if low, ok := p.MinUnit(); ok {
		if l, ok := cur.Convert(low, p.Currency); ok {
			t.one.Price = float64(l)
		}
		if h, ok := cur.Convert(p.MaxUnit(), p.Currency); ok && p.MOQ <= 1 && p.Pack <= 1 {
			t.one.MostPrice = float64(h)
		}
	}
	if !p.Priced {
		return t
	}
	add := func(from int, price catalog.Money) {
		if x, ok := cur.Convert(price, p.Currency); ok {
			t.steps = append(t.steps, priceStep{from, float64(x)})
		}
	}
	add(0, p.UnitPrice)
	for _, b := range p.PriceBreaks {
		add(b.From, b.Price)
	}
	return t
}

// varies tells whether the price of many is not just that many times that of one, or fewer are to be had in time.
func (t *tariff) varies() bool {
	return len(t.steps) > 1 || t.part.MOQ > 1 || t.part.Pack > 1 || t.late
}

// total is the price of n units bought together, as a bill counts it but for tooLate, and whether it has one.
func (t *tariff) total(n int64) (float64, bool) {
	if len(t.steps) == 0 {
		return 0, false
	}
	_, order, _ := t.part.Price(int(n))
	unit := t.steps[0].unit
	for _, s := range t.steps[1:] {
		if order >= s.from {
			unit = s.unit
		}
	}
	if t.late && order > t.part.Stock {
		return unit*float64(order) + tooLate, true
	}
	return unit * float64(order), true
}

// totalWithin is total, whenever the order comes if anyTime is set: where nothing comes in time, the cheapest is taken, and not what is late in the fewest orders.
func (t *tariff) totalWithin(n int64, anyTime bool) float64 {
	x, _ := t.total(n)
	if anyTime && x >= tooLate {
		x -= tooLate
	}
	return x
}
