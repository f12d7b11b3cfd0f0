package placed

import (
	"slices"
	"testing"

	"toposearch/internal/stream"
	"toposearch/workload"
)

// TestGridLines: lines that are alike, counted once, carry what messages one by one put on all: of rings, of lines with two ends, of ports to the middle of stars and where all are joined, there also with detours; of groups of few
// endpoints and of most, of all ranks and of some.
func TestGridLines(t *testing.T) {
	rng, detours, alike, partly, numbered := stream.New(12, "lines"), 0, 0, 0, 0
	for trial := range 3000 {
		g := &Grid{PerSwitch: 1 + rng.IntN(1+rng.IntN(12))}
		kinds := rng.IntN(5)
		for range 1 + rng.IntN(4) {
			n := 1 + rng.IntN([]int{40, 15, 6, 4}[len(g.Dims)])
			g.Dims, g.Carry, g.Stars, g.Apart = append(g.Dims, n), append(g.Carry, 1), append(g.Stars, kinds == 3), append(g.Apart, 1)
			if kinds == 4 {
				kinds = rng.IntN(4)
			}
			g.Open, g.Rings = append(g.Open, kinds == 2), append(g.Rings, n)
			if kinds != 1 && kinds != 2 {
				g.Rings[len(g.Dims)-1], g.Apart[len(g.Dims)-1] = 0, 0
			}
		}
		switch trial % 3 {
		case 1: // numbered cell by cell
			g.PerSwitch = 1
			for d := range g.Dims {
				high := 1 + rng.IntN(5)
				low := max(1, g.Dims[d]/high)
				g.Dims[d] = low * high
				if g.Rings[d] > 0 {
					g.Rings[d] = low * high
				}
				g.Digits = slices.Insert(append(g.Digits, Digit{d, high}), d, Digit{d, low})
			}
		case 2:
			for d, x := range g.Dims {
				g.Digits = append(g.Digits, Digit{d, x})
			}
		}
		if n := len(g.Dims); g.Digits != nil && rng.IntN(2) == 0 { // from the last dimension on
			slices.Reverse(g.Digits[:n])
			slices.Reverse(g.Digits[n:])
		}
		ends := product(g.Dims) * g.PerSwitch
		of := workload.Group{Stride: 1 + rng.IntN(12), Size: 2 + rng.IntN(10)}
		switch rng.IntN(3) {
		case 0:
			of.Stride = 1 + rng.IntN(ends/2+1)
		case 1:
			of.Size = 2 + rng.IntN(ends/of.Stride+1)
		}
		ways := kinds == 0 && trial%3 == 0 && rng.IntN(4) > 0
		if n := ends / g.PerSwitch; ways { // all switches send as much
			for of.Stride = 1 + rng.IntN(n); n%of.Stride > 0; of.Stride-- {
			}
			for of.Size = 1 + rng.IntN(n/of.Stride); n/of.Stride%of.Size > 0; of.Size-- {
			}
			of.Stride *= g.PerSwitch
		}
		block := of.Stride * of.Size
		if of.Size < 2 {
			continue
		}
		if block > ends {
			continue
		}
		p := pattern{Shift: 1 + rng.IntN(of.Size-1), All: of.Size < 20 && rng.IntN(3) == 0}
		ranks := ends / block * block
		if !ways && rng.IntN(4) == 0 {
			ranks = block * (1 + rng.IntN(ends/block))
		}
		levels, out, ok := g.byLines(of, p, ranks, ways)
		if !ok && !ways {
			t.Fatalf("%+v, %+v %+v: not counted", g, of, p)
		}
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
				t.Fatalf("%+v, %d ranks, %+v %+v: line by line %v, one by one %v", g, ranks, of, p, levels, all.levels())
			}
		}
		if g.Digits != nil {
			numbered++
		}
		if alike++; ranks < ends/2 {
			partly++
		}
		if !ways {
			continue
		}
		detours++
		for d, list := range all.ways() {
			for _, x := range list {
				if !out[d].covers(x) {
					t.Fatalf("%+v, %d ranks, %+v %+v: of dimension %d a link carries %+v, by lines %+v", g, ranks, of, p, d, x, out[d])
				}
			}
			for _, x := range out[d] {
				if !list.covers(x) {
					t.Fatalf("%+v, %d ranks, %+v %+v: of dimension %d a link carries by lines %+v, of all %+v", g, ranks, of, p, d, x, list)
				}
			}
		}
	}
	if alike < 1500 || partly < 100 || detours < 60 || numbered < 800 {
		t.Errorf("compared: %d, %d of them with idle ranks, %d with detours, %d numbered otherwise", alike, partly, detours, numbered)
	}
}
