package catalog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"toposearch/internal/stream"
)

// randomCatalogue has parts of every kind with few distinct prices, so that ties are frequent.
func randomCatalogue(rng *rand.Rand) *Catalogue {
	c := &Catalogue{Name: "random"}
	price := func(p *Part) {
		p.Approved = rng.IntN(10) > 0
		p.Currency = []string{"USD", "EUR"}[rng.IntN(2)]
		if p.Priced = rng.IntN(8) > 0; p.Priced {
			p.UnitPrice = Money(1000 * (1 + rng.IntN(9)))
		}
	}
	rates := []int{100, 200, 400}
	for i := range 4 + rng.IntN(12) {
		p := Part{PartNo: fmt.Sprintf("S%d", i), Kind: KindSwitch, Ports: 4 << rng.IntN(4), RateGbps: rates[rng.IntN(3)], LeadWeeks: float64(rng.IntN(3))}
		for g, n := p.RateGbps, p.Ports; g >= 100 && rng.IntN(3) > 0; g, n = g/2, n*2 {
			p.Breakouts = append(p.Breakouts, Breakout{n, g})
		}
		price(&p)
		c.Parts = append(c.Parts, p)
	}
	media := []string{"dac-passive", "aoc", "mmf-om4", "smf-os2"}
	for i := range 30 {
		p := Part{PartNo: fmt.Sprintf("C%d", i), Ports: 1 + rng.IntN(2), LengthM: float64(1 + rng.IntN(20)), Medium: media[rng.IntN(4)]}
		rate := rates[rng.IntN(3)]
		p.RateGbps = rate * p.Ports
		if p.Ports > 1 && rng.IntN(2) == 0 {
			p.Breakouts = []Breakout{{p.Ports, rate}}
		}
		switch p.Kind = []string{KindCable, KindTransceiver, KindFibre}[rng.IntN(3)]; p.Kind {
		case KindTransceiver:
			p.ReachM, p.LengthM, p.Medium, p.PowerW = float64(5+rng.IntN(20)), 0, media[2+rng.IntN(2)], float64(rng.IntN(9))
		case KindFibre:
			p.RateGbps, p.Ports, p.Medium = 0, 1, media[2+rng.IntN(2)]
		}
		price(&p)
		c.Parts = append(c.Parts, p)
	}
	return c
}

var testRates = Currency{Code: "USD", Rates: map[string]Rate{"EUR": 1_100_000_000}}

// plainSwitch looks at every model in catalogue order.
func plainSwitch(c *Catalogue, needs []PortNeed, lim SwitchLimits) (best *Part, ports int) {
	key := func(p *Part) []float64 {
		m := p.unitIn(testRates)
		return []float64{float64(m), p.LeadWeeks, float64(p.Ports)}
	}
	for i := range c.Parts {
		p := &c.Parts[i]
		if p.Kind != KindSwitch || !p.Approved || lim.MaxPorts > 0 && p.Ports > lim.MaxPorts || lim.PortGbps > 0 && p.RateGbps != lim.PortGbps {
			continue
		}
		used := 0
		for _, n := range needs {
			if n.Count == 0 {
				continue
			}
			each := 0
			if n.Gbps == p.RateGbps {
				each = 1
			}
			for _, b := range p.Breakouts {
				if b.Gbps == n.Gbps && (b.Count == p.Ports || !lim.NoBreakout) {
					each = max(each, b.Count/p.Ports)
				}
			}
			if each == 0 {
				used = 1 << 30
				break
			}
			used += (n.Count + each - 1) / each
		}
		if used > p.Ports {
			continue
		}
		if best == nil || slices.Compare(key(p), key(best)) < 0 || slices.Equal(key(p), key(best)) && p.PartNo < best.PartNo {
			best, ports = p, used
		}
	}
	return best, ports
}

// plainCable tries every cable, and every module with every fibre.
func plainCable(c *Catalogue, gbps int, lengthM float64, r Reach) (price float64, stockM float64, ok bool) {
	try := func(p, stock float64) {
		if stock >= lengthM && (!ok || p < price || p == price && stock < stockM) {
			price, stockM, ok = p, stock, true
		}
	}
	legal := func(medium string, stock float64) bool {
		kind := "optical"
		if medium == "dac-passive" {
			kind = "copper"
		}
		most, limited := r.MediumM[kind]
		return (r.MaxM == 0 || stock <= r.MaxM) && (!limited || stock <= most) && (!r.SingleMode || medium == "smf-os2")
	}
	for i := range c.Parts {
		p := &c.Parts[i]
		if !p.Approved {
			continue
		}
		if p.Kind == KindCable && p.RateGbps/p.Ports == gbps && legal(p.Medium, p.LengthM) {
			whole := float64(p.unitIn(testRates)) // joins the same two boxes: chosen as though by one link
			if len(p.Breakouts) > 0 {
				whole /= float64(p.Ports)
			}
			try(whole, p.LengthM)
		}
		for j := range c.Parts {
			f := &c.Parts[j]
			if p.Kind == KindTransceiver && f.Kind == KindFibre && f.Approved && p.RateGbps/p.Ports == gbps && f.Medium == p.Medium && f.LengthM <= p.ReachM && legal(f.Medium, f.LengthM) {
				try(float64(p.unitIn(testRates))*2/float64(p.Ports)+float64(f.unitIn(testRates)), f.LengthM)
			}
		}
	}
	return price, stockM, ok
}

func TestIndexAgreesWithPlainSearch(t *testing.T) {
	for trial := range 150 {
		rng := stream.New(7, "catalog", uint64(trial))
		c := randomCatalogue(rng)
		lim := SwitchLimits{MaxPorts: []int{0, 8, 16}[rng.IntN(3)], PortGbps: []int{0, 0, 400}[rng.IntN(3)], NoBreakout: rng.IntN(3) == 0}
		r := Reach{MaxM: []float64{0, 12}[rng.IntN(2)], SingleMode: rng.IntN(4) == 0}
		if rng.IntN(2) == 0 {
			r.MediumM = map[string]float64{"copper": 3}
		}
		x, err := c.Prepare(lim, r, testRates)
		if err != nil {
			t.Fatal(err)
		}
		for range 40 {
			needs := []PortNeed{{[]int{100, 200, 400, 800}[rng.IntN(4)], 1 + rng.IntN(40)}}
			if rng.IntN(2) == 0 {
				needs = append(needs, PortNeed{[]int{100, 200, 400}[rng.IntN(3)], rng.IntN(20)})
			}
			want, ports := plainSwitch(c, needs, lim)
			got, ok := x.ChooseSwitch(needs)
			if ok != (want != nil) || ok && (got.Part != want || got.PhysicalPorts != ports) {
				t.Fatalf("trial %d: %v: %+v, want %+v with %d ports", trial, needs, got, want, ports)
			}
			if least, some := x.CheapestSwitch(needs); ok && got.Part.Priced && (!some || least > got.Part.unitIn(testRates)) {
				t.Fatalf("trial %d: %v: lower bound %d above %d", trial, needs, least, got.Part.UnitPrice)
			}
			gbps, m := needs[0].Gbps, float64(rng.IntN(22))
			price, stock, found := plainCable(c, gbps, m, r)
			cab, ok := x.ChooseCable(gbps, m)
			if ok != found {
				t.Fatalf("trial %d: %d Gb/s, %g m: found %v, want %v", trial, gbps, m, ok, found)
			}
			if each, _ := cab.price(testRates); ok && (each != price || cab.StockM != stock) {
				t.Fatalf("trial %d: %d Gb/s, %g m: %g for %g m, want %g for %g m", trial, gbps, m, each, cab.StockM, price, stock)
			}
		}
	}
}

func TestMixedCurrenciesNeedARate(t *testing.T) {
	c := read(t, plainHead+"A,switch,400,64,,,,1500,100.00,USD\nB,switch,400,64,,,,1500,95.00,EUR\n", LoadOptions{})
	_, err := c.Prepare(SwitchLimits{}, Reach{}, Currency{})
	var no *ErrNoRate
	if !errors.As(err, &no) || no.To != "USD" || !slices.Equal(no.Missing, []string{"EUR"}) {
		t.Errorf("no rate: %v", err)
	}
	for rate, want := range map[string]string{"1.0870": "A", "1.05": "B", "1.0527": "A"} { // 95 EUR are 100 USD at 1.05263...
		r, err := ParseRate(rate)
		if err != nil {
			t.Fatal(err)
		}
		x, err := c.Prepare(SwitchLimits{}, Reach{}, Currency{Code: "USD", Rates: map[string]Rate{"EUR": r}})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := x.ChooseSwitch([]PortNeed{{400, 1}}); got.Part.PartNo != want {
			t.Errorf("1 EUR = %s USD: %s, want %s", rate, got.Part.PartNo, want)
		}
	}
	// Half up, exactly: 0.05 EUR at 0.1 is 0.5 cent.
	cur := Currency{Code: "USD", Rates: map[string]Rate{"EUR": 100_000_000, "JPY": 6_500_000}}
	for _, w := range []struct {
		amount Money
		from   string
		want   Money
	}{{5, "EUR", 1}, {4, "EUR", 0}, {15, "EUR", 2}, {1000, "JPY", 650}, {77, "USD", 77}} {
		if got, ok := cur.Convert(w.amount, w.from); !ok || got != w.want {
			t.Errorf("%d %s = %d, want %d", w.amount, w.from, got, w.want)
		}
	}
	if _, err := ParseRate("0"); err == nil {
		t.Error("a rate of 0 was accepted")
	}
}

func TestUnpricedAndUnapproved(t *testing.T) {
	c := read(t, plainHead+"A,switch,400,64,,,,1500,,\nB,switch,400,32,,,,1500,95.00,USD\n", LoadOptions{})
	x := mustIndex(t, c, SwitchLimits{}, Reach{})
	if got, _ := x.ChooseSwitch([]PortNeed{{400, 10}}); got.Part.PartNo != "B" {
		t.Errorf("10 ports: %s, want the priced B", got.Part.PartNo)
	}
	if got, ok := x.ChooseSwitch([]PortNeed{{400, 40}}); !ok || got.Part.PartNo != "A" || got.Part.Priced {
		t.Errorf("40 ports: %+v, want the unpriced A", got)
	}
	c = read(t, "part_no,kind,rate_gbps,ports,unit_price,currency,approved\nA,switch,400,64,1,USD,no\nB,switch,400,64,2,USD,yes\n", LoadOptions{})
	if got, _ := mustIndex(t, c, SwitchLimits{}, Reach{}).ChooseSwitch([]PortNeed{{400, 10}}); got.Part.PartNo != "B" {
		t.Errorf("chose %s, which is not approved", got.Part.PartNo)
	}
	if _, err := c.Prepare(SwitchLimits{Models: []string{"C"}}, Reach{}, Currency{}); err == nil {
		t.Error("a model that is not there was accepted")
	}
}

func TestRates(t *testing.T) {
	x := mustIndex(t, Builtin(), SwitchLimits{}, Reach{})
	for ask, want := range map[float64]int{1: 100, 100: 100, 133.4: 200, 400: 400, 400.0000001: 400, 401: 800} {
		if got, ok := x.RateAtLeast(ask); !ok || got != want {
			t.Errorf("rate for %g = %d, want %d", ask, got, want)
		}
	}
	if r, ok := x.RateAtLeast(801); ok {
		t.Errorf("rate for 801 = %d, want none", r)
	}
}

func TestHotPathDoesNotAllocate(t *testing.T) {
	x := mustIndex(t, Builtin(), SwitchLimits{MaxPorts: 64, PortGbps: 400}, Reach{MaxM: 50, MediumM: map[string]float64{"copper": 3}})
	needs := []PortNeed{{200, 64}, {400, 32}}
	if n := testing.AllocsPerRun(100, func() {
		x.ChooseSwitch(needs)
		x.PortsNeeded(needs)
		x.CheapestSwitch(needs)
		x.ChooseCable(200, 17)
		x.CheapestCable(200)
		x.RateAtLeast(133)
		x.ChooseNIC(200, 2)
	}); n != 0 {
		t.Errorf("allocations = %g, want 0", n)
	}
}

func BenchmarkChooseSwitch(b *testing.B) {
	x := mustIndex(b, Builtin(), SwitchLimits{}, Reach{})
	for _, needs := range [][]PortNeed{{{100, 16}}, {{200, 128}}, {{200, 64}, {400, 100}}, {{800, 129}}} {
		b.Run(fmt.Sprintf("needs=%v", needs), func(b *testing.B) {
			for b.Loop() {
				x.ChooseSwitch(needs)
			}
		})
	}
}

func BenchmarkChooseCable(b *testing.B) {
	x := mustIndex(b, Builtin(), SwitchLimits{}, Reach{})
	for b.Loop() {
		x.ChooseCable(400, 31)
	}
}

// The one end of a splitter fibre goes into one connector of a module: modules for a single link cannot take it, those for as many links, or a multiple, can.
func TestSplitterFibreNeedsModulesOfItsLinks(t *testing.T) {
	const list = `part_no,kind,rate_gbps,ports,breakouts,length_m,reach_m,medium,unit_price,currency
SW,switch,400,32,32x400;64x200,,,,1000,USD
%s
F,fibre,,,2x200,10,,mmf-om4,10,USD
`
	for module, want := range map[string]bool{"M,transceiver,200,1,,,50,mmf-om4,100,USD": false, "M,transceiver,400,2,,,50,mmf-om4,100,USD": true, "M,transceiver,800,4,,,50,mmf-om4,100,USD": true,
		"M,transceiver,600,3,,,50,mmf-om4,100,USD": false} {
		x := prepared(t, fmt.Sprintf(list, module))
		if c, ok := x.ChooseCable(200, 5); ok != want {
			t.Errorf("%s: chosen %v %+v, want %v", module, ok, c, want)
		}
	}
}

// Of cables of a length at one price that is taken which draws less, then what comes first.
func TestEqualPricesDrawLess(t *testing.T) {
	x := prepared(t, `part_no,kind,rate_gbps,ports,length_m,medium,power_w,unit_price,currency,lead_time
SW,switch,400,32,,,100,1000,USD,1 weeks
A,cable,400,1,3,aoc,5,90,USD,1 weeks
B,cable,400,1,3,dac-passive,0.1,90,USD,3 weeks
C,cable,400,1,3,dac-passive,0.1,90,USD,2 weeks
`)
	if c, ok := x.ChooseCable(400, 3); !ok || c.Items[0].Part.PartNo != "C" {
		t.Errorf("chosen %v %+v, want C", ok, c)
	}
}
