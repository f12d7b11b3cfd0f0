package evaluator

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/cluster"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/route"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology/topotest"
)

// someParts is a random part of a list: cables and fibres of other lengths, some parts missing, some with price
// breaks, other draws and lead times.
func someParts(rng *rand.Rand) *catalog.Catalogue {
	c := *catalog.Builtin()
	keep := 0.4 + 0.6*rng.Float64()
	c.Parts = nil
	for _, p := range catalog.Builtin().Parts {
		if p.Kind != catalog.KindNIC && rng.Float64() > keep {
			continue
		}
		if (p.Kind == catalog.KindCable || p.Kind == catalog.KindFibre) && rng.IntN(2) == 0 {
			p.LengthM *= 0.6 + 1.5*rng.Float64()
			p.ReachM = max(p.ReachM, p.LengthM)
		}
		if p.Priced && rng.IntN(3) == 0 {
			p.UnitPrice = p.UnitPrice*catalog.Money(30+rng.IntN(200))/100 + 1
			p.PriceBreaks = []catalog.PriceBreak{{From: 2 + rng.IntN(300), Price: p.UnitPrice * catalog.Money(20+rng.IntN(80)) / 100}}
		}
		if rng.IntN(20) == 0 {
			p.Priced, p.UnitPrice, p.PriceBreaks = false, 0, nil
		}
		p.PowerW *= 0.5 + rng.Float64()
		if rng.IntN(3) == 0 {
			p.HasAFR, p.AFR = true, 0.2*rng.Float64()
		}
		p.LeadWeeks = float64(rng.IntN(40))
		someSupply(rng, &p)
		c.Parts = append(c.Parts, p)
		if rng.IntN(8) == 0 { // a row of its own for the same part
			p.PartNo += "-twin"
			p.AFR *= rng.Float64()
			c.Parts = append(c.Parts, p)
		}
	}
	for _, kind := range []string{catalog.KindAccelerator, catalog.KindCPU, catalog.KindRack} {
		if rng.IntN(4) == 0 {
			continue
		}
		p := catalog.Part{PartNo: kind, Kind: kind, PowerW: 1000 * rng.Float64(), UnitPrice: catalog.Money(rng.IntN(4_000_000)), Priced: rng.IntN(9) > 0, Currency: "USD", Approved: true}
		if rng.IntN(3) == 0 {
			p.PriceBreaks = []catalog.PriceBreak{{From: 10 + rng.IntN(1000), Price: p.UnitPrice * catalog.Money(50+rng.IntN(50)) / 100}}
		}
		if rng.IntN(4) == 0 {
			p.Pack, p.MOQ = 1+rng.IntN(9), 1+rng.IntN(99)
		}
		c.Parts = append(c.Parts, p)
	}
	return &c
}

// someSupply draws what an order of a part is bound by, and for how many links it serves.
func someSupply(rng *rand.Rand, p *catalog.Part) {
	if rng.IntN(4) == 0 {
		p.Pack, p.MOQ = 1+rng.IntN(12), 1+rng.IntN(60)
	}
	if rng.IntN(3) == 0 {
		p.Stock = rng.IntN(800)
	}
	if (p.Kind == catalog.KindCable || p.Kind == catalog.KindTransceiver || p.Kind == catalog.KindFibre) && p.Ports <= 1 && rng.IntN(5) == 0 {
		n, link := []int{2, 2, 4, 8}[rng.IntN(4)], p.RateGbps
		p.RateGbps, p.Ports, p.Lanes = n*link, n, n*p.Lanes
		if p.Kind != catalog.KindTransceiver && rng.IntN(2) == 0 {
			p.Breakouts = []catalog.Breakout{{Count: n, Gbps: link}}
			p.PowerSplitW = float64(rng.IntN(2)) * p.PowerW
		}
	}
}

// someOptions are random options: site, prices, constants of latency, and routing.
func someOptions(rng *rand.Rand) Options {
	between := func(lo, hi float64) float64 { return lo + (hi-lo)*rng.Float64() }
	o := Options{Catalog: someParts(rng), BandwidthGbps: []float64{0, 100, 200, 400, 800, 1600}[rng.IntN(6)],
		PerServer: 1 + rng.IntN(9), CountNICs: rng.IntN(2) == 0, Routing: []string{"", "natural", "minimal", "valiant"}[rng.IntN(4)],
		Latency: route.LatencyModel{SwitchNs: between(50, 1500), RelayNs: between(20, 3000), NICNs: between(0, 800),
			CableNsPerM: between(3, 8), MTUBytes: 64 + rng.IntN(9000)},
		Site: floor.Site{RackPitchM: between(0.4, 1.5), RowPitchM: between(1, 5), RiseM: between(0, 3), Slack: between(0, 0.5),
			InRackM: between(0.3, 5), Rows: rng.IntN(9), RackSwitches: rng.IntN(40), RackServers: rng.IntN(12), EndpointPowerW: between(0, 1500)}}
	o.BoundUptime, o.BoundMoney, o.Cluster = true, true, someCluster(rng)
	if rng.IntN(4) == 0 {
		o.Site.RackPowerW = between(3e3, 80e3)
	}
	if rng.IntN(5) == 0 {
		o.Site.Buildings, o.Site.BuildingDistM = 2+rng.IntN(3), between(20, 250)
	}
	if rng.IntN(4) == 0 {
		o.Site.Limits = market.Limits{ReachM: between(3, 120), NoBreakout: rng.IntN(2) == 0, MaxSwitchPorts: 16 << rng.IntN(4)}
	}
	if rng.IntN(3) == 0 {
		o.Site.Limits.LeadWeeks = between(1, 39)
	}
	if rng.IntN(6) == 0 {
		o.Scaleup = true
	}
	return o
}

// someCluster fails and is repaired at random, with and without spares.
func someCluster(rng *rand.Rand) cluster.Options {
	c := cluster.Options{CPUsPerServer: rng.IntN(4) - 1, RepairH: map[string]float64{"": 10 * rng.Float64(), catalog.KindSwitch: 50 * rng.Float64()},
		AFR: map[string]float64{catalog.KindAccelerator: rng.Float64(), catalog.KindNIC: 0.1 * rng.Float64()}}
	if rng.IntN(2) == 0 {
		c.Group, c.Spares = 1+rng.IntN(100), 1+rng.IntN(3)
	}
	if rng.IntN(3) > 0 {
		c.TCO = &cluster.TCO{Years: 1 + 9*rng.Float64(), PerKWh: rng.Float64(), Maintenance: 0.2 * float64(rng.IntN(2)), Load: rng.Float64()}
	}
	if rng.IntN(2) == 0 {
		c.CheckpointH, c.RestartH = 0.1*rng.Float64(), rng.Float64()
	}
	if rng.IntN(5) == 0 {
		c.AFR[catalog.KindRack] = 0.01
	}
	return c
}

// For long samples: go test -run RandomEnclosures ./evaluator -random 200
var (
	random     = flag.Int("random", 0, "rounds of TestRandomEnclosures, 0 for as many as a quick test takes")
	randomSeed = flag.Uint64("random-seed", 9, "what they are drawn with")
)

// TestRandomEnclosures: under random price lists, sites and constants a box of designs, and each step of the ladder
// of one, encloses what level 1 computes.
func TestRandomEnclosures(t *testing.T) {
	racing.Figures(t)
	compared := 0
	rounds := few(20)
	if *random > 0 {
		rounds = *random
	}
	for i := range rounds {
		rng := stream.New(*randomSeed, "random enclosures", uint64(i))
		o := someOptions(rng)
		e, name := newEvaluator(t, o), fmt.Sprint("random options ", i)
		for _, f := range families() {
			for _, d := range topotest.Sample(f, rng, 2, 800) {
				compared += stepsEnclose(t, e, d, rng, name)
				boxEncloses(t, e, d, enclosed(e), rng, name)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d figures were compared", compared)
	}
	t.Logf("%d figures", compared)
}
