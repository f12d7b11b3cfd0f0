package evaluator

import (
	"fmt"
	"math"

	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
	"toposearch/topology"
)

var planGroup = group{
	keys: planKeys,
	methods: []method{{name: "bill of materials", level: 1, applies: (*work).noPlan, cost: func(w *work) float64 {
		// A link is laid in 8 ns, and those of switches in bulk in 15 ns a switch; endpoints with one port are laid by server.
		switches, links := float64(w.size.AllSwitches()), float64(w.size.SwitchLinks())
		if w.d.Family.Bundles != nil {
			links = math.Min(links, 2*switches)
		}
		sum := 10*switches + 8*links
		if w.size.EndpointPorts > 1 {
			return sum + 12*float64(w.size.Link[0])
		}
		return sum + float64(w.size.Link[0])
	}, quick: 1e10, wires: true, run: runPlan}, enclosedPlan},
}

// runPlan places the design, lays its cables and makes out its bill.
func runPlan(w *work) error {
	e, s := w.e, w.size
	buys := &w.boxes
	e.market.Buy(s, &w.rates, buys) // what is not on sale is rejected already
	p := new(floor.Plan)
	if rej := p.Place(&e.opt.Site, e.opt.PerServer, s, &w.place, buys); rej.Constraint != "" {
		w.rejected(rej)
		return nil
	}
	_, bytes := w.d.WireTakes()
	if done, err := w.planRoom("a floor plan with its cables", bytes+p.LayoutBytes()); done {
		return err
	}
	w.floor = p
	lay := floor.NewLayout(p)
	defer lay.Free()
	d, err := w.wireOnce()
	if err != nil {
		return err
	}
	lay.Stream(d, &w.rates)
	runs, rej := lay.Runs(e.market, &w.rates)
	if rej.Constraint != "" {
		w.rejected(rej)
		return nil
	}
	order := market.Order{Size: s, Rates: &w.rates, Buys: buys, Runs: runs, ScaleupM: p.ScaleupM(e.market)}
	if e.market.MayShare(&w.rates, runs) {
		if done, err := w.planRoom("a count of the parts that several links share", bytes+sharedBytes(s)); done {
			return err
		}
		sch, err := floor.NewSchedule(e.market, &e.opt.Site, e.opt.PerServer, w.d)
		if err != nil {
			return err
		}
		var over []floor.Cages
		if order.Runs, order.Whole, w.cheaper, over = sch.Bought(); len(over) > 0 {
			w.rejected(metric.Reject{Constraint: metric.RejectCages, Got: float64(over[0].Filled), Bound: float64(over[0].Has)})
			return nil
		}
		runs = order.Runs
	} else {
		e.market.CablesTogether(s.Family, &w.rates, runs, nil)
	}
	w.res.Plan, w.runs = w.plan(buys, runs), runs
	var total market.Total
	if err := e.market.Bill(&order, &total); err != nil { // beyond counting
		w.res.Plan = nil
		w.unplanned(err.Error())
		return nil
	}
	w.shared, w.moduleW = order.Whole, total.CableW
	w.floorMetrics(runs)
	w.powerMetrics(buys, &total)
	w.costMetrics(&order, &total)
	return nil
}

// wireOnce is the design with a construction that streams the links of its network, where finding them takes long: the network is
// mostly asked for, too.
func (w *work) wireOnce() (topology.Design, error) {
	ns, _ := w.d.WireTakes()
	if ns < slowDrawNs || w.e.scaled(w.d.Family) || w.d.Family.HasScaleup() || w.tooMuch("the network", w.networkBytes()) != "" {
		return w.d, nil
	}
	if err := w.build(); err != nil {
		return w.d, err
	}
	f, n := *w.d.Family, w.net
	f.Bundles = nil
	f.Wire = func(_ []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
		for a := range topology.SwitchID(n.Switches()) {
			for c, end := n.Out(a); c < end; c++ {
				if b := n.To(c); n.Unidirectional || a < b {
					emit(int(n.LinkClass(c)), a, b)
				}
			}
		}
	}
	return topology.Design{Family: &f, V: w.d.V}, nil
}

// planRoom makes sure that there is memory for a step of the plan: if not, there is no plan, or an error.
func (w *work) planRoom(step string, bytes float64) (done bool, err error) {
	if why := w.tooMuch(step, bytes); why != "" {
		w.res.Plan = nil
		w.unplanned(why)
		return true, nil
	}
	err = w.take(step, bytes)
	return err != nil, err
}

// plan fills the part of the plan that needs no prices.
func (w *work) plan(b *market.Purchase, runs []market.Run) *Plan {
	f := w.d.Family
	p := &Plan{Surplus: w.rates.Surplus, BandwidthGbps: w.rates.Bandwidth, Floor: w.floor.Summary()}
	p.LaneGbps, p.Unstated = w.fileLane()
	n := len(f.LinkClasses)
	p.LinkGbps, p.MeanM = append([]float64(nil), w.rates.Link[:n]...), make([]float64, n)
	for i := range f.SwitchClasses {
		if c := b.Switches[i]; c.Part != nil {
			p.Switches = append(p.Switches, SwitchBuy{f.SwitchClasses[i].Name, c.Part, b.Boxes(w.size, i), c.PhysicalPorts * int(b.Sharing[i].InOne())})
		}
	}
	for i := range runs {
		r := &runs[i]
		cab, name := w.e.market.Cabling(&w.rates, r), f.LinkClasses[r.Class].Name
		if n := len(p.Classes); n > 0 && p.Classes[n-1].Link == name && p.Classes[n-1].Parts == *cab {
			p.Classes[n-1].Count += r.Count
			p.Classes[n-1].MaxM = max(p.Classes[n-1].MaxM, r.MaxM)
			continue
		}
		p.Classes = append(p.Classes, CableClass{Link: name, Gbps: int(w.rates.Link[r.Class]),
			Medium: cab.Medium, Copper: cab.Copper, StockM: cab.StockM, Count: r.Count, MaxM: r.MaxM, Parts: *cab})
	}
	w.spans = w.e.market.Sum(&w.rates, runs).Class
	for c := range n {
		p.MeanM[c] = w.spans[c].MeanM
	}
	return p
}

func (w *work) floorMetrics(runs []market.Run) {
	const text = "cables laid on the floor plan, exact for it"
	c := w.e.market.Sum(&w.rates, runs)
	w.exact(metric.CableMax, c.LongestM, text+", stock length")
	w.exact(metric.CableTotal, c.TotalM, text+", stock lengths")
	w.exact(metric.CablesCopper, float64(c.Copper), text)
	w.exact(metric.CablesOptical, float64(c.Optical), text)
	w.exact(metric.Racks, float64(w.res.Plan.Floor.Racks), "canonical floor plan")
	w.exact(metric.FloorArea, w.floor.AreaM2(), "rows x pitches of the canonical floor plan")
}

func (w *work) powerMetrics(b *market.Purchase, t *market.Total) {
	n := float64(w.size.Endpoints)
	why := b.NoNIC()
	if t.Missing != "" {
		why = "not known: the draw of " + t.Missing
	}
	if why != "" {
		for _, k := range []metric.Key{metric.Power, metric.PowerPerEndpoint, metric.BuildingPower} {
			w.absent(k, why)
		}
		if w.e.opt.Site.EndpointAllInW == 0 {
			return
		}
	} else {
		p := b.SwitchW(w.size) + t.CableW + b.NICW + t.MediaW
		text := "switches at full load + modules + NICs"
		switch {
		case b.NIC == nil && w.e.market.NoNICs():
			text = "switches at full load + modules; the price list has no NICs: their watts are the endpoints'"
		case b.NIC == nil:
			text = "switches at full load + modules; ports of the endpoints are on their chips"
		}
		if w.e.opt.CountScaleup {
			text += "; scale-up switches and cables"
		}
		w.exact(metric.Power, p, text)
		w.exact(metric.PowerPerEndpoint, p/n, text)
	}
	x, text := w.buildingW(b, t)
	w.exact(metric.BuildingPower, x, text)
}

// buildingW is the draw of a building, of several the one that draws most.
func (w *work) buildingW(b *market.Purchase, t *market.Total) (float64, string) {
	s, n, spares := &w.e.opt.Site, float64(w.size.Endpoints), w.cluster().SparesOf(w.size.Endpoints)
	text := "(power + endpoints x endpoint power) x PUE"
	switch {
	case s.EndpointAllInW > 0:
		text = "endpoints x all-in power"
	case s.EndpointPowerW == 0: // a price list may say what accelerators draw, and tco takes that; the limits of a building are of what its file says
		text = "power x PUE, without the endpoints: no endpoint_power or endpoint_all_in in [building] says what they draw"
	}
	if spares > 0 && (s.EndpointAllInW > 0 || s.EndpointPowerW > 0) { // as for tco
		text += ", " + unit.Count(spares, "spare endpoint", "spare endpoints") + " included"
	}
	if w.res.Plan.Floor.Buildings <= 1 {
		return s.BuildingW(n+float64(spares), b.SwitchW(w.size)+t.CableW+b.NICW+t.MediaW), text
	}
	ends, switches := w.floor.Loads(b)
	most, rest := 0.0, b.SwitchW(w.size)+t.CableW+b.NICW+t.MediaW
	for _, watts := range switches {
		rest -= watts
	}
	for i := range ends {
		share := float64(ends[i])
		most = max(most, s.BuildingW(share*(1+float64(spares)/n), switches[i]+rest*share/n))
	}
	return most, fmt.Sprintf("%s, of the building of %d that draws most; modules by its share of endpoints, spare ones too", text, len(ends))
}

func (w *work) costMetrics(o *market.Order, t *market.Total) {
	w.res.Plan.BOM, w.res.Unpriced = w.e.market.Lines(t), t.Unpriced
	weeks, text := market.LeadTime(w.res.Plan.BOM)
	if limit := w.e.opt.Site.LeadWeeks; limit > 0 && weeks > limit && w.e.market.MayBeFaster(o.Rates) {
		text += "; links have the slowest rate on sale that is fast enough, whatever is in stock: parts of a faster one, which are not tried, may come in time"
	}
	w.exact(metric.LeadTime, weeks, text)
	cost, why := w.e.market.Cost(o, t)
	if why != "" {
		w.absent(metric.Cost, why)
		w.absent(metric.CostPerEndpoint, why)
		return
	}
	text = "bill of materials: switches, cables, modules"
	if w.e.opt.CountNICs {
		text += ", NICs"
	}
	if w.e.opt.CountScaleup {
		text += ", scale-up switches and cables"
	}
	if w.e.market.PricesVary() {
		text += "; parts that are the cheapest together at the prices of the totals, of those tried"
	}
	if share := w.cheaper / w.e.market.Minor() / cost; w.cheaper > 0 && cost > 0 {
		text += fmt.Sprintf("; links of a class and length have one kind of cable: no mix of kinds is more than %.2g %% cheaper", 100*share)
	}
	w.exact(metric.Cost, cost, text)
	w.exact(metric.CostPerEndpoint, cost/float64(w.size.Endpoints), text)
}
