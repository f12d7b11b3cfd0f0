package market

import (
	"math"

	"toposearch/catalog"
)

// leadOf is how long an order of a part takes, in weeks: nothing if all of it is in stock.
func leadOf(p *catalog.Part, order int64) float64 {
	if p.Stock > 0 && int64(p.Stock) >= order {
		return 0
	}
	return p.LeadWeeks
}

// leastLead is how long an order of any size takes at least.
func leastLead(p *catalog.Part) float64 { return leadOf(p, 1) }

// leadOfSteps is how long any one of some cablings takes at least, 0 if there are none.
func leadOfSteps(steps []catalog.Cabling) float64 {
	if len(steps) == 0 {
		return 0
	}
	least := math.Inf(1)
	for i := range steps {
		x := 0.0
		for k := range steps[i].Items {
			if p := steps[i].Items[k].Part; p != nil {
				x = max(x, leastLead(p))
			}
		}
		least = min(least, x)
	}
	return least
}
