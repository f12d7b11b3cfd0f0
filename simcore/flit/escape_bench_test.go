package flit_test

import (
	"context"
	"fmt"
	"testing"

	"toposearch/routing"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology/family/familytest"
)

// BenchmarkOFAR is ofar beside minimal routing, in processor time per flit-hop.
func BenchmarkOFAR(b *testing.B) {
	d, n := familytest.Build(b, "dragonfly(p=4,a=8,h=4)")
	tr, err := traffic.ByName("uniform", traffic.Options{Network: n})
	if err != nil {
		b.Fatal(err)
	}
	for _, load := range []float64{0.3, 0.6} {
		for _, name := range []string{"natural", "par", "ofar"} {
			b.Run(fmt.Sprintf("%s/load=%g", name, load), func(b *testing.B) {
				cfg := flit.SwitchConfig()
				cfg.VCs, cfg.PacketFlits = 5, 4
				r, err := route.ByName(context.Background(), name, n, route.Options{Natural: d.Family.Natural(d.V), Blocks: routing.BlocksOf(n, d.Family.Place(d.V)), VCs: cfg.VCs})
				if err != nil {
					b.Fatal(err)
				}
				s, err := flit.New(n, r, tr, cfg)
				if err != nil {
					b.Fatal(err)
				}
				s.Reset(load, 1)
				s.Step(500)
				h := s.Counts().FlitHops
				b.ResetTimer()
				start := cpuNs()
				s.Step(b.N)
				b.ReportMetric(float64(cpuNs()-start)/float64(s.Counts().FlitHops-h), "cpu-ns/flit-hop")
			})
		}
	}
}
