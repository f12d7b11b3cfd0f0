package route

import (
	"math"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/market"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// Four leaves of two endpoints under two spines: of the 7 others, one is on the same leaf, over 1 switch and 2
// links, and six are over 3 switches and 4 links. A leaf sends 2*6/7 over its 2 uplinks.
func TestByHand(t *testing.T) {
	d := familytest.Parse(t, "fattree(k=4,l=2)")
	m, err := market.New(market.Options{Catalog: catalog.Builtin(), Currency: "USD", BandwidthGbps: 400, ShortestM: 2})
	if err != nil {
		t.Fatal(err)
	}
	var s topology.Size
	if err := d.Family.Size(d.V, &s); err != nil {
		t.Fatal(err)
	}
	var r market.Rates
	m.Rate(&s, 0, &r)
	var p topology.Paths
	if !Natural(d.Family, d.V, &p) {
		t.Fatalf("%s has no closed form of its routes", d)
	}
	f := FiguresOf(&p.Sums)
	if got, want := f.MeanLinks(), 26./7; math.Abs(got-want) > 1e-12 || f.MaxLinks != 4 {
		t.Errorf("%s: mean links = %g, at most %d, want %g and 4", d, got, f.MaxLinks, want)
	}
	if l := Busiest(&s, &r, &p); !l.Limited || math.Abs(l.Throughput-7./6) > 1e-12 {
		t.Errorf("%s: %+v, want a throughput of 7/6", d, l)
	}
	l := LatencyModel{SwitchNs: 400, CableNsPerM: 5, MTUBytes: 4096}
	// One packet of 4096 B at 400 Gb/s; two cables of 2 m, and 12/7 of 5 m.
	want := 19./7*400 + 8*4096/400. + (2*2+12./7*5)*5
	if lo, hi := l.MeanNs(&s, &r, &p, []float64{2, 5, 5, 5, 5, 5}); lo != hi || math.Abs(lo-want) > 1e-9 {
		t.Errorf("%s: latency in [%g, %g], want %g", d, lo, hi, want)
	}
}

// Of 2^31 endpoints 2^62 pairs are 8 links apart: integers would wrap around to 0.
func TestFiguresOfMany(t *testing.T) {
	var f Figures
	f.Add(1<<61, 10, 8)
	f.Add(1<<61, 6, 4)
	if f.MeanLinks() != 8 || f.MeanHops() != 6 || f.MaxLinks != 10 {
		t.Errorf("mean links %g, mean hops %g, at most %d links; want 8, 6 and 10", f.MeanLinks(), f.MeanHops(), f.MaxLinks)
	}
}
