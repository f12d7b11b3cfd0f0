package market

import (
	"fmt"
	"math"
	"strings"

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

// LeadTime is the longest of a bill of materials, in weeks, and says for which parts the list has none.
func LeadTime(lines []Line) (weeks float64, text string) {
	stocked := 0
	var unknown []string
	for i := range lines {
		p := lines[i].Part
		x := leadOf(p, lines[i].Order)
		weeks = max(weeks, x)
		switch {
		case x < p.LeadWeeks:
			stocked++
		case p.LeadWeeks == 0 && int64(p.Stock) < lines[i].Order:
			unknown = append(unknown, p.PartNo)
		}
	}
	text = "longest of the bill of materials"
	if stocked > 0 {
		text += fmt.Sprintf(", %d of its parts from stock", stocked)
	}
	if n := len(unknown); n > 0 {
		const most = 3 // names enough to find the rows
		named := strings.Join(unknown[:min(n, most)], ", ")
		if n > most {
			named += ", ..."
		}
		text += fmt.Sprintf("; the list gives none for %d of its parts, which count as 0: %s", n, named)
	}
	return weeks, text
}
