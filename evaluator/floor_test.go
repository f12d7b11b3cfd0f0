package evaluator

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/topology/topotest"
)

// TestLengthByHand: racks (0,0) and row 1, place 3, with pitches 0.6 and 2.4 m, 1 m up to the tray
// at each end and 10 % slack: 3 x 0.6 + 2.4 + 2 = 6.2, 6.82 with slack, bought as 7 m.
func TestLengthByHand(t *testing.T) {
	s := floor.Site{RackPitchM: 0.6, RowPitchM: 2.4, RiseM: 1, Slack: 0.10, InRackM: 2}
	m := s.LengthM(3, 1, false)
	if math.Abs(m-6.82) > 1e-12 {
		t.Errorf("length = %.9g m, want 6.82", m)
	}
	e := newEvaluator(t, Options{})
	sp := e.market.SpeedOf(400)
	if sp == nil {
		t.Fatal("the built-in catalogue has no 400 Gb/s")
	}
	if got := sp.Steps[sp.Step(m)].StockM; got != 7 {
		t.Errorf("a cable of %.4g m is bought as %g m, want 7", m, got)
	}
	if got := s.LengthM(0, 0, false); got != 2 {
		t.Errorf("in a rack: %g m, want 2", got)
	}
	s.BuildingDistM = 300
	if got, want := s.LengthM(1, 0, true), (0.6+2+300)*1.1; math.Abs(got-want) > 1e-9 {
		t.Errorf("between buildings: %g m, want %g", got, want)
	}
}

// TestScheduleMatchesPlan: streaming every cable one by one gives the counts, lengths and parts
// of the plan; ports are used once; racks hold what limits allow; every box stands once.
func TestScheduleMatchesPlan(t *testing.T) {
	racing.Figures(t)
	sites := []floor.Site{{}, {RackSwitches: 3, Rows: 2}, {RackPowerW: 20e3, EndpointPowerW: 1000}, {Buildings: 2, BuildingDistM: 50}, {RackServers: 1}}
	for _, f := range families() {
		if f.Place == nil || f.Unidirectional {
			continue
		}
		rng := rngOf("schedule " + f.Name)
		for _, site := range sites {
			e := newEvaluator(t, Options{BandwidthGbps: 400, Site: site})
			for _, d := range topotest.Sample(f, rng, few(3), 400) {
				r := evaluate(t, e, d, Request{Level: 1})
				var cables []floor.Cable
				err := e.EachCable(d, func(c floor.Cable) bool { cables = append(cables, c); return true })
				if r.Plan == nil {
					if err == nil && !strings.Contains(r.Absent[metric.Cost], "ask for level 2") { // its construction takes long
						t.Errorf("%s: no plan (%v), but a schedule", d, r.Reject)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s: %v", d, err)
					continue
				}
				checkSchedule(t, r, cables)
				checkSockets(t, r, cables)
				checkRacks(t, e, r, cables)
			}
		}
	}
}

func checkSchedule(t *testing.T, r *Result, cables []floor.Cable) {
	t.Helper()
	type kind struct {
		link   string
		stock  float64
		medium string
		part   *catalog.Part
	}
	count, laid := map[kind]int64{}, map[kind]float64{}
	type socket struct {
		box  int64
		port int
	}
	used := map[socket]bool{}
	take := func(sw topology.SwitchID, ep topology.EndpointID, port int) {
		s := socket{int64(sw), port}
		if sw < 0 {
			s.box = -1 - int64(ep)
		}
		if used[s] {
			t.Errorf("%s: port %d of switch %d, endpoint %d is used twice", r.Design, port, sw, ep)
		}
		used[s] = true
	}
	for i, c := range cables {
		if c.ID != i+1 {
			t.Fatalf("%s: cable %d has number %d", r.Design, i+1, c.ID)
		}
		k := kind{c.Link, c.StockM, c.Medium, c.Part}
		count[k]++
		laid[k] = max(laid[k], c.LaidM)
		if c.StockM < c.LaidM {
			t.Errorf("%s: cable %d of %g m is laid over %g m", r.Design, c.ID, c.StockM, c.LaidM)
		}
		take(c.FromSwitch, c.Endpoint, c.FromPort)
		take(c.ToSwitch, c.ToEndpoint, c.ToPort)
	}
	var planned int64
	for _, c := range r.Plan.Classes {
		k := kind{c.Link, c.StockM, c.Medium, c.Parts.Items[0].Part}
		if count[k] != c.Count || laid[k] != c.MaxM {
			t.Errorf("%s: %s cables of %g m %s: %d up to %g m in the schedule, %d up to %g m in the plan",
				r.Design, c.Link, c.StockM, c.Medium, count[k], laid[k], c.Count, c.MaxM)
		}
		planned += c.Count
	}
	if planned != int64(len(cables)) {
		t.Errorf("%s: %d cables in the schedule, %d in the plan", r.Design, len(cables), planned)
	}
}

type place struct{ rack, pos int }

func checkRacks(t *testing.T, e *Evaluator, r *Result, cables []floor.Cable) {
	t.Helper()
	switches, circuits := map[topology.SwitchID]place{}, int64(0)
	servers := map[topology.EndpointID]place{}
	racks, last := 0, -1
	site := e.Options().Site
	err := e.EachRack(r.Design, func(k floor.Rack) bool {
		racks++
		if k.Number <= last {
			t.Errorf("%s: rack %d follows rack %d", r.Design, k.Number, last)
		}
		last = k.Number
		fl := r.Plan.Floor
		if k.Number != k.Building*fl.PerBuilding+k.Row*fl.PerRow+k.Place || k.Row >= fl.Rows || k.Place >= fl.PerRow {
			t.Errorf("%s: rack %d says row %d, place %d of building %d", r.Design, k.Number, k.Row, k.Place, k.Building)
		}
		if k.Kind != fl.Kind[k.Number] || k.Kind == floor.RackNone {
			t.Errorf("%s: rack %d is of kind %d and %d", r.Design, k.Number, k.Kind, fl.Kind[k.Number])
		}
		boxes, ends, last := 0, int64(0), 0
		for i, b := range k.Boxes {
			if b.Shared {
				if boxes--; b.Pos != last || b.Class != k.Boxes[i-1].Class {
					t.Errorf("%s: rack %d: switch %d shares no box", r.Design, k.Number, b.Switch)
				}
			} else if b.Pos != last+1 {
				t.Errorf("%s: rack %d: box %d is at position %d", r.Design, k.Number, i+1, b.Pos)
			}
			last = b.Pos
			if b.Switch >= 0 {
				boxes++
				if int64(b.Switch) >= r.Size.AllSwitches() {
					circuits++
				}
				if _, twice := switches[b.Switch]; twice {
					t.Errorf("%s: switch %d stands twice", r.Design, b.Switch)
				}
				switches[b.Switch] = place{k.Number, b.Pos}
				continue
			}
			ends += int64(b.End - b.First)
			for ep := b.First; ep < b.End; ep++ {
				if _, twice := servers[ep]; twice {
					t.Errorf("%s: endpoint %d stands twice", r.Design, ep)
				}
				servers[ep] = place{k.Number, b.Pos}
			}
		}
		if strings.HasPrefix(fl.Note, "racks as the construction has them") {
			return true // TestOwnRacks
		}
		if boxes > site.RackSwitches {
			t.Errorf("%s: rack %d holds %d switches, limit %d", r.Design, k.Number, boxes, site.RackSwitches)
		}
		if ends > int64(site.RackServers*e.Options().PerServer) {
			t.Errorf("%s: rack %d holds %d endpoints", r.Design, k.Number, ends)
		}
		return true
	})
	if err != nil {
		t.Error(err)
	}
	if int64(len(switches)) != r.Size.Switches()+r.Size.Spares()+circuits || int64(len(servers)) != r.Size.Endpoints {
		t.Errorf("%s: racks hold %d switches and %d endpoints, want %d and %d", r.Design, len(switches), len(servers), r.Size.Switches(), r.Size.Endpoints)
	}
	if racks != r.Plan.Floor.Racks {
		t.Errorf("%s: %d racks hold something, the plan counts %d", r.Design, racks, r.Plan.Floor.Racks)
	}
	split := false
	for ep, at := range servers {
		first := ep - ep%topology.EndpointID(e.Options().PerServer)
		split = split || servers[first].rack != at.rack
	}
	if said := r.Plan.Floor.Split != ""; said != split {
		t.Errorf("%s: a server stands in two racks: %v, the plan says %q", r.Design, split, r.Plan.Floor.Split)
	}
	checkEnds(t, r, cables, func(sw topology.SwitchID, ep topology.EndpointID) place {
		if sw < 0 {
			return servers[ep]
		}
		return switches[sw]
	})
}

// checkEnds: every cable ends where its boxes stand.
func checkEnds(t *testing.T, r *Result, cables []floor.Cable, stands func(topology.SwitchID, topology.EndpointID) place) {
	t.Helper()
	for _, c := range cables {
		from, to := stands(c.FromSwitch, c.Endpoint), stands(c.ToSwitch, c.ToEndpoint)
		if from != (place{c.FromRack, c.FromPos}) || to != (place{c.ToRack, c.ToPos}) {
			t.Errorf("%s: cable %d runs %v to %v, its boxes stand at %v and %v", r.Design, c.ID,
				place{c.FromRack, c.FromPos}, place{c.ToRack, c.ToPos}, from, to)
		}
	}
}

// TestReject: what cannot be bought is named with how far it is missed, and metrics that need the
// part say why they are absent.
func TestReject(t *testing.T) {
	for _, c := range []struct {
		opt        Options
		design     string
		constraint string
		got, bound float64
	}{
		{Options{BandwidthGbps: 400, Site: floor.Site{Limits: market.Limits{MaxSwitchPorts: 32, SwitchPortGbps: 400}}}, "fattree(k=64,l=2)", metric.RejectPorts, 64, 32},
		// 100 ports of 400 Gb/s, or 50 of 800 split in two: of the model that lacks fewest, for its size.
		{Options{BandwidthGbps: 400, Catalog: portsOf("16x400", "64x400", "32x800;64x400")}, "fattree(k=100,l=2)", metric.RejectPorts, 100, 64},
		{Options{BandwidthGbps: 400, Catalog: portsOf("16x400", "60x400", "32x800;64x400")}, "fattree(k=100,l=2)", metric.RejectPorts, 50, 32},
		// Its ToRs have ports of 200 and of 400 Gb/s.
		{Options{BandwidthGbps: 400, Catalog: portsOf("128x200", "128x400")}, "hpn(k=16,g=4,segments=2)", metric.RejectRates, 2, 1},
		{Options{BandwidthGbps: 400, Site: floor.Site{Limits: market.Limits{ReachM: 5}}}, "fattree(k=32,l=3)", metric.RejectReach, 0, 5},
		{Options{BandwidthGbps: 4000}, "fattree(k=8,l=2)", metric.RejectRate, 4000, 800},
		{Options{BandwidthGbps: 400, Site: floor.Site{RackPowerW: 5000, EndpointPowerW: 1000}}, "fattree(k=8,l=2)", metric.RejectRack, 8160, 5000},
	} {
		e := newEvaluator(t, c.opt)
		r := evaluate(t, e, parse(t, c.design), Request{Level: 1})
		if r.Reject.Constraint != c.constraint || c.got != 0 && r.Reject.Got != c.got || r.Reject.Bound != c.bound || r.Reject.Violation() <= 0 {
			t.Errorf("%s: rejected by %+v (violation %g), want %s %g %g", c.design, r.Reject, r.Reject.Violation(), c.constraint, c.got, c.bound)
		}
		if r.Have[metric.Cost] || r.Absent[metric.Cost] != r.Reject.Words() {
			t.Errorf("%s: cost %v, absent %q, want %q", c.design, r.Metrics[metric.Cost], r.Absent[metric.Cost], r.Reject.Words())
		}
		if !r.Have[metric.Endpoints] || !r.Have[metric.MeanHops] {
			t.Errorf("%s: counts or hops are absent though no part is needed for them", c.design)
		}
		err := e.EachCable(parse(t, c.design), func(floor.Cable) bool { return true })
		if !errors.Is(err, floor.ErrNoPlan) {
			t.Errorf("%s: schedule: %v, want ErrNoPlan", c.design, err)
		}
	}
}

// portsOf is the built-in price list with switches of these modes in place of its own.
func portsOf(modes ...string) *catalog.Catalogue {
	c := *catalog.Builtin()
	c.Parts = slices.DeleteFunc(slices.Clone(c.Parts), func(p catalog.Part) bool { return p.Kind == catalog.KindSwitch })
	for i, m := range modes {
		p := catalog.Part{PartNo: m, Kind: catalog.KindSwitch, Approved: true, Priced: true, UnitPrice: catalog.Money(1000 * (i + 1)), Currency: "USD"}
		for _, mode := range strings.Split(m, ";") {
			var b catalog.Breakout
			if _, err := fmt.Sscanf(mode, "%dx%d", &b.Count, &b.Gbps); err != nil {
				panic(err)
			}
			p.Breakouts = append(p.Breakouts, b)
		}
		p.Ports, p.RateGbps = p.Breakouts[0].Count, p.Breakouts[0].Gbps
		c.Parts = append(c.Parts, p)
	}
	return &c
}

// survey is the price list of the survey's table 3 in the smallest catalogue that has it: a 200G
// port at 497 USD and 6.75 W, half of that for 100G, cables at 246, 1350, 159 and 751 USD, any
// length, modules of 4.5 and 3 W, and a NIC of 20 W without a price.
func survey() *catalog.Catalogue {
	c := &catalog.Catalogue{Name: "survey", Date: "2026-01-01"}
	add := func(p catalog.Part) {
		p.Currency, p.Approved, p.ValidFrom = "USD", true, "2026-01-01"
		c.Parts = append(c.Parts, p)
	}
	add(catalog.Part{PartNo: "SW", Kind: catalog.KindSwitch, RateGbps: 200, Ports: 64, Breakouts: []catalog.Breakout{{Count: 64, Gbps: 200}, {Count: 128, Gbps: 100}},
		UnitPrice: 64 * 49700, Priced: true, PowerW: 64 * 6.75})
	for _, k := range []struct {
		no    string
		gbps  int
		len   float64
		med   string
		price catalog.Money
		watts float64
	}{{"CU200", 200, 2, "dac-passive", 24600, 0}, {"OPT200", 200, 500, "aoc", 135000, 4.5},
		{"CU100", 100, 2, "dac-passive", 15900, 0}, {"OPT100", 100, 500, "aoc", 75100, 3}} {
		add(catalog.Part{PartNo: k.no, Kind: catalog.KindCable, RateGbps: k.gbps, LengthM: k.len, Medium: k.med, UnitPrice: k.price, Priced: true, PowerW: k.watts})
	}
	for _, g := range []int{100, 200} {
		add(catalog.Part{PartNo: "NIC" + map[int]string{100: "100", 200: "200"}[g], Kind: catalog.KindNIC, RateGbps: g, Ports: 2, PowerW: 20})
	}
	return c
}

// TestSurveyRows: with the survey's prices, cost and power per endpoint of its table 3 come out of
// real bills of materials where its idealised cable counts are exact: one copper cable in the rack
// per endpoint, everything else optical. Racks hold one switch each, so that no other link is
// short enough for copper.
func TestSurveyRows(t *testing.T) {
	for _, c := range []struct {
		design      string
		servers     int // in a rack: one block of endpoints with its switch
		cost, watts float64
	}{
		{"fattree(k=64,l=2)", 4, 3087, 49.25}, // 246 + 1350 + 3 x 497; 20 + 3 x 6.75 + 2 x 4.5
		{"fattree(k=64,l=3)", 4, 5431, 71.75}, // 246 + 2 x 1350 + 5 x 497; 20 + 5 x 6.75 + 4 x 4.5
		{"zcube(n=64,k=2)", 8, 2655, 45.5},    // 159 + 2 x 751 + 2 x 497; 20 + 2 x 6.75 + 4 x 3
	} {
		e := newEvaluator(t, Options{Catalog: survey(), BandwidthGbps: 200,
			Site: floor.Site{RackServers: c.servers, RackSwitches: 1, InRackM: 2}})
		r := evaluate(t, e, parse(t, c.design), Request{Level: 1})
		if got := value(t, r, metric.CostPerEndpoint); math.Abs(got-c.cost) > 1e-9 {
			t.Errorf("%s: cost per endpoint %.9g, want %g; %+v", c.design, got, c.cost, r.Plan.Classes)
		}
		if got := value(t, r, metric.PowerPerEndpoint); math.Abs(got-c.watts) > 1e-9 {
			t.Errorf("%s: power per endpoint %.9g, want %g", c.design, got, c.watts)
		}
	}
}

// TestUnpriced: a part without a price makes the cost absent, with its name, never 0.
func TestUnpriced(t *testing.T) {
	e := newEvaluator(t, Options{Catalog: survey(), BandwidthGbps: 200, CountNICs: true})
	r := evaluate(t, e, parse(t, "fattree(k=8,l=2)"), Request{Level: 1})
	if r.Have[metric.Cost] || r.Absent[metric.Cost] != "unpriced: NIC200" || len(r.Unpriced) != 1 || r.Unpriced[0] != "NIC200" {
		t.Errorf("cost %v, absent %q, unpriced %v", r.Metrics[metric.Cost], r.Absent[metric.Cost], r.Unpriced)
	}
	if !r.Have[metric.Power] || !r.Have[metric.CableTotal] {
		t.Error("power and cables are absent though they need no price")
	}
}

// TestPriceBreaks: the break is that of the total of a part over all classes.
func TestPriceBreaks(t *testing.T) {
	c := survey()
	sw := c.Part("SW")
	sw.PriceBreaks = []catalog.PriceBreak{{From: 12, Price: 1000000}}
	sw.MOQ, sw.Pack = 10, 5
	e := newEvaluator(t, Options{Catalog: c, BandwidthGbps: 200})
	// 8 leaves and 4 spines: 12 in all, though neither class reaches 12; packs of 5 make 15.
	r := evaluate(t, e, parse(t, "fattree(k=8,l=2)"), Request{Level: 1})
	l := r.Plan.BOM[0]
	if l.Part != c.Part("SW") || l.Quantity != 12 || l.Order != 15 || l.Unit != 1000000 || l.Total != 15000000 || l.UsedIn != "leaf, spine" {
		t.Errorf("bill of materials: %+v, want 12, ordered 15, at 10000.00 each", l)
	}
}

// TestRounding: a share that is not on sale is rounded up, the surplus is reported, and asking for
// nothing takes the rounded rates as the bandwidth.
func TestRounding(t *testing.T) {
	racing.Figures(t)
	d := parse(t, "zcube(n=4,k=3)") // three ports: 133.3 Gb/s each are bought as 200
	asked := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400}), d, Request{Level: 2})
	if p := asked.Plan; p.LinkGbps[0] != 200 || math.Abs(p.Surplus-0.5) > 1e-12 || p.BandwidthGbps != 400 || len(asked.Notes) == 0 {
		t.Errorf("plan: %v Gb/s, surplus %g, bandwidth %g, notes %v; want 200, 0.5, 400 and a note", p.LinkGbps, p.Surplus, p.BandwidthGbps, asked.Notes)
	}
	free := evaluate(t, newEvaluator(t, Options{}), d, Request{Level: 2})
	if p := free.Plan; p.BandwidthGbps != 600 || p.Surplus != 0 {
		t.Errorf("without --bandwidth: %g Gb/s, surplus %g; want 600 and 0", p.BandwidthGbps, p.Surplus)
	}
	u, v := value(t, asked, metric.UniformThroughput), value(t, free, metric.UniformThroughput)
	if math.Abs(u-1.5*v) > 1e-12 {
		t.Errorf("uniform_throughput %g of 400 Gb/s, %g of 600: want a ratio of 1.5", u, v)
	}
	if math.Abs(asked.LaneThroughput-v) > 1e-12 {
		t.Errorf("lane throughput %g, want %g", asked.LaneThroughput, v)
	}
}
