package flit_test

import (
	"context"
	"testing"

	"toposearch/internal/racing"
	"toposearch/routing"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology/family/familytest"
)

// TestUGALShortBuffers: where a VC holds half a packet, UGAL still sees the congestion of adversarial traffic.
func TestUGALShortBuffers(t *testing.T) {
	racing.Figures(t)
	d, n := familytest.Build(t, "dragonfly(p=2,a=4,h=2)")
	place := d.Family.Place(d.V)
	shift, err := traffic.ByName("group_shift", traffic.Options{Network: n, Blocks: place.Blocks})
	if err != nil {
		t.Fatal(err)
	}
	var accepted [2]float64
	for i, name := range []string{"valiant", "ugal_l"} {
		cfg := flit.SwitchConfig()
		cfg.PacketFlits, cfg.BufferFlits, cfg.Warmup, cfg.Measure = 16, 8, 500, 1500
		r, err := route.ByName(context.Background(), name, n, route.Options{Natural: d.Family.Natural(d.V), VCs: 4, Blocks: routing.BlocksOf(n, place)})
		if err != nil {
			t.Fatal(err)
		}
		s, err := flit.New(n, r, shift, cfg)
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.Run(context.Background(), 0.6)
		if err != nil {
			t.Fatal(err)
		}
		accepted[i] = p.Accepted
	}
	if accepted[1] < 0.9*accepted[0] {
		t.Errorf("ugal_l accepts %.3f, valiant %.3f", accepted[1], accepted[0])
	}
}
