package floor

import (
	"math"
	"testing"

	"toposearch/evaluator/market"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
)

// TestRoundsOfRanges: what rounds say of dragonflies with ports in a range holds of each of these, and of those with few racks a round it is not much less.
func TestRoundsOfRanges(t *testing.T) {
	f, _ := family.ByName("dragonfly")
	found := map[bool]int{} // by whether a round touches several switches
	for _, site := range []Site{{}, {RackServers: 2}, {RackServers: 1, RowPitchM: 3}} {
		site := site
		m, rng := marketOf(t, &site), stream.New(7, "ranges of rounds")
		for range few(600) {
			p, a, g := 1+rng.IntN(20), 2+rng.IntN(40), 2+rng.IntN(60)
			from := (g-2)/a + 1 + rng.IntN(40)
			v := []int{p, a, from, g, 0}
			var s topology.Size
			if f.Size(v, &s) != nil {
				continue
			}
			place := f.Place(v)
			var r market.Rates
			m.Rate(&s, market.BoardSet(place.Boards), &r)
			var plan Plan
			if rej := plan.Place(&site, 8, &s, &place, &market.Purchase{}); rej.Constraint != "" {
				continue
			}
			turning, switches := plan.TurningOf(0)
			ring, ok := plan.RingOf(0)
			if switches == 0 || !ok {
				continue
			}
			rings := RingsAround(&site)
			turned, pairs := turning.Turned(&site, r.Speed[2], rings), ring.Pairs(&site, r.Speed[2], rings)
			ports := [2]int{from, from + 1 + rng.IntN(from+3)}
			got, ok := turned.AtLeast(int(switches), ports, pairs)
			if !ok {
				continue
			}
			found[from < g-1]++
			least := Least{Price: math.Inf(1), Watts: math.Inf(1), MeanM: math.Inf(1)}
			for h := ports[0]; h <= ports[1]; h++ {
				one, _ := turned.AtLeast(int(switches), [2]int{h, h}, pairs)
				least.Price, least.Watts, least.MeanM = min(least.Price, one.Price), min(least.Watts, one.Watts), min(least.MeanM, one.MeanM)
			}
			if got.MeanM > least.MeanM || got.Price > least.Price || got.Watts > least.Watts {
				t.Errorf("%v, %d racks a block, %v ports: at least %+v, of one number of ports %+v", v, turning.racks, ports, got, least)
			}
			t.Logf("%v racks %d ports %v ratio %.3f of %.1f m", v, turning.racks, ports, got.MeanM/least.MeanM, least.MeanM)
		}
	}
	for _, several := range []bool{false, true} {
		if found[several] < few(100) {
			t.Errorf("%d ranges compared, rounds of several switches: %v", found[several], several)
		}
	}
}
