package selftest

import (
	"math/rand/v2"
	"slices"

	"toposearch/catalog"
	"toposearch/evaluator"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
)

// options draws what an evaluation depends on besides the design: for one in four the built-in list
// without limits, which rejects least.
func options(rng *rand.Rand) (opt evaluator.Options) {
	if rng.IntN(4) == 0 {
		return evaluator.Options{BandwidthGbps: 400, BoundUptime: true, BoundMoney: true, BoundGraph: true}
	}
	opt.BoundUptime, opt.BoundMoney, opt.BoundGraph = true, true, true
	opt.BandwidthGbps = []float64{0, 100, 200, 300, 400, 800, 1600}[rng.IntN(7)]
	opt.CountNICs = rng.IntN(2) == 0
	opt.PerServer = []int{0, 1, 4, 8, 16}[rng.IntN(5)]
	if rng.IntN(4) > 0 {
		opt.Catalog = priceList(rng)
	}
	opt.Site = site(rng)
	if rng.IntN(2) == 0 { // as a study has it
		opt.Algorithms, opt.MaxVCs = []string{evaluator.RoutingDeployed}, rng.IntN(7)
	}
	return opt
}

// site draws a building.
func site(rng *rand.Rand) floor.Site {
	some := func(x float64) float64 { // nothing, or something of its size
		if rng.IntN(2) == 0 {
			return 0
		}
		return x * (0.5 + rng.Float64())
	}
	s := floor.Site{RackPitchM: some(0.6), RowPitchM: some(3), RiseM: some(1), Slack: some(0.1), Rows: rng.IntN(2) * rng.IntN(12),
		RackPowerW: some(40e3), EndpointPowerW: some(900), RackSwitches: rng.IntN(2) * rng.IntN(20), RackServers: rng.IntN(2) * rng.IntN(8)}
	if s.EndpointPowerW > 0 {
		s.PUE = 1 + rng.Float64()/2
	}
	if rng.IntN(4) == 0 {
		s.Buildings, s.BuildingDistM = 2+rng.IntN(3), some(200)
	}
	if rng.IntN(6) == 0 {
		s.Limits = market.Limits{MaxSwitchPorts: []int{32, 64, 128}[rng.IntN(3)]}
	}
	s.NoBreakout = rng.IntN(8) == 0
	return s
}

// priceList is the built-in list with parts left out and everything else of them drawn again: prices,
// breaks, orders, stocks, lead times and power; some cables and modules serve two links. Some parts have no price.
func priceList(rng *rand.Rand) *catalog.Catalogue {
	builtin := catalog.Builtin()
	c := &catalog.Catalogue{Name: "random", Date: builtin.Date}
	for _, p := range builtin.Parts {
		if rng.IntN(6) == 0 {
			continue
		}
		p.PowerW *= 0.2 + 2*rng.Float64()
		p.LeadWeeks = float64(rng.IntN(60))
		if rng.IntN(5) == 0 {
			p.MOQ = 1 + rng.IntN(50)
		}
		if rng.IntN(5) == 0 {
			p.Pack = 1 + rng.IntN(20)
		}
		if rng.IntN(5) == 0 {
			p.Stock = rng.IntN(2000)
		}
		if (p.Kind == catalog.KindCable || p.Kind == catalog.KindTransceiver) && rng.IntN(6) == 0 { // for two links
			link := p.RateGbps
			p.RateGbps, p.Ports, p.Lanes = 2*link, 2, 2*p.Lanes
			if p.Kind == catalog.KindCable && rng.IntN(2) == 0 {
				p.Breakouts, p.PowerSplitW = []catalog.Breakout{{Count: 2, Gbps: link}}, float64(rng.IntN(2))*p.PowerW
			}
		}
		if p.Priced = p.Priced && rng.IntN(60) > 0; p.Priced {
			p.UnitPrice = max(1, p.UnitPrice*catalog.Money(20+rng.IntN(300))/100)
			p.PriceBreaks = nil
			for from, price := 2+rng.IntN(100), p.UnitPrice; rng.IntN(2) == 0 && price > 1; from += 1 + rng.IntN(5000) {
				price = max(1, price*catalog.Money(50+rng.IntN(50))/100)
				p.PriceBreaks = append(p.PriceBreaks, catalog.PriceBreak{From: from, Price: price})
			}
		}
		c.Parts = append(c.Parts, p)
	}
	return c
}

// renamed is a price list with other names of parts that sort as before, since among parts that are equal
// in everything the first by name is taken.
func renamed(c *catalog.Catalogue) *catalog.Catalogue {
	out := *c
	out.Name, out.Parts = "renamed", slices.Clone(c.Parts)
	for i := range out.Parts {
		out.Parts[i].PartNo = "x-" + out.Parts[i].PartNo
	}
	return &out
}

// flat is a price list in which nothing depends on length or quantity: the built-in one with a cable of a
// kilometre for each rate, and without breaks, orders and packs.
func flat() *catalog.Catalogue {
	builtin := catalog.Builtin()
	c := &catalog.Catalogue{Name: "flat", Date: builtin.Date}
	seen := map[int]bool{}
	for _, p := range builtin.Parts {
		p.PriceBreaks, p.MOQ, p.Pack = nil, 0, 0
		switch p.Kind {
		case catalog.KindTransceiver, catalog.KindFibre:
			continue
		case catalog.KindCable:
			if seen[p.RateGbps] || p.Ports != 1 {
				continue
			}
			seen[p.RateGbps] = true
			p.LengthM, p.Medium = 1000, "aoc"
		}
		c.Parts = append(c.Parts, p)
	}
	return c
}
