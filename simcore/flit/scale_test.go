package flit_test

import (
	"runtime"
	"testing"

	"toposearch/simcore/flit"
)

// BenchmarkScale builds a network, runs 100 cycles at 10 % load and reports the memory of the
// simulation per endpoint, routing table aside.
func BenchmarkScale(b *testing.B) {
	for _, design := range []string{"dragonfly(p=4,a=8,h=4)", "dragonfly(p=8,a=16,h=8)", "torus(k1=32,k2=32,k3=8)"} {
		b.Run(design, func(b *testing.B) {
			cfg := flit.DefaultConfig()
			cfg.PacketFlits = 4
			s, n := nativeSim(b, design, cfg)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			twin, err := s.Clone()
			if err != nil {
				b.Fatal(err)
			}
			twin.Reset(0.1, 1)
			twin.Step(500)
			runtime.GC()
			runtime.ReadMemStats(&after)
			h := twin.Counts().FlitHops
			b.ResetTimer()
			start := cpuNs()
			twin.Step(b.N)
			b.ReportMetric(float64(cpuNs()-start)/float64(twin.Counts().FlitHops-h), "cpu-ns/flit-hop")
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(n.Endpoints()), "B/endpoint")
			runtime.KeepAlive(s)
		})
	}
}
