package catalog

import (
	"fmt"
	"testing"
)

func mustIndex(t testing.TB, c *Catalogue, lim SwitchLimits, r Reach) *Index {
	t.Helper()
	x, err := c.Prepare(lim, r, Currency{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// linkMinor is the price of one link in minor units.
func linkMinor(c Cabling) Money {
	var sum Money
	for _, it := range c.Items {
		if it.Part != nil {
			sum += it.Part.UnitPrice * Money(it.Num) / Money(it.Den)
		}
	}
	return sum
}

// The survey's prices of 100 and 200 Gb/s, and their continuation per doubling: copper x1.55,
// optical x1.80, module power x1.5.
func TestBuiltinLinks(t *testing.T) {
	x := mustIndex(t, Builtin(), SwitchLimits{}, Reach{})
	for _, w := range []struct {
		gbps     int
		lengthM  float64
		copper   bool
		price    Money
		powerW   float64
		stockM   float64
		anyDeriv bool
	}{
		{100, 3, true, 159_00, 0, 3, false},
		{100, 5, true, 159_00, 0, 5, false},
		{100, 5.1, false, 751_00, 6, 7, false},
		{200, 3, true, 246_00, 0, 3, false},
		{200, 3.5, true, 246_00, 0, 4, true},
		{200, 30, false, 1350_00, 9, 30, false},
		{200, 100, false, 1350_00, 9, 100, false},
		{200, 101, false, 3 * 1350_00, 9, 150, true},
		{400, 2, true, 381_30, 0, 2, true},         // 246 x 1.55
		{400, 8, false, 2430_00, 13.5, 10, true},   // 1350 x 1.80
		{800, 1.2, true, 591_02, 0, 1.5, true},     // 381.30 x 1.55 = 591.015, half up
		{800, 20, false, 4374_00, 20.25, 20, true}, // 2430 x 1.80
		{800, 51, false, 3 * 4374_00, 20.25, 70, true},
	} {
		c, ok := x.ChooseCable(w.gbps, w.lengthM)
		if !ok {
			t.Errorf("%d Gb/s, %g m: no cable", w.gbps, w.lengthM)
			continue
		}
		derived := c.Items[0].Part.Derived || c.Items[1].Part != nil && c.Items[1].Part.Derived
		if c.Copper != w.copper || linkMinor(c) != w.price || c.PowerW != w.powerW || c.StockM != w.stockM || derived != w.anyDeriv {
			t.Errorf("%d Gb/s, %g m: copper %v, price %d, %g W, stock %g m, derived %v; want %+v", w.gbps, w.lengthM, c.Copper, linkMinor(c), c.PowerW, c.StockM, derived, w)
		}
	}
	if c, ok := x.ChooseCable(400, 501); ok {
		t.Errorf("400 Gb/s, 501 m: got %s, want none", c.Items[0].Part.PartNo)
	}
}

// A switch is its ports: 497 USD and 6.75 W each at 200 Gb/s, proportional to the rate.
func TestBuiltinSwitches(t *testing.T) {
	n := 0
	for _, p := range Builtin().Parts {
		if p.Kind != KindSwitch {
			continue
		}
		n++
		if want := Money(p.Ports * p.RateGbps * 497_00 / 200); p.UnitPrice != want {
			t.Errorf("%s: price %d, want %d", p.PartNo, p.UnitPrice, want)
		}
		if want := float64(p.Ports*p.RateGbps) * 6.75 / 200; p.PowerW != want {
			t.Errorf("%s: %g W, want %g", p.PartNo, p.PowerW, want)
		}
		if p.Derived != (p.RateGbps > 200) {
			t.Errorf("%s: derived = %v", p.PartNo, p.Derived)
		}
	}
	if n != 16 {
		t.Errorf("switches = %d, want 16: 16, 32, 64 and 128 ports at four rates", n)
	}
	// 64x400 = 128x200 = 256x100.
	p := Builtin().Part("SW-64x400")
	if got := fmt.Sprint(p.Breakouts); got != "[{64 400} {128 200} {256 100}]" {
		t.Errorf("SW-64x400: breakouts %s", got)
	}
}

// zcube(n=64,k=2) at 400 Gb/s has radix 128 of 200 Gb/s on 64 physical ports of 400.
func TestBuiltinChoice(t *testing.T) {
	x := mustIndex(t, Builtin(), SwitchLimits{}, Reach{})
	for _, w := range []struct {
		needs []PortNeed
		part  string
		ports int
	}{
		{[]PortNeed{{200, 128}}, "SW-64x400", 64},
		{[]PortNeed{{400, 64}}, "SW-64x400", 64},
		{[]PortNeed{{400, 65}}, "SW-128x400", 65},
		{[]PortNeed{{100, 3}}, "SW-16x100", 3},
		{[]PortNeed{{400, 32}, {800, 16}}, "SW-32x800", 32},
		{[]PortNeed{{400, 31}, {800, 17}}, "SW-64x800", 33},
		{[]PortNeed{{400, 3}, {400, 13}}, "SW-16x400", 16},
	} {
		c, ok := x.ChooseSwitch(w.needs)
		if !ok || c.Part.PartNo != w.part || c.PhysicalPorts != w.ports {
			t.Errorf("%v: got %+v, want %s with %d ports", w.needs, c, w.part, w.ports)
		}
	}
	if c, ok := x.ChooseSwitch([]PortNeed{{800, 129}}); ok {
		t.Errorf("129 ports of 800: got %s, want none", c.Part.PartNo)
	}
	if n, ok := x.PortsNeeded([]PortNeed{{800, 129}}); !ok || n != 129 {
		t.Errorf("129 ports of 800: needs %d ports, want 129", n)
	}
	if p, n, ok := x.ChooseNIC(200, 2); !ok || p.PartNo != "NIC-2x200" || n != 1 || p.PowerW != 20 || p.Priced {
		t.Errorf("NIC with 2 x 200: got %v x %d", p, n)
	}
}
