package evaluator

import (
	"context"
	"math"
	"slices"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// bulky is a list on which few cables serve each length, with breaks so deep, minimum orders and packs that
// the cheapest at quantity 1 often is not the cheapest; twin modules too.
func bulky() *catalog.Catalogue {
	c := *catalog.Builtin()
	c.Parts = nil
	for i, p := range catalog.Builtin().Parts {
		switch p.Kind {
		case catalog.KindCable, catalog.KindFibre:
			if p.LengthM > 0 && slices.Contains([]float64{1, 2, 4, 7, 15, 30, 100}, p.LengthM) || p.RateGbps == 800 {
				break
			}
			continue
		}
		if p.Kind == catalog.KindCable || p.Kind == catalog.KindFibre || p.Kind == catalog.KindTransceiver {
			p.PriceBreaks = []catalog.PriceBreak{{From: 30 + i%9*40, Price: p.UnitPrice * catalog.Money(25+i*13%70) / 100}}
			if i%5 == 0 {
				p.MOQ, p.Pack = 50, 1+i%7
			}
		}
		c.Parts = append(c.Parts, p)
	}
	return &c
}

// The cables chosen are no dearer than any other choice, as a plain search over all of them finds; the bill has
// them, and so has the schedule.
func TestCablesAreTheCheapestTogether(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400, Catalog: bulky()})
	if !e.market.CablesVary() {
		t.Fatal("prices of cables do not vary")
	}
	moved, compared := 0, 0
	for _, name := range []string{"fattree", "multirail", "dragonflyplus", "zettafly4", "torus", "hyperx", "slimfly"} {
		f, _ := family.ByName(name)
		for _, d := range topotest.Sample(f, stream.New(1, "wiring "+name), few(10), 900) {
			var s topology.Size
			if err := f.Size(d.V, &s); err != nil {
				t.Fatal(err)
			}
			res, err := e.Evaluate(context.Background(), d, Request{Level: 1})
			if err != nil {
				t.Fatal(err)
			}
			if res.Plan == nil || !res.Have[metric.Cost] {
				continue
			}
			billed, bought := 0.0, map[*catalog.Part]int64{}
			for _, l := range res.Plan.BOM {
				switch l.Part.Kind {
				case catalog.KindCable, catalog.KindFibre, catalog.KindTransceiver:
					billed += float64(l.Total)
					bought[l.Part] = l.Quantity
				}
			}
			least, one := cheapestWiring(t, e, d, &s)
			if math.IsNaN(least) {
				continue // too many to try
			}
			compared++
			if billed > least {
				t.Errorf("%s: cables for %g, the cheapest are %g", d, billed, least)
			}
			if billed < one {
				moved++
			}
			laid := map[*catalog.Part]int64{}
			if err := e.EachCable(d, func(c floor.Cable) bool {
				laid[c.Part]++
				if c.Modules != nil {
					laid[c.Modules] += 2
				}
				return true
			}); err != nil {
				t.Fatal(err)
			}
			for p, n := range laid {
				if bought[p] != n {
					t.Errorf("%s: the schedule has %d of %s, the bill %d", d, n, p.PartNo, bought[p])
				}
			}
		}
	}
	t.Logf("%d designs compared, %d cheaper than at unit prices", compared, moved)
	if compared < few(24) || moved < few(12) {
		t.Errorf("%d designs compared, %d cheaper than at unit prices: too few to tell", compared, moved)
	}
}

// cheapestWiring prices every choice of cables for the lengths of a design, NaN if they are too many; one is
// what the choice by unit prices costs.
func cheapestWiring(t *testing.T, e *Evaluator, d topology.Design, s *topology.Size) (least, one float64) {
	t.Helper()
	counts := map[[2]float64]int64{} // rate and length
	var keys [][2]float64
	var r market.Rates
	e.market.Rate(s, market.BoardSet(d.Family.Place(d.V).Boards), &r)
	index, err := e.opt.Catalog.Prepare(catalog.SwitchLimits{}, catalog.Reach{}, catalog.Currency{Code: "USD"})
	if err != nil {
		t.Fatal(err)
	}
	gbps := map[string]float64{}
	for c := range d.Family.LinkClasses {
		gbps[d.Family.LinkClasses[c].Name] = r.Link[c]
	}
	if err := e.EachCable(d, func(c floor.Cable) bool {
		k := [2]float64{gbps[c.Link], 0}
		for _, x := range index.Cablings(int(k[0])) { // lengths that the same cables serve are one
			if x.StockM >= c.LaidM {
				k[1] = x.StockM
				break
			}
		}
		if counts[k] == 0 {
			keys = append(keys, k)
		}
		counts[k]++
		return true
	}); err != nil {
		t.Fatal(err)
	}
	var sets [][]catalog.Cabling
	all := 1.0
	for _, k := range keys {
		var set []catalog.Cabling
		for _, x := range index.Cablings(int(k[0])) {
			if x.StockM >= k[1] && x.Priced() {
				set = append(set, x)
			}
		}
		sets = append(sets, set)
		all *= float64(len(set))
	}
	if all > 300_000 {
		return math.NaN(), 0
	}
	units := map[*catalog.Part]int64{}
	add := func(x *catalog.Cabling, n int64) {
		for _, it := range x.Items {
			if it.Part != nil {
				units[it.Part] += n * int64(it.Num)
			}
		}
	}
	price := func() (sum float64) {
		for p, n := range units {
			if n > 0 {
				each, order, _ := p.Price(int(n))
				sum += float64(each) * float64(order)
			}
		}
		return sum
	}
	least = math.Inf(1)
	var try func(k int)
	try = func(k int) {
		if k == len(sets) {
			least = min(least, price())
			return
		}
		for i := range sets[k] {
			add(&sets[k][i], counts[keys[k]])
			try(k + 1)
			add(&sets[k][i], -counts[keys[k]])
		}
	}
	try(0)
	for _, k := range keys {
		x, _ := index.ChooseCable(int(k[0]), k[1])
		add(&x, counts[k])
	}
	return least, price()
}

// Network cards, circuit switches and traces are the cheapest for as many as are bought.
func TestOtherPartsAreTheCheapestForSoMany(t *testing.T) {
	racing.Figures(t)
	list := *catalog.Builtin()
	list.Parts = slices.Clone(list.Parts)
	part := func(no, kind string, ports, rate int, medium string, price catalog.Money, from int, then catalog.Money) {
		list.Parts = append(list.Parts, catalog.Part{PartNo: no, Kind: kind, Ports: ports, RateGbps: rate, Medium: medium, PowerW: float64(10 + ports), UnitPrice: price,
			Priced: true, Currency: "USD", Approved: true, MOQ: 1, Pack: 1, PriceBreaks: []catalog.PriceBreak{{From: from, Price: then}}})
	}
	part("NIC-A", catalog.KindNIC, 1, 400, "", 100_000, 1000, 99_000)
	part("NIC-B", catalog.KindNIC, 1, 400, "", 120_000, 300, 70_000)
	part("OCS-A", catalog.KindOCS, 136, 0, "", 5_000_000, 200, 4_900_000)
	part("OCS-B", catalog.KindOCS, 320, 0, "", 13_000_000, 90, 4_000_000)
	part("TR-A", catalog.KindTrace, 0, 800, "pcb", 100, 100_000, 90)
	part("TR-B", catalog.KindTrace, 0, 800, "pcb", 130, 1_000, 50)
	e := newEvaluator(t, Options{BandwidthGbps: 400, Catalog: &list, CountNICs: true})
	for name, want := range map[string][]string{
		"fattree(k=8,l=3)":                     {"NIC-A"}, // 128 of them
		"fattree(k=16,l=3)":                    {"NIC-B"}, // 1024
		"tpuocs(x=1,y=1,z=1)":                  {"OCS-A"},
		"tpuocs(x=4,y=8,z=8)":                  {"OCS-B"},
		"hammingmesh(a=2,b=2,x=4,y=4,k=16)":    {"TR-A"},
		"hammingmesh(a=4,b=4,x=16,y=16,k=64)":  {"TR-B"},
		"dragonfly(p=4,a=8,h=4,g=6)":           {"NIC-A"}, // 192 cost less than the 300 that reach the break,
		"dragonfly(p=4,a=8,h=4,g=7)":           {"NIC-B"}, // 224 cost more than these,
		"dragonfly(p=4,a=8,h=4,g=10)":          {"NIC-B"}, // and 320 are beyond it
		"multirail(k=16,l=2,r=2,planes=1,d=8)": nil,
	} {
		d := parse(t, name)
		r, err := e.Evaluate(context.Background(), d, Request{Level: 1})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r.Plan == nil {
			t.Errorf("%s: no plan: %v", name, r.Reject)
			continue
		}
		for _, no := range want {
			if !slices.ContainsFunc(r.Plan.BOM, func(l market.Line) bool { return l.Part.PartNo == no }) {
				t.Errorf("%s: %s is not on the bill: %v", name, no, r.Absent[metric.Cost])
			}
		}
		for _, l := range r.Plan.BOM { // no other of the kind costs less for as many
			rate, ports := l.Part.RateGbps, l.Part.Ports
			for i := range list.Parts {
				p := &list.Parts[i]
				if p.Kind != l.Part.Kind || p.Kind != catalog.KindNIC || p.RateGbps != rate || p.Ports != ports || !p.Priced {
					continue
				}
				if each, order, _ := p.Price(int(l.Quantity)); each*catalog.Money(order) < l.Total {
					t.Errorf("%s: %d of %s cost more than of %s", name, l.Quantity, l.Part.PartNo, p.PartNo)
				}
			}
		}
		box := boxAround(e, &d, 2)
		if c := box.At[metric.Cost]; r.Have[metric.Cost] && box.Reject.Constraint == "" && (r.Metrics[metric.Cost].Value < c.Lo || r.Metrics[metric.Cost].Value > c.Hi) {
			t.Errorf("%s: its cost %g is outside the box's %v", name, r.Metrics[metric.Cost].Value, c)
		}
	}
}
