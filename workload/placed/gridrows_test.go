package placed

import (
	"testing"

	"toposearch/internal/stream"
	"toposearch/workload"
)

// TestGridRows: what is counted row by row, and of planes that are alike once, is what messages one by one put on links of which all are kept: with detours where switches are joined, of ports to the middle of stars without.
func TestGridRows(t *testing.T) {
	rng, detours, stars, planes, uneven := stream.New(11, "rows"), 0, 0, 0, 0
	for trial := range 1500 {
		g := &Grid{Dims: []int{5 + rng.IntN(17), 1 + rng.IntN(9), 1 + rng.IntN(9+trial%2*20)}, PerSwitch: 1 + rng.IntN(4), Carry: []float64{1, 0.5, 0.3}}
		if trial%3 == 0 {
			g.Stars = []bool{rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0}
		}
		of := workload.Group{Stride: 1 + rng.IntN(12), Size: 2 + rng.IntN(10)}
		if trial%4 == 0 {
			of.Stride *= g.PerSwitch * (1 + rng.IntN(20))
		}
		block, ends := of.Stride*of.Size, product(g.Dims)*g.PerSwitch
		if block > ends {
			continue
		}
		p := pattern{Shift: 1 + rng.IntN(of.Size-1), All: rng.IntN(4) == 0}
		ranks := ends / block * block
		if rng.IntN(3) == 0 {
			ranks = block * (1 + rng.IntN(ends/block))
		}
		levels, ways, ok := g.byRows(of, p, ranks, trial%3 > 0)
		if !ok {
			continue
		}
		all := g.loads().(*gridLoads)
		for r := range ranks {
			p.each(of, func(shift int) {
				place := r / of.Stride % of.Size
				all.add(r, r+((place+shift)%of.Size-place)*of.Stride, 1)
			})
		}
		for d, x := range all.levels() {
			if x != levels[d] {
				t.Fatalf("%+v, %d ranks, %+v %+v: row by row %v, one by one %v", g, ranks, of, p, levels, all.levels())
			}
		}
		last := len(g.Dims) - 1
		for g.Dims[last] == 1 {
			last--
		}
		if first, from := g.planes(of, last, ranks); first < from {
			planes++
		}
		if trial%3 == 0 {
			stars++
			continue
		}
		detours++
		if ranks < ends {
			uneven++
		}
		for d, list := range all.ways() {
			for _, x := range list {
				if !ways[d].covers(x) {
					t.Fatalf("%+v, %d ranks, %+v %+v: of dimension %d a link carries %+v, by rows %+v", g, ranks, of, p, d, x, ways[d])
				}
			}
			for _, x := range ways[d] {
				if !list.covers(x) {
					t.Fatalf("%+v, %d ranks, %+v %+v: of dimension %d a link carries by rows %+v, of all %+v", g, ranks, of, p, d, x, list)
				}
			}
		}
	}
	if detours < 300 || stars < 200 || planes < 100 || uneven < 100 {
		t.Errorf("compared: %d with detours, %d of them with idle ranks, %d stars, %d of which planes are alike", detours, uneven, stars, planes)
	}
}
