package bound

import (
	"fmt"
	"math"
	"slices"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/stream"
	"toposearch/topology"
)

// Unlaid is what is known of a design whose links take too long to be drawn: parts but for its cables are counted, and these bounded by where
// racks stand. Endpoints are joined to switches by rule, and their cables are laid.
type Unlaid struct {
	metric.Intervals
	Value [metric.Count]float64              // of those that Intervals has between finite bounds
	Spans [topology.MaxClasses]market.Span   // of the lengths of links as bought, their means as in Value
	Parts []*catalog.Part                    // that may be on the bill, each once
	Draws bool                               // Value takes links to join switches at random, where their family draws them
	class [topology.MaxClasses]classOfUnlaid // of links
}

// classOfUnlaid is the cables of a class: between the least and the most, and what is likely.
type classOfUnlaid struct {
	lo, hi, likely cablesOf
	longest        [2]float64 // as bought: at least and at most
}

// cablesOf is what cables of a class come to.
type cablesOf struct{ price, watts, stockM, copper float64 }

func (a *cablesOf) add(n float64, x *cablesOf) {
	a.price, a.watts, a.stockM, a.copper = a.price+n*x.price, a.watts+n*x.watts, a.stockM+n*x.stockM, a.copper+n*x.copper
}

// drawnPairs is how many pairs of switches tell what cables between any two come to: their mean price is known to a few percent.
const drawnPairs = 4096

// Unlaid encloses the plan of a design. why says why that cannot be done; Reject is set if there is no part for it.
func (m *Model) Unlaid(d topology.Design, s *topology.Size) (u *Unlaid, why string) {
	u = &Unlaid{}
	out, l := &u.Intervals, &Ladder{}
	m.Enclose(One(d.V, s), l, out)
	if out.Reject.Constraint != "" {
		return u, ""
	}
	counted := *out
	if l.byFloorPlan(out); out.Reject.Constraint != "" {
		return u, ""
	}
	if !l.placed {
		return nil, "cables between several buildings are not enclosed"
	}
	f, r := *d.Family, &l.rates
	f.Wire, f.Bundles = nil, nil
	lay := floor.NewLayout(&l.plan)
	lay.Stream(topology.Design{Family: &f, V: d.V}, r)
	runs, rej := lay.Runs(m.market, r)
	lay.Free()
	if out.Reject = rej; rej.Constraint != "" {
		return u, ""
	}
	lead := l.longestLead()
	for c := range f.LinkClasses {
		if r.Kind[c] != market.Cable || s.Link[c] == 0 {
			if r.Kind[c] != market.Inside && s.Link[c] > 0 {
				lead = math.Inf(1) // what it is made of is not looked at
			}
			continue
		}
		if why := l.unlaidClass(u, c, runs); why != "" {
			return nil, why
		}
		lead = max(lead, leadOfCables(r.Speed[c].Steps))
	}
	u.total(l, &counted, lead)
	for i := range f.SwitchClasses {
		u.mayBuy(l.buys.Switches[i].Part)
	}
	if m.market.CountsNICs() {
		u.mayBuy(l.buys.NIC)
	}
	return u, ""
}

func (u *Unlaid) mayBuy(p *catalog.Part) {
	if p != nil && !slices.Contains(u.Parts, p) {
		u.Parts = append(u.Parts, p)
	}
}

// unlaidClass encloses the cables of class c, of which some may be in runs.
func (l *Ladder) unlaidClass(u *Unlaid, c int, runs []market.Run) (why string) {
	m, s, r := l.model, l.size, &l.rates
	p, x, n := r.Speed[c], &u.class[c], float64(s.Link[c])
	if r.Cables(c) > 1 {
		return "cables to circuit switches are not enclosed"
	}
	varies, known := m.market.CablesVary(), int64(0)
	between := func(count float64, first, last int, likely *cablesOf) {
		if varies { // longer ones may be the cheapest together
			last = len(p.Steps) - 1
		}
		for i := first; i <= last; i++ {
			u.mayBuy(p.Steps[i].Items[0].Part)
			u.mayBuy(p.Steps[i].Items[1].Part)
		}
		lo, hi := m.cablesBetween(p, first, last)
		if likely == nil {
			likely = &cablesOf{(lo.price + hi.price) / 2, (lo.watts + hi.watts) / 2, (lo.stockM + hi.stockM) / 2, (lo.copper + hi.copper) / 2}
		}
		x.lo.add(count, &lo)
		x.hi.add(count, &hi)
		x.likely.add(count, likely)
		x.longest[0], x.longest[1] = max(x.longest[0], p.Steps[first].StockM), max(x.longest[1], p.Steps[last].StockM)
		span := &u.Spans[c]
		if span.MinM == 0 {
			span.MinM = p.Steps[first].StockM
		}
		span.MinM, span.MaxM = min(span.MinM, p.Steps[first].StockM), max(span.MaxM, p.Steps[last].StockM)
	}
	for i := range runs {
		if run := &runs[i]; run.Class == c {
			likely, _ := m.cablesBetween(p, run.Need, run.Need)
			between(float64(run.Count), run.Need, run.Need, &likely)
			known += run.Count
		}
	}
	if left := n - float64(known); left > 0 {
		longest := l.plan.FarthestM()
		first, last := p.Step(m.shortestM), p.Step(longest)
		if last < 0 {
			return fmt.Sprintf("racks are up to %.4g m of cable apart, and the longest that may be bought for the rate is %g m: whether one is as long is known once links are drawn", longest, p.LongestM())
		}
		likely := l.atRandom(c, p)
		u.Draws = u.Draws || likely != nil
		between(left, first, last, likely)
	}
	u.Spans[c].MeanM = x.likely.stockM / n
	return ""
}

// cablesBetween are the least and the most of a link of one of the steps.
func (m *Model) cablesBetween(p *market.Speed, first, last int) (lo, hi cablesOf) {
	lo.price, lo.watts = p.AtLeast(p.Steps[first].StockM)
	lo.stockM, lo.copper = p.Steps[first].StockM, 1
	for i := first; i <= last; i++ {
		price, watts := m.market.MostOf(p, i)
		hi.price, hi.watts, hi.stockM = max(hi.price, price), max(hi.watts, watts), max(hi.stockM, p.Steps[i].StockM)
		if p.Steps[i].Copper {
			hi.copper = 1
		} else {
			lo.copper = 0
		}
	}
	return lo, hi
}

// atRandom is the mean of a link of class c between switches that are drawn; nil where the family does not draw them, or they are of several classes.
func (l *Ladder) atRandom(c int, p *market.Speed) *cablesOf {
	f, s := l.size.Family, l.size
	draws := slices.ContainsFunc(f.Params, func(p topology.Param) bool { return p.Draw })
	if !draws || len(f.SwitchClasses) != 1 || s.Switch[0].Count < 2 {
		return nil
	}
	mean, rng := &cablesOf{}, stream.New(1, "unlaid cables", uint64(c))
	for range drawnPairs {
		a, b := rng.Int64N(s.Switch[0].Count), rng.Int64N(s.Switch[0].Count-1)
		if b >= a {
			b++
		}
		step := p.Step(l.plan.SwitchesM(0, a, b))
		x, _ := l.model.cablesBetween(p, step, step)
		mean.add(1.0/drawnPairs, &x)
	}
	return mean
}

// longestLead is the most that any part takes but cables, in weeks.
func (l *Ladder) longestLead() (weeks float64) {
	for i := range l.size.Family.SwitchClasses {
		if p := l.buys.Switches[i].Part; p != nil {
			weeks = max(weeks, p.LeadWeeks)
		}
	}
	if nic := l.buys.NIC; nic != nil && l.model.market.CountsNICs() {
		weeks = max(weeks, nic.LeadWeeks)
	}
	if l.model.market.CountsScaleup() {
		return math.Inf(1)
	}
	return weeks
}

// leadOfCables is the most that any of some cablings takes.
func leadOfCables(steps []catalog.Cabling) (weeks float64) {
	for i := range steps {
		for k := range steps[i].Items {
			if p := steps[i].Items[k].Part; p != nil {
				weeks = max(weeks, p.LeadWeeks)
			}
		}
	}
	return weeks
}

// total adds up classes. In counted, which closed forms say, a link of each is any that is sold.
func (u *Unlaid) total(l *Ladder, counted *metric.Intervals, lead float64) {
	m, s, n := l.model, l.size, float64(l.size.Endpoints)
	var lo, hi, likely, more cablesOf
	longest, links := [2]float64{}, 0.0
	for c := range s.Family.LinkClasses {
		if x := &u.class[c]; l.rates.Kind[c] == market.Cable && s.Link[c] > 0 {
			sold, count := &l.rates.Speed[c].Offer(true).Link, float64(s.Link[c])
			links += count
			lo.add(1, &x.lo)
			hi.add(1, &x.hi)
			likely.add(1, &x.likely)
			more.price, more.watts = more.price+(count*sold.MostPrice-x.hi.price), more.watts+(count*sold.MostW-x.hi.watts)
			lo.price, lo.watts = lo.price-count*sold.Price, lo.watts-count*sold.Watts
			longest = [2]float64{max(longest[0], x.longest[0]), max(longest[1], x.longest[1])}
		}
	}
	set := func(k metric.Key, least, most, below float64) { // what is likely lies so far below the most
		if !u.Have[k] {
			return
		}
		iv := &u.At[k]
		iv.Lo, iv.Hi = max(iv.Lo, least*metric.Below), min(iv.Hi, most*above)
		u.Value[k] = min(max(iv.Hi-below, iv.Lo), iv.Hi)
	}
	minor, cost, power := m.market.Minor(), counted.At[metric.Cost], counted.At[metric.Power]
	money := [3]float64{cost.Lo + lo.price/minor, cost.Hi - more.price/minor, (hi.price - likely.price) / minor}
	set(metric.Cost, money[0], money[1], money[2])
	set(metric.CostPerEndpoint, money[0]/n, money[1]/n, money[2]/n)
	watts := [3]float64{power.Lo + lo.watts, power.Hi - more.watts, hi.watts - likely.watts}
	set(metric.Power, watts[0], watts[1], watts[2])
	set(metric.PowerPerEndpoint, watts[0]/n, watts[1]/n, watts[2]/n)
	none, building := m.site.BuildingW(n, 0), counted.At[metric.BuildingPower]
	drawn := func(w float64) float64 { return m.site.BuildingW(n, w) - none }
	set(metric.BuildingPower, building.Lo+drawn(lo.watts), building.Hi-drawn(more.watts), drawn(watts[2]))
	set(metric.LeadTime, 0, lead, 0)
	set(metric.CableMax, longest[0], longest[1], 0)
	set(metric.CableTotal, lo.stockM, hi.stockM, hi.stockM-likely.stockM)
	set(metric.CablesCopper, lo.copper, hi.copper, math.Round(hi.copper-likely.copper))
	set(metric.CablesOptical, links-hi.copper, links-lo.copper, math.Round(likely.copper-lo.copper))
	set(metric.Racks, 0, math.Inf(1), 0)
	set(metric.FloorArea, 0, math.Inf(1), 0)
}
