package family

import (
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// What a candidate of ATOP's space of 1,024 accelerators takes before it is evaluated: drawn, varied, mended, counted, built.
func BenchmarkLayered(b *testing.B) {
	f := layered
	lo, hi, v := make([]int, len(f.Params)), make([]int, len(f.Params)), make([]int, len(f.Params))
	for i, p := range f.Params {
		lo[i], hi[i] = p.Min, p.Max
	}
	lo[0], hi[0] = 1024, 1024
	rng := stream.New(1, "layered benchmark")
	f.Draws.Sample(rng.IntN, lo, hi, v) // for what stands below, if the first is left out
	b.Run("sample", func(b *testing.B) {
		for b.Loop() {
			f.Draws.Sample(rng.IntN, lo, hi, v)
		}
	})
	b.Run("vary", func(b *testing.B) {
		for b.Loop() {
			f.Draws.Vary(rng.IntN, lo, hi, v)
		}
	})
	var s topology.Size
	b.Run("size", func(b *testing.B) {
		v := design(b, "layered(n1=1024,n2=32,n3=32,h12_1=32,h12_2=32,h13_1=1,h13_3=1,h23_2=1,h23_3=1,e23=32)").V
		for b.Loop() {
			for i := range layeredMemo {
				layeredMemo[i].Store(nil)
			}
			if err := f.Size(v, &s); err != nil {
				b.Fatal(err)
			}
		}
	})
}
