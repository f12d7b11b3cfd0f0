package evaluator

import (
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// Groups of few endpoints, of which several share racks, and with spines in many racks: the bounds of their cables
// hold, and all of them are met.
func TestBlocksOfFewEndpoints(t *testing.T) {
	rng := stream.New(1, "blocks")
	f := parse(t, "dragonflyplus(l=2,m=2,p=2,h=2,g=3)").Family
	var known compared
	var e *Evaluator
	for n := range few(2000) {
		if n%100 == 0 {
			site := Site{}
			if n > 0 {
				site = Site{
					RackServers: 1 + rng.IntN(8), RackSwitches: 1 + rng.IntN(40), Rows: rng.IntN(2) * rng.IntN(9),
					RackPitchM: 0.3 + rng.Float64(), RowPitchM: 0.5 + 2*rng.Float64(), InRackM: 1 + 4*rng.Float64(),
					Slack: rng.Float64() / 2, RiseM: 0.1 + 2*rng.Float64(),
				}
			}
			e = newEvaluator(t, Options{BandwidthGbps: 400, PerServer: 1 + rng.IntN(8), Site: site})
		}
		l, m, p, h := 1+rng.IntN(6), 1+rng.IntN(40), 1+rng.IntN(4), 1+rng.IntN(20)
		if rng.IntN(2) == 0 {
			l = 1 + rng.IntN(40)
		}
		g := 2 + rng.IntN(min(m*h, 200))
		if rng.IntN(3) == 0 {
			g = 2 + rng.IntN(min(m*h, 20))
		}
		spreads(t, e, topology.Design{Family: f, V: []int{l, m, p, h, g}}, rng, &known)
	}
	if min(known.shared, known.parted, known.farthest) < few(2000)/50 {
		t.Errorf("compared %+v", known)
	}
}
