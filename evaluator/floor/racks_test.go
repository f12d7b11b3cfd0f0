package floor

import (
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/market"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// marketOf is the built-in catalogue for endpoints of 400 Gb/s, and fills in what the site leaves out.
func marketOf(t *testing.T, site *Site) *market.Market {
	t.Helper()
	site.FillDefaults()
	m, err := market.New(market.Options{Catalog: catalog.Builtin(), Limits: site.Limits, Currency: "USD", BandwidthGbps: 400,
		SeveralBuildings: site.Buildings > 1, ShortestM: site.ShortestM()})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// few is how many designs to sample: less when tests are to be short.
func few(n int) int {
	if testing.Short() || racing.On {
		return max(1, n/4)
	}
	return n
}

// The racks that are counted are those that hold a box, with one building or several, full racks or nearly
// empty ones: last sections of fewer blocks, last buildings of fewer central switches.
func TestRacksHoldSomething(t *testing.T) {
	short := 0
	for k, site := range []Site{{}, {RackSwitches: 3}, {RackServers: 1, RackPowerW: 14e3, EndpointPowerW: 1000}, {Buildings: 2}, {Buildings: 3, RackSwitches: 3}, {Buildings: 4}} {
		site := site
		m := marketOf(t, &site)
		for _, f := range family.All() {
			if f.Place == nil {
				continue
			}
			for _, d := range topotest.Sample(f, stream.New(4, "racks "+f.Name), few(40), 3000) {
				s, err := NewSchedule(m, &site, 8, d)
				if err != nil {
					continue // there is no part for it
				}
				kinds, full := s.floor.kinds(), int64(0)
				s.EachRack(func(r Rack) bool {
					full++
					if kinds[r.Number] == RackNone {
						t.Errorf("site %d, %s: rack %d holds something and is drawn empty", k, d, r.Number)
					}
					kinds[r.Number] = RackNone
					return true
				})
				for r, kind := range kinds {
					if kind == RackNetwork {
						t.Errorf("site %d, %s: rack %d is drawn with switches and holds none", k, d, r)
					}
				}
				p := &s.floor
				if full != p.Racks() {
					t.Errorf("site %d, %s: %d racks hold something, %d are counted", k, d, full, p.Racks())
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

// No rack draws more than it may, wherever switches stand and however unevenly they share racks.
func TestRackPower(t *testing.T) {
	planned := 0
	for _, site := range []Site{{RackPowerW: 30e3, EndpointPowerW: 1000}, {RackPowerW: 14e3, EndpointPowerW: 1000}, {RackPowerW: 40e3, EndpointPowerW: 300}, {RackPowerW: 20e3, EndpointPowerW: 700, Buildings: 2}} {
		site := site
		m := marketOf(t, &site)
		for _, f := range family.All() {
			if f.Place == nil {
				continue
			}
			for _, d := range topotest.Sample(f, stream.New(4, "rack power "+f.Name), few(60), 3000) {
				s, err := NewSchedule(m, &site, 8, d)
				if err != nil {
					continue // there is no part for it
				}
				planned++
				eachW := site.ServerW(8, s.buys.NICW/float64(s.size.Endpoints)) / 8
				s.EachRack(func(r Rack) bool {
					watts := 0.0
					for _, x := range r.Boxes {
						if x.Switch < 0 {
							watts += eachW * float64(x.End-x.First)
						} else if x.Part != nil && !x.Shared {
							watts += x.Part.PowerW
						}
					}
					if watts > site.RackPowerW*(1+1e-9) {
						t.Errorf("%s: rack %d of %d boxes draws %.0f W, limit %g", d, r.Number, len(r.Boxes), watts, site.RackPowerW)
					}
					return true
				})
			}
		}
	}
	if planned < 100 {
		t.Errorf("only %d designs were planned", planned)
	}
}
