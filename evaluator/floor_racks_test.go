package evaluator

import (
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
	"toposearch/internal/stream"
	"toposearch/topology/family"
)

// The racks that are counted are those that hold a box, with one building or several, full racks or nearly
// empty ones: last sections of fewer blocks, last buildings of fewer central switches.
func TestRacksHoldSomething(t *testing.T) {
	short := 0
	for k, site := range []Site{{}, {RackSwitches: 3}, {RackServers: 1, RackPowerW: 14e3, EndpointPowerW: 1000}, {Buildings: 2}, {Buildings: 3, RackSwitches: 3}, {Buildings: 4}} {
		e := newEvaluator(t, Options{BandwidthGbps: 400, Site: site})
		for _, f := range family.All() {
			if f.Place == nil {
				continue
			}
			for _, d := range sample(f, stream.New(4, "racks "+f.Name), few(40), 3000) {
				s, err := e.schedule(d)
				if err != nil {
					continue // there is no part for it
				}
				kinds, full := s.floor.kinds(), int64(0)
				if err := e.EachRack(d, func(r Rack) bool {
					full++
					if kinds[r.Number] == RackNone {
						t.Errorf("site %d, %s: rack %d holds something and is drawn empty", k, d, r.Number)
					}
					kinds[r.Number] = RackNone
					return true
				}); err != nil {
					t.Fatal(err)
				}
				for r, kind := range kinds {
					if kind == RackNetwork {
						t.Errorf("site %d, %s: rack %d is drawn with switches and holds none", k, d, r)
					}
				}
				p := s.floor
				if full != p.racks() {
					t.Errorf("site %d, %s: %d racks hold something, %d are counted", k, d, full, p.racks())
				}
				if full < p.sections*(p.endRacks+p.netRacks)+p.buildings*p.central {
					short++
				}
			}
		}
	}
	if short == 0 && !testing.Short() {
		t.Error("no sample has an empty place")
	}
}

// Two pods of a two-level fat tree in two halls: a leaf rack in each, and the one spine in the first.
func TestRacksByHand(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400, Site: Site{Buildings: 2}})
	r := evaluate(t, e, parse(t, "fattree(k=32,l=2,pods=2,d=24)"), Request{Level: 1})
	held := 0
	if err := e.EachRack(r.Design, func(k Rack) bool {
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

// No rack draws more than it may, wherever switches stand and however unevenly they share racks.
func TestRackPower(t *testing.T) {
	planned := 0
	for _, site := range []Site{{RackPowerW: 30e3, EndpointPowerW: 1000}, {RackPowerW: 14e3, EndpointPowerW: 1000}, {RackPowerW: 40e3, EndpointPowerW: 300}, {RackPowerW: 20e3, EndpointPowerW: 700, Buildings: 2}} {
		e := newEvaluator(t, Options{BandwidthGbps: 400, Site: site})
		for _, f := range family.All() {
			if f.Place == nil {
				continue
			}
			for _, d := range sample(f, stream.New(4, "rack power "+f.Name), few(60), 3000) {
				s, err := e.schedule(d)
				if err != nil {
					continue // there is no part for it
				}
				planned++
				b := purchase{switches: s.buys}
				e.chooseNICs(&s.size, &s.rates, &b)
				eachW := e.serverW(&s.size, &b) / float64(e.opt.PerServer)
				if err := e.EachRack(d, func(r Rack) bool {
					watts := 0.0
					for _, x := range r.Boxes {
						if x.Switch < 0 {
							watts += eachW * float64(x.End-x.First)
						} else if x.Part != nil {
							watts += x.Part.PowerW
						}
					}
					if watts > site.RackPowerW*(1+1e-9) {
						t.Errorf("%s: rack %d of %d boxes draws %.0f W, limit %g", d, r.Number, len(r.Boxes), watts, site.RackPowerW)
					}
					return true
				}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if planned < 100 {
		t.Errorf("only %d designs were planned", planned)
	}
}

// What the limit on racks leaves out is said: two optical links of 17 W modules, a cage at each end.
func TestRackPowerNote(t *testing.T) {
	for limit, want := range map[float64]bool{0: false, 40e3: true} {
		opt := Options{Catalog: twinParts(), BandwidthGbps: 400, Rates: map[string]catalog.Rate{"EUR": 1_087_000_000}, Site: Site{RackPowerW: limit}}
		r := evaluate(t, newEvaluator(t, opt), parse(t, "crossbar(n=8)"), Request{Level: 1})
		// 8 ports in 4 cages of the switch, and one for each of 8 adapters.
		if got := strings.Contains(strings.Join(r.Notes, "\n"), "modules of links, 0.204 kW in the whole network"); got != want {
			t.Errorf("limit %g: notes %q", limit, r.Notes)
		}
	}
}
