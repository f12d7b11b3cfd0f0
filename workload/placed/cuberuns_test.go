package placed

import (
	"math"
	"testing"

	"toposearch/internal/stream"
	"toposearch/workload"
)

// TestCubeRuns: what rows of ZCubes load is what messages load one by one, of all levels, of any ranks on the first endpoints, by shifts and by all-to-alls.
func TestCubeRuns(t *testing.T) {
	rng, turned := stream.New(8, "cubes"), 0
	for trial := range 800 {
		levels := 2 + trial%4
		side := []int{0, 0, 2 + rng.IntN(9), 2 + rng.IntN(5), 2 + rng.IntN(3), 2 + rng.IntN(2)}[levels]
		c := NewCubes(side, side, levels)
		if trial%8 == 0 { // of two levels, shorter rows
			c = NewCubes(1+trial%side, side, levels)
		}
		of := workload.Group{Stride: 1 + rng.IntN(1<<rng.IntN(6)), Size: 2 + rng.IntN(6)}
		if trial%5 == 0 { // what leaves all values of the highest digit alike
			of = workload.Group{Stride: 1 << rng.IntN(8), Size: 2 << rng.IntN(3)}
			if trial%2 == 0 {
				for of.Size = side; side%of.Size > 0; of.Size = 2 + rng.IntN(side-1) {
				}
				of.Stride = c.power[levels] / of.Size
			}
		}
		block := of.Stride * of.Size
		ranks := c.Row * c.power[levels-1]
		if trial%5 > 0 && rng.IntN(2) == 0 {
			ranks -= rng.IntN(ranks)
		}
		if ranks -= ranks % block; ranks == 0 {
			continue
		}
		p := pattern{Shift: 1 + rng.IntN(of.Size-1)}
		if rng.IntN(4) == 0 {
			p = pattern{All: true}
		}
		if levels > 2 && c.turned(of, p, ranks) {
			turned++
		}
		got, l := c.byRuns(of, p, ranks, false).levels, c.loads()
		for r := range ranks {
			p.each(of, func(shift int) {
				place := r / of.Stride % of.Size
				l.add(r, r+((place+shift)%of.Size-place)*of.Stride, 1)
			})
		}
		for i, want := range l.levels() {
			if math.Abs(got[i]-want) > 1e-12*want {
				t.Fatalf("zcube(n=%d,k=%d) with rows of %d, %d ranks, %+v by %+v: levels carry %v, one by one %v", c.Side, levels, c.Row, ranks, of, p, got, l.levels())
			}
		}
	}
	if turned < 60 {
		t.Errorf("only %d of values of the highest digit that are alike", turned)
	}
}
