package evaluator

import (
	"context"
	"errors"
	"fmt"
	"math"

	"toposearch/catalog"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/growth"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
	"toposearch/topology"
)

// survey gives it; why is not "" where it cannot be had.
func (e *Evaluator) survey() (r *running, why string) {
	r = &e.running
	r.once.Do(func() {
		d := e.opt.Growth.From
		w := &work{e: e, ctx: context.Background(), d: d, res: &Result{Design: d, Absent: map[metric.Key]string{}}}
		w.size = &w.res.Size
		defer w.done()
		err := d.Family.Size(d.V, w.size)
		if err == nil {
			w.prepare()
			if why := planGroup.methods[0].applies(w); why != "" {
				err = errors.New(why)
			} else if err = runPlan(w); err == nil && w.res.Plan == nil {
				err = errors.New(w.res.Absent[metric.Cost])
			}
		}
		if err == nil {
			r.bill = w.res.Plan.BOM
			r.net, err = e.networkOf(d)
		}
		if err != nil {
			r.fault = fmt.Sprintf("the network of [growth], %s, cannot be laid out on this site with these parts: %v", e.opt.Growth.Name, err)
		}
	})
	return r, r.fault
}

// networkOf surveys a design.
func (e *Evaluator) networkOf(d topology.Design) (*growth.Network, error) {
	s, err := floor.NewSchedule(e.market, &e.opt.Site, e.opt.PerServer, d)
	if err != nil {
		return nil, err
	}
	n, err := growth.Survey(d, s)
	n.PerServer = e.opt.PerServer
	return n, err
}

func init() { leftOf = (*Evaluator).left }

// left is what bounds of growth need to know of the network that runs; nil where that cannot be laid out.
func (e *Evaluator) left() *bound.Left {
	r, why := e.survey()
	if why != "" {
		return nil
	}
	left := &bound.Left{Cables: int64(len(r.net.Cables))}
	for i := range r.bill {
		l := &r.bill[i]
		worth := e.worth(l)
		switch {
		case l.Part.Kind != catalog.KindSwitch:
			left.OtherWorth += worth
		case e.opt.Growth.Rules.Switches:
			left.Switches += l.Quantity
			left.SwitchWorth += worth
		}
	}
	return left
}

// serves tells whether an old part can do the work of a new one: cables and fibres of one kind, longer ones for shorter ones; of all else the
// same part.
func serves(old, new *catalog.Part) bool {
	switch new.Kind {
	case catalog.KindCable, catalog.KindFibre:
		return growth.KindOf(old, nil) == growth.KindOf(new, nil)
	}
	return old == new
}

// worth is the most that the units of a line save where they are used again, in major units: each stands for the dearest part on the list that it
// can serve as, and for each such part a minimum order and a pack may fall away. +Inf where a part costs more by the dozen.
func (e *Evaluator) worth(l *market.Line) float64 {
	cur := catalog.Currency{Code: e.opt.Currency, Rates: e.opt.Rates}
	most, rounding := 0.0, 0.0
	for i := range e.opt.Catalog.Parts {
		p := &e.opt.Catalog.Parts[i]
		if !p.Priced || !serves(l.Part, p) {
			continue
		}
		last := p.UnitPrice
		for _, b := range p.PriceBreaks {
			if b.Price > last {
				return math.Inf(1)
			}
			last = b.Price
		}
		unit, _ := cur.Convert(p.UnitPrice, p.Currency)
		each := float64(unit) + 1 // prices are converted one by one, and rounded
		most = max(most, each)
		rounding += each * float64(max(p.MOQ-1, 0)+max(p.Pack-1, 0))
	}
	return (most*float64(l.Quantity) + rounding) / e.market.Minor()
}

// boughtAtLeast is what a design costs beyond the network that runs if every part of that were used again, in major units: of new parts for each of
// which its own old ones alone can serve, what is left of them; of others, their cost less the worth of the old ones.
func (w *work) boughtAtLeast(r *running) (least float64) {
	bom, cur := w.res.Plan.BOM, catalog.Currency{Code: w.e.opt.Currency, Rates: w.e.opt.Rates}
	done := make([]bool, len(bom))
	for i := range bom {
		if done[i] {
			continue
		}
		cost, worth, left, alone := 0.0, 0.0, bom[i].Quantity, true
		for j := i; j < len(bom); j++ {
			if j == i || serves(bom[i].Part, bom[j].Part) {
				done[j], alone = true, alone && j == i
				cost += float64(bom[j].Total) / w.e.market.Minor()
			}
		}
		if bom[i].Part.Kind != catalog.KindSwitch || w.e.opt.Growth.Rules.Switches {
			for j := range r.bill {
				if serves(r.bill[j].Part, bom[i].Part) {
					worth += w.e.worth(&r.bill[j])
					left -= r.bill[j].Quantity
				}
			}
		}
		if alone && left <= 0 {
			continue
		}
		if alone {
			each, order, _ := bom[i].Part.Price(int(left))
			unit, _ := cur.Convert(each, bom[i].Part.Currency)
			least += float64(unit) * float64(order) / w.e.market.Minor()
		} else {
			least += max(0, cost-worth)
		}
	}
	return least
}

var growthGroup = group{keys: []metric.Key{metric.GrowthCost, metric.KeptSwitches, metric.KeptCables, metric.MovedCables}, after: []metric.Key{metric.Cost},
	methods: []method{{name: "old cables in a new network", level: 2, wires: true, applies: func(w *work) string {
		switch {
		case w.e.opt.Growth == nil:
			return "needs the network that runs today: write [growth] in the study, and give it to eval with --study"
		case w.res.Plan == nil:
			return "needs a floor plan: " + w.res.Absent[metric.Cost]
		}
		r, why := w.e.survey()
		if why == "" && int64(r.net.Endpoints) > w.size.Endpoints {
			why = fmt.Sprintf("the network of [growth] has %d endpoints, more than the %d here", r.net.Endpoints, w.size.Endpoints)
		}
		return why
	}, cost: func(w *work) float64 {
		// 4 us a cable of either network: both are laid, and each of its ends looks at the cables of what is at the other end.
		ns, cables := 0.0, w.size.SwitchLinks()+w.size.Link[0]
		if r, why := w.e.survey(); why == "" {
			ns = growth.ExchangesNs(len(r.net.Cables), int(cables), w.e.opt.Growth.Rules)
		}
		return ns + 4e3*float64(cables)
	}, bytes: func(w *work) float64 {
		// A cable takes 160 bytes, is listed twice by its ends and once in the plan.
		return 200 * float64(w.size.SwitchLinks()+w.size.Link[0])
	}, run: runGrowth}},
}

// Grow finds a way from the network of Options.Growth to a design, the cheapest of those that growth.Matches lead to, with the two networks. The error says why there is none.
func (e *Evaluator) Grow(res *Result) (p *growth.Plan, old, to *growth.Network, err error) {
	e = e.of(res.Design)
	r, why := e.survey()
	if why != "" {
		return nil, nil, nil, errors.New(why)
	}
	if to, err = e.networkOf(res.Design); err != nil {
		return nil, nil, nil, err
	}
	g := e.opt.Growth
	// A cable is moved where that is cheaper than to buy the one in its place, at the price of the quantity.
	cheap := e.cheapToMove(res.Plan.BOM)
	least := catalog.Money(0)
	for _, x := range growth.Matches(r.net, to, g.Rules) {
		q := growth.Count(r.net, to, x, g.Rules, func(c *growth.Cable) bool { return cheap(c.Part, c.Kind.Modules) })
		lines, cost, err := e.Bought(res, q, r.net, to)
		if err != nil {
			return nil, nil, nil, err
		}
		if cost += totalOf(lines); p == nil || cost < least {
			p, least = q, cost
		}
	}
	return p, r.net, to, nil
}

// Grown is the way from the network of Options.Growth to a design.
type Grown struct {
	Plan     *growth.Plan
	Old, New *growth.Network
	Lines    []market.Line // what is bought
	Labour   catalog.Money // minor units
}

// Growing is the way that growth_cost of a design is of; nil where there is none.
func (e *Evaluator) Growing(res *Result) (*Grown, error) {
	if e.opt.Growth == nil || res.Plan == nil || !res.Have[metric.GrowthCost] {
		return nil, nil
	}
	p, old, to, err := e.Grow(res)
	if err != nil {
		return nil, err
	}
	g := &Grown{Plan: p, Old: old, New: to}
	g.Lines, g.Labour, err = e.Bought(res, p, old, to)
	return g, err
}

// cheapToMove tells of a cable and its transceivers whether they cost at least what moving an old one does.
func (e *Evaluator) cheapToMove(bom []market.Line) func(cable, modules *catalog.Part) bool {
	unit := map[*catalog.Part]catalog.Money{}
	for i := range bom {
		unit[bom[i].Part] = bom[i].Unit
	}
	return func(cable, modules *catalog.Part) bool {
		price := unit[cable]
		if modules != nil {
			price += 2 * unit[modules]
		}
		return price >= e.opt.Growth.LabourCable
	}
}

// totalOf is what lines cost together, in minor units.
func totalOf(lines []market.Line) (total catalog.Money) {
	for i := range lines {
		total += lines[i].Total
	}
	return total
}

// Bought is the bill of what a plan leaves to be bought, with the labour in minor units. Lines of which nothing is needed are left out.
func (e *Evaluator) Bought(res *Result, p *growth.Plan, old, to *growth.Network) (lines []market.Line, labour catalog.Money, err error) {
	e = e.of(res.Design)
	r, _ := e.survey()
	var before []market.Line
	if e.opt.Growth.Rules.Switches || len(old.Boxes) == 0 {
		before = r.bill
	} else {
		for _, l := range r.bill {
			if l.Part.Kind != catalog.KindSwitch {
				before = append(before, l)
			}
		}
	}
	cur := catalog.Currency{Code: e.opt.Currency, Rates: e.opt.Rates}
	for _, l := range res.Plan.BOM {
		l.Quantity -= reused(&l, p, old, to, before)
		if l.Quantity <= 0 {
			continue
		}
		each, order, ok := l.Part.Price(int(l.Quantity))
		if l.Order = int64(order); ok {
			l.Unit, ok = cur.Convert(each, l.Part.Currency)
		}
		if l.Priced = ok; ok {
			l.Total = l.Unit * catalog.Money(order)
		}
		lines = append(lines, l)
	}
	g := e.opt.Growth
	labour = g.LabourCable*catalog.Money(p.EndsMoved+p.CablesMoved) + g.LabourEndpoint*catalog.Money(p.EndpointsRecabled)
	return lines, labour, nil
}

// reused is how many of the units of a line of the new bill old ones serve. Where several links share a part they count as reused if all
// links that have it in the old network are used again, since it is not known which of them share one.
func reused(l *market.Line, p *growth.Plan, old, to *growth.Network, before []market.Line) int64 {
	had := int64(0)
	for i := range before {
		if before[i].Part == l.Part {
			had = before[i].Quantity
		}
	}
	links, used, cable := int64(0), int64(0), false // of the new network that have the part
	for i := range p.Uses {
		u := &p.Uses[i]
		if u.New < 0 {
			continue
		}
		c := &to.Cables[u.New]
		if c.Part != l.Part && c.Kind.Modules != l.Part {
			continue
		}
		cable = true
		links++
		if u.Old >= 0 {
			used++
		}
	}
	switch {
	case !cable && l.Part.Kind == catalog.KindSwitch:
		return min(l.Quantity, p.SwitchesReused[l.Part])
	case !cable:
		return min(l.Quantity, had)
	case links > 0 && l.Quantity%links == 0: // so many to a link; in the old network several may have shared one
		units, had := int64(0), int64(0)
		for i := range before {
			if serves(before[i].Part, l.Part) {
				units += before[i].Quantity
			}
		}
		for i := range old.Cables {
			if c := &old.Cables[i]; c.Part != nil && serves(c.Part, l.Part) || c.Kind.Modules == l.Part {
				had++
			}
		}
		return min(l.Quantity/links*used, units*used/max(had, 1))
	}
	for i := range old.Cables {
		if c := &old.Cables[i]; c.Part == l.Part || c.Kind.Modules == l.Part {
			links--
		}
	}
	if used == 0 || p.CablesRemoved > 0 || links < 0 {
		return 0
	}
	return min(l.Quantity, had)
}

// wholeText says what of a plan is of servers.
func wholeText(n *growth.Network) string {
	if n.PerServer <= 1 {
		return ""
	}
	return fmt.Sprintf(", servers of %d endpoints whole", n.PerServer)
}

func runGrowth(w *work) error {
	p, old, to, err := w.e.Grow(w.res)
	if err != nil {
		for _, k := range []metric.Key{metric.GrowthCost, metric.KeptSwitches, metric.KeptCables, metric.MovedCables} {
			w.absent(k, err.Error())
		}
		return nil
	}
	text := fmt.Sprintf("from %s: %d switches bought, %d retired, %d stand elsewhere; %d cables moved at one end, %d at both, %d bought, %d removed; %d transceivers used again; %d endpoints cabled anew",
		w.e.opt.Growth.Name, p.BoxesBought, p.BoxesRetired, p.Carried, p.EndsMoved, p.CablesMoved, p.CablesBought, p.CablesRemoved, p.ModulesReused, p.EndpointsRecabled)
	w.exact(metric.KeptSwitches, float64(p.BoxesKept), "switches of the same models, exact; "+text)
	w.between(metric.KeptCables, float64(p.CablesKept), float64(p.CablesKept), float64(max(p.MostKept, p.CablesKept)),
		fmt.Sprintf("a plan that was found, closed forms and local search%s; hi by the cables and degrees of each kind, of %d old ones", wholeText(old), len(old.Cables)))
	w.exact(metric.MovedCables, float64(p.EndsMoved+p.CablesMoved), "of the plan that was found")
	if !w.res.Have[metric.Cost] {
		w.absent(metric.GrowthCost, "needs cost: "+w.res.Absent[metric.Cost])
		return nil
	}
	lines, labour, err := w.e.Bought(w.res, p, old, to)
	if err != nil {
		return err
	}
	total := labour + totalOf(lines)
	major := func(x catalog.Money) float64 { return unit.Money{Minor: int64(x), Currency: w.e.opt.Currency}.Major() }
	r, _ := w.e.survey()
	least := w.boughtAtLeast(r)
	if least*metric.Below <= major(total) { // of sums of floats
		least = math.Min(least, major(total))
	}
	w.between(metric.GrowthCost, major(total), least, major(total), fmt.Sprintf("bill of what is bought + %.6g for labour, of the plan that was found; lo: every old part used again, without labour", major(labour)))
	return nil
}
