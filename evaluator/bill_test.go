package evaluator

import (
	"math"
	"slices"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
)

// twinParts is a list with a module for two ports, priced in another currency with a break.
func twinParts() *catalog.Catalogue {
	c := &catalog.Catalogue{Name: "twin", Date: "2026-01-01"}
	add := func(p catalog.Part) {
		p.Approved, p.ValidFrom = true, "2026-01-01"
		if p.Currency == "" {
			p.Currency = "USD"
		}
		c.Parts = append(c.Parts, p)
	}
	add(catalog.Part{PartNo: "SW", Kind: catalog.KindSwitch, RateGbps: 400, Ports: 8, Breakouts: []catalog.Breakout{{Count: 8, Gbps: 400}, {Count: 16, Gbps: 200}},
		UnitPrice: 100000, Priced: true, PowerW: 100, LeadWeeks: 20, Stock: 1})
	add(catalog.Part{PartNo: "XM", Kind: catalog.KindTransceiver, RateGbps: 800, Lanes: 8, Ports: 2, ReachM: 50, Medium: "mmf-om4", UnitPrice: 9800, Priced: true,
		Currency: "EUR", PriceBreaks: []catalog.PriceBreak{{From: 10, Price: 9050}}, PowerW: 17, LeadWeeks: 40})
	add(catalog.Part{PartNo: "F5", Kind: catalog.KindFibre, LengthM: 5, Medium: "mmf-om4", UnitPrice: 1234, Priced: true, LeadWeeks: 30, Stock: 100})
	add(catalog.Part{PartNo: "DAC200", Kind: catalog.KindCable, RateGbps: 200, LengthM: 3, Medium: "dac-passive", UnitPrice: 10000, Priced: true})
	add(catalog.Part{PartNo: "NIC", Kind: catalog.KindNIC, RateGbps: 400, Ports: 1, PowerW: 20})
	return c
}

// TestBillByHand: a switch with 8 endpoints. Its 8 ports need 4 twin modules, the adapters one each:
// 12, priced at the break, 90.50 EUR at 1.087 USD, 98.37 USD; 8 fibres of 12.34 USD; the switch.
func TestBillByHand(t *testing.T) {
	opt := Options{Catalog: twinParts(), BandwidthGbps: 400, Rates: map[string]catalog.Rate{"EUR": 1_087_000_000}}
	d := parse(t, "crossbar(n=8)")
	r := evaluate(t, newEvaluator(t, opt), d, Request{Level: 1})
	for _, c := range []struct {
		key  metric.Key
		want float64
	}{
		{metric.Cost, 1000 + 12*98.37 + 8*12.34},
		{metric.Power, 100 + 12*17 + 8*20},
		{metric.LeadTime, 40}, // the modules; switch and fibres are in stock
		{metric.CablesOptical, 8}, {metric.CablesCopper, 0}, {metric.CableMax, 5}, {metric.CableTotal, 40},
	} {
		if got := value(t, r, c.key); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s = %.9g, want %.9g: %+v", metric.Keys[c.key].Name, got, c.want, r.Plan.BOM)
		}
	}
	// Level 0 encloses what an adapter's cage adds.
	var l bound.Ladder
	var in metric.Intervals
	size := r.Size
	newEvaluator(t, opt).Enclose(bound.One(d.V, &size), &l, &in)
	for _, k := range []metric.Key{metric.Cost, metric.Power, metric.LeadTime} {
		if x := value(t, r, k); in.Have[k] && (x < in.At[k].Lo || x > in.At[k].Hi) {
			t.Errorf("%s = %g is outside level 0's [%g, %g]", metric.Keys[k].Name, x, in.At[k].Lo, in.At[k].Hi)
		}
	}
}

// TestLeadTimeStock: an order is from stock only if all of it is; a part without a lead time is named, unless the list says "stock".
func TestLeadTimeStock(t *testing.T) {
	for _, c := range []struct {
		stock int
		weeks float64
		want  float64
		text  string
	}{{11, 40, 40, "2 of its parts from stock"}, {12, 40, 0, "3 of its parts from stock"}, {0, 0, 0, "gives none for 1 of its parts, which count as 0: XM"}} {
		parts := twinParts()
		m := parts.Part("XM")
		m.Stock, m.LeadWeeks = c.stock, c.weeks
		e := newEvaluator(t, Options{Catalog: parts, BandwidthGbps: 400, Rates: map[string]catalog.Rate{"EUR": 1_087_000_000}})
		r := evaluate(t, e, parse(t, "crossbar(n=8)"), Request{Level: 1})
		if got := value(t, r, metric.LeadTime); got != c.want || !strings.Contains(r.Metrics[metric.LeadTime].Method, c.text) {
			t.Errorf("%d modules in stock: lead_time = %g (%s), want %g (%s)", c.stock, got, r.Metrics[metric.LeadTime].Method, c.want, c.text)
		}
		if m.Ready = c.weeks == 0; m.Ready { // the list says that it takes none
			r = evaluate(t, newEvaluator(t, Options{Catalog: parts, BandwidthGbps: 400, Rates: map[string]catalog.Rate{"EUR": 1_087_000_000}}), parse(t, "crossbar(n=8)"), Request{Level: 1})
			if text := r.Metrics[metric.LeadTime].Method; value(t, r, metric.LeadTime) != 0 || strings.Contains(text, "gives none") {
				t.Errorf("delivered at once: %s", text)
			}
		}
	}
}

// TestLeadTimeLimit: the cheapest cable is bought unless it comes too late and none is in stock; then what comes in time is, at its price, and where
// nothing does there is nothing to buy.
func TestLeadTimeLimit(t *testing.T) {
	for _, c := range []struct {
		stock              int
		limit, cost, weeks float64 // cost 0: nothing is sold
	}{{0, 0, 1000 + 8*50, 12}, {0, 12, 1000 + 8*50, 12}, {0, 10, 1000 + 12*98.37 + 8*12.34, 9}, {8, 10, 1000 + 8*50, 0}, {0, 5, 0, 0}} { // at 5 weeks fibres are left, and no modules
		parts := twinParts()
		parts.Part("XM").LeadWeeks = 9
		parts.Parts = append(parts.Parts, catalog.Part{PartNo: "AOC", Kind: catalog.KindCable, RateGbps: 400, LengthM: 5, Medium: "aoc", UnitPrice: 5000, Priced: true, Currency: "USD", Approved: true,
			LeadWeeks: 12, Stock: c.stock})
		e := newEvaluator(t, Options{Catalog: parts, BandwidthGbps: 400, Rates: map[string]catalog.Rate{"EUR": 1_087_000_000}, Site: floor.Site{Limits: market.Limits{LeadWeeks: c.limit}}})
		r := evaluate(t, e, parse(t, "crossbar(n=8)"), Request{Level: 1})
		if c.cost == 0 {
			if r.Reject.Constraint != metric.RejectReach {
				t.Errorf("at most %g weeks: rejected by %q, want %q", c.limit, r.Reject.Constraint, metric.RejectReach)
			}
			continue
		}
		if cost, weeks := value(t, r, metric.Cost), value(t, r, metric.LeadTime); math.Abs(cost-c.cost) > 1e-9 || weeks != c.weeks {
			t.Errorf("at most %g weeks, %d in stock: %g after %g weeks, want %g after %g", c.limit, c.stock, cost, weeks, c.cost, c.weeks)
		}
	}
}

// TestSiteLimitsByHand: without breakout a 200 Gb/s link takes a whole port of 400; a reach below the
// only length of a medium leaves nothing to buy.
func TestSiteLimitsByHand(t *testing.T) {
	rates := map[string]catalog.Rate{"EUR": 1_087_000_000}
	d := parse(t, "crossbar(n=8)")
	split := evaluate(t, newEvaluator(t, Options{Catalog: twinParts(), BandwidthGbps: 200, Rates: rates}), d, Request{Level: 1})
	whole := evaluate(t, newEvaluator(t, Options{Catalog: twinParts(), BandwidthGbps: 200, Rates: rates, Site: floor.Site{Limits: market.Limits{NoBreakout: true}}}), d, Request{Level: 1})
	if a, b := value(t, split, metric.PhysicalPorts), value(t, whole, metric.PhysicalPorts); a != 4 || b != 8 {
		t.Errorf("physical ports of 8 links of 200 Gb/s: %g split, %g whole; want 4 and 8", a, b)
	}
	if split.Plan.LinkGbps[0] != 200 || whole.Plan.LinkGbps[0] != 400 {
		t.Errorf("links of %g and %g Gb/s, want 200 and 400", split.Plan.LinkGbps[0], whole.Plan.LinkGbps[0])
	}
	for medium, want := range map[string]string{"optical": metric.RejectReach, "mmf-om4": metric.RejectReach, "copper": ""} {
		e := newEvaluator(t, Options{Catalog: twinParts(), BandwidthGbps: 400, Rates: rates, Site: floor.Site{Limits: market.Limits{MediumReachM: map[string]float64{medium: 4}}}})
		if r := evaluate(t, e, d, Request{Level: 1}); r.Reject.Constraint != want {
			t.Errorf("%s up to 4 m: rejected for %q, want %q", medium, r.Reject.Constraint, want)
		}
	}
	// Between buildings only single-mode fibre will do, and the list has none: 9 groups of a server each
	// make three sections in two buildings, which a crossbar's one section is not.
	far := newEvaluator(t, Options{Catalog: twinParts(), BandwidthGbps: 400, Rates: rates, Site: floor.Site{Buildings: 2}})
	if r := evaluate(t, far, parse(t, "dragonfly(p=2,a=4,h=2)"), Request{Level: 1}); r.Reject.Constraint != metric.RejectReach {
		t.Errorf("two buildings without single-mode fibre: rejected for %q", r.Reject.Constraint)
	}
	if r := evaluate(t, far, d, Request{Level: 1}); r.Reject.Constraint != "" {
		t.Errorf("a crossbar in one of two buildings: rejected for %q", r.Reject.Constraint)
	}
}

// Odd ports have a module of their own, switch by switch. Three switches of five endpoints and two links
// each: seven ports take four modules, not three and a half, and the fifteen adapters one each.
func TestOddPortsByHand(t *testing.T) {
	opt := Options{Catalog: twinParts(), BandwidthGbps: 400, Rates: map[string]catalog.Rate{"EUR": 1_087_000_000}}
	e := newEvaluator(t, opt)
	d := parse(t, "complete(n=3,t=5)")
	r := evaluate(t, e, d, Request{Level: 1})
	const modules = 3*4 + 15
	for _, c := range []struct {
		key  metric.Key
		want float64
	}{
		{metric.Cost, 3*1000 + modules*98.37 + 18*12.34},
		{metric.Power, 3*100 + modules*17 + 15*20},
		{metric.CableTotal, 18 * 5},
	} {
		if got := value(t, r, c.key); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s = %.9g, want %.9g: %+v", metric.Keys[c.key].Name, got, c.want, r.Plan.BOM)
		}
	}
	var in metric.Intervals
	size := r.Size
	climb(e, d, &size, &in)
	for _, k := range []metric.Key{metric.Cost, metric.Power} {
		if x := value(t, r, k); x < in.At[k].Lo || x > in.At[k].Hi {
			t.Errorf("%s = %g is outside [%g, %g]", metric.Keys[k].Name, x, in.At[k].Lo, in.At[k].Hi)
		}
	}
}

// A cable for two links joins two boxes: links without a parallel take a whole one, those with one share it,
// and a port of an adapter is a cage. A splitter joins a switch to endpoints: between switches, of which each has a cage for two links, its
// single ends would take a cage each, and a cable for one link at 120 is bought. By hand, for three switches of five endpoints:
//
//	2 links a pair, straight:  15 nic cables + 3 pairs x 1
//	1 link a pair, straight:   15 + 3
//	3 links a pair, straight:  15 + 3 x 2, which fill (5 + 2 x 2) x 2 ports of a switch
//	2 links a pair, split:     5 nic links at each switch in 3 cables: 9, and 6 for one link
//	1 link a pair, split:      9, and 3
//
// Power: 3 W at either end of a straight cable, 2 W of one for one link; of a splitter 3 W at the end in the cage, and at each end in use
// what the list says of split ends, or their part of 3 W.
func TestCablesForSeveralLinksByHand(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		design      string
		split       bool
		splitW      float64
		cost, watts float64
	}{{"hyperx(s1=3,t=5,k1=2)", false, 0, 18 * 100, 18 * 6}, {"complete(n=3,t=5)", false, 0, 18 * 100, 18 * 6}, {"hyperx(s1=3,t=5,k1=3)", false, 0, 21 * 100, 21 * 6},
		{"hyperx(s1=3,t=5,k1=2)", true, 0, 9*100 + 6*120, 9*3 + 15*1.5 + 6*4}, {"complete(n=3,t=5)", true, 0, 9*100 + 3*120, 9*3 + 15*1.5 + 3*4},
		{"complete(n=3,t=5)", true, 2, 9*100 + 3*120, 9*3 + 15*2 + 3*4}} {
		parts := &catalog.Catalogue{Name: "two links", Parts: []catalog.Part{
			{PartNo: "SW", Kind: catalog.KindSwitch, RateGbps: 400, Ports: 18, Breakouts: []catalog.Breakout{{Count: 18, Gbps: 400}}, UnitPrice: 100000, Priced: true,
				PowerW: 100, Currency: "USD", Approved: true},
			{PartNo: "DAC", Kind: catalog.KindCable, RateGbps: 800, Ports: 2, LengthM: 30, Medium: "dac-active", PowerW: 3, UnitPrice: 10000, Priced: true, Currency: "USD", Approved: true}}}
		if c.split {
			parts.Parts = append(parts.Parts, catalog.Part{PartNo: "ONE", Kind: catalog.KindCable, RateGbps: 400, Ports: 1, LengthM: 30, Medium: "dac-active", PowerW: 2, UnitPrice: 12000, Priced: true,
				Currency: "USD", Approved: true})
			parts.Parts[1].Breakouts, parts.Parts[1].PowerSplitW = []catalog.Breakout{{Count: 2, Gbps: 400}}, c.splitW
		}
		e := newEvaluator(t, Options{Catalog: parts, BandwidthGbps: 400})
		d := parse(t, c.design)
		r := evaluate(t, e, d, Request{Level: 1})
		if got := value(t, r, metric.Cost); got != 3*1000+c.cost {
			t.Errorf("%s, split %v: cost %g, want 3000 + %g: %+v", d, c.split, got, c.cost, r.Plan.BOM)
		}
		if !slices.Contains(r.Notes, "DAC fills a cage of 800 Gb/s, and the price list has SW with ports of 400 Gb/s: ask the maker whether these share cages") {
			t.Errorf("%s, split %v: nothing is said of cages: %q", d, c.split, r.Notes)
		}
		if got := value(t, r, metric.Power); math.Abs(got-300-c.watts) > 1e-9 {
			t.Errorf("%s, split %v: power %g, want 300 + %g", d, c.split, got, c.watts)
		}
		var in metric.Intervals
		size := r.Size
		climb(e, d, &size, &in)
		for _, k := range []metric.Key{metric.Cost, metric.Power} {
			if x := value(t, r, k); in.Have[k] && (x < in.At[k].Lo || x > in.At[k].Hi) {
				t.Errorf("%s, split %v: %s = %g is outside [%g, %g]", d, c.split, metric.Keys[k].Name, x, in.At[k].Lo, in.At[k].Hi)
			}
		}
	}
}

// Where a part is in stock, and comes too late beyond that, another is bought for designs that need more. By hand: 64 links up take 128 modules of 80
// at 100 in stock, and are 64 optical cables at 220; 16 links take 32 modules and 16 fibres at 15.
func TestBeyondStockAnotherPartIsBought(t *testing.T) {
	part := func(no, kind string, price catalog.Money, weeks float64) catalog.Part {
		return catalog.Part{PartNo: no, Kind: kind, RateGbps: 400, Ports: 1, UnitPrice: 100 * price, Priced: true, Currency: "USD", Approved: true, LeadWeeks: weeks}
	}
	sw, near, far, module, fibre := part("SW", catalog.KindSwitch, 5000, 12), part("DAC", catalog.KindCable, 60, 2), part("AOC", catalog.KindCable, 220, 10),
		part("X", catalog.KindTransceiver, 80, 20), part("F", catalog.KindFibre, 15, 1)
	sw.Ports, sw.Breakouts = 16, []catalog.Breakout{{Count: 16, Gbps: 400}}
	near.LengthM, near.Medium, far.LengthM, far.Medium = 2, "dac-passive", 30, "aoc"
	module.ReachM, module.Medium, module.Stock, fibre.LengthM, fibre.Medium = 30, "mmf-om4", 100, 30, "mmf-om4"
	list := &catalog.Catalogue{Name: "stock", Parts: []catalog.Part{sw, near, far, module, fibre}}
	for _, c := range []struct {
		design string
		weeks  float64 // allowed
		cost   float64
		lead   float64
	}{{"fattree(k=16,l=2,pods=8)", 12, 12*5000 + 64*60 + 64*220, 12}, {"fattree(k=16,l=2,pods=8)", 0, 12*5000 + 64*60 + 128*80 + 64*15, 20},
		{"fattree(k=16,l=2,pods=4,d=12)", 12, 5*5000 + 48*60 + 32*80 + 16*15, 12}} {
		e := newEvaluator(t, Options{Catalog: list, BandwidthGbps: 400, Site: floor.Site{Limits: market.Limits{LeadWeeks: c.weeks}}})
		d := parse(t, c.design)
		r := evaluate(t, e, d, Request{Level: 1})
		if cost, lead := value(t, r, metric.Cost), value(t, r, metric.LeadTime); cost != c.cost || lead != c.lead {
			t.Errorf("%s in %g weeks: cost %g in %g, want %g in %g: %+v", d, c.weeks, cost, lead, c.cost, c.lead, r.Plan.BOM)
		}
		var in metric.Intervals
		size := r.Size
		climb(e, d, &size, &in)
		for _, k := range []metric.Key{metric.Cost, metric.LeadTime} {
			if x := value(t, r, k); in.Have[k] && (x < in.At[k].Lo || x > in.At[k].Hi) {
				t.Errorf("%s in %g weeks: %s = %g is outside [%g, %g]", d, c.weeks, metric.Keys[k].Name, x, in.At[k].Lo, in.At[k].Hi)
			}
		}
	}
}

// Plugs for two links fill a cage, also with one. By hand, switches of 8 cages of 800 Gb/s with 5 endpoints by splitters, and 5 links to each of 2 others: 3 cages of
// splitters, and 2 x 3 of cables that join two boxes by two links are 9; modules for two links, whose fibres lead anywhere, are 5, and 8 in all.
func TestPlugsForSeveralLinksFillCages(t *testing.T) {
	price := func(p catalog.Part) catalog.Part {
		p.UnitPrice, p.Priced, p.Currency, p.Approved = 10000, true, "USD", true
		return p
	}
	twice := []catalog.Breakout{{Count: 2, Gbps: 400}}
	parts := []catalog.Part{
		price(catalog.Part{PartNo: "SW", Kind: catalog.KindSwitch, RateGbps: 800, Ports: 8, Breakouts: []catalog.Breakout{{Count: 8, Gbps: 800}, {Count: 16, Gbps: 400}}}),
		price(catalog.Part{PartNo: "SPLIT", Kind: catalog.KindCable, RateGbps: 800, Ports: 2, Breakouts: twice, LengthM: 30, Medium: "dac-active"}),
	}
	straight := price(catalog.Part{PartNo: "TWO", Kind: catalog.KindCable, RateGbps: 800, Ports: 2, LengthM: 30, Medium: "dac-active"})
	module := price(catalog.Part{PartNo: "X", Kind: catalog.KindTransceiver, RateGbps: 800, Ports: 2, ReachM: 30, Medium: "mmf-om4"})
	fibre := price(catalog.Part{PartNo: "F", Kind: catalog.KindFibre, Ports: 1, LengthM: 30, Medium: "mmf-om4"})
	single := price(catalog.Part{PartNo: "ONE", Kind: catalog.KindCable, RateGbps: 400, Ports: 1, LengthM: 30, Medium: "dac-active"})
	single.UnitPrice = 30000
	quad := price(catalog.Part{PartNo: "FOUR", Kind: catalog.KindCable, RateGbps: 1600, Ports: 4, LengthM: 30, Medium: "dac-active"}) // 2 x 2 cages to each other switch
	unpriced := func(p catalog.Part) catalog.Part {
		p.UnitPrice, p.Priced = 0, false
		return p
	}
	draws := unpriced(single)
	draws.PowerW = 1 // of parts without a price that which draws less is preferred
	const want = "of class dim1 links have cables and modules for single links where those for several, which cost less, fill more physical ports of a switch than it has"
	for _, c := range []struct {
		parts  []catalog.Part
		reject metric.Reject
		says   bool
		cost   float64
	}{
		{[]catalog.Part{straight}, metric.Reject{Constraint: metric.RejectCages, Got: 9, Bound: 8}, false, 0},
		{[]catalog.Part{module, fibre}, metric.Reject{}, false, 100 * (3 + 3*3 + 3*5 + 3*5)}, // 5 modules at each switch, and 5 fibres between each two
		{[]catalog.Part{straight, single}, metric.Reject{}, true, 100*(3+3*3) + 300*15},      // 9 of the others cost 9 x 100
		{[]catalog.Part{module, fibre, quad}, metric.Reject{}, true, 100 * (3 + 3*3 + 3*5 + 3*5)},
		{[]catalog.Part{unpriced(straight), draws}, metric.Reject{}, true, 0},
	} {
		list := &catalog.Catalogue{Name: "plugs", Parts: append(slices.Clone(parts), c.parts...)}
		r := evaluate(t, newEvaluator(t, Options{Catalog: list, BandwidthGbps: 400}), parse(t, "hyperx(s1=3,t=5,k1=5)"), Request{Level: 1})
		if says := slices.Contains(r.Notes, want); says != c.says || r.Reject != c.reject || r.Have[metric.Cost] && r.Metrics[metric.Cost].Value != c.cost {
			t.Errorf("with %s: %v for %g, want %v for %g: %q", c.parts[len(c.parts)-1].PartNo, r.Reject, r.Metrics[metric.Cost].Value, c.reject, c.cost, r.Notes)
		}
		var in metric.Intervals
		climb(newEvaluator(t, Options{Catalog: list, BandwidthGbps: 400}), parse(t, "hyperx(s1=3,t=5,k1=5)"), &r.Size, &in)
		if x := r.Metrics[metric.Cost].Value; r.Have[metric.Cost] && (in.Reject != metric.Reject{} || x < in.At[metric.Cost].Lo || x > in.At[metric.Cost].Hi) {
			t.Errorf("with %s: %g is outside %v", c.parts[0].PartNo, x, in.At[metric.Cost])
		}
	}
}

// Of what can be plugged that is bought which comes in time. By hand, switches of 14 cages with 5 endpoints by splitters, 5 links to each of 2 others along one dimension and 3 to each of 2
// along the other: 3 + 2 x 3 + 2 x 2 cages where cables for two links join them, 13; there are 12, and as many are filled where either dimension has cables for single links. 72 of these
// for both cost 72 x 70, but 30 are in stock, which are enough for the 27 links of the second dimension: at 300 each, beside 27 of the others, the least that is sold of them.
func TestWhatCanBePluggedComesInTime(t *testing.T) {
	price := func(p catalog.Part) catalog.Part {
		p.UnitPrice, p.Priced, p.Currency, p.Approved = 10000, true, "USD", true
		return p
	}
	twice := []catalog.Breakout{{Count: 2, Gbps: 400}}
	one := price(catalog.Part{PartNo: "ONE", Kind: catalog.KindCable, RateGbps: 400, Ports: 1, LengthM: 30, Medium: "dac-active", Stock: 30, LeadWeeks: 20})
	one.UnitPrice, one.PriceBreaks = 30000, []catalog.PriceBreak{{From: 40, Price: 7000}}
	list := &catalog.Catalogue{Name: "plugs in time", Parts: []catalog.Part{one,
		price(catalog.Part{PartNo: "SW", Kind: catalog.KindSwitch, RateGbps: 800, Ports: 12, Breakouts: []catalog.Breakout{{Count: 12, Gbps: 800}, {Count: 24, Gbps: 400}}}),
		price(catalog.Part{PartNo: "SPLIT", Kind: catalog.KindCable, RateGbps: 800, Ports: 2, Breakouts: twice, LengthM: 30, Medium: "dac-active"}),
		price(catalog.Part{PartNo: "TWO", Kind: catalog.KindCable, RateGbps: 800, Ports: 2, LengthM: 30, Medium: "dac-active", MOQ: 27}),
	}}
	for _, c := range []struct{ limit, weeks, cost float64 }{{0, 20, 100*(9+9*3) + 70*72}, {10, 0, 100*(9+9*3+27) + 300*27}} {
		o := Options{Catalog: list, BandwidthGbps: 400}
		o.Site.LeadWeeks = c.limit
		r := evaluate(t, newEvaluator(t, o), parse(t, "hyperx(s1=3,s2=3,t=5,k1=5,k2=3)"), Request{Level: 1})
		if weeks, cost := r.Metrics[metric.LeadTime].Value, r.Metrics[metric.Cost].Value; !r.Have[metric.Cost] || weeks != c.weeks || cost != c.cost {
			t.Errorf("limit of %g weeks: %g USD in %g weeks, want %g in %g: %v %q", c.limit, cost, weeks, c.cost, c.weeks, r.Reject, r.Notes)
		}
	}
}

// Links that have cables for single links since these cost less are not said to have them for want of physical ports: those to endpoints, of which none shares a cable.
func TestOnlyWhatIsBarredIsSaid(t *testing.T) {
	part := func(p catalog.Part) catalog.Part {
		p.Priced, p.Currency, p.Approved = true, "USD", true
		return p
	}
	list := &catalog.Catalogue{Name: "barred", Parts: []catalog.Part{
		part(catalog.Part{PartNo: "SW", Kind: catalog.KindSwitch, RateGbps: 800, Ports: 8, Breakouts: []catalog.Breakout{{Count: 8, Gbps: 800}, {Count: 16, Gbps: 400}}}),
		part(catalog.Part{PartNo: "ONE", Kind: catalog.KindCable, RateGbps: 400, Ports: 1, LengthM: 30, Medium: "dac-active", UnitPrice: 9000}),
		part(catalog.Part{PartNo: "TWO", Kind: catalog.KindCable, RateGbps: 800, Ports: 2, LengthM: 30, Medium: "dac-active", UnitPrice: 10000}),
	}}
	r := evaluate(t, newEvaluator(t, Options{Catalog: list, BandwidthGbps: 400}), parse(t, "hyperx(s1=3,t=5,k1=5)"), Request{Level: 1})
	var said []string
	for _, n := range r.Notes {
		if strings.Contains(n, "for single links where those for several") {
			said = append(said, n)
		}
	}
	if len(said) != 1 || !strings.HasPrefix(said[0], "of class dim1 ") {
		t.Errorf("%q, rejected %v", said, r.Reject)
	}
}
