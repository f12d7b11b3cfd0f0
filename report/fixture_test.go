package report

import (
	"fmt"
	"math"
	"math/big"

	"toposearch/catalog"
	"toposearch/evaluator"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/stream"
)

var fixtureFamilies = []string{"zcube", "zettafly3", "zettafly4", "dragonflyplus", "fullmesh", "multirail"}

// fixture is a report of n made-up designs with the shape of a real run: a trade-off between cost,
// latency and throughput, intervals, missing figures, simulations that agree, differ and
// contradict, and details for the first six.
func fixture(n int) *Data {
	rng := stream.New(7, "report fixture")
	d := &Data{
		Study: "1k training pod", Program: "0.1.0", Evaluator: "1", Seed: 1, Currency: "USD", BandwidthGbps: 400,
		Wanted: "1,024 to 1,152 endpoints at 400 Gb/s",
		Asked:  []Fact{{"Endpoints", "1,024 to 1,152"}, {"Bandwidth of an endpoint", "400 Gb/s, all its ports together"}, {"Endpoints in a server", "8"}},
		Objectives: []Objective{{Key: metric.Cost, Better: metric.Lower}, {Key: metric.Latency, Better: metric.Lower},
			{Key: metric.UniformThroughput, Better: metric.Higher}},
		Families: fixtureFamilies, Strategy: "enumerate", Complete: true,
		Counts: Counts{Enumerated: big.NewInt(2_348_213), Dominated: big.NewInt(301_442), Evaluated: 4120, Feasible: 388},
		Limits: []Limit{
			{Name: "building.power", Key: metric.BuildingPower, Max: true, Bound: 2e6, Text: "2 MW", Origin: "site.toml:21:17"},
			{Name: "procurement.cost", Key: metric.Cost, Max: true, Bound: 12e6, Text: "12 MUSD", Origin: "procurement.toml:3:16"},
			{Name: "cable.reach", Key: metric.CableMax, Max: true, Bound: 50, Text: "50 m", Origin: "site.toml:12:17"},
			{Name: "require.sim_saturation", Key: metric.SimSaturation, Bound: 0.6, Text: "0.6", Origin: "study.toml:44:28", Require: true},
		},
		Inputs: []Input{{"study.toml", "6f1e4e3a5a0d0a4b33a0f3d4f2b7c1f0f8c3f51f33b7f4f58bd8a1bb0f1f4d55"},
			{"site.toml", "b1e8f7a0c9d2e3f405162738495a6b7c8d9eafb0c1d2e3f405162738495a6b7c"}},
		Catalogue: "builtin 2026-01", PricesUntil: "2026-12-31",
		Warnings: []string{"Prices of 400 Gb/s parts are derived from the survey’s laws, not quoted."},
		Reject: []Rejection{{Constraint: "endpoints.count", Doc: "outside the endpoints asked for", Count: big.NewInt(1_904_011), Text: "1,024 to 1,152", Origin: "study.toml:8:1"},
			{Constraint: "switch.ports", Count: big.NewInt(131_300), Text: "64", Origin: "site.toml:5:17"},
			{Constraint: "building.power", Count: big.NewInt(8012), Text: "2 MW", Origin: "site.toml:21:17"},
			{Constraint: "cable.reach", Count: big.NewInt(3060), Text: "50 m", Origin: "site.toml:12:17"}},
		Closest: []Closest{{Family: "zettafly4", Design: "zettafly4(a=4,p=4,h=5)", Violation: 0.08, Exhausted: true,
			Misses: []Miss{{"building.power", metric.BuildingPower, true, 2.16e6, 2e6, "site.toml:21:17", false, ""}},
			Relax:  []Relaxation{{"building.power", metric.BuildingPower, true, 2e6, 2.16e6, "zettafly4(a=4,p=4,h=5)", "site.toml:21:17"}}},
			{Family: "fullmesh", Exhausted: true}},
	}
	for i, f := range fixtureFamilies {
		d.Counts.Families = append(d.Counts.Families, FamilyCounts{f, big.NewInt(391_368), big.NewInt(391_368), int64(600 + i), int64(60 + i), n / 6, true})
	}
	for i := range n {
		d.Points = append(d.Points, fixturePoint(i, n, rng.Float64()))
	}
	fixtureSims(d)
	for i := range min(6, n) {
		d.Details = append(d.Details, fixtureDetail(i))
	}
	return d
}

func fixturePoint(i, n int, noise float64) Point {
	t := (float64(i) + 0.5) / float64(n)
	fam := fixtureFamilies[(i*7+i/3)%len(fixtureFamilies)]
	p := Point{Name: fmt.Sprintf("%s(a=%d,p=%d,h=%d)", fam, 4+i%9, 8+i, 3+i%5), Family: fam,
		Params: []Param{{"a", "switches in a group", fmt.Sprint(4 + i%9), false}, {"p", "endpoints at a switch", fmt.Sprint(8 + i), false},
			{"h", "global links of a switch", fmt.Sprint(3 + i%5), false}, {"s", "sub-networks", fmt.Sprint(4 + i%5), true}},
		Absent:     map[metric.Key]string{metric.Availability: "later", metric.MTBF: "later", metric.StepTime: "later"},
		Bottleneck: "global links limit uniform traffic", Finalist: i < 5}
	set := func(k metric.Key, v, lo, hi float64, method string) {
		p.Metrics[k] = metric.Figure{Value: v, Lo: lo, Hi: hi, Unit: metric.Keys[k].Unit, Method: method}
		p.Have[k] = true
	}
	exact := func(k metric.Key, v float64, method string) { set(k, v, v, v, method) }
	ends := float64(1024 + 8*(i%17))
	sw := math.Round(48 + 60*t + 20*noise)
	cost := math.Round(100*(4.1e6+7.6e6*t*t+3e5*noise)) / 100
	through := math.Round(1e4*(0.45+0.58*t+0.05*noise)) / 1e4
	exact(metric.Endpoints, ends, "closed form")
	exact(metric.Switches, sw, "closed form")
	exact(metric.SwitchLinks, sw*16, "closed form")
	exact(metric.EndpointLinks, ends*4, "closed form")
	exact(metric.Radix, 64, "closed form")
	exact(metric.PhysicalPorts, 64, "chosen model SW-64x400")
	exact(metric.MeanHops, 1.8+1.4*(1-t)*noise+0.3, "orbit representatives, bit-parallel search")
	exact(metric.MaxHops, 3, "orbit representatives, bit-parallel search")
	exact(metric.Latency, 1480+1900*math.Pow(1-t, 1.6)+40*noise, "mean over shortest routes; 400 ns a switch, 5 ns/m")
	set(metric.UniformThroughput, through, through, through, "natural routing lgl, exact loads")
	set(metric.Bisection, through*0.9, through*0.81, through*0.9, "spectral lower bound; cut found by refinement")
	set(metric.MeanPathLinksFail, 4.12+noise/7, 4.1, 4.31, "every single switch, by orbits")
	if i%11 != 10 {
		exact(metric.Cost, cost, "bill of materials")
		exact(metric.CostPerEndpoint, cost/ends, "bill of materials")
	} else {
		p.Absent[metric.Cost] = "unpriced: XCV-800-DR8"
	}
	exact(metric.Power, 61000+88000*t, "switches at full load, modules, no NICs")
	exact(metric.PowerPerEndpoint, (61000+88000*t)/ends, "power / endpoints")
	exact(metric.BuildingPower, 1.45e6+5.6e5*t, "(power + endpoints x endpoint_power) x pue")
	exact(metric.CableMax, 18+30*noise, "floor plan, stock lengths")
	exact(metric.CableTotal, 9000+31000*noise, "floor plan, stock lengths")
	exact(metric.CablesCopper, math.Round(1800*(1-t)), "floor plan, stock lengths")
	exact(metric.CablesOptical, math.Round(2400+900*t), "floor plan, stock lengths")
	exact(metric.Racks, 34+math.Round(8*t), "floor plan")
	exact(metric.FloorArea, 180+40*t, "floor plan")
	exact(metric.VCsMinimal, float64(2+i%2), "dependency check on the network itself")
	return p
}

// fixtureSims simulates the first five: the fourth differs, the fifth contradicts.
func fixtureSims(d *Data) {
	for i := range min(5, len(d.Points)) {
		p := &d.Points[i]
		pred := p.Value(metric.UniformThroughput)
		s := &Sim{Agrees: i < 3, Contradicts: i == 4, Cycles: 20000, VCs: 4, Routing: "natural (lgl)"}
		for j, name := range []string{"uniform", "worst"} {
			sat := pred * (0.93 - 0.28*float64(j))
			t := Traffic{Name: name, Saturation: sat, Predicted: pred * (1 - 0.25*float64(j)), LatencyHalf: 36.2 + float64(5*j),
				ZeroLoad: 29.4 + float64(j), PredictedZero: 28.5}
			for k := range 6 {
				load := sat * (float64(k) + 0.5) / 5.2
				lat := t.ZeroLoad * (1 + 0.35*load/sat/math.Max(0.06, 1-load/sat))
				t.Curve = append(t.Curve, CurvePoint{load, math.Min(load, sat), lat, lat * 2.3, load > sat})
			}
			s.Traffic = append(s.Traffic, t)
		}
		switch i {
		case 3:
			s.Notes = []string{"uniform: simulated saturation 0.41 is 18 % below the predicted 0.50; tolerance 10 %."}
		case 4:
			s.Notes = []string{"worst: simulated saturation 0.71 lies above the certified upper bound 0.62."}
		}
		p.Sim = s
		p.Metrics[metric.SimSaturation] = metric.Figure{Value: s.Traffic[0].Saturation, Lo: s.Traffic[0].Saturation * 0.98, Hi: s.Traffic[0].Saturation * 1.02, Unit: "1", Method: "flit-level, uniform"}
		p.Have[metric.SimSaturation] = true
	}
}

func fixtureDetail(i int) Detail {
	sw := &catalog.Part{PartNo: "SW-64x400", Kind: catalog.KindSwitch, Ports: 64, Vendor: "survey", Description: "64 ports of 400 Gb/s", Derived: true, LeadWeeks: 26, MOQ: 1}
	dac := &catalog.Part{PartNo: "DAC-400-3", Kind: catalog.KindCable, Description: "passive copper 400G, 3 m", Derived: true, LeadWeeks: 8}
	xcv := &catalog.Part{PartNo: "XCV-400-DR4", Kind: catalog.KindTransceiver, Description: "400G DR4", LeadWeeks: 16}
	fib := &catalog.Part{PartNo: "FIB-SMF-30", Kind: catalog.KindFibre, Description: "single-mode fibre 30 m", LeadWeeks: 3}
	f := floor.Summary{Racks: 40, Rows: 4, PerRow: 10, WidthM: 6, DepthM: 12}
	for r := range f.Racks {
		f.Kind = append(f.Kind, uint8([]int{0, 0, 0, 2, 1}[r%5]))
	}
	plan := &evaluator.Plan{LaneGbps: 400, Floor: f,
		Switches: []evaluator.SwitchBuy{{Class: "leaf", Part: sw, Count: 48, PhysicalPorts: 61}, {Class: "spine", Part: sw, Count: 24, PhysicalPorts: 64}},
		Classes: []evaluator.CableClass{
			{Link: "nic", Gbps: 400, Medium: "dac-passive", Copper: true, StockM: 2, Count: 640, MaxM: 1.9},
			{Link: "nic", Gbps: 400, Medium: "dac-passive", Copper: true, StockM: 3, Count: 384, MaxM: 2.8},
			{Link: "local", Gbps: 400, Medium: "smf-os2", StockM: 10, Count: 512, MaxM: 8.4},
			{Link: "local", Gbps: 400, Medium: "smf-os2", StockM: 20, Count: 256, MaxM: 17.6},
			{Link: "global", Gbps: 400, Medium: "smf-os2", StockM: 30, Count: 1024, MaxM: 27.4}},
		BOM: []market.Line{
			{Part: sw, Quantity: 72, Order: 72, Unit: 3_180_800, Total: 72 * 3_180_800, Currency: "USD", Priced: true, UsedIn: "leaf, spine"},
			{Part: dac, Quantity: 1024, Order: 1030, Unit: 38_100, Total: 1030 * 38_100, Currency: "USD", Priced: true, UsedIn: "nic"},
			{Part: xcv, Quantity: 3584, Order: 3584, Unit: 98_050, Total: 3584 * 98_050, Currency: "USD", Priced: true, UsedIn: "local, global"},
			{Part: fib, Quantity: 1792, Order: 1792, Unit: 6_400, Total: 1792 * 6_400, Currency: "USD", Priced: true, UsedIn: "local, global"}},
	}
	det := Detail{Point: i, Title: "Zettafly with three levels of switches", Source: "Zhang et al., HPCA 2026", VCReason: "channels are taken in the order up, down", Plan: plan, Supply: supplyOf(plan.BOM), Dir: fmt.Sprintf("designs/d%d", i)}
	det.Notes = []string{"prices continued along a law, not quoted: SW-64x400, DAC-400-3", "prices as of 2026-01-15"}
	if i == 2 {
		det.Unpriced = []string{"XCV-800-DR8"}
	}
	return det
}

// supplyOf keeps two spares of everything.
func supplyOf(lines []market.Line) (out []market.Supply) {
	for _, l := range lines {
		out = append(out, market.Supply{Spares: 2, Order: l.Order + 2, Unit: l.Unit, Total: l.Total + 2*l.Unit, LeadWeeks: l.Part.LeadWeeks})
	}
	return out
}
