package evaluator

import (
	"fmt"
	"math"
	"strings"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
	"toposearch/topology"
)

var planGroup = group{
	keys: []metric.Key{metric.Cost, metric.CostPerEndpoint, metric.Power, metric.PowerPerEndpoint, metric.BuildingPower, metric.CableMax, metric.CableTotal,
		metric.CablesCopper, metric.CablesOptical, metric.Racks, metric.FloorArea, metric.LeadTime},
	methods: []method{{name: "bill of materials", level: 1, applies: func(w *work) string {
		switch {
		case w.res.Reject.Constraint != "":
			return w.res.Reject.Words()
		case !w.placed:
			return "the design has no placement"
		case !w.sellsAny():
			return "nothing in it is a part that is sold"
		}
		return ""
	}, cost: func(w *work) float64 {
		sum := 4 * float64(w.size.AllSwitches())
		for c := range w.d.Family.LinkClasses {
			sum += 5 * float64(w.size.Link[c])
		}
		return sum
	}, quick: 1e10, run: runPlan}},
}

// sellsAny tells whether the design has a switch or a cable at all: a bus has neither, and its
// cost is unknown, not 0.
func (w *work) sellsAny() bool {
	if w.size.Switches() > 0 {
		return true
	}
	for c := range w.d.Family.LinkClasses {
		if w.size.Link[c] > 0 && w.rates.kind[c] == linkBought {
			return true
		}
	}
	return false
}

// purchase is what a placed design needs, before prices.
type purchase struct {
	switches [topology.MaxClasses]catalog.SwitchChoice
	nic      *catalog.Part
	rivals   []*catalog.Part // of which nic is the cheapest for so many
	nics     int64           // of all endpoints
	noNIC    float64         // Gb/s of the ports for which no NIC is on the list; 0 if there is one, or none is needed
	switchW  float64
	nicW     float64
	cableW   float64
	mediaW   float64 // of what links need that are no cable
	missing  string  // such things that the price list does not have
}

func runPlan(w *work) error {
	e, s := w.e, w.size
	var b purchase
	b.switches, _ = e.switches(s, &w.rates)
	e.chooseNICs(s, &w.rates, &b)
	var powerW [topology.MaxClasses]float64
	for i := range s.Family.SwitchClasses {
		if p := b.switches[i].Part; p != nil {
			powerW[i] = p.PowerW
			b.switchW += p.PowerW * float64(s.Switch[i].Count)
		}
	}
	floor, rej := planFloor(&e.opt.Site, s, &w.place, e.opt.PerServer, e.serverW(s, &b), &powerW)
	if rej.Constraint != "" {
		w.rejected(rej)
		return nil
	}
	w.floor = floor
	lay := newLayout(floor)
	defer lay.free()
	lay.stream(w.d, &w.rates)
	rs, rej := lay.gather(e, &w.rates)
	if rej.Constraint != "" {
		w.rejected(rej)
		return nil
	}
	e.chooseCables(s.Family, &w.rates, rs)
	w.res.Plan = w.plan(&b, floor, rs)
	if e.sharesCages(&w.rates, rs) {
		if err := w.countCages(); err != nil {
			return err
		}
		b.cableW += spareW(w.cages)
	}
	w.moduleW = b.cableW
	b.mediaW, b.missing = e.billMedia(s, &w.rates, nil)
	w.floorMetrics(rs)
	w.powerMetrics(&b)
	return w.costMetrics(&b, rs)
}

func (w *work) rejected(rej metric.Reject) {
	w.res.Reject = rej
	for _, k := range planGroupKeys() {
		w.absent(k, rej.Words())
	}
}

func planGroupKeys() []metric.Key {
	return []metric.Key{metric.Cost, metric.CostPerEndpoint, metric.Power, metric.PowerPerEndpoint, metric.BuildingPower, metric.CableMax, metric.CableTotal,
		metric.CablesCopper, metric.CablesOptical, metric.Racks, metric.FloorArea, metric.LeadTime}
}

// serverW is the draw of a server, its NICs included unless the figure is quoted all in.
func (e *Evaluator) serverW(s *topology.Size, b *purchase) float64 {
	each := e.opt.Site.EndpointPowerW + b.nicW/float64(s.Endpoints)
	if all := e.opt.Site.EndpointAllInW; all > 0 {
		each = all
	}
	return each * float64(e.opt.PerServer)
}

// chooseNICs finds the adapters for the nic ports of an endpoint; endpoints whose ports all face
// other endpoints have them on the chip.
func (e *Evaluator) chooseNICs(s *topology.Size, r *rates, b *purchase) {
	ports, class := nicPorts(s)
	if ports == 0 || e.noNICs {
		return
	}
	var c nicChoice
	if p := r.of[class]; p != nil && ports <= nicsKnown {
		c = p.nics[ports]
	} else {
		c = e.adapters(int(math.Ceil(r.link[class])), ports)
	}
	if c.part == nil {
		b.noNIC = r.link[class]
		return
	}
	b.nic, b.nics, b.rivals = c.part, int64(c.cards)*s.Endpoints, c.rivals
	if b.rivals != nil {
		b.nic = e.cheapestOf(b.rivals, b.nics)
		c.part = b.nic
	}
	b.nicW = c.part.PowerW * float64(b.nics)
}

// nicWhy says that there is no NIC, "" if there is.
func (b *purchase) nicWhy() string {
	if b.noNIC == 0 {
		return ""
	}
	return fmt.Sprintf("no NIC for %g Gb/s ports on the list", b.noNIC)
}

// nicPorts is the number of nic ports of an endpoint and the class of their links.
func nicPorts(s *topology.Size) (ports, class int) {
	f := s.Family
	if f.LinkClasses[0].Name == topology.ClassNic {
		return int(s.EndpointPorts), 0
	}
	for c := range f.LinkClasses {
		if f.LinkClasses[c].Name != topology.ClassNic {
			continue
		}
		sum := 0
		for i := range f.SwitchClasses {
			if f.SwitchClasses[i].Embedded {
				sum = max(sum, int(s.Switch[i].Ports[c]))
			}
		}
		if sum > 0 {
			ports += sum
			class = c
		}
	}
	return ports, class
}

// plan fills the part of the plan that needs no prices.
func (w *work) plan(b *purchase, floor *floorPlan, rs []runs) *Plan {
	f := w.d.Family
	p := &Plan{LaneGbps: w.rates.lane, Surplus: w.rates.surplus, BandwidthGbps: w.rates.bandwidth}
	n := len(f.LinkClasses)
	p.LinkGbps, p.MeanM = append([]float64(nil), w.rates.link[:n]...), make([]float64, n)
	if l := w.size.Lanes[0]; w.rates.kind[0] == linkBought && l > 0 {
		p.LaneGbps = w.rates.link[0] / float64(l)
	}
	p.Floor = Floor{Racks: int(floor.racks()), Rows: int(floor.rows), PerRow: int(floor.perRow),
		Buildings: int(floor.buildings), PerBuilding: int(floor.hall()),
		WidthM: float64(floor.perRow) * w.e.opt.Site.RackPitchM, DepthM: float64(floor.rows) * w.e.opt.Site.RowPitchM,
		Kind: floor.kinds()}
	if floor.crowded {
		p.Floor.Note = "switches that belong with endpoints do not fit into their racks and stand in network racks"
	}
	if floor.splitsServers() {
		p.Floor.Split = fmt.Sprintf("blocks of %d endpoints are not whole servers of %d: the plan divides some servers between two racks, as racks.csv shows; in the hall each stands in one, and some of its cables run to the next rack", floor.perBlock, floor.perServer)
	}
	for i := range f.SwitchClasses {
		if c := b.switches[i]; c.Part != nil {
			p.Switches = append(p.Switches, SwitchBuy{f.SwitchClasses[i].Name, c.Part, w.size.Switch[i].Count, c.PhysicalPorts})
		}
	}
	for _, r := range rs {
		cab := w.e.cabling(w.rates.link[r.class], r.far, r.step)
		if n := len(p.Classes); n > 0 && p.Classes[n-1].Link == f.LinkClasses[r.class].Name && p.Classes[n-1].Parts == *cab {
			p.Classes[n-1].Count += r.count
			p.Classes[n-1].MaxM = math.Max(p.Classes[n-1].MaxM, r.maxM)
			b.cableW += linkW(cab, &f.LinkClasses[r.class]) * float64(r.count)
			continue
		}
		p.Classes = append(p.Classes, CableClass{Link: f.LinkClasses[r.class].Name, Gbps: int(w.rates.link[r.class]),
			Medium: cab.Medium, Copper: cab.Copper, StockM: cab.StockM, Count: r.count, MaxM: r.maxM, Parts: *cab})
		b.cableW += linkW(cab, &f.LinkClasses[r.class]) * float64(r.count)
	}
	w.spans = spansOf(f, rs)
	for c := range n {
		p.MeanM[c] = w.spans[c].mean
	}
	return p
}

func (e *Evaluator) cabling(gbps float64, far bool, step int) *catalog.Cabling {
	if far {
		return &e.farOf(gbps).steps[step]
	}
	return &e.speedOf(gbps).steps[step]
}

func (w *work) floorMetrics(rs []runs) {
	const text = "cables laid on the floor plan, exact for it"
	var copper, optical int64
	longest, total := 0.0, 0.0
	for _, r := range rs {
		cab := w.e.cabling(w.rates.link[r.class], r.far, r.step)
		longest = max(longest, cab.StockM)
		total += cab.StockM * float64(r.count)
		if cab.Copper {
			copper += r.count
		} else {
			optical += r.count
		}
	}
	w.exact(metric.CableMax, longest, text+", stock length")
	w.exact(metric.CableTotal, total, text+", stock lengths")
	w.exact(metric.CablesCopper, float64(copper), text)
	w.exact(metric.CablesOptical, float64(optical), text)
	fl := &w.res.Plan.Floor
	w.exact(metric.Racks, float64(fl.Racks), "canonical floor plan")
	w.exact(metric.FloorArea, w.floor.area(), "rows x pitches of the canonical floor plan")
}

func (w *work) powerMetrics(b *purchase) {
	n := float64(w.size.Endpoints)
	why := b.nicWhy()
	if b.missing != "" {
		why = "not known: the draw of " + b.missing
	}
	if why != "" {
		for _, k := range []metric.Key{metric.Power, metric.PowerPerEndpoint, metric.BuildingPower} {
			w.absent(k, why)
		}
		if w.e.opt.Site.EndpointAllInW == 0 {
			return
		}
	} else {
		p := b.switchW + b.cableW + b.nicW + b.mediaW
		text := "switches at full load + modules + NICs"
		switch {
		case b.nic == nil && w.e.noNICs:
			text = "switches at full load + modules; the price list has no NICs: their watts are the endpoints'"
		case b.nic == nil:
			text = "switches at full load + modules; ports of the endpoints are on their chips"
		}
		w.exact(metric.Power, p, text)
		w.exact(metric.PowerPerEndpoint, p/n, text)
	}
	x, text := w.buildingW(b)
	w.exact(metric.BuildingPower, x, text)
}

func (w *work) costMetrics(b *purchase, rs []runs) error {
	f := w.d.Family
	bl := &bill{e: w.e}
	for i := range f.SwitchClasses {
		bl.add(b.switches[i].Part, w.size.Switch[i].Count, 1, 1, f.SwitchClasses[i].Name)
	}
	for _, r := range rs {
		bl.cables(w.e.cabling(w.rates.link[r.class], r.far, r.step), &f.LinkClasses[r.class], r.count, f.LinkClasses[r.class].Name)
	}
	bl.wholeParts(w.cages)
	w.e.billMedia(w.size, &w.rates, bl)
	if w.e.opt.CountNICs {
		bl.add(b.nic, b.nics, 1, 1, "endpoints")
	}
	lines, total, unpriced, err := bl.price()
	if err != nil {
		return err
	}
	w.res.Plan.BOM, w.res.Unpriced = lines, unpriced
	w.leadTime(lines)
	why := ""
	switch {
	case b.missing != "":
		why = "unpriced: " + strings.Join(append([]string{b.missing}, unpriced...), ", ")
	case len(unpriced) > 0:
		why = "unpriced: " + strings.Join(unpriced, ", ")
	case w.e.opt.CountNICs && b.noNIC > 0:
		why = b.nicWhy()
	}
	if why != "" {
		w.absent(metric.Cost, why)
		w.absent(metric.CostPerEndpoint, why)
		return nil
	}
	usd := unit.Money{Minor: int64(total), Currency: w.e.opt.Currency}.Major()
	text := "bill of materials: switches, cables, modules"
	if w.e.opt.CountNICs {
		text += ", NICs"
	}
	if w.e.breaks || w.e.wireBreaks {
		text += "; parts that are the cheapest together at the prices of the totals, of those tried"
	}
	w.exact(metric.Cost, usd, text)
	w.exact(metric.CostPerEndpoint, usd/float64(w.size.Endpoints), text)
	return nil
}
