package flit

import "testing"

func benchCycle(b *testing.B, g *grid, load float64) {
	cfg := DefaultConfig()
	s := mustNew(b, g, uniform{g.k * g.k}, cfg)
	s.Reset(load, 1)
	s.Step(2000)
	h := s.stat.flitHops
	b.ReportAllocs()
	b.ResetTimer()
	s.Step(b.N)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(s.stat.flitHops-h), "ns/flit-hop")
}

func BenchmarkCycle(b *testing.B) {
	b.Run("torus8x8/load=0.01", func(b *testing.B) { benchCycle(b, newGrid(b, 8, true), 0.01) })
	b.Run("torus8x8/load=0.1", func(b *testing.B) { benchCycle(b, newGrid(b, 8, true), 0.1) })
	b.Run("torus8x8/load=0.4", func(b *testing.B) { benchCycle(b, newGrid(b, 8, true), 0.4) })
	b.Run("torus32x32/load=0.1", func(b *testing.B) { benchCycle(b, newGrid(b, 32, true), 0.1) })
	b.Run("mesh16x16/load=0.2", func(b *testing.B) { benchCycle(b, newGrid(b, 16, false), 0.2) })
}
