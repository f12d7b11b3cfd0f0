package placed

import (
	"math"
	"testing"

	"toposearch/workload/collective"
)

// TestCycles: rings of grids pass every switch once, from one to a neighbour, and share no link. There are as many as links allow for products of rings
// (Kotzig 1973: all of the degree), of one line (Walecki) and of HyperX whose lines have odd numbers; and on them every piece of an all-reduce arrives.
func TestCycles(t *testing.T) {
	for _, c := range []struct {
		dims, rings []int
		want        int
	}{
		{[]int{7}, []int{7}, 1}, {[]int{5}, []int{0}, 2}, {[]int{8}, []int{0}, 3}, {[]int{9}, []int{0}, 4},
		{[]int{4, 4}, []int{4, 4}, 2}, {[]int{3, 5}, []int{3, 5}, 2}, {[]int{8, 16}, []int{8, 16}, 2}, {[]int{4, 4, 4}, []int{4, 4, 4}, 3}, {[]int{8, 8, 16}, []int{8, 8, 16}, 3},
		{[]int{5, 5}, []int{0, 0}, 4}, {[]int{8, 8}, []int{0, 0}, 6}, {[]int{4, 5}, []int{0, 5}, 2}, {[]int{32, 32}, []int{0, 0}, 30},
		{[]int{2, 2}, []int{0, 0}, 0}, {[]int{1, 1}, []int{0, 0}, 0},
	} {
		g := &Grid{Dims: c.dims, PerSwitch: 1, Carry: []float64{1, 1, 1}, Rings: c.rings, Apart: []int{1, 1, 1}}
		n := 1
		for _, s := range c.dims {
			n *= s
		}
		list := g.Cycles()
		if len(list) != c.want {
			t.Errorf("%v: %d rings, want %d", c, len(list), c.want)
		}
		links := map[[2]int32]bool{}
		for _, ring := range list {
			seen := make([]bool, n)
			for i, x := range ring {
				y := ring[(i+1)%n]
				k := [2]int32{min(x, y), max(x, y)}
				if seen[x] || links[k] || !neighbours(g, int(x), int(y)) {
					t.Fatalf("%v: from %d to %d: passed %t, taken %t", c, x, y, seen[x], links[k])
				}
				seen[x], links[k] = true, true
			}
		}
		if a := (collective.Cycles{N: n, Rings: list}); len(list) > 0 && n <= 64 {
			for _, k := range []collective.Kind{collective.AllReduce, collective.ReduceScatter, collective.AllGather} {
				s, err := a.Schedule(k)
				if err != nil {
					t.Fatal(err)
				}
				cost, err := a.Cost(k)
				if err != nil {
					t.Fatal(err)
				}
				if err, by := s.Check(), s.Cost(); err != nil || by.Steps != cost.Steps || math.Abs(by.Share[0]-cost.Share[0]) > 1e-12 {
					t.Errorf("%v, %s: %v; %v, by the schedule %v", c, k, err, cost, by)
				}
			}
		}
	}
}

// neighbours by coordinates.
func neighbours(g *Grid, x, y int) bool {
	differ, ok := 0, true
	for d, s := range g.Dims {
		if a, b := x%s, y%s; a != b {
			differ++
			if ring, _ := g.ring(d); ring > 0 {
				ok = (a+1)%s == b || (b+1)%s == a
			}
		}
		x, y = x/s, y/s
	}
	return differ == 1 && ok
}
