package evaluator

import (
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
)

// Two pods of a two-level fat tree in two halls: a leaf rack in each, and the one spine in the first.
func TestRacksByHand(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400, Site: floor.Site{Buildings: 2}})
	r := evaluate(t, e, parse(t, "fattree(k=32,l=2,pods=2,d=24)"), Request{Level: 1})
	held := 0
	if err := e.EachRack(r.Design, func(k floor.Rack) bool {
		held++
		for _, b := range k.Boxes {
			if b.Switch >= 0 && b.Class == "spine" && k.Building != 0 {
				t.Errorf("spine in building %d", k.Building)
			}
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if got := value(t, r, metric.Racks); got != 3 || held != 3 {
		t.Errorf("racks = %g, %d hold something; want 3", got, held)
	}
}

// What the limit on racks leaves out is said: two optical links of 17 W modules, a cage at each end.
func TestRackPowerNote(t *testing.T) {
	for limit, want := range map[float64]bool{0: false, 40e3: true} {
		opt := Options{Catalog: twinParts(), BandwidthGbps: 400, Rates: map[string]catalog.Rate{"EUR": 1_087_000_000}, Site: floor.Site{RackPowerW: limit}}
		r := evaluate(t, newEvaluator(t, opt), parse(t, "crossbar(n=8)"), Request{Level: 1})
		// 8 ports in 4 cages of the switch, and one for each of 8 adapters.
		if got := strings.Contains(strings.Join(r.Notes, "\n"), "modules of links, 0.204 kW in the whole network"); got != want {
			t.Errorf("limit %g: notes %q", limit, r.Notes)
		}
	}
}
