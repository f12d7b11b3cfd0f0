package market

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/catalog"
	"toposearch/internal/unit"
	"toposearch/topology"
)

// Order is everything that a design takes: what a bill is made out for.
type Order struct {
	Size  *topology.Size
	Rates *Rates
	Buys  *Purchase
	Runs  []Run   // its cables
	Whole []Whole // parts that several links share, counted box by box; nil where none is shared
	// ScaleupM is how long the longest cable inside a scale-up domain is on the floor.
	ScaleupM float64
}

// Line is one part of a bill of materials.
type Line struct {
	Part     *catalog.Part
	Quantity int64 // needed
	Order    int64 // rounded up to MOQ and pack, or to a later price break where that costs less
	Unit     catalog.Money
	Total    catalog.Money
	Currency string
	Priced   bool
	UsedIn   string // link or switch classes
}

// LeadWeeks is how long the line takes to be delivered, 0 if all of it is in stock.
func (l *Line) LeadWeeks() float64 { return leadOf(l.Part, l.Order) }

// Total is what a bill comes to. The zero value of a Total may be used again and again: its lines are
// memory.
type Total struct {
	Minor    catalog.Money // of the lines that have a price
	Unpriced []string      // part numbers of the others
	// Missing are parts that are not on the list, and of which neither price nor draw is known: circuit
	// switches, which are bought for the network, while traces come with the boards of the endpoints.
	Missing string
	CableW  float64 // draw of modules and cables
	MediaW  float64 // of what links need that is no cable, and of scale-up switches and cables

	lines []line
}

// line collects a part, in the order in which parts are first needed.
type line struct {
	part     *catalog.Part
	num, den int64 // units needed, as a fraction: links that share a cage need half a module each
	usedIn   []string
}

// Bill adds up the order: every cost and every draw of cables in the program is a sum of these lines, at the
// price breaks of the total of each part, minimum orders and packs. It replaces what was in t. The error is a
// number of units or an amount that integers do not hold.
func (m *Market) Bill(o *Order, t *Total) error {
	*t = Total{lines: t.lines[:0]}
	f := o.Size.Family
	for i := range f.SwitchClasses {
		t.add(o.Buys.Switches[i].Part, o.Buys.Boxes(o.Size, i), 1, 1, f.SwitchClasses[i].Name)
	}
	for i := range o.Runs {
		r := &o.Runs[i]
		c, class := m.Cabling(o.Rates, r), &f.LinkClasses[r.Class]
		t.addCables(c, class, r.Count)
		t.CableW += linkW(c, class) * float64(r.Count)
	}
	t.bringToWhole(o.Whole)
	m.addMedia(o.Size, o.Rates, t)
	m.addScaleup(o, t)
	if m.opt.CountNICs {
		t.add(o.Buys.NIC, o.Buys.NICs, 1, 1, "endpoints")
	}
	cur := m.index.Currency()
	for i := range t.lines {
		l, err := m.price(&t.lines[i], &cur)
		if err != nil {
			return err
		}
		if l.Priced {
			if t.Minor > math.MaxInt64-l.Total {
				return fmt.Errorf("the bill is beyond counting: more than %s", unit.Money{Minor: int64(t.Minor), Currency: m.opt.Currency})
			}
			t.Minor += l.Total
		} else {
			t.Unpriced = append(t.Unpriced, l.Part.PartNo)
		}
	}
	return nil
}

// Cost is the sum of a bill in major units of the currency, and why it is not known.
func (m *Market) Cost(o *Order, t *Total) (major float64, why string) {
	switch {
	case t.Missing != "":
		return 0, "unpriced: " + strings.Join(append([]string{t.Missing}, t.Unpriced...), ", ")
	case len(t.Unpriced) > 0:
		return 0, "unpriced: " + strings.Join(t.Unpriced, ", ")
	case m.opt.CountNICs && o.Buys.NoNICGbps > 0:
		return 0, o.Buys.NoNIC()
	}
	return unit.Money{Minor: int64(t.Minor), Currency: m.opt.Currency}.Major(), ""
}

// Lines are the lines of a bill.
func (m *Market) Lines(t *Total) []Line {
	out := make([]Line, len(t.lines))
	cur := m.index.Currency()
	for i := range t.lines {
		out[i], _ = m.price(&t.lines[i], &cur)
		out[i].UsedIn = strings.Join(t.lines[i].usedIn, ", ")
	}
	return out
}

// price makes a line, its uses aside.
func (m *Market) price(l *line, cur *catalog.Currency) (Line, error) {
	need := (l.num + l.den - 1) / l.den
	if need > math.MaxInt32 {
		return Line{}, fmt.Errorf("%d units of %s are beyond counting", need, l.part.PartNo)
	}
	each, order, ok := l.part.Price(int(need))
	out := Line{Part: l.part, Quantity: need, Order: int64(order), Currency: m.opt.Currency}
	if ok {
		out.Unit, ok = cur.Convert(each, l.part.Currency)
	}
	if ok && out.Unit > 0 && int64(order) > math.MaxInt64/int64(out.Unit) {
		return Line{}, fmt.Errorf("the price of %d units of %s is beyond counting", order, l.part.PartNo)
	}
	if ok {
		out.Priced, out.Total = true, out.Unit*catalog.Money(order)
	}
	return out, nil
}

// add needs count*num/den units of a part.
func (t *Total) add(p *catalog.Part, count, num, den int64, usedIn string) {
	if p == nil || count == 0 {
		return
	}
	i := slices.IndexFunc(t.lines, func(l line) bool { return l.part == p })
	if i < 0 {
		i = len(t.lines)
		if i < cap(t.lines) { // its uses are memory too
			t.lines = t.lines[:i+1]
			t.lines[i] = line{part: p, den: den, usedIn: t.lines[i].usedIn[:0]}
		} else {
			t.lines = append(t.lines, line{part: p, den: den})
		}
	}
	l := &t.lines[i]
	if l.den != den {
		l.num, num, l.den = l.num*den, num*l.den, l.den*den
	}
	l.num += count * num
	if !slices.Contains(l.usedIn, usedIn) {
		l.usedIn = append(l.usedIn, usedIn)
	}
}

// addCables adds the parts of links of a class.
func (t *Total) addCables(c *catalog.Cabling, class *topology.LinkClass, count int64) {
	for k := range c.Items {
		it := &c.Items[k]
		switch {
		case it.Part == nil:
		case shared(it, class):
			t.add(it.Part, count, int64(it.Den)+1, int64(it.Den), class.Name)
		default:
			t.add(it.Part, count, int64(it.Num), int64(it.Den), class.Name)
		}
	}
}

// bringToWhole replaces fractions of parts by whole ones.
func (t *Total) bringToWhole(whole []Whole) {
	watts := 0.0
	for i := range whole {
		w := &whole[i]
		for k := range t.lines {
			if l := &t.lines[k]; l.part == w.Part {
				l.num, l.den = w.Units, 1
			}
		}
		watts += w.SpareW
	}
	t.CableW += watts
}

// addMedia adds the parts of links that are no cable.
func (m *Market) addMedia(s *topology.Size, r *Rates, t *Total) {
	var buys [MostMedia]Medium
	ports := int64(0)
	for i := range m.MediaOf(s, r, &buys) {
		b := &buys[i]
		if b.Part == nil && b.Of.Medium == catalog.MediumOCS {
			ports += b.Count
		} else if b.Part != nil {
			t.MediaW += b.Part.PowerW * float64(b.Count)
			t.add(b.Part, b.Count, 1, 1, b.Class)
		}
	}
	if ports > 0 {
		t.Missing = fmt.Sprintf("%d ports of optical circuit switches (the price list has no part of kind %s)", ports, catalog.KindOCS)
	}
}

// addScaleup adds the scale-up switches and cables of an order: the cheapest cables that reach o.ScaleupM, the same for all
// links of a level.
func (m *Market) addScaleup(o *Order, t *Total) {
	if !m.opt.CountScaleup {
		return
	}
	_, count := m.scaleupOf(o.Size)
	k, n := o.Buys.scaleup, int64(count)
	if n == 0 {
		return
	}
	if k == nil {
		t.Missing = cmp.Or(t.Missing, m.scaleup.need, lacksScaleupCables)
		return
	}
	t.add(o.Buys.ScaleupModel, o.Buys.ScaleupSwitches, 1, 1, topology.ClassScaleup)
	t.MediaW += o.Buys.ScaleupW
	for i, class := range []string{topology.ClassScaleup, topology.ClassScaleup2} {
		l := &k.links[i]
		if l.count == 0 {
			continue
		}
		var best scaleupCable
		least := 0.0
		for _, c := range l.cables {
			x := c.price(n * l.count * c.each)
			if reachOf(c.part) >= o.ScaleupM*(1-1e-9) && (best.each == 0 || cmp.Or(cmp.Compare(x, least), c.compare(best.tariff)) < 0) {
				best, least = c, x
			}
		}
		if best.each == 0 {
			t.Missing = cmp.Or(t.Missing, fmt.Sprintf("scale-up cables of %.3g m: the longest of kind %s that are fast enough have %.3g m (domains that stand in one rack need shorter ones: building.rack_servers)",
				o.ScaleupM, catalog.KindScaleupCable, l.longestM()))
			continue
		}
		cables := n * l.count * best.each
		t.add(best.part, cables, 1, 1, class)
		t.MediaW += best.one.Watts * float64(cables)
	}
}

// ScaleupParts are the part numbers of kinds that make scale-up domains.
func ScaleupParts(lines []Line) []Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l Line) bool {
		return l.Part.Kind != catalog.KindScaleupSwitch && l.Part.Kind != catalog.KindScaleupCable
	})
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
		case p.LeadWeeks == 0 && !p.Ready && int64(p.Stock) < lines[i].Order:
			unknown = append(unknown, p.PartNo)
		}
	}
	text = "longest of the bill of materials"
	if stocked > 0 {
		text += fmt.Sprintf(", %d of its parts from stock", stocked)
	}
	if n := len(unknown); n > 0 {
		text += fmt.Sprintf("; the list gives none for %d of its parts, which count as 0: %s", n, someOf(unknown))
	}
	if short := ShortOf(lines, 0); short != "" {
		text += "; " + short
	}
	return weeks, text
}

// ShortOf names the parts of which more are ordered than are in stock, and of which more take longer than so many weeks; "" if there are none.
func ShortOf(lines []Line, weeks float64) string {
	var short []string
	for i := range lines {
		if l := &lines[i]; l.Part.Stock > 0 && l.Order > int64(l.Part.Stock) && l.Part.LeadWeeks > weeks {
			short = append(short, fmt.Sprintf("%s (%d ordered, %d in stock, more in %g weeks)", l.Part.PartNo, l.Order, l.Part.Stock, l.Part.LeadWeeks))
		}
	}
	if len(short) == 0 {
		return ""
	}
	return "stocks do not cover " + someOf(short)
}

// someOf names the first of a list.
func someOf(names []string) string {
	const most = 3 // enough to find the rows
	text := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		text += ", ..."
	}
	return text
}
