package report

import (
	"fmt"
	"math"
	"strings"

	"toposearch/catalog"
	"toposearch/evaluator"
	"toposearch/evaluator/market"
	"toposearch/report/number"
	"toposearch/report/plan"
)

// switchRows gives the model bought for each class of switches.
func switchRows(buys []evaluator.SwitchBuy) []switchView {
	var out []switchView
	for _, b := range buys {
		if b.Part == nil {
			continue
		}
		out = append(out, switchView{b.Class, b.Part.PartNo, b.Part.Description, number.PageFigure(float64(b.Count)),
			fmt.Sprintf("%s of %s", number.PageFigure(float64(b.PhysicalPorts)), number.PageFigure(float64(b.Part.Ports)))})
	}
	return out
}

// bomRows gives the lines, and a total per currency in the order of first use.
func bomRows(lines []market.Line, supply []market.Supply) (rows []bomView, totals []Fact) {
	var order []string
	sum := map[string]catalog.Money{}
	for i := range lines {
		l := &lines[i]
		v := bomView{UsedIn: l.UsedIn, Need: number.PageFigure(float64(l.Quantity)), Order: number.PageFigure(float64(l.Order)),
			Spares: number.PageFigure(float64(supply[i].Spares)), Unit: "no price", Currency: l.Currency}
		if p := l.Part; p != nil {
			v.Part, v.Description, v.Derived = p.PartNo, p.Description, p.Derived
			v.Lead = number.PageFigure(l.LeadWeeks())
		}
		if l.Priced {
			n := number.MinorDigits(l.Currency)
			v.Unit, v.Total = number.Money(int64(l.Unit), n), number.Money(int64(l.Total), n)
			if _, ok := sum[l.Currency]; !ok {
				order = append(order, l.Currency)
			}
			sum[l.Currency] += l.Total
		}
		rows = append(rows, v)
	}
	for _, c := range order {
		totals = append(totals, Fact{c, number.Money(int64(sum[c]), number.MinorDigits(c))})
	}
	return rows, totals
}

// buying says what an order of a bill needs beyond it, and what other parts would do.
func buying(lines []market.Line, supply []market.Supply) (facts, alternates []Fact) {
	b := plan.SumBill(lines, supply)
	facts = append(facts, Fact{"Spares", number.Regroup(b.SparesText())})
	if text := b.Waits(); text != "" {
		facts = append(facts, Fact{"Lead time", number.Regroup(text)})
	}
	if b.ValidUntil != "" {
		facts = append(facts, Fact{"Prices valid until", b.ValidUntil})
	}
	for i := range lines {
		if text := plan.Alternates(&lines[i], &supply[i]); text != "" {
			alternates = append(alternates, Fact{lines[i].Part.PartNo, number.Regroup(text)})
		}
	}
	return facts, alternates
}

// kinds of parts in the order of the cost bar.
var kinds = []struct{ kind, name string }{
	{catalog.KindSwitch, "Switches"}, {catalog.KindTransceiver, "Transceivers"}, {catalog.KindCable, "Cables"},
	{catalog.KindFibre, "Fibres"}, {catalog.KindOCS, "Circuit switches"}, {catalog.KindTrace, "Traces"},
	{catalog.KindScaleupSwitch, "Scale-up switches"}, {catalog.KindScaleupCable, "Scale-up cables"}, {"", "Other"},
}

// stackOf sums the bill of materials by kind of part; nothing if it mixes currencies.
func stackOf(lines []market.Line) (out []stackView, label string) {
	sum := make([]float64, len(kinds))
	total, currency := 0.0, ""
	for i := range lines {
		l := &lines[i]
		if !l.Priced || l.Part == nil {
			continue
		}
		if currency != "" && currency != l.Currency {
			return nil, ""
		}
		currency = l.Currency
		at := len(kinds) - 1
		for j := range kinds {
			if kinds[j].kind == l.Part.Kind {
				at = j
			}
		}
		sum[at] += float64(l.Total)
		total += float64(l.Total)
	}
	var words []string
	for j, s := range sum {
		if s > 0 {
			out = append(out, stackView{kinds[j].name, number.Percent(s / total), fmt.Sprintf("%.4f", 100*s/total), j})
			words = append(words, strings.ToLower(kinds[j].name)+" "+number.Plain(number.Percent(s/total)))
		}
	}
	return out, "Share of the cost: " + strings.Join(words, ", ")
}

// maxLengths bounds the lengths that a line of the cabling lists.
const maxLengths = 14

// cableRows sums the cables by link class, rate and medium, with the lengths bought.
func cableRows(classes []evaluator.CableClass) []cableView {
	type sums struct {
		count    int64
		total, m float64
		lengths  []string
	}
	var order []evaluator.CableClass
	at := map[string]*sums{}
	for _, c := range classes {
		id := fmt.Sprintf("%s|%d|%s", c.Link, c.Gbps, c.Medium)
		s := at[id]
		if s == nil {
			s = &sums{}
			at[id] = s
			order = append(order, c)
		}
		s.count += c.Count
		s.total += float64(c.Count) * c.StockM
		s.m = max(s.m, c.MaxM)
		s.lengths = append(s.lengths, fmt.Sprintf("%s\u00a0×\u00a0%s\u00a0m", number.PageFigure(float64(c.Count)), number.PageFigure(c.StockM)))
	}
	var out []cableView
	for _, c := range order {
		s := at[fmt.Sprintf("%s|%d|%s", c.Link, c.Gbps, c.Medium)]
		text := strings.Join(s.lengths[:min(len(s.lengths), maxLengths)], ", ")
		if n := len(s.lengths) - maxLengths; n > 0 {
			text += fmt.Sprintf(" and %d more", n)
		}
		out = append(out, cableView{c.Link, number.PageFigure(float64(c.Gbps)), c.Medium, number.PageFigure(float64(s.count)),
			number.PageFigure(math.Round(s.total)), number.PageFigure(math.Round(s.m*10) / 10), text})
	}
	return out
}
