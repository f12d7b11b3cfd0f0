package evaluator

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
)

// stockList is a list of cables and switches for single links of 400 Gb/s at a price, all of which come after 30 weeks.
func stockList(name string) (*catalog.Catalogue, func(kind, no string, ports int, price catalog.Money) *catalog.Part) {
	list := &catalog.Catalogue{Name: name}
	return list, func(kind, no string, ports int, price catalog.Money) *catalog.Part {
		p := catalog.Part{PartNo: no, Kind: kind, RateGbps: 400, Ports: ports, UnitPrice: price, Priced: true, Currency: "USD", Approved: true, LeadWeeks: 30}
		if kind == catalog.KindCable {
			p.Medium, p.LengthM, p.ReachM = "aoc", 100, 100
		}
		list.Parts = append(list.Parts, p)
		return &list.Parts[len(list.Parts)-1]
	}
}

// A part that comes in time is found behind any number of cheaper ones of which too few are in stock, for links and for switches of many classes.
func TestBehindManyShortStocks(t *testing.T) {
	list, add := stockList("many")
	for i := range 20 {
		add(catalog.KindCable, fmt.Sprintf("cable %02d", i), 1, catalog.Money(100+i)).Stock = 1
		add(catalog.KindSwitch, fmt.Sprintf("switch %02d", i), 64, catalog.Money(1000+i)).Stock = 1
	}
	add(catalog.KindCable, "in time", 1, 500).LeadWeeks = 2
	add(catalog.KindSwitch, "ready", 64, 5000).LeadWeeks = 2
	o := Options{BandwidthGbps: 400, Catalog: list}
	o.Site.LeadWeeks = 10
	d := parse(t, "fattree(k=4,l=4)")
	r := evaluate(t, newEvaluator(t, o), d, Request{Level: 1})
	weeks, cost := r.Metrics[metric.LeadTime].Value, r.Metrics[metric.Cost].Value
	links := int64(0)
	for _, n := range r.Size.Link[:len(d.Family.LinkClasses)] {
		links += n
	}
	if most := float64(r.Size.AllSwitches()*50 + links*5); weeks > 10 || cost > most { // all of what is never late
		t.Errorf("%s costs %g after %g weeks, want at most %g", d, cost, weeks, most)
	}
}

// A part of which the smallest order is more than what is in stock is not bought where it comes too late.
func TestSmallestOrderBeyondStock(t *testing.T) {
	list, add := stockList("orders")
	few := add(catalog.KindSwitch, "nine", 16, 1000)
	few.Stock, few.MOQ = 8, 9
	add(catalog.KindCable, "cable", 1, 100).LeadWeeks = 2
	faster := add(catalog.KindSwitch, "faster", 16, 9000)
	faster.RateGbps, faster.LeadWeeks = 800, 2
	faster = add(catalog.KindCable, "faster cable", 1, 900)
	faster.RateGbps, faster.LeadWeeks = 800, 2
	o := Options{BandwidthGbps: 400, Catalog: list}
	o.Site.LeadWeeks = 10
	r := evaluate(t, newEvaluator(t, o), parse(t, "ring(n=4)"), Request{Level: 1})
	if weeks, cost := r.Metrics[metric.LeadTime].Value, r.Metrics[metric.Cost].Value; weeks != 2 || cost != 4*90+8*9 {
		t.Errorf("a ring costs %g after %g weeks, want 432 after 2", cost, weeks)
	}
}

// Of parts that cost the same together those are bought that are bought whatever the order of the rows.
func TestTiesInAnyOrderOfRows(t *testing.T) {
	list, add := stockList("ties")
	add(catalog.KindSwitch, "switch", 16, 1000)
	add(catalog.KindCable, "thousands", 1, 90).MOQ = 1000 // the first that is tried
	for _, no := range []string{"a", "b", "c"} {
		add(catalog.KindCable, no, 1, 100)
	}
	d, texts := parse(t, "hyperx(s1=4,s2=4,t=4)"), []string(nil)
	for range 2 {
		r := evaluate(t, newEvaluator(t, Options{BandwidthGbps: 400, Catalog: list}), d, Request{Level: 1})
		text := ""
		for _, l := range r.Plan.BOM {
			text += fmt.Sprint(l.Quantity, " ", l.Part.PartNo, "; ")
		}
		texts = append(texts, text)
		slices.Reverse(list.Parts)
	}
	if texts[0] != texts[1] {
		t.Errorf("%s, and with the rows in reverse %s", texts[0], texts[1])
	}
}

// Where nothing comes in time a design costs what it costs without a limit: what is late in the fewest orders is no better.
func TestNothingInTime(t *testing.T) {
	cost := func(weeks float64, text string) (metric.Figure, bool) {
		o := Options{BandwidthGbps: 400}
		o.Site.LeadWeeks = weeks
		r := evaluate(t, newEvaluator(t, o), parse(t, text), Request{Level: 1})
		return r.Metrics[metric.Cost], r.Have[metric.Cost]
	}
	for _, text := range []string{"fattree(k=32,l=2,pods=4,d=31)", "fattree(k=8,l=3)", "dragonfly(p=4,a=8,h=4)", "zcube(n=6,k=2)", "torus(k1=4,k2=4,t=9)", "hpn(k=28,segments=1,groups=8,core=6)"} {
		any, ok := cost(0, text)
		if late, too := cost(0.5, text); !ok || !too || late.Value != any.Value {
			t.Errorf("%s costs %g (%t) where all is late, %g (%t) without a limit", text, late.Value, too, any.Value, ok)
		}
	}
}

// A bill that comes too late names the parts, how many are ordered, and how many are in stock; and that a faster rate may be in stock, which is not tried.
func TestShortStocksAreNamed(t *testing.T) {
	list, add := stockList("short")
	add(catalog.KindSwitch, "switch", 16, 1000).LeadWeeks = 2
	twin := add(catalog.KindCable, "twin", 2, 100)
	twin.RateGbps, twin.Stock = 800, 22
	for _, faster := range []bool{false, true} {
		if faster {
			fast := add(catalog.KindSwitch, "faster", 16, 9000)
			fast.RateGbps, fast.LeadWeeks = 800, 2
		}
		o := Options{BandwidthGbps: 400, Catalog: list}
		o.Site.LeadWeeks = 10
		// Twelve links to endpoints take a cable each, eleven between switches of which no two join the same a cable each as well.
		r := evaluate(t, newEvaluator(t, o), parse(t, "mesh(k1=12)"), Request{Level: 1})
		said := r.Metrics[metric.LeadTime].Method
		if r.Metrics[metric.LeadTime].Value != 30 || !strings.Contains(said, "stocks do not cover twin (23 ordered, 22 in stock, more in 30 weeks)") || strings.Contains(said, "parts of a faster one") != faster {
			t.Errorf("faster %t: %g weeks: %s", faster, r.Metrics[metric.LeadTime].Value, said)
		}
	}
}
