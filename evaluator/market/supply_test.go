package market

import (
	"testing"

	"toposearch/catalog"
)

// TestEnough compares spares with the table of the Poisson distribution: the smallest k with P(X <= k) >= 0.95.
func TestEnough(t *testing.T) {
	for mean, want := range map[float64]int64{0: 0, 0.05: 0, 0.06: 1, 0.35: 1, 0.36: 2, 1: 3, 2: 5, 5: 9, 10: 15, 100: 117, 10_000: 10_165} {
		if got := enough(mean); got != want {
			t.Errorf("mean %g: %d, want %d", mean, got, want)
		}
	}
}

// TestSupply: spares by failures in the lead time, by share, and none; what packs leave over are spares, and a price break
// that the spares reach lowers the price of all.
func TestSupply(t *testing.T) {
	list := &catalog.Catalogue{Parts: []catalog.Part{
		{PartNo: "S", Kind: catalog.KindSwitch, RateGbps: 400, Ports: 64, UnitPrice: 1000, Priced: true, Currency: "USD", Approved: true, LeadWeeks: 26, MOQ: 1, Pack: 1,
			PriceBreaks: []catalog.PriceBreak{{From: 12, Price: 900}}},
		{PartNo: "T", Kind: catalog.KindTransceiver, RateGbps: 400, Medium: "mmf-om4", UnitPrice: 100, Priced: true, Currency: "USD", Approved: true, LeadWeeks: 1, Pack: 100},
		{PartNo: "F", Kind: catalog.KindFibre, Medium: "mmf-om4", LengthM: 5, UnitPrice: 10, Priced: true, Currency: "USD", Approved: true},
	}}
	lines := func(m *Market) []Line {
		var out []Line
		for i, n := range []int64{10, 230, 50} {
			l, ok := m.ordered(&list.Parts[i], n)
			if !ok {
				t.Fatal("no line")
			}
			out = append(out, l)
		}
		return out
	}
	rates := map[string]float64{"S": 2.0 / (10 * 26 * 168), "T": 5.0 / (230 * 2 * 168)} // means 2 in the lead time of S, 5 in the two weeks that count for T
	for _, c := range []struct {
		spares        float64
		switches      int64
		order, total  [3]int64
		modules, wire int64
	}{
		{0, 5, [3]int64{15, 300, 50}, [3]int64{15 * 900, 300 * 100, 500}, 9, 0},
		{0.02, 1, [3]int64{12, 300, 51}, [3]int64{12 * 900, 300 * 100, 510}, 5, 1}, // 12 at 900 cost less than 11 at 1000
		{0.5, 5, [3]int64{15, 400, 75}, [3]int64{15 * 900, 400 * 100, 750}, 115, 25},
		{NoSpares, 0, [3]int64{10, 300, 50}, [3]int64{10 * 1000, 300 * 100, 500}, 0, 0},
	} {
		m, err := New(Options{Catalog: list, Currency: "USD", Spares: c.spares})
		if err != nil {
			t.Fatal(err)
		}
		got := m.Supply(lines(m), func(p *catalog.Part) float64 { return rates[p.PartNo] })
		if got[0].Spares != c.switches || got[1].Spares != c.modules || got[2].Spares != c.wire {
			t.Errorf("spares = %g: %d, %d, %d, want %d, %d, %d", c.spares, got[0].Spares, got[1].Spares, got[2].Spares, c.switches, c.modules, c.wire)
		}
		for i := range got {
			if got[i].Order != c.order[i] || int64(got[i].Total) != c.total[i] {
				t.Errorf("spares = %g, line %d: %d for %d, want %d for %d", c.spares, i, got[i].Order, got[i].Total, c.order[i], c.total[i])
			}
		}
	}
}
