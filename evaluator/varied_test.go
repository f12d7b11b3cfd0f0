package evaluator

import (
	"slices"

	"toposearch/catalog"
)

// varied is the built-in list with lead times, stock, minimum orders and price breaks that differ from
// part to part, so that which part is the best depends on how many are needed.
func varied() *catalog.Catalogue {
	c := *catalog.Builtin()
	c.Parts = slices.Clone(c.Parts)
	for i := range c.Parts {
		p := &c.Parts[i]
		p.LeadWeeks = float64(3 + i*7%31)
		p.Stock = i * 37 % 5 * 40
		if !p.Priced {
			continue
		}
		switch p.Kind {
		case catalog.KindSwitch:
			if i%3 == 0 {
				p.MOQ = 1 + i%7
			}
			p.PriceBreaks = []catalog.PriceBreak{{From: 4 + i%11, Price: p.UnitPrice * catalog.Money(70+i%25) / 100},
				{From: 60 + 9*i%50, Price: p.UnitPrice * catalog.Money(45+i*3%25) / 100}}
		default:
			p.PriceBreaks = []catalog.PriceBreak{{From: 500 + i, Price: p.UnitPrice * catalog.Money(60+i%40) / 100}}
		}
	}
	return &c
}
