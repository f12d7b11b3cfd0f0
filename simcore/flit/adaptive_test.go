package flit_test

import (
	"encoding/json"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology/family/familytest"
)

// Adaptive routings read queues, and what waits for them, in the middle of a cycle: the lean cycle and the general one show
// them the same.
func TestAdaptiveAgrees(t *testing.T) {
	racing.Figures(t)
	d, n := familytest.Build(t, "dragonfly(p=2,a=4,h=2)")
	tr, err := traffic.ByName("group_shift", traffic.Options{Network: n, Blocks: d.Family.Place(d.V).Blocks})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ugal_l", "par", "ugal_g"} {
		for _, speedup := range []float64{1, 2} {
			var got [2]string
			for i := range got {
				r, err := route.ByName(t.Context(), name, n, route.Options{Natural: d.Family.Natural(d.V), Want: 4})
				if err != nil {
					t.Fatal(err)
				}
				cfg := flit.DefaultConfig()
				cfg.VCs, cfg.PacketFlits, cfg.Warmup, cfg.Measure, cfg.InternalSpeedup = max(4, r.VCs()), 4, 100, 400, speedup
				if i == 1 {
					cfg.General()
				}
				s, err := flit.New(n, r, tr, cfg)
				if err != nil {
					t.Fatal(err)
				}
				p, err := s.Run(t.Context(), 0.4)
				if err != nil {
					t.Fatal(err)
				}
				text, err := json.Marshal(&p)
				if err != nil {
					t.Fatal(err)
				}
				got[i] = string(text)
			}
			if got[0] != got[1] {
				t.Errorf("%s, speedup %g: lean\n%s\ngeneral\n%s", name, speedup, got[0], got[1])
			}
		}
	}
}
