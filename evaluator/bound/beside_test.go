package bound

import (
	"testing"

	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/internal/stream"
)

// TestBeside: the last rack of a group stands beside the first of the next, and cables between these are cheaper than those to the middle of the
// next where a price step lies between: rises of every height put one there.
func TestBeside(t *testing.T) {
	for i := range 24 {
		m := newModel(t, floor.Site{RiseM: 0.25 * float64(i+1), RackServers: 8, RackSwitches: 48}, market.Options{BandwidthGbps: 400})
		rng, compared := stream.New(uint64(i), "beside"), 0
		for _, name := range []string{"dragonfly(p=51,a=8,h=17,g=5,arrangement=absolute)", "dragonfly(p=9,a=56,h=49,g=9)", "dragonfly(p=29,a=15,h=36,g=5,arrangement=relative)"} {
			for range few(16) {
				spreads(t, m, parse(t, name), rng, &compared)
			}
		}
		if compared < few(16) {
			t.Errorf("%+v: %d classes compared", m.site, compared)
		}
	}
}
