package evaluator

import (
	"math"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
)

// taperParts are a switch of so many ports, at 1,000 USD, and cables that reach everywhere: 100 USD at
// 200 Gb/s, 10 USD at 400.
func taperParts(ports int) *catalog.Catalogue {
	c := &catalog.Catalogue{Name: "tapers", Date: "2026-01-01"}
	for _, p := range []catalog.Part{
		{PartNo: "SW", Kind: catalog.KindSwitch, RateGbps: 400, Ports: ports, UnitPrice: 100_000,
			Breakouts: []catalog.Breakout{{Count: ports, Gbps: 400}, {Count: 2 * ports, Gbps: 200}}},
		{PartNo: "C200", Kind: catalog.KindCable, RateGbps: 200, LengthM: 500, Medium: "aoc", UnitPrice: 10_000},
		{PartNo: "C400", Kind: catalog.KindCable, RateGbps: 400, LengthM: 500, Medium: "aoc", UnitPrice: 1_000},
	} {
		p.Approved, p.ValidFrom, p.Currency, p.Priced = true, "2026-01-01", "USD", true
		c.Parts = append(c.Parts, p)
	}
	return c
}

// TestTapersByHand: counts, loads, cuts and bills of trees that taper, by hand. With x of n endpoints below a subtree (of a plane and group of hpn),
// which has u uplinks of a port's rate, a link that leaves it is full at u / (x (n-x) / (n-1)) of uniform traffic, and at u / x of
// traffic that leaves it all. Halves of the network, whole subtrees, are joined by u / x of what one of them sends. Where several levels taper
// the highest has the least in these; what leaves the levels below is in brackets.
//
//   - fattree(k=6,taper2=2:1): leaves 3 down, 3 up; second level 4 and 2. A pod: 4 leaves, 12 endpoints, 3 switches, 6 uplinks.
//     Two pods fill 2 switches of the top. Links: 8*3 of leaves, 6*2.
//   - fattree(k=8,taper2=3:1,taper3=3:1): 4 and 4, 6 and 2, 6 and 2. A pod: 36 leaves, 144 endpoints, 24 and 8 switches, 16 uplinks (24
//     endpoints below 4 switches of the second level with 8). Two pods fill 4 switches. Links: 72*4, 48*2, 16*2.
//   - roft(k=8,taper1=3:1,taper2=3:1): 6 and 2, 6 and 2. A pod: 6 leaves, 36 endpoints, 2 switches, 4 uplinks; four fill 2 switches. Links: 24*2, 8*2.
//   - roft(k=12,taper2=5:1): 6 and 6, 10 and 2. A pod: 10 leaves, 60 endpoints, 6 switches, 12 uplinks; two fill 2 switches. Links: 20*6, 12*2.
//   - multirail(k=8,taper2=3:1), two planes with a port at half of the rate of each endpoint: 4 and 4, 6 and 2. A pod of a plane: 6 leaves, 24
//     endpoints, 4 switches, 8 uplinks; four fill 4 switches. Links of a plane: 24*4, 16*2.
//   - multirail(k=8,taper2=3:1,f=2), both ports in one plane: half as many endpoints, of which each sends by two ports.
//   - hpn of two groups, 15:1 at the core: 15*8 ToRs of a plane and group, 128 ports down each and 60 up at twice the rate; 60 switches with
//     120 down and 8 up; 480 core links in the place of 960 ports; 8 core switches with 60 to each group. Links of a plane: 240*60, 120*8.
//   - hpn of four groups, 3:1: 9 ToRs of a plane and group, 12 down and 6 up; 6 switches with 9 down and 3 up; 18 core links in the place of 36
//     ports; 6 core switches with 3 to each group. Links of a plane: 36*6, 24*3.
//
// A switch costs 1,000 USD, a cable of 200 Gb/s 100, one of 400 10; links between switches of hpn have 400, ports of endpoints with two 200.
func TestTapersByHand(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		design                     string
		x, u                       float64
		endpoints, switches, links float64
		slow, fast                 float64 // cables
		ports                      int     // of the switch on sale
	}{
		{"fattree(k=6,l=3,taper2=2:1,pods=2)", 12, 6, 24, 8 + 6 + 2, 24 + 12, 0, 24 + 36, 6},
		{"fattree(k=8,l=4,taper2=3:1,taper3=3:1,pods=2)", 144, 16, 288, 72 + 48 + 16 + 4, 288 + 96 + 32, 0, 288 + 416, 8},
		{"roft(k=8,taper1=3:1,taper2=3:1,g=2,pods=4)", 36, 4, 144, 24 + 8 + 2, 48 + 16, 0, 144 + 64, 8},
		{"roft(k=12,taper2=5:1,g=2,pods=2)", 60, 12, 120, 20 + 12 + 2, 120 + 24, 0, 120 + 144, 12},
		{"multirail(k=8,l=3,taper2=3:1,r=2,planes=2,pods=4)", 24, 8, 96, 2 * (24 + 16 + 4), 2 * (96 + 32), 192 + 256, 0, 4},
		{"multirail(k=8,l=3,taper2=3:1,r=2,f=2,pods=4)", 12, 4, 48, 24 + 16 + 4, 96 + 32, 96 + 128, 0, 4},
		{"hpn(k=256,up=60,segments=15,groups=2,core=8)", 15360, 960, 30720, 2 * (240 + 120 + 8), 2 * (14400 + 960), 61440, 30720, 128},
		{"hpn(k=24,g=3,segments=3,up=6,groups=4,core=3)", 108, 36, 432, 2 * (36 + 24 + 6), 2 * (216 + 72), 864, 576, 12},
	} {
		d := parse(t, c.design)
		r := evaluate(t, newEvaluator(t, Options{Catalog: taperParts(c.ports), BandwidthGbps: 400}), d, Request{Level: 3, Keys: []metric.Key{metric.Endpoints, metric.Switches, metric.SwitchLinks,
			metric.UniformThroughput, metric.WorstThroughput, metric.Bisection, metric.Cost, metric.CablesOptical}})
		n := c.endpoints
		for _, m := range []struct {
			key  metric.Key
			want float64
		}{
			{metric.Endpoints, n}, {metric.Switches, c.switches}, {metric.SwitchLinks, c.links},
			{metric.UniformThroughput, c.u * (n - 1) / (c.x * (n - c.x))}, {metric.WorstThroughput, c.u / c.x}, {metric.Bisection, c.u / c.x},
			{metric.CablesOptical, c.slow + c.fast}, {metric.Cost, 1000*c.switches + 100*c.slow + 10*c.fast},
		} {
			if got := value(t, r, m.key); math.Abs(got-m.want) > 1e-9*m.want {
				t.Errorf("%s: %s = %.9g, want %.9g", d, metric.Keys[m.key].Name, got, m.want)
			}
		}
	}
}
